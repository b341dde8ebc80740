import { sql, type RawBuilder } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, during, is } from "@zhangfang/server/lists/conditions.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { memberSought, withMembers } from "../../../members/server/index.ts";
import { getTerm, type LevelCause, listTerms, summariseTerms } from "../../contract/index.ts";
import { rankOn, type Span } from "../levels/level-rules.ts";
import { ladderOf, levelAt } from "../levels/read-rules.ts";

export type TermRow = RowOf<typeof listTerms>;
const FROM = sql`vip_terms t join pay_orders o on o.service_provider_id = t.service_provider_id and o.id = t.order_id
  join members m on m.service_provider_id = t.service_provider_id and m.id = t.member_id
  join stores s on s.service_provider_id = t.service_provider_id and s.id = t.store_id`;
const COLUMNS = sql`t.id, t.order_id as "orderId", o.order_no as "orderNo", t.member_id as "memberId", m.no as "memberNo", t.store_id as "storeId", s.short_name as "storeName",
  t.rank, t.name, t.months, t.price_cents as "priceCents", t.status, t.first_day as "firstDay", t.last_day as "lastDay", t.paid_at as "paidAt",
  t.refund_cents as "refundCents", t.created_at as "createdAt"`;
const SOON_DAYS = 7;
/** Of the terms `t`: those that end within a week, of members whose level no later one keeps, past the caller's fence: sold anywhere, it does. */
export function endsSoon(now_ms: number): RawBuilder<boolean> {
  const today = shanghaiDay(now_ms);
  return sql<boolean>`t.status = 1 and t.last_day between ${today}::date and ${addDays(today, SOON_DAYS)}::date
    and not app.term_after(t.service_provider_id, t.member_id, t.last_day)`;
}
function termsWhere(
  services: Services | undefined,
  scope: Scope,
  { keyword, storeId, rank, status, ending, ...days }: ParsedOf<typeof summariseTerms>,
): RawBuilder<boolean> {
  return all([
    inScope(scope, "t", "store"),
    keyword && sql`o.order_no = ${keyword} or ${memberSought(services, scope, keyword)}`,
    is("t.store_id", storeId),
    is("t.rank", rank),
    is("t.status", status),
    ending && endsSoon(services!.clock.now_ms()),
    during(days, "t.created_at"),
  ]);
}
/** The list of terms, for screen and file. */
export const termsListed = (scope: Scope, filter: ParsedOf<typeof summariseTerms>, _tx: Transaction, services?: Services): Listed => ({
  columns: COLUMNS,
  from: FROM,
  where: termsWhere(services, scope, filter),
  order: "t.created_at",
});

/** VIP订单. */
export const listTermsRoute = implement(listTerms, async (ctx, input) => {
  const page = await listPage<TermRow>(ctx.tx, input, termsListed(ctx.scope, input, ctx.tx, ctx.services));
  return { ...page, items: await withMembers(ctx, page.items) };
});

/** By status without the filter's own status, for the tabs. */
export const summariseTermsRoute = implement(summariseTerms, async (ctx, { status, ...rest }) => {
  const { rows } = await sql<{ status: number; count: number; paid: number; refunded: number }>`
    select t.status, count(*)::int as count, coalesce(sum(t.price_cents) filter (where t.paid_at is not null), 0)::bigint as paid,
      coalesce(sum(t.refund_cents) filter (where t.status = 4), 0)::bigint as refunded
    from ${FROM} where ${termsWhere(ctx.services, ctx.scope, rest)} group by t.status`.execute(ctx.tx);
  const shown = rows.filter((row) => status === undefined || row.status === status);
  const sum = (of: (row: (typeof rows)[number]) => number): number => shown.reduce((total, row) => total + of(row), 0);
  return {
    count: sum(({ count }) => count),
    paidCents: sum(({ paid }) => paid) as never,
    refundedCents: sum(({ refunded }) => refunded) as never,
    running: sum((row) => (row.status === 1 ? row.count : 0)),
    byStatus: Object.fromEntries(rows.map((row) => [row.status, row.count])),
  };
});

/** VIP订单详情, with the member's level and how it came about. */
export const getTermRoute = implement(getTerm, async (ctx, { id }) => {
  const { rows } = await sql<
    TermRow & { sp: string; merchant_id: string; member_id: string; refundNo: string | null; codeUrl: string | null }
  >`
    select ${COLUMNS}, t.service_provider_id as sp, t.merchant_id, t.member_id, case when o.status = 0 then o.code_url end as "codeUrl", r.refund_no as "refundNo"
    from ${FROM} left join refunds r on r.service_provider_id = t.service_provider_id and r.id = t.refund_id
    where ${inScope(ctx.scope, "t", "store")} and t.id = ${id}`.execute(ctx.tx);
  const [found] = rows;
  if (!found) throw notFound("VIP订单");
  const { sp: service_provider_id, merchant_id, member_id, ...row } = found;
  const [term] = await withMembers(ctx, [row]);
  const stands = await ctx.tx
    .selectFrom("vip_members")
    .select(["earned_rank", "keep_until", "growth", "spent_cents", "terms"])
    .where("service_provider_id", "=", service_provider_id)
    .where("member_id", "=", member_id)
    .executeTakeFirst();
  const { levels } = await ladderOf(ctx.tx, { service_provider_id, merchant_id });
  const nameOf = (rank: number): string => levelAt(levels, rank)?.name ?? "无等级";
  const rank = stands ? rankOn(stands.earned_rank, stands.terms as unknown as Span[], shanghaiDay(ctx.now_ms)) : 0;
  const history = await ctx.tx
    .selectFrom("level_history")
    .select(["rank_from", "rank_to", "cause", "at"])
    .where("service_provider_id", "=", service_provider_id)
    .where("member_id", "=", member_id)
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(20)
    .execute();
  return {
    ...term!,
    level: {
      rank,
      name: nameOf(rank),
      earnedRank: stands?.earned_rank ?? 0,
      keepUntil: stands?.keep_until ?? null,
      growth: stands?.growth ?? 0,
      spentCents: (stands?.spent_cents ?? 0) as never,
    },
    history: history.map(({ rank_from, rank_to, cause, at }) => ({
      from: nameOf(rank_from),
      to: nameOf(rank_to),
      cause: cause as LevelCause,
      at: at as never,
    })),
  };
});
