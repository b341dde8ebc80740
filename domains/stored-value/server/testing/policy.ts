import { levelFilters, levelsOf, levelTargets, listOf, picked, sum } from "../../../../apps/server/testing/matrix/facts.ts";
import {
  AE,
  inBody,
  inPath,
  inQuery,
  MCH,
  model,
  type Policy,
  policy,
  slot,
  SP,
  withOwn,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { BROUGHT, storedFacts, type StoredFact, storedTickets } from "./plant.ts";

const USERS = [...SP, ...MCH, ...AE];
const facts = (world: HttpWorld) => world.of(storedFacts).map((fact) => ({ ...fact, ...levelsOf(world, fact.merchant) }));
/** What was sold and is there, less the cent that was spent. */
const left = (seen: readonly StoredFact[]) => sum(seen, ({ principal }) => 3 * principal - 1 + BROUGHT);
/** Where what a store sold was spent: by its id, for there it owes it; its name stays untold. */
const tells: Policy["tells"] = ({ till: { tree } }) => [tree.merchants.mch01.stores.at(-1)!.id];
const items = (body: unknown) => (body as { items: readonly unknown[] }).items.length;
const uuid = ({ services }: HttpWorld) => services.ids.uuid(services.clock.now_ms());
const of = (idOf: (fact: StoredFact) => string) => (world: HttpWorld) => facts(world).map((fact) => ({ id: idOf(fact), place: fact }));
const [recharge, brought, waiting, cardRefund, out, adjust] = [
  of(({ id }) => id),
  of((fact) => fact.brought),
  of((fact) => fact.waiting),
  of((fact) => fact.cardRefund),
  of((fact) => fact.out),
  of((fact) => fact.adjust),
];
const LEVELS = ["serviceProviderId", "merchantId", "storeId"];
const each = (idOf: (fact: StoredFact) => string) => (world: HttpWorld) => facts(world).map((fact) => ({ ...fact, id: idOf(fact) }));
const ticketOf = (world: HttpWorld, recharge: string, at: 0 | 1 | 2): string => world.of(storedTickets).get(recharge)![at];
const both = (world: HttpWorld) => facts(world).flatMap((fact) => [fact, { ...fact, id: fact.waiting }]);
const refunds = (world: HttpWorld) =>
  facts(world).flatMap((fact) => [
    { ...fact, id: fact.cardRefund },
    { ...fact, id: fact.out },
  ]);

export const storedPolicies: readonly Policy[] = [
  policy("GET /api/stored-value/rules", MCH),
  policy("POST /api/stored-value/rules/save", MCH, { sample: () => ({ body: { version: 1, tiers: [] } }) }),
  policy("GET /api/till/recharge-rules", "device", { keeps: true }),
  policy("POST /api/till/recharges", "device", {
    keeps: true,
    sample: withOwn(facts, ({ id }, world) => ({
      body: { tillNo: `V${world.services.ids.digits(20)}`, ticket: ticketOf(world, id, 0), amountCents: 100, tradeType: "NATIVE" },
    })),
  }),
  policy("POST /api/till/transfers", "device", {
    sample: withOwn(facts, ({ id }, world) => ({
      body: { requestId: uuid(world), ticket: ticketOf(world, id, 1), toTicket: ticketOf(world, id, 2), amountCents: 1 },
    })),
  }),
  policy("GET /api/stored-value/recharges", USERS, {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(LEVELS),
    model: listOf(both),
  }),
  policy("GET /api/stored-value/recharges/summary", USERS, {
    slots: levelFilters(LEVELS),
    model: model<StoredFact>({
      facts,
      shown: picked(["count", "principalCents"]),
      expected: (seen) => ({ count: seen.length, principalCents: sum(seen, ({ principal }) => principal) }),
    }),
  }),
  policy("GET /api/stored-value/recharges/:id", USERS, {
    tells,
    sample: withOwn(facts, ({ id }) => ({ params: { id } })),
    slots: [slot("id", inPath("id"), recharge)],
  }),
  policy("POST /api/stored-value/recharges/add", [...MCH, ...AE], {
    sample: withOwn(facts, ({ storeId, memberNo }, world) => ({
      body: { requestId: uuid(world), storeId, memberNo, way: 1, amountCents: 100, note: "收据" },
    })),
    slots: [],
  }),
  policy("POST /api/stored-value/recharges/decide", [...SP, ...MCH], {
    sample: withOwn(facts, (fact) => ({ body: { id: fact.waiting, approve: false } })),
    slots: [slot("id", inBody("id"), waiting)],
  }),
  policy("POST /api/stored-value/recharges/coupons", [...SP, ...MCH], {
    // Nothing of a planted recharge failed.
    sample: withOwn(facts, ({ id }) => ({ body: { id, again: true } })),
    ok: 409,
    slots: [slot("id", inBody("id"), recharge, { base: () => ({ body: { again: true } }), seen: 409 })],
  }),
  policy("GET /api/stored-value/card-refunds", USERS, {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(LEVELS),
    model: listOf(refunds),
  }),
  policy("GET /api/stored-value/card-refunds/summary", USERS, {
    slots: levelFilters(LEVELS),
    model: model<StoredFact>({ facts, shown: picked(["count"]), expected: (seen) => ({ count: 2 * seen.length }) }),
  }),
  policy("GET /api/stored-value/card-refunds/lots", USERS, {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(LEVELS),
    model: listOf(each((fact) => fact.brought)),
  }),
  policy("GET /api/stored-value/card-refunds/preview", [...MCH, ...AE], {
    sample: withOwn(facts, ({ id }) => ({ query: { rechargeId: id } })),
    slots: [
      slot("rechargeId", inQuery("rechargeId"), recharge, { base: () => ({ query: {} }) }),
      slot("lotId", inQuery("lotId"), brought, { base: () => ({ query: {} }) }),
    ],
  }),
  policy("GET /api/stored-value/card-refunds/:id", USERS, {
    sample: withOwn(facts, (fact) => ({ params: { id: fact.cardRefund } })),
    slots: [slot("id", inPath("id"), cardRefund)],
  }),
  policy("POST /api/stored-value/card-refunds/ask", [...MCH, ...AE], {
    sample: withOwn(facts, ({ id, principal }, world) => ({
      body: { requestId: uuid(world), rechargeId: id, reason: 2, way: 1, paysCents: principal, note: "搬家" },
    })),
    slots: [
      slot("rechargeId", inBody("rechargeId"), recharge, {
        base: (world) => ({ body: { requestId: uuid(world), reason: 2, way: 1, paysCents: 1, note: "搬家" } }),
        seen: 409,
      }),
      slot("lotId", inBody("lotId"), brought, {
        base: (world) => ({ body: { requestId: uuid(world), reason: 2, way: 1, paysCents: 1, note: "搬家" } }),
        seen: 409,
      }),
    ],
  }),
  policy("POST /api/stored-value/card-refunds/decide", [...SP, ...MCH], {
    sample: withOwn(facts, (fact) => ({ body: { id: fact.cardRefund, approve: false } })),
    slots: [slot("id", inBody("id"), cardRefund)],
  }),
  policy("POST /api/stored-value/card-refunds/withdraw", [...MCH, ...AE], {
    // Only who asked takes it back, and nobody here did.
    sample: withOwn(facts, (fact) => ({ body: { id: fact.cardRefund } })),
    ok: 403,
    slots: [slot("id", inBody("id"), cardRefund, { base: () => ({ body: {} }), seen: 403 })],
  }),
  policy("POST /api/stored-value/card-refunds/prove", [...MCH, ...AE], {
    sample: withOwn(facts, (fact) => ({ body: { id: fact.out, evidence: "转账 0002" } })),
    slots: [slot("id", inBody("id"), out)],
  }),
  policy("POST /api/stored-value/card-refunds/confirm", [...SP, ...MCH], {
    sample: withOwn(facts, (fact) => ({ body: { id: fact.out } })),
    slots: [slot("id", inBody("id"), out)],
  }),
  policy("POST /api/stored-value/adjusts/add", MCH, {
    sample: withOwn(facts, ({ storeId, memberNo }, world) => ({
      body: { requestId: uuid(world), storeId, memberNo, kind: 1, amountCents: 1, reason: 1, note: "补偿" },
    })),
    slots: [
      slot("storeId", inBody("storeId"), levelTargets("storeId"), {
        base: (world) => ({ body: { requestId: uuid(world), memberNo: "0000000000", kind: 1, amountCents: 1, reason: 1, note: "补偿" } }),
        // The member is nobody's there.
        seen: 404,
      }),
    ],
  }),
  policy("GET /api/stored-value/adjusts", USERS, { model: listOf(each((fact) => fact.adjust)) }),
  policy("POST /api/stored-value/adjusts/decide", [...SP, ...MCH], {
    sample: withOwn(facts, (fact) => ({ body: { id: fact.adjust, approve: true } })),
    slots: [slot("id", inBody("id"), adjust)],
  }),
  policy("GET /api/stored-value/moves", USERS, {
    tells,
    sample: () => ({ query: { pageSize: "100", report: "change" } }),
    // A store means where it was spent.
    slots: levelFilters(["serviceProviderId", "merchantId"]),
    model: model<StoredFact>({ facts, shown: items, expected: (seen) => 5 * seen.length }),
  }),
  policy("GET /api/stored-value/moves/summary", USERS, {
    sample: () => ({ query: { report: "change" } }),
    slots: levelFilters(["serviceProviderId", "merchantId"]),
    model: model<StoredFact>({
      facts,
      shown: picked(["count", "principalCents"]),
      // What has arrived and was brought along, the two lots of card refunds, and the cent.
      expected: (seen) => ({ count: 5 * seen.length, principalCents: left(seen) }),
    }),
  }),
  policy("GET /api/stored-value/consumption", USERS, {
    tells,
    slots: levelFilters(["serviceProviderId", "merchantId"]),
    model: model<StoredFact>({ facts, shown: picked(["principalCents"]), expected: (seen) => ({ principalCents: seen.length }) }),
  }),
  policy("GET /api/stored-value/liability", USERS, {
    slots: levelFilters(LEVELS),
    model: model<StoredFact>({
      facts,
      shown: picked(["principalCents"]),
      expected: (seen) => ({ principalCents: left(seen) }),
    }),
  }),
  policy("GET /api/stored-value/statements", USERS, {
    tells,
    slots: levelFilters(["serviceProviderId", "merchantId"]),
    model: model<StoredFact>({
      facts,
      shown: (body) => sum((body as { pairs: readonly { principalCents: number }[] }).pairs, ({ principalCents }) => principalCents),
      expected: (seen) => seen.length,
    }),
  }),
];
