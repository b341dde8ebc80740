import { levelFilters, levelTargets, listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import {
  ACCOUNTS,
  type Caller,
  type Login,
  MERCHANT_KEYS,
  type MerchantKey,
  MERCHANTS,
  type Place,
} from "../../../../apps/server/testing/matrix/people.ts";
import {
  inBody,
  inPath,
  inQuery,
  MCH,
  type Model,
  model,
  type Policy,
  policy,
  slot,
  SP,
  withOwn,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { type OtherStoreFact, otherStores } from "./plant.ts";

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
/** What fills the choices of forms and filters, and stores of other platforms. */
export const lookupPolicies: readonly Policy[] = [
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
    model: rowsOf((world: HttpWorld) => world.of(otherStores)),
  }),
  policy("GET /api/stores/other-stores", [...SP, ...MCH], {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(["merchantId"]),
    model: listOf((world: HttpWorld) => world.of(otherStores)),
  }),
  policy("GET /api/stores/other-stores/:id", [...SP, ...MCH], {
    sample: withOwn(
      (world: HttpWorld) => world.of(otherStores),
      ({ id }) => ({ params: { id } }),
    ),
    slots: [slot("id", inPath("id"), (world) => world.of(otherStores).map((fact) => ({ id: fact.id, place: fact })))],
  }),
  policy("GET /api/stores/other-stores/summary", [...SP, ...MCH], {
    slots: levelFilters(["merchantId"]),
    model: model<OtherStoreFact>({
      facts: (world) => world.of(otherStores),
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
