import { levelTargets, listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import {
  inBody,
  inQuery,
  MCH,
  model,
  type Policy,
  policy,
  slot,
  type Slot,
  withOwn,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { type ActivityFact, activityFacts, activityOf, type GrantFact, grantFacts } from "./plant.ts";

const uuid = ({ services }: HttpWorld) => services.ids.uuid(services.clock.now_ms());
const activities =
  (...what: readonly ActivityFact["what"][]) =>
  (world: HttpWorld) =>
    world.of(activityFacts).filter((fact) => what.includes(fact.what));
const [running, waiting, own] = [activities("running"), activities("waiting"), activities("own")];
const every = activities("running", "waiting", "own", "scan", "friends");
const grants = (world: HttpWorld) => world.of(grantFacts);
type Named = (world: HttpWorld) => readonly { readonly id: string; readonly merchant: ActivityFact["merchant"] }[];
const named = (facts: Named, put: Slot["put"] = inBody("id"), name = "id"): Slot =>
  slot(name, put, (world) => facts(world).map(({ id, merchant }) => ({ id, place: { merchant } })));
const facts = (world: HttpWorld) => activityOf(world, "活动");
/** A foreign store among those of the terms. */
const storeIds: Slot = slot(
  "terms.storeIds",
  (given, id, world) => {
    const body = given.body as { terms: object };
    const again = "requestId" in body && { requestId: uuid(world) };
    return { ...given, body: { ...body, ...again, terms: { ...body.terms, storeIds: [id] } } };
  },
  levelTargets("storeId"),
);

export const activityPolicies: readonly Policy[] = [
  policy("GET /api/activities", MCH, { sample: () => ({ query: { pageSize: "100" } }), model: listOf<ActivityFact>(every) }),
  policy("GET /api/activities/summary", MCH, {
    model: model<ActivityFact>({ facts: every, shown: (body) => (body as { count: unknown }).count, expected: (seen) => seen.length }),
  }),
  policy("GET /api/activities/one", MCH, {
    sample: withOwn(every, ({ id }) => ({ query: { id } })),
    slots: [named(every, inQuery("id"))],
  }),
  policy("GET /api/activities/codes", MCH, {
    sample: withOwn(every, ({ id }) => ({ query: { id } })),
    slots: [named(every, inQuery("id"))],
    noModel: "the stores of one activity, which its id stands for",
  }),
  policy("POST /api/activities/price", MCH, {
    sample: (world) => {
      const { name: _name, ...given } = facts(world);
      return { body: { kind: "new", ...given } };
    },
    slots: [storeIds],
  }),
  policy("POST /api/activities/add", MCH, {
    sample: (world) => ({ body: { requestId: uuid(world), kind: "new", ...facts(world) } }),
    slots: [storeIds],
  }),
  policy("POST /api/activities/update", MCH, {
    sample: withOwn(own, ({ id }, world) => ({ body: { id, version: 1, ...facts(world) } })),
    slots: [named(own), storeIds],
  }),
  policy("POST /api/activities/withdraw", MCH, {
    sample: withOwn(own, ({ id }) => ({ body: { id } })),
    slots: [named(own)],
  }),
  policy("POST /api/activities/decide", MCH, {
    sample: withOwn(waiting, ({ id }) => ({ body: { id, version: 1, approve: true } })),
    slots: [named(waiting)],
  }),
  policy("POST /api/activities/steer", MCH, {
    sample: withOwn(running, ({ id }) => ({ body: { id, act: "pause" } })),
    slots: [named(running)],
  }),
  policy("POST /api/activities/places", MCH, {
    sample: withOwn(running, ({ id }) => ({ body: { id, seen: 1_000, places: 1_001 } })),
    slots: [named(running)],
  }),
  policy("GET /api/activities/grants", MCH, {
    sample: () => ({ query: { pageSize: "100" } }),
    model: listOf<GrantFact>(grants),
  }),
  // The planted one waits, it did not fail.
  policy("POST /api/activities/grants/again", MCH, {
    ok: 409,
    sample: withOwn(grants, ({ id }) => ({ body: { id } })),
    slots: [{ ...named(grants), seen: () => 409 }],
  }),
  policy("POST /api/activities/grants/decide", MCH, {
    sample: withOwn(grants, ({ id }) => ({ body: { id, approve: false } })),
    slots: [named(grants)],
  }),
];
