import { levelFilters, levelTargets, listOf } from "./facts.ts";
import { MERCHANT_KEYS, MERCHANTS, type Caller, type Login } from "./people.ts";
import { ADMIN, AE, inBody, inPath, inQuery, MCH, MIDDLE, model, type Policy, policy, type Slot, slot, SP, withOwn } from "./policy.ts";
import type { HttpWorld } from "./world.ts";

/** Stores with the columns that a list narrows by. */
const stores = ({ till: { tree } }: HttpWorld) =>
  MERCHANT_KEYS.flatMap((merchant) => {
    const { agent, team, provider } = MERCHANTS[merchant];
    return tree.merchants[merchant].stores.map((store, n) => ({
      id: store.id,
      storeId: store.id,
      merchant,
      store: n,
      merchantId: store.merchantId,
      serviceProviderId: tree.providers[provider],
      agentId: agent ? tree.agents[agent] : null,
      businessTeamId: team ? tree.teams[team] : null,
      areaId: merchant === "mch01" && n < 2 ? tree.area : null,
    }));
  });
/** The sub-account's position does not name the screen. */
const SEEING: readonly Login[] = [...ADMIN, ...SP, ...MIDDLE, ...MCH, ...AE];
const BUILDERS: readonly Login[] = [...SP, "agent01", "agent02", "team01", ...MCH];
const LEVELS = ["serviceProviderId", "agentId", "businessTeamId", "merchantId", "storeId"];
const area = slot("areaId", inQuery("areaId"), ({ till }) => [{ id: till.tree.area, place: { merchant: "mch01" } }], {
  unseen: 200,
  sees: () => true,
});
const filters: Slot[] = [...levelFilters(LEVELS), area];
const newStore: Policy["sample"] = ({ till, services }, caller: Caller) => {
  const merchant = MERCHANT_KEYS.find((key) => BUILDERS.includes(caller as Login) && (key === caller || sightOf(caller, key)));
  return merchant === undefined
    ? undefined
    : {
        body: {
          requestId: services.ids.uuid(services.clock.now_ms()),
          merchantId: till.tree.merchants[merchant].id,
          name: "新开的门店",
          shortName: "新开店",
        },
      };
};
const sightOf = (caller: Caller, merchant: keyof typeof MERCHANTS): boolean => {
  const { provider, agent, team } = MERCHANTS[merchant];
  return [provider, agent, team].includes(caller as never);
};

export const storePolicies: readonly Policy[] = [
  policy("GET /api/stores", SEEING, { sample: () => ({ query: { pageSize: "100" } }), slots: filters, model: listOf(stores) }),
  policy("GET /api/stores/summary", SEEING, {
    slots: filters,
    model: model<ReturnType<typeof stores>[number]>({
      facts: stores,
      shown: (body) => (body as { count: number }).count,
      expected: (seen) => seen.length,
    }),
  }),
  policy("GET /api/stores/choices", SEEING, { slots: levelFilters(["merchantId"]) }),
  policy("GET /api/stores/:id", SEEING, {
    sample: withOwn(stores, ({ id }) => ({ params: { id } })),
    slots: [slot("id", inPath("id"), levelTargets("storeId"))],
  }),
  policy("POST /api/stores/add", BUILDERS, {
    sample: newStore,
    slots: [slot("merchantId", inBody("merchantId"), levelTargets("merchantId"), { unseen: 400 })],
  }),
  policy("POST /api/stores/update", [...ADMIN, ...BUILDERS], {
    sample: withOwn(stores, ({ id }) => ({ body: { id, version: 1, name: "改名门店", shortName: "改名" } })),
    slots: [slot("id", inBody("id"), levelTargets("storeId"))],
  }),
  policy("POST /api/stores/state", [...ADMIN, ...SP, ...MCH], {
    sample: withOwn(stores, ({ id }) => ({ body: { id, state: "disabled" } })),
    slots: [slot("id", inBody("id"), levelTargets("storeId"))],
  }),
];
