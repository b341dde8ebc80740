import { levelFilters, levelTargets, listOf } from "./facts.ts";
import { ACCOUNTS, type Caller, type Login, LOGINS, MERCHANT_KEYS, type MerchantKey, MERCHANTS, type Place } from "./people.ts";
import { ADMIN, inBody, inQuery, MCH, type Model, model, type Policy, policy, type Slot, slot, SP } from "./policy.ts";
import type { ExportsOf, HttpWorld } from "./world.ts";

/** Anything with an id that stands somewhere. */
type Thing = Place & { readonly id: string };
const providers = ({ till }: HttpWorld): Thing[] =>
  (["sp01", "sp02"] as const).map((provider) => ({ id: till.tree.providers[provider], provider }));
const merchants = ({ till }: HttpWorld) =>
  MERCHANT_KEYS.map((merchant) => {
    const { id, serviceProviderId } = till.tree.merchants[merchant];
    return { id, merchant, merchantId: id, serviceProviderId };
  });
const stores = ({ till }: HttpWorld) =>
  MERCHANT_KEYS.flatMap((merchant) =>
    till.tree.merchants[merchant].stores.map((store, n) => ({
      id: store.id,
      merchant,
      store: n,
      merchantsId: store.merchantId,
      regionId: merchant === "mch01" && n < 2 ? till.tree.area : null,
    })),
  );
const inStores =
  (of: (store: HttpWorld["till"]["tree"]["stores"][number]) => readonly { readonly id: string }[]) =>
  ({ till }: HttpWorld) =>
    MERCHANT_KEYS.flatMap((merchant) =>
      till.tree.merchants[merchant].stores.flatMap((store, n) =>
        of(store).map(({ id }) => ({ id, merchant, store: n, merchantId: store.merchantId, storeId: store.id })),
      ),
    );
// A closed merchant and its stores are still shown to whom they belong; nothing of the world is closed.
const rowsOf = <F extends Thing>(facts: Model<F>["facts"]): Model<never> =>
  model<F>({
    facts,
    shown: (body) => (body as { id: string }[]).map((row) => row.id).toSorted(),
    expected: (seen) => seen.map((fact) => fact.id).toSorted(),
  });
const merchantsId = slot("merchantsId", inQuery("merchantsId"), levelTargets("merchantId"), { unseen: 200, sees: () => true });
const regionId = slot("regionId", inQuery("regionId"), ({ till }) => [{ id: till.tree.area, place: { merchant: "mch01" } }], {
  unseen: 200,
  sees: () => true,
});
const ownMerchant = (caller: Caller): MerchantKey => (caller === "sp01" ? "mch01" : caller === "sp02" ? "mch02" : (caller as MerchantKey));
const otherStore: Policy["sample"] = ({ till, services }, caller) => ({
  body: {
    merchantId: till.tree.merchants[caller in MERCHANTS || SP.includes(caller as Login) ? ownMerchant(caller) : "mch01"].id,
    platform: "dy",
    platformStoreId: services.ids.digits(12),
    name: "抖音店",
  },
});
// What is asked for by its id, so that a filter can say its name.
const known = (what: "cashierId" | "deviceId") => slot("id", inQuery("id"), levelTargets(what), { unseen: 200, sees: () => true });
const lookups: Policy[] = [
  policy("GET /newokpayorderservice/api/service-providers", "signed-in", { model: rowsOf(providers) }),
  policy("GET /newokpayorderservice/api/service-providers/list", "signed-in", { model: rowsOf(providers) }),
  policy("GET /newokpayorderservice/api/merchants", "signed-in", { model: rowsOf(merchants) }),
  policy("GET /newokpayorderservice/api/merchantsList", "signed-in", {
    sample: ({ till }, caller) => ({ query: { serviceProviderId: till.tree.providers[ACCOUNTS[caller]?.provider ?? "sp01"] } }),
    slots: levelFilters(["serviceProviderId"]),
    model: rowsOf(merchants),
  }),
  policy("GET /newokpayorderservice/api/merchants/info", "signed-in"),
  policy("GET /newokpayorderservice/api/stores/list", "signed-in", {
    sample: () => ({ query: { type: "all" } }),
    slots: [regionId],
    model: rowsOf(stores),
  }),
  policy("GET /sfpfacadeservice/api/stores/list", "signed-in", { slots: [regionId], model: rowsOf(stores) }),
  policy("GET /newokpayorderservice/api/storesList", "signed-in", {
    sample: ({ till }) => ({ query: { merchantsId: till.tree.merchants.mch01.id } }),
    slots: [merchantsId],
    model: rowsOf(stores),
  }),
  policy("GET /api/stores/cashiers", "signed-in", {
    slots: [...levelFilters(["merchantId", "storeId"]), known("cashierId")],
    model: rowsOf(inStores(({ cashiers }) => cashiers)),
  }),
  // One name that each store has once, so that no answer is cut off.
  policy("GET /api/devices/lookup", "signed-in", {
    sample: () => ({ query: { keyword: "收银机" } }),
    slots: [...levelFilters(["merchantId", "storeId"]), known("deviceId")],
    model: rowsOf(inStores(({ devices }) => devices.slice(0, 1))),
  }),
  policy("GET /sfpfacadeservicepc/api/other_store/stores/query", [...SP, ...MCH], {
    slots: levelFilters(["merchantId"]),
    model: rowsOf((world: HttpWorld) => world.otherStores),
  }),
  policy("GET /api/stores/other-stores", [...SP, ...MCH], {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(["merchantId"]),
    model: listOf((world: HttpWorld) => world.otherStores),
  }),
  policy("GET /api/stores/other-stores/summary", [...SP, ...MCH], {
    slots: levelFilters(["merchantId"]),
    model: model<HttpWorld["otherStores"][number]>({
      facts: (world) => world.otherStores,
      shown: (body) => (body as { perState: { count: number }[] }).perState.reduce((sum, { count }) => sum + count, 0),
      expected: (seen) => seen.length,
    }),
  }),
  policy("POST /sfpfacadeservicepc/api/other_store/save", [...SP, ...MCH], {
    sample: otherStore,
    slots: [
      slot("merchantId", inBody("merchantId"), levelTargets("merchantId")),
      // The own store must be of the merchant that is named beside it.
      slot("storeId", inBody("storeId"), levelTargets("storeId"), { sees: (caller, { place }) => place.merchant === ownMerchant(caller) }),
    ],
  }),
];

/** The trade 批发业: its id follows from its name. */
const TRADE = "e1c42f78-980a-8a91-873f-67edc5e13bdd";
/** Of the platform, the same for all. */
const reference: Policy[] = [
  policy("GET /api/divisions", ADMIN),
  policy("GET /api/divisions/uses", ADMIN, { sample: () => ({ query: { code: "51" } }) }),
  policy("POST /api/divisions/update", ADMIN, { sample: () => ({ body: { code: "51", shortName: "川" } }) }),
  policy("GET /api/divisions/regions", "signed-in"),
  policy("GET /api/trades", ADMIN, { sample: () => ({ query: { pageSize: "100" } }) }),
  policy("POST /api/trades/add", ADMIN, {
    sample: ({ services }) => ({ body: { requestId: services.ids.uuid(services.clock.now_ms()), name: `行业${services.ids.digits(9)}` } }),
  }),
  policy("POST /api/trades/update", ADMIN, {
    sample: () => ({ body: { id: TRADE, name: "批发业", certificates: ["营业执照"] } }),
    slots: [slot("id", inBody("id"), () => [])],
  }),
  policy("POST /api/trades/state", ADMIN, {
    sample: () => ({ body: { id: TRADE, enabled: false } }),
    slots: [slot("id", inBody("id"), () => [])],
  }),
  policy("GET /api/trades/choices", "signed-in"),
];

const exportsIn =
  (state: keyof ExportsOf): Slot["targets"] =>
  (world) =>
    LOGINS.map((user) => ({ id: world.exports.get(user)![state], place: { user } }));
const ownExport =
  (state: keyof ExportsOf): Policy["sample"] =>
  (world, caller) => ({ body: { id: world.exports.get(caller as Login)?.[state] ?? "" } });
const onExport = (verb: string, state: keyof ExportsOf): Policy =>
  policy(`POST /api/exports/${verb}`, "signed-in", { sample: ownExport(state), slots: [slot("id", inBody("id"), exportsIn(state))] });
const files: Policy[] = [
  policy("GET /api/exports", "signed-in", {
    sample: () => ({ query: { pageSize: "100" } }),
    model: listOf<Thing>((world) => LOGINS.flatMap((user) => Object.values(world.exports.get(user)!).map((id) => ({ id, user })))),
  }),
  policy("POST /api/exports", "signed-in", {
    sample: ({ services }) => ({
      body: { requestId: services.ids.uuid(services.clock.now_ms()), source: "pay-orders", filter: {}, format: "csv" },
    }),
    // Whatever the filter names, the file holds what its owner sees of it: see the test of the files themselves.
    slots: [
      slot(
        "filter.merchantId",
        (given, merchantId) => ({ body: { ...(given.body as object), filter: { merchantId } } }),
        levelTargets("merchantId"),
        { unseen: 200, sees: () => true },
      ),
    ],
  }),
  onExport("cancel", "waiting"),
  onExport("retry", "failed"),
  onExport("remove", "ready"),
  onExport("link", "ready"),
  policy("GET /api/exports/file", "public", {
    envelope: "file",
    writes: true,
    ok: 410,
    sample: () => ({ query: { ticket: "A".repeat(43) } }),
  }),
];

const plain: Policy[] = (["/healthz", "/readyz", "/metrics", "/docs", "/docs/openapi.json"] as const).map((path) =>
  policy(`GET ${path}`, "public", { envelope: "plain" }),
);

const pictures: readonly Policy[] = [
  // Any other host is no picture's; WeChat's own would be asked.
  policy("GET /wxImgfilter/:host/*", "public", { envelope: "file", ok: 404, sample: () => ({ params: { host: "images.example.com" } }) }),
];

export const otherPolicies: readonly Policy[] = [...reference, ...lookups, ...files, ...pictures, ...plain];
