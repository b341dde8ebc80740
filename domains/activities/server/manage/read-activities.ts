import { sql, type RawBuilder } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { isMaker, mayAlone, priceCoupons } from "../../../coupons/server/index.ts";
import {
  type ActivityTerms,
  getActivity,
  type GrantStatus,
  listActivities,
  refusedWhy,
  type RefusedWhy,
  SALES_DAYS,
  summariseActivities,
} from "../../contract/index.ts";
import { FROM } from "./find-activity.ts";

export type ActivityRow = RowOf<typeof listActivities>;
type Filter = ParsedOf<typeof summariseActivities>;
const REVIEW = sql`(select count(*) from activity_grants g where g.service_provider_id = a.service_provider_id and g.activity_id = a.id
  and g.status = 'review')::int`;
const COLUMNS = sql`a.id, a.no, a.kind, a.name, a.state, t.worth, to_char(a.begins_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as "firstDay",
  to_char((a.ends_at - interval '1 second') at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as "lastDay", b.places, b.taken, b.budget_cents as "budgetCents",
  b.held_cents as "heldCents", b.spent_cents as "spentCents", ${REVIEW} as review, a.made_by_name as "madeBy", a.created_at as "createdAt"`;
const where = (scope: Scope, { keyword, kind, state }: Filter): RawBuilder<boolean> =>
  all([
    inScope(scope, "a", "merchant"),
    keyword && sql`a.no = ${keyword} or a.name ilike ${likeText(keyword)}`,
    is("a.kind", kind),
    is("a.state", state),
  ]);
/** The list of activities, for screen and file. */
export const activitiesListed = (scope: Scope, filter: Filter): Listed => ({
  columns: COLUMNS,
  from: FROM,
  where: where(scope, filter),
  order: "a.created_at",
});

/** 活动. */
export const listActivitiesRoute = implement(listActivities, (ctx, input) =>
  listPage<ActivityRow>(ctx.tx, input, activitiesListed(ctx.scope, input)),
);
export const summariseActivitiesRoute = implement(summariseActivities, async (ctx, { state, ...rest }) => {
  const { rows } = await sql<{
    state: string;
    count: number;
    given: number;
    spent: number;
    review: number;
  }>`select a.state, count(*)::int as count,
      coalesce(sum((select count(*) from activity_grants g where g.service_provider_id = a.service_provider_id and g.activity_id = a.id
        and g.status = 'given')), 0)::int as given,
      coalesce(sum(b.spent_cents), 0)::bigint as spent, coalesce(sum(${REVIEW}), 0)::int as review
    from ${FROM} where ${where(ctx.scope, rest)} group by a.state`.execute(ctx.tx);
  const shown = rows.filter((row) => state === undefined || row.state === state);
  const sum = (of: (row: (typeof rows)[number]) => number): number => shown.reduce((total, row) => total + of(row), 0);
  return {
    count: sum(({ count }) => count),
    byState: Object.fromEntries(rows.map((row) => [row.state, row.count])),
    given: sum(({ given }) => given),
    spentCents: sum(({ spent }) => spent) as never,
    review: sum(({ review }) => review),
  };
});

interface More {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly made_by: string;
  readonly terms: ActivityTerms;
  readonly said: string[];
  readonly version: number;
  readonly placeCents: never;
  readonly decidedBy: string | null;
  readonly decidedAt: never;
  readonly stoppedAt: never;
}
/** 活动详情, with what became of it. */
export const getActivityRoute = implement(getActivity, async (ctx, { id }) => {
  const { rows } = await sql<
    ActivityRow & More
  >`select ${COLUMNS}, a.service_provider_id, a.merchant_id, a.made_by, a.version, t.terms, t.said,
      t.place_cents as "placeCents", a.decided_by_name as "decidedBy", a.decided_at as "decidedAt", a.stopped_at as "stoppedAt"
    from ${FROM} where a.id = ${id} and ${inScope(ctx.scope, "a", "merchant")}`.execute(ctx.tx);
  if (!rows[0]) throw notFound("活动");
  const { service_provider_id, merchant_id, made_by, ...found } = rows[0];
  const made = { service_provider_id, merchant_id, made_by };
  const waits = found.state === "UNAUDIT";
  const own = isMaker(ctx, made);
  const coupons = await priceCoupons(
    ctx.tx,
    made,
    found.terms.gift.coupons.map(({ campaignId }) => campaignId),
  );
  return {
    ...found,
    mayDecide: waits && !own,
    mayDecideAlone: waits && own && (await mayAlone(ctx, made, found.placeCents * found.places)),
    results: await resultsOf(ctx.tx, service_provider_id, id),
    names: {
      coupons: Object.fromEntries([...coupons].map(([campaign, { worth }]) => [campaign, worth])),
      stores: await storesOf(ctx, found.terms.storeIds),
    },
  };
});
async function storesOf({ tx, scope }: Pick<Ctx, "tx" | "scope">, ids: readonly string[]): Promise<Record<string, string>> {
  if (ids.length === 0) return {};
  const { rows } = await sql<{ id: string; name: string }>`select s.id, s.short_name as name from stores s
    where s.id = any(${[...ids]}::uuid[]) and ${inScope(scope, "s", "merchant")}`.execute(tx);
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
}

/** What became of an activity: its grants by what they are, and what those who got something paid in the thirty days after it. */
async function resultsOf(tx: Transaction, provider: string, id: string) {
  const { rows } = await sql<{ status: GrantStatus; why: RefusedWhy | null; count: number }>`select g.status, g.why, count(*)::int as count
    from activity_grants g where g.service_provider_id = ${provider} and g.activity_id = ${id} group by 1, 2`.execute(tx);
  const of = (status: GrantStatus): number => rows.reduce((sum, row) => sum + (row.status === status ? row.count : 0), 0);
  // An order counts once, however many grants its member had; what went back of it is left out.
  const { rows: sales } = await sql<{ buyers: number; orders: number; cents: number }>`
    select count(distinct o.member_id)::int as buyers, count(*)::int as orders, coalesce(sum(o.paid_cents - o.refunded_cents), 0)::bigint as cents
    from pay_orders o where o.service_provider_id = ${provider} and o.paid_at is not null and o.status = 2 and exists (
      select from activity_grants g where g.service_provider_id = o.service_provider_id and g.activity_id = ${id} and g.member_id = o.member_id
        and g.status = 'given' and o.paid_at >= g.settled_at and o.paid_at < g.settled_at + make_interval(days => ${SALES_DAYS}))
      and o.member_id in (select g.member_id from activity_grants g where g.service_provider_id = ${provider} and g.activity_id = ${id} and g.status = 'given')`.execute(
    tx,
  );
  return {
    reached: rows.reduce((sum, { count }) => sum + count, 0),
    owed: of("owed") + of("review"),
    given: of("given"),
    failed: of("failed"),
    refused: rows.flatMap(({ status, why, count }) => (status === "refused" && why ? [{ why: refusedWhy.label(why), count }] : [])),
    buyers: sales[0]!.buyers,
    orders: sales[0]!.orders,
    salesCents: sales[0]!.cents as never,
  };
}
