import { levelFilters, levelsOf, levelTargets, listOf, sum } from "../../../../apps/server/testing/matrix/facts.ts";
import type { OrderFact } from "../../../orders/server/testing/live-a-day.ts";
import type { Login } from "../../../../apps/server/testing/matrix/people.ts";
import {
  ADMIN,
  AE,
  amongBody,
  EVERYBODY,
  FIN,
  inBody,
  inPath,
  inQuery,
  MCH,
  MIDDLE,
  model,
  type Policy,
  policy,
  slot,
  SP,
  targetsOf,
  withOwn,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { abnormalStores } from "./plant.ts";
import { type VipFact, vipBy } from "../../../vip/server/testing/plant.ts";
import { orderFacts } from "../../../orders/server/testing/live-a-day.ts";

const today = { query: { from: "2026-11-20", to: "2026-11-20" } };
const takings = (facts: readonly OrderFact[]) => {
  const done = facts.filter((order) => order.status >= 2);
  return {
    payCount: done.length,
    grossCents: sum(done, (one) => one.gross),
    paidCents: sum(done, (one) => one.paid),
    refundCents: sum(done, (one) => one.refunded),
    feeCents: sum(done, (one) => one.fee),
  };
};
const figures = (body: unknown, name: string) => {
  const { payCount, grossCents, paidCents, refundCents, feeCents } = (body as Record<string, Record<string, number>>)[name]!;
  return { payCount, grossCents, paidCents, refundCents, feeCents };
};
interface Ranking {
  readonly rows: readonly { readonly id: string; readonly paidCents: number }[];
}
const shownRanking = ({ rows }: Ranking) => Object.fromEntries(rows.map((row) => [row.id, row.paidCents]));
/** The first ten by what was paid, each with its sum. */
function ranked(facts: readonly OrderFact[], by: "serviceProviderId" | "agentId" | "businessTeamId" | "merchantId" | "storeId", most = 10) {
  const groups = Object.groupBy(
    facts.filter((order) => order.status >= 2 && order[by] !== null),
    (order) => order[by]!,
  );
  const sums = Object.entries(groups).map(([id, orders]) => [id, sum(orders ?? [], (one) => one.paid)] as const);
  return Object.fromEntries(sums.toSorted((a, b) => b[1] - a[1]).slice(0, most));
}
const RANKED: Readonly<Record<string, readonly (readonly [kind: string, by: Parameters<typeof ranked>[1]])[]>> = {
  admin: [
    ["provider", "serviceProviderId"],
    ["agent", "agentId"],
    ["merchant", "merchantId"],
  ],
  group01: [
    ["team", "businessTeamId"],
    ["merchant", "merchantId"],
  ],
};
const ordersOf = (world: HttpWorld): readonly OrderFact[] => world.of(orderFacts).orders;
const found = (world: HttpWorld) => world.of(abnormalStores).map((one) => ({ ...one, ...levelsOf(world, one.merchant) }));
const inWaiting = (handled: boolean) => (world: HttpWorld) => world.of(abnormalStores).filter((one) => one.handled === handled);
const limits = { silentDays: 3, dropPercent: 50, refundPercent: 20, offlineHours: 24 };
const ofProvider: Policy["sample"] = ({ till }, caller) => ({
  query: { serviceProviderId: till.tree.providers[caller === "sp02" ? "sp02" : "sp01"] },
});
const abnormal: readonly Policy[] = [
  policy("GET /api/statistics/abnormal-stores", [...ADMIN, ...SP, ...MIDDLE], {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(["serviceProviderId", "agentId", "businessTeamId", "merchantId"]),
    model: listOf(found),
  }),
  policy("GET /api/statistics/abnormal-stores/:id", [...ADMIN, ...SP, ...MIDDLE], {
    sample: withOwn(found, ({ id }) => ({ params: { id } })),
    slots: [slot("id", inPath("id"), targetsOf(found as never))],
  }),
  policy("GET /api/statistics/abnormal-stores/summary", [...ADMIN, ...SP, ...MIDDLE], {
    slots: levelFilters(["serviceProviderId", "agentId", "businessTeamId", "merchantId"]),
    model: model<ReturnType<typeof found>[number]>({
      facts: found,
      shown: (body) => sum((body as { perStatus: { count: number }[] }).perStatus, (one) => one.count),
      expected: (seen) => seen.length,
    }),
  }),
  policy("POST /api/statistics/abnormal-stores/handle", [...ADMIN, ...SP, ...MIDDLE], {
    sample: withOwn(inWaiting(false), ({ id }) => ({ body: { ids: [id], note: "装修" } })),
    slots: [slot("ids", amongBody("ids"), targetsOf(inWaiting(false) as never))],
  }),
  policy("POST /api/statistics/abnormal-stores/reopen", [...ADMIN, ...SP, ...MIDDLE], {
    sample: withOwn(inWaiting(true), ({ id }) => ({ body: { id } })),
    slots: [slot("id", inBody("id"), targetsOf(inWaiting(true) as never))],
  }),
  policy("GET /api/statistics/abnormal-limits", [...ADMIN, ...SP], {
    sample: ofProvider,
    slots: [slot("serviceProviderId", inQuery("serviceProviderId"), levelTargets("serviceProviderId"))],
  }),
  policy("POST /api/statistics/abnormal-limits/set", [...ADMIN, ...SP], {
    sample: (world, caller) => ({ body: { version: 0, ...limits, ...ofProvider(world, caller)!.query } }),
    slots: [slot("serviceProviderId", inBody("serviceProviderId"), levelTargets("serviceProviderId"))],
  }),
];
const SCOPE = ["serviceProviderId", "agentId", "businessTeamId", "merchantId", "storeId", "deviceId", "cashierId"];
// The position in finance does not name the reports.
const REPORTED: readonly Login[] = [...ADMIN, ...SP, ...MIDDLE, ...MCH, ...AE];
/** A day's report: told apart by stores it is the stores in sight, each with its sum. */
const reports: readonly Policy[] = [
  policy("GET /api/statistics/takings", REPORTED, {
    sample: () => ({ query: { ...today.query, by: "store", pageSize: "100" } }),
    slots: levelFilters(SCOPE),
    model: model<OrderFact>({
      facts: ordersOf,
      shown: (body) =>
        shownRanking({ rows: (body as { items: { key: string; paidCents: number }[] }).items.map((row) => ({ ...row, id: row.key })) }),
      expected: (facts) => ranked(facts, "storeId", 100),
    }),
  }),
  policy("GET /api/statistics/takings/summary", REPORTED, {
    sample: () => today,
    slots: levelFilters(SCOPE),
    model: model<OrderFact>({ facts: ordersOf, shown: (body) => figures(body, "current"), expected: takings }),
  }),
  policy("GET /api/statistics/takings/series", REPORTED, {
    sample: () => today,
    slots: levelFilters(SCOPE),
    model: model<OrderFact>({
      facts: ordersOf,
      shown: (body) => figures((body as { points: unknown[] }).points[0], "current"),
      expected: takings,
    }),
  }),
  policy("GET /api/statistics/takings/explain", REPORTED, {
    sample: () => today,
    slots: levelFilters(SCOPE),
    model: model<OrderFact>({ facts: ordersOf, shown: (body) => figures(body, "current"), expected: takings }),
  }),
];
/** What is left of a day: by merchants it is the merchants in sight, each with what it asked for. */
const EARNERS: readonly Login[] = [...ADMIN, ...SP, ...MIDDLE, ...MCH];
const profits: readonly Policy[] = [
  policy("GET /api/statistics/merchants-profit", EARNERS, {
    sample: () => ({ query: { ...today.query, pageSize: "100" } }),
    slots: levelFilters(["serviceProviderId", "agentId", "businessTeamId", "merchantId"]),
    model: model<OrderFact>({
      facts: ordersOf,
      shown: (body) =>
        shownRanking({
          rows: (body as { items: { merchantId: string; paidCents: number }[] }).items.map((row) => ({ ...row, id: row.merchantId })),
        }),
      expected: (facts) => ranked(facts, "merchantId", 100),
    }),
  }),
  policy("GET /api/statistics/merchants-profit/summary", EARNERS, {
    sample: () => today,
    slots: levelFilters(["serviceProviderId", "agentId", "businessTeamId", "merchantId"]),
    model: model<OrderFact>({
      facts: ordersOf,
      shown: (body) => {
        const { grossCents, paidCents, refundCents } = body as Record<string, number>;
        return { grossCents, paidCents, refundCents };
      },
      expected: (facts) => {
        const { grossCents, paidCents, refundCents } = takings(facts);
        return { grossCents, paidCents, refundCents };
      },
    }),
  }),
];
export const statisticsPolicies: readonly Policy[] = [
  ...abnormal,
  ...reports,
  ...profits,
  policy("GET /api/statistics/today", EVERYBODY, {
    model: model<OrderFact>({ facts: ordersOf, shown: (body) => figures(body, "today"), expected: takings }),
  }),
  policy("GET /api/statistics/overview", [...SP, ...MCH, ...FIN, ...AE], {
    sample: () => today,
    model: model<OrderFact>({
      facts: ordersOf,
      shown: (body) => ({ current: figures(body, "current"), ranking: shownRanking((body as { ranking: Ranking }).ranking) }),
      expected: (facts, caller) => ({
        current: takings(facts),
        ranking: ranked(facts, SP.includes(caller as Login) ? "merchantId" : "storeId"),
      }),
    }),
  }),
  policy("GET /api/statistics/prepaid", [...SP, ...MCH, ...FIN, ...AE], {
    // They are sold on the days after.
    sample: () => ({ query: { from: "2026-11-20", to: "2026-11-30" } }),
    model: model<VipFact>({
      facts: vipBy("id"),
      shown: (body) => (body as { cardCents: number }).cardCents,
      expected: (facts) => facts.reduce((sum, { termCents, cardCents }) => sum + termCents + cardCents, 0),
    }),
  }),
  policy("GET /api/statistics/dashboard", [...ADMIN, ...MIDDLE], {
    sample: () => today,
    model: model<OrderFact>({
      facts: ordersOf,
      shown: (body) => {
        const { merchants, rankings } = body as { merchants: { total: number }; rankings: (Ranking & { kind: string })[] };
        return {
          current: figures(body, "current"),
          merchants: merchants.total,
          rankings: rankings.map((one) => [one.kind, shownRanking(one)]),
        };
      },
      expected: (facts, caller) => ({
        current: takings(facts),
        merchants: new Set(facts.map((order) => order.merchantId)).size,
        rankings: (RANKED[caller] ?? ([["merchant", "merchantId"]] as const)).map(([kind, by]) => [kind, ranked(facts, by)]),
      }),
    }),
  }),
];
