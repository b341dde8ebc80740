import { levelFilters, levelTargets, listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import { type Caller, type Login, MERCHANT_KEYS, MERCHANTS, sees } from "../../../../apps/server/testing/matrix/people.ts";
import {
  ADMIN,
  AE,
  amongBody,
  inBody,
  inPath,
  inQuery,
  MCH,
  model,
  own,
  type Policy,
  policy,
  type Slot,
  slot,
  SP,
  type Target,
  withOwn,
} from "../../../../apps/server/testing/matrix/policy.ts";
import { type StockFact, stockFacts } from "./plant-stock.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { commandFacts } from "./plant-commands.ts";

const LOOKERS: readonly Login[] = [...ADMIN, ...SP, "agent01", "agent02", ...MCH, ...AE];
const KEEPERS: readonly Login[] = [...SP, ...MCH];
const BOOK: readonly Login[] = [...ADMIN, ...SP, ...MCH];
const COMMANDERS: readonly Login[] = [...ADMIN, ...SP, ...MCH, ...AE];
const logs = (world: HttpWorld) => world.of(commandFacts).filter(({ kind }) => kind === "upload-log");
const waiting = (world: HttpWorld) => world.of(commandFacts).filter(({ kind }) => kind === "screenshot");
/** Every device of the demo tree, with the columns that a list narrows by. */
const devices = ({ till: { tree } }: HttpWorld) =>
  MERCHANT_KEYS.flatMap((merchant) => {
    const { agent, provider } = MERCHANTS[merchant];
    return tree.merchants[merchant].stores.flatMap((store, n) =>
      store.devices.map(({ id, sn }) => ({
        id,
        sn,
        merchant,
        store: n,
        provider,
        storeId: store.id,
        merchantId: store.merchantId,
        serviceProviderId: tree.providers[provider],
        agentId: agent ? tree.agents[agent] : null,
      })),
    );
  });
const some = (world: HttpWorld): Target[] => devices(world).flatMap((one, n) => (n % 7 === 0 ? [{ id: one.id, place: one }] : []));
const levels = levelFilters(["serviceProviderId", "agentId", "merchantId", "storeId"]);
const counts = (facts: (world: HttpWorld) => readonly { readonly id: string }[], seen?: Seen) =>
  model<StockFact>({
    facts: facts as never,
    shown: (body) => (body as { count: number }).count,
    expected: (all) => all.length,
    ...(seen && { sees: seen as never }),
  });

type Seen = (caller: Caller, fact: { readonly provider?: string | undefined; readonly merchant?: StockFact["merchant"] }) => boolean;
/** A thing in stock is seen by whoever holds it and by those above. */
const holdsOrAbove: Seen = (caller, { provider, merchant }) =>
  caller === "admin" || (merchant ? sees(caller, { merchant }) : provider !== undefined && caller === provider);
const stock = (world: HttpWorld): readonly StockFact[] => world.of(stockFacts);
const book = (world: HttpWorld) => [
  ...devices(world),
  ...stock(world).map((one) => ({
    ...one,
    serviceProviderId: one.provider ? world.till.tree.providers[one.provider] : null,
    merchantId: one.merchant ? world.till.tree.merchants[one.merchant].id : null,
  })),
];
const stockTargets = (world: HttpWorld): Target[] => stock(world).map((one) => ({ id: one.id, place: one }));
/** What is in the stock of a caller itself. */
const inStock = (world: HttpWorld, caller: Caller): StockFact | undefined =>
  stock(world).find(({ provider, merchant }) =>
    caller === "admin" ? provider === undefined : merchant ? merchant === caller : provider === caller,
  );
const firstStore = (world: HttpWorld, caller: Caller): string | undefined => own(devices(world), caller)?.storeId;
const move = (world: HttpWorld, kind: string, ids: readonly string[]) => ({
  requestId: world.services.ids.uuid(world.services.clock.now_ms()),
  kind,
  ids,
});
/** Of mch01 and mch02 alone: a device in sight moves within its own merchant only. */
const ofTwo = (world: HttpWorld): Target[] =>
  (["mch01", "mch02"] as const).map((merchant) => ({
    id: world.till.tree.merchants[merchant].stores[1]!.id,
    place: { merchant, store: 1 },
  }));
const cashiersOfTwo = (world: HttpWorld): Target[] =>
  (["mch01", "mch02"] as const).flatMap((merchant) =>
    [0, 1].map((store) => ({ id: world.till.tree.merchants[merchant].stores[store]!.cashiers[0]!.id, place: { merchant, store } })),
  );
const firstDevice: NonNullable<Slot["base"]> = (world, caller) => {
  const found = own(devices(world), caller);
  return found && { body: { device_id: found.id } };
};
const idOfDevice = (put: Slot["put"]): Slot => slot("device", put, some);

export const equipmentPolicies: readonly Policy[] = [
  policy("GET /device/api/Device/get_devices", LOOKERS, {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levels,
    model: listOf(devices),
  }),
  policy("GET /api/devices/summary", LOOKERS, { slots: levels, model: counts(devices) }),
  policy("GET /api/devices/:id", LOOKERS, {
    sample: withOwn(devices, ({ id }) => ({ params: { id } })),
    slots: [idOfDevice(inPath("id"))],
  }),
  policy("POST /device/api/Device/update_device_info", KEEPERS, {
    sample: withOwn(devices, ({ id }) => ({ body: { device_id: id, name: "改名设备" } })),
    slots: [
      idOfDevice(inBody("device_id")),
      slot("store_id", inBody("store_id"), ofTwo, { base: firstDevice }),
      slot("cashier_id", inBody("cashier_id"), cashiersOfTwo, {
        base: firstDevice,
        sees: (caller, { place }) => place.store === 0 && sees(caller, place),
      }),
    ],
  }),
  policy("GET /device/api/Device/clean_cashier_id", [...KEEPERS, ...AE], {
    writes: true,
    sample: withOwn(devices, ({ id }) => ({ query: { device_id: id } })),
    slots: [idOfDevice(inQuery("device_id"))],
  }),
  policy("POST /api/devices/bind", KEEPERS, {
    sample: (world, caller) => {
      const piece = inStock(world, caller);
      return piece && { body: { sn: piece.sn, storeId: firstStore(world, caller), name: "新设备" } };
    },
    slots: [
      slot("storeId", inBody("storeId"), levelTargets("storeId"), {
        base: (world, caller) => {
          const piece = inStock(world, caller);
          return piece && { body: { sn: piece.sn, name: "新设备" } };
        },
      }),
      slot(
        "sn",
        inBody("sn"),
        (world) => stock(world).flatMap((one) => (one.merchant === "mch03" || !one.provider ? [] : [{ id: one.sn, place: one }])),
        {
          unknown: "STOCK-9999",
          malformed: "!",
          sees: (caller, { place }) => holdsOrAbove(caller, place),
          base: (world, caller) => ({ body: { storeId: firstStore(world, caller), name: "新设备" } }),
        },
      ),
    ],
  }),
  policy("POST /api/devices/unbind", KEEPERS, {
    sample: withOwn(devices, ({ id }) => ({ body: { id } })),
    slots: [idOfDevice(inBody("id"))],
  }),
  policy("POST /api/devices/key", KEEPERS, { sample: withOwn(devices, ({ id }) => ({ body: { id } })), slots: [idOfDevice(inBody("id"))] }),
  policy("POST /api/devices/keys", KEEPERS, {
    sample: withOwn(devices, ({ id }) => ({ body: { ids: [id] } })),
    slots: [slot("ids", amongBody("ids"), some)],
  }),
  policy("POST /api/devices/commands", COMMANDERS, {
    sample: withOwn(devices, ({ id }, world) => ({
      body: { requestId: world.services.ids.uuid(world.services.clock.now_ms()), kind: "restart", ids: [id] },
    })),
    slots: [slot("ids", amongBody("ids"), some)],
  }),
  policy("POST /api/devices/commands/cancel", COMMANDERS, {
    sample: withOwn(waiting, ({ id }) => ({ body: { id } })),
    slots: [slot("id", inBody("id"), (world) => waiting(world).map((one) => ({ id: one.id, place: one })))],
  }),
  policy("GET /api/devices/commands", LOOKERS, {
    noModel: "the rows of one device, which is a slot",
    sample: withOwn(devices, ({ id }) => ({ query: { deviceId: id } })),
    slots: [slot("deviceId", inQuery("deviceId"), some, { unseen: 200, sees: () => true })],
  }),
  policy("GET /api/devices/commands/:id/file", COMMANDERS, {
    envelope: "file",
    sample: withOwn(logs, ({ id }) => ({ params: { id } })),
    slots: [slot("id", inPath("id"), (world) => logs(world).map((one) => ({ id: one.id, place: one })))],
  }),
  policy("POST /api/device/commands/done", "device", { sample: () => ({ body: { number: 1, ok: true, words: "已重启" } }) }),
  policy("POST /api/device/commands/file", "device", {
    sample: () => ({ body: { number: 2, base64: Buffer.from("log").toString("base64") } }),
  }),
  policy("GET /api/equipment", BOOK, {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(["serviceProviderId", "merchantId"]),
    model: listOf(book as never, holdsOrAbove as never),
  }),
  policy("GET /api/equipment/summary", BOOK, {
    slots: levelFilters(["serviceProviderId", "merchantId"]),
    model: counts(book, holdsOrAbove),
  }),
  policy("GET /api/equipment/:id", BOOK, {
    sample: (world, caller) => {
      const piece = inStock(world, caller);
      return piece && { params: { id: piece.id } };
    },
    slots: [slot("id", inPath("id"), stockTargets, { sees: (caller, { place }) => holdsOrAbove(caller, place) })],
  }),
  policy("POST /api/equipment/intake", [...ADMIN, ...SP], {
    sample: ({ services }) => ({
      body: { requestId: services.ids.uuid(services.clock.now_ms()), model: "XY-L1", sns: [`NEW-${services.ids.digits(8)}`] },
    }),
  }),
  policy("POST /api/equipment/move", BOOK, {
    sample: (world, caller) => {
      const piece = inStock(world, caller);
      return piece && { body: move(world, "repair", [piece.id]) };
    },
    slots: [
      slot("ids", amongBody("ids"), stockTargets, {
        // The platform sees what merchants hold and takes back from providers alone.
        base: (world, caller) => (caller === "admin" ? undefined : { body: move(world, "return", []) }),
        sees: (caller, { place }) => holdsOrAbove(caller, place),
      }),
      slot("serviceProviderId", inBody("serviceProviderId"), levelTargets("serviceProviderId"), {
        base: (world, caller) => (caller === "admin" ? { body: move(world, "issue", [inStock(world, caller)!.id]) } : undefined),
      }),
      slot("merchantId", inBody("merchantId"), levelTargets("merchantId"), {
        base: (world, caller) => (SP.includes(caller as Login) ? { body: move(world, "issue", [inStock(world, caller)!.id]) } : undefined),
      }),
    ],
  }),
];
