import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import {
  AE,
  inBody,
  inPath,
  MCH,
  model,
  type Policy,
  policy,
  slot,
  type Slot,
  SP,
  withOwn,
} from "../../../../apps/server/testing/matrix/policy.ts";
import { levelFilters, levelsOf } from "../../../../apps/server/testing/matrix/facts.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { PLANTED_POINTS, type PointFact, pointFacts } from "./plant.ts";

const facts = (world: HttpWorld) =>
  world.of(pointFacts).map((fact) => ({
    ...fact,
    ...levelsOf(world, fact.merchant),
    storeId: world.till.tree.merchants[fact.merchant].stores[fact.store]!.id,
  }));
const PLANTED = ["mch01", "mch02", "mch03"] as const;
const ofWhich = (name: "adjustmentId" | "taskId" | "clearId", put: Slot["put"], seen: number = 200): Slot =>
  slot("id", put, (world) => facts(world).map((one) => ({ id: one[name], place: one })), { seen });
const uuid = (world: HttpWorld): string => world.services.ids.uuid(world.services.clock.now_ms());
const days = (world: HttpWorld) => {
  const today = shanghaiDay(world.services.clock.now_ms());
  return { query: { from: addDays(today, -7), to: today } };
};
const own = "of the room's own test: members are planted by hand there";

export const pointPolicies: readonly Policy[] = [
  policy("GET /api/points/rule", MCH, {}),
  policy("POST /api/points/rule", MCH, {
    sample: () => ({ body: { version: 0, rule: RULE } }),
  }),
  policy("GET /api/points/summary", [...SP, ...MCH, ...AE], {
    sample: days,
    slots: levelFilters(["merchantId", "storeId"], { base: days }),
    model: model<PointFact>({
      facts,
      shown: (body) => (body as { total: { issued: number } }).total.issued,
      expected: (all) => all.length * PLANTED_POINTS,
    }),
  }),
  policy("GET /api/points/adjustments", MCH, { noModel: own }),
  policy("GET /api/points/adjustments/summary", MCH, { noModel: own }),
  policy("POST /api/points/adjustments", [...PLANTED], {
    sample: withOwn(facts, ({ memberNo }, world) => ({
      body: { requestId: uuid(world), memberNo, points: 1, reason: "event", note: "周年" },
    })),
  }),
  policy("POST /api/points/adjustments/decide", [...PLANTED], {
    sample: withOwn(facts, ({ adjustmentId }) => ({ body: { id: adjustmentId, decision: "reject" } })),
    slots: [ofWhich("adjustmentId", inBody("id"))],
  }),
  policy("GET /api/points/entries", MCH, {
    sample: withOwn(facts, ({ memberNo }) => ({ query: { memberNo } })),
    noModel: own,
  }),
  policy("GET /api/points/tasks", MCH, { noModel: own }),
  policy("GET /api/points/tasks/:id", MCH, {
    sample: withOwn(facts, ({ taskId }) => ({ params: { id: taskId } })),
    slots: [ofWhich("taskId", inPath("id"))],
  }),
  policy("GET /api/points/tasks/:taskId/rows", MCH, {
    sample: withOwn(facts, ({ taskId }) => ({ params: { taskId } })),
    slots: [ofWhich("taskId", inPath("taskId"))],
    noModel: own,
  }),
  // It counts its own merchant's members alone, whatever store is named.
  policy("GET /api/points/audience", MCH, { noModel: own }),
  policy("POST /api/points/tasks", MCH, {
    sample: withOwn(facts, ({ memberNo }, world) => ({
      body: {
        requestId: uuid(world),
        name: "周年",
        reason: "event",
        rows: [{ memberNo, points: 1 }],
        fileHash: uuid(world).replaceAll("-", "").repeat(2),
      },
    })),
  }),
  policy("POST /api/points/tasks/steer", MCH, {
    sample: withOwn(facts, ({ taskId }) => ({ body: { id: taskId, act: "resume" } })),
    slots: [ofWhich("taskId", inBody("id"))],
  }),
  policy("GET /api/points/clearing", MCH, {}),
  policy("GET /api/points/clears", MCH, { noModel: own }),
  policy("GET /api/points/clears/:id", MCH, {
    sample: withOwn(facts, ({ clearId }) => ({ params: { id: clearId } })),
    slots: [ofWhich("clearId", inPath("id"))],
  }),
  policy("GET /api/points/clears/:clearId/rows", MCH, {
    sample: withOwn(facts, ({ clearId }) => ({ params: { clearId } })),
    slots: [ofWhich("clearId", inPath("clearId"))],
    noModel: own,
  }),
  policy("POST /api/points/clears", MCH, { sample: (world) => ({ body: { requestId: uuid(world), reason: "停业" } }) }),
  // Those of the world are over.
  policy("POST /api/points/clears/decide", MCH, {
    sample: withOwn(facts, ({ clearId }) => ({ body: { id: clearId, decision: "reject" } })),
    slots: [ofWhich("clearId", inBody("id"), 409)],
    ok: 409,
  }),
  policy("POST /api/points/clears/cancel", MCH, {
    sample: withOwn(facts, ({ clearId }) => ({ body: { id: clearId } })),
    slots: [ofWhich("clearId", inBody("id"), 409)],
    ok: 409,
  }),
];

const RULE = {
  earn: {
    on: true,
    points: 1,
    perCents: 100,
    storeIds: [],
    storeMultiple: 100,
    weekdays: [],
    weekdayMultiple: 100,
    birthdayMultiple: 100,
    pendingDays: 0,
    dayCap: null,
    onRecharge: false,
  },
  spend: {
    on: false,
    points: 100,
    cents: 100,
    stepPoints: 100,
    leastPoints: 0,
    mostRate: 50_000,
    mostCents: null,
    storeIds: [],
    weekdays: [],
  },
  expiry: { kind: "never", months: 12, monthDay: "12-31", yearsBack: 1 },
  graceDays: 30,
  secondAbove: 10_000,
};
