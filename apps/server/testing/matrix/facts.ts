import { MERCHANT_KEYS, type MerchantKey, MERCHANTS, type Place } from "./people.ts";
import { inQuery, type Model, model, type Slot, slot } from "./policy.ts";
import type { HttpWorld } from "../world.ts";

/** The levels that a list narrows to: the row's own column must say so. */
export const levelFilters = (names: readonly string[], more: Partial<Slot> = {}): Slot[] =>
  names.map((name) => slot(name, inQuery(name), LEVELS[name]!, { unseen: 200, ...more, sees: () => true }));
/** One store of each relation is enough to ask for; the lists hold them all. */
export const STORES: readonly (readonly [MerchantKey, number])[] = [
  ["mch01", 0],
  ["mch01", 1],
  ["mch01", 2],
  ["mch03", 0],
  ["mch04", 0],
  ["mch06", 0],
  ["mch02", 0],
  ["mch08", 1],
];
const LEVELS: Readonly<Record<string, Slot["targets"]>> = {
  serviceProviderId: ({ till }) =>
    (["sp01", "sp02"] as const).map((provider) => ({ id: till.tree.providers[provider], place: { provider } })),
  agentId: ({ till }) => (["agent01", "agent02"] as const).map((name) => ({ id: till.tree.agents[name], place: { provider: "sp01" } })),
  businessTeamId: ({ till }) => [
    { id: till.tree.teams.team01, place: { provider: "sp01", user: "team01" } },
    { id: till.tree.teams.team02, place: { provider: "sp01", user: "team02" } },
    { id: till.tree.teams.team03, place: { provider: "sp02", user: "team03" } },
  ],
  merchantId: ({ till }) => MERCHANT_KEYS.map((merchant) => ({ id: till.tree.merchants[merchant].id, place: { merchant } })),
  storeId: ({ till }) =>
    STORES.map(([merchant, store]) => ({ id: till.tree.merchants[merchant].stores[store]!.id, place: { merchant, store } })),
  deviceId: ({ till }) =>
    STORES.map(([merchant, store]) => ({ id: till.tree.merchants[merchant].stores[store]!.devices[0]!.id, place: { merchant, store } })),
  cashierId: ({ till }) =>
    STORES.map(([merchant, store]) => ({ id: till.tree.merchants[merchant].stores[store]!.cashiers[0]!.id, place: { merchant, store } })),
};
/** The columns that a list of a merchant's things narrows by. */
export function levelsOf({ till: { tree } }: HttpWorld, merchant: MerchantKey) {
  const { agent, team, provider } = MERCHANTS[merchant];
  return {
    merchantId: tree.merchants[merchant].id,
    serviceProviderId: tree.providers[provider],
    agentId: agent ? tree.agents[agent] : null,
    businessTeamId: team ? tree.teams[team] : null,
  };
}
export const levelTargets = (name: string): Slot["targets"] => LEVELS[name]!;
export const asked = (fact: Place): boolean => STORES.some(([merchant, store]) => fact.merchant === merchant && fact.store === store);

export const sum = <F>(facts: readonly F[], of: (fact: F) => number): number => facts.reduce((total, fact) => total + of(fact), 0);
export const idsOf = (body: unknown): string[] => (body as { items: { id: string }[] }).items.map((item) => item.id).toSorted();
/** A list is the ids of what the caller sees, no more and no fewer. */
export const listOf = <F extends Place & { readonly id: string }>(facts: Model<F>["facts"], sees?: Model<F>["sees"]): Model<never> =>
  model<F>({ facts, shown: idsOf, expected: (seen) => seen.map((fact) => fact.id).toSorted(), ...(sees && { sees }) });
export const picked =
  (names: readonly string[]) =>
  (body: unknown): unknown =>
    Object.fromEntries(names.map((name) => [name, (body as Record<string, unknown>)[name]]));
