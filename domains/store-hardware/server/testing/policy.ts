import { paid } from "../../../orders/server/testing/facts.ts";
import { asked, levelFilters, levelTargets, listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import { MERCHANTS, type MerchantKey, sees } from "../../../../apps/server/testing/matrix/people.ts";
import {
  AE,
  inBody,
  inPath,
  inQuery,
  MCH,
  own,
  type Policy,
  policy,
  slot,
  withOwn,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { platformFacts } from "../../../platforms/server/testing/plant.ts";
import { type HardwareFact, hardwareFacts } from "./plant.ts";

const USERS = [...MCH, ...AE];
const ofKind = (kind: HardwareFact["kind"]) => (world: HttpWorld) => world.of(hardwareFacts).filter((one) => one.kind === kind);
const outputs = (world: HttpWorld) =>
  world.of(hardwareFacts).map(({ id, outputId, ...rest }) => ({ ...rest, id: outputId, hardwareId: id }));
const uses = (world: HttpWorld) => world.of(platformFacts);
const idSlot = (kind: HardwareFact["kind"], put = inBody("id")) =>
  slot("id", put, (world) => ofKind(kind)(world).map((fact) => ({ id: fact.id, place: fact })));
const act = (kind: HardwareFact["kind"], name: string, more: object = {}): Policy =>
  policy(`POST /api/store-hardware/${kind}s/${name}`, USERS, {
    sample: withOwn(ofKind(kind), ({ id }) => ({ body: { id, ...more } })),
    slots: [idSlot(kind)],
  });
/** A device that nobody has yet, at the first store of the caller's. */
const bind =
  (more: object): Policy["sample"] =>
  (world, caller) => {
    const { till, services } = world;
    const merchant = (Object.keys(MERCHANTS) as MerchantKey[]).find((key) => sees(caller, { merchant: key, store: 0 }));
    if (!merchant) return undefined;
    return { body: { storeId: till.tree.merchants[merchant].stores[0]!.id, sn: services.ids.digits(12), name: "新设备", ...more } };
  };
const list = (kind: HardwareFact["kind"]): Policy =>
  policy(`GET /api/store-hardware/${kind}s`, USERS, {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(["storeId"]),
    model: listOf(ofKind(kind)),
  });
const one = (kind: HardwareFact["kind"]): Policy =>
  policy(`GET /api/store-hardware/${kind}s/:id`, USERS, {
    sample: withOwn(ofKind(kind), ({ id }) => ({ params: { id } })),
    slots: [idSlot(kind, inPath("id"))],
  });
const settings = { version: 1, name: "前台", onPayment: true, onRefund: false };

export const hardwarePolicies: readonly Policy[] = [
  list("printer"),
  one("printer"),
  policy("POST /api/store-hardware/printers/bind", USERS, {
    sample: bind({ vendor: "feie", key: "abcd1234", copies: 1, template: "full", paperWidth: 58 }),
    slots: [slot("storeId", inBody("storeId"), levelTargets("storeId"))],
  }),
  act("printer", "update", { ...settings, copies: 2, template: "brief", paperWidth: 80 }),
  act("printer", "test"),
  act("printer", "check"),
  act("printer", "unbind"),
  list("speaker"),
  one("speaker"),
  policy("POST /api/store-hardware/speakers/bind", USERS, {
    sample: bind({ protocol: 1, volume: 60 }),
    slots: [slot("storeId", inBody("storeId"), levelTargets("storeId"))],
  }),
  act("speaker", "update", { ...settings, volume: 30 }),
  act("speaker", "test"),
  act("speaker", "unbind"),
  policy("GET /api/store-hardware/outputs", USERS, {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: [
      slot("hardwareId", inQuery("hardwareId"), (world) => world.of(hardwareFacts).map((one) => ({ id: one.id, place: one })), {
        unseen: 200,
        sees: () => true,
      }),
    ],
    model: listOf(outputs),
  }),
  policy("POST /api/store-hardware/reprint", USERS, {
    sample: (world, caller) => {
      const order = own(paid(world), caller);
      return order && { body: { requestId: world.services.ids.uuid(world.services.clock.now_ms()), orderId: order.id } };
    },
    slots: [
      slot("orderId", inBody("orderId"), (world) =>
        paid(world)
          .filter(asked)
          .map((order) => ({ id: order.id, place: order })),
      ),
    ],
  }),
  policy("POST /api/store-hardware/reprint-voucher", USERS, {
    sample: withOwn(uses, ({ attempt }, { services }) => ({
      body: { requestId: services.ids.uuid(services.clock.now_ms()), attemptId: attempt },
    })),
    slots: [slot("attemptId", inBody("attemptId"), (world) => uses(world).map((use) => ({ id: use.attempt, place: use })))],
  }),
];
