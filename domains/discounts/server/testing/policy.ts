import { levelFilters, levelsOf, levelTargets, listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import { inBody, MCH, model, type Policy, policy, slot, type Slot, withOwn } from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { discountFacts, TERMS } from "./plant.ts";

const uuid = ({ services }: HttpWorld) => services.ids.uuid(services.clock.now_ms());
const rules = (world: HttpWorld) => world.of(discountFacts);
/** A use, at the store of its order. */
const uses = (world: HttpWorld) =>
  rules(world).map(({ useId: id, merchant, store }) => ({
    id,
    merchant,
    store,
    ...levelsOf(world, merchant),
    storeId: world.till.tree.merchants[merchant].stores[store]!.id,
  }));
const ruleSlot = (put: Slot["put"]): Slot =>
  slot("id", put, (world) => rules(world).map(({ id, merchant }) => ({ id, place: { merchant } })));
const facts = (world: HttpWorld) => ({ name: `规则 ${world.services.ids.digits(10)}`, terms: TERMS });
/** A foreign store among those of the terms. */
const storeIds: Slot = slot(
  "terms.storeIds",
  (given, id, world) => {
    const body = given.body as { terms: object };
    return { ...given, body: { ...body, requestId: uuid(world), terms: { ...body.terms, storeIds: [id] } } };
  },
  levelTargets("storeId"),
);

export const discountPolicies: readonly Policy[] = [
  policy("GET /api/discounts/rules", MCH, { model: listOf(rules) }),
  policy("POST /api/discounts/rules/add", MCH, {
    sample: (world) => ({ body: { requestId: uuid(world), kind: 2, ...facts(world) } }),
    slots: [storeIds],
  }),
  policy("POST /api/discounts/rules/update", MCH, {
    sample: withOwn(rules, ({ id }, world) => ({ body: { id, revision: 1, ...facts(world) } })),
    slots: [ruleSlot(inBody("id"))],
  }),
  policy("POST /api/discounts/rules/state", MCH, {
    sample: withOwn(rules, ({ id }) => ({ body: { id, state: "paused" } })),
    slots: [ruleSlot(inBody("id"))],
  }),
  policy("POST /api/discounts/rules/sort", MCH, {
    sample: withOwn(rules, ({ id }) => ({ body: { ids: [id] } })),
    slots: [ruleSlot((given, id) => ({ ...given, body: { ids: [id] } }))],
  }),
  policy("GET /api/discounts/settings", MCH, { noModel: "the settings of the caller's own merchant" }),
  policy("POST /api/discounts/settings/save", MCH, { sample: () => ({ body: { version: 0, settings: {} } }) }),
  policy("GET /api/discounts/uses", MCH, {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(["storeId"]),
    model: listOf(uses),
  }),
  policy("GET /api/discounts/uses/summary", MCH, {
    slots: levelFilters(["storeId"]),
    model: model<ReturnType<typeof uses>[number]>({
      facts: uses,
      shown: (body) => (body as { count: unknown }).count,
      expected: (seen) => seen.length,
    }),
  }),
];
