import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { type Ctx, implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, during, is } from "@zhangfang/server/lists/conditions.ts";
import { exportColumn, type ExportSource, fileOf } from "@zhangfang/server/lists/export-source.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { withMembers } from "../../../members/server/index.ts";
import {
  getClearing,
  getPointClear,
  listPointClearRows,
  listPointClears,
  NOW_DAYS,
  type PointRule,
  sayExpiry,
  TOLD_DAYS,
} from "../../contract/index.ts";
import { ownMerchant } from "../rule/edit-rule.ts";
import { ruleOn } from "../rule/rule-on.ts";
import { nextEnd } from "../rules/expiry-rules.ts";

interface Merchant {
  readonly service_provider_id: string;
  readonly merchant_id: string;
}
/** The living lots that a clearing at the end of a day takes: those of a yearly end, or, for 立即清零, all that live then. */
export const lotsEnding = ({ service_provider_id, merchant_id }: Merchant, ends_on: string, kind: "yearly" | "now"): RawBuilder<unknown> =>
  sql`point_lots l where l.service_provider_id = ${service_provider_id} and l.merchant_id = ${merchant_id} and l.left_points > 0
    and ${kind === "yearly" ? sql`l.expires_on = ${ends_on}` : sql`l.usable_from <= ${ends_on} and (l.expires_on is null or l.expires_on >= ${ends_on})`}`;

async function sumOf(tx: Transaction, merchant: Merchant, ends_on: string, kind: "yearly" | "now") {
  const { rows } = await sql<{ members: number; points: number }>`select count(distinct l.member_id)::int as members,
    coalesce(sum(l.left_points), 0)::bigint as points from ${lotsEnding(merchant, ends_on, kind)}`.execute(tx);
  return rows[0] ?? { members: 0, points: 0 };
}
const worthOf = (rule: PointRule | undefined, points: number): number =>
  rule?.spend.on ? Math.floor((points * rule.spend.cents) / rule.spend.points) : 0;

/** 积分清零: what ends next by the rule, and what 立即清零 would take. */
export const getClearingRoute = implement(getClearing, async (ctx) => {
  const merchant = ownMerchant(ctx);
  const rule = (await ruleOn(ctx.tx, merchant, ctx.now))?.rule;
  const today = shanghaiDay(ctx.now_ms);
  const endsOn = rule ? nextEnd(rule.expiry, today) : null;
  const next =
    endsOn === null ? null : { endsOn, toldOn: addDays(endsOn, -TOLD_DAYS), ...(await sumOf(ctx.tx, merchant, endsOn, "yearly")) };
  const now = await sumOf(ctx.tx, merchant, addDays(today, NOW_DAYS), "now");
  return {
    said: rule ? sayExpiry(rule.expiry) : "还没有保存积分规则：积分长期有效，保存前不会按规则清零；导入时写明到期日的除外。",
    next: next && { ...next, worthCents: worthOf(rule, next.points) as never },
    now: { ...now, worthCents: worthOf(rule, now.points) as never },
    worth: rule?.spend.on ? { points: rule.spend.points, cents: rule.spend.cents as never } : null,
  };
});

// What of a row was cleared is what the book says of its lot.
const CLEARED = sql`coalesce((select sum(p.amount) from value_entries e
    join value_postings p on p.service_provider_id = e.service_provider_id and p.entry_id = e.id and p.amount > 0
    where e.service_provider_id = r.service_provider_id and e.cause = 'points-clear' and e.cause_id = r.lot_id), 0)`;
const LEFT = sql`least(l.left_points, r.points)`;
/** Rows of a clearing with what became of them. */
const rowsOf = (
  alias: RawBuilder<unknown>,
) => sql`(select r.service_provider_id, r.merchant_id, r.clear_id, r.member_id, r.lot_id as id, r.points,
    case when c.status in (1, 2) then ${LEFT} else 0 end as left_points, case when c.status in (1, 2) then ${CLEARED} else 0 end as cleared
  from point_clear_rows r join point_lots l on l.service_provider_id = r.service_provider_id and l.id = r.lot_id
  join point_clears c on c.service_provider_id = r.service_provider_id and c.id = r.clear_id) ${alias}`;
const COLUMNS = (
  scope: Scope,
) => sql`c.id, c.kind, c.status, c.ends_on as "endsOn", c.frozen_at as "frozenAt", c.reason, c.asked_by_name as "askedByName",
  c.decided_by_name as "decidedByName", c.created_at as "createdAt", coalesce(c.asked_by = ${scope.user ?? null}::uuid, false) as mine,
  n.members, n.points, n.points - n.left_points - n.cleared as used, n.left_points as "left", n.cleared`;
const SUMS = sql`left join lateral (select count(distinct x.member_id)::int as members, coalesce(sum(x.points), 0)::bigint as points,
    coalesce(sum(x.left_points), 0)::bigint as left_points, coalesce(sum(x.cleared), 0)::bigint as cleared
  from ${rowsOf(sql`x`)} where x.service_provider_id = c.service_provider_id and x.clear_id = c.id) n on true`;

/** 清零记录. */
export const listPointClearsRoute = implement(listPointClears, (ctx, input) =>
  listPage<RowOf<typeof listPointClears>>(ctx.tx, input, {
    columns: COLUMNS(ctx.scope),
    from: sql`point_clears c`,
    names: SUMS,
    where: all([inScope(ctx.scope, "c", "merchant"), is("c.status", input.status), during(input, "c.created_at")]),
    order: "c.created_at",
  }),
);
/** What 立即清零 would freeze if it were approved today. */
async function wouldTake({ tx, now, now_ms }: Ctx, merchant: Merchant) {
  const sums = await sumOf(tx, merchant, addDays(shanghaiDay(now_ms), NOW_DAYS), "now");
  return { ...sums, worthCents: worthOf((await ruleOn(tx, merchant, now))?.rule, sums.points) as never };
}
/** One of them, with how many members lose how much. */
export const getPointClearRoute = implement(getPointClear, async (ctx, { id }) => {
  const { rows } = await sql<RowOf<typeof listPointClears> & Merchant>`select ${COLUMNS(ctx.scope)}, c.service_provider_id, c.merchant_id
    from point_clears c ${SUMS} where c.id = ${id} and ${inScope(ctx.scope, "c", "merchant")}`.execute(ctx.tx);
  const [found] = rows;
  if (!found) throw notFound("清零记录");
  const { service_provider_id, merchant_id, ...row } = found;
  const would = row.status === 0 ? await wouldTake(ctx, { service_provider_id, merchant_id }) : null;
  const { rows: spread } = await sql<{ from: number; members: number }>`select b.least as "from", count(m.points)::int as members
    from (values (1, 99), (100, 499), (500, 999), (1000, 4999), (5000, 2000000000)) b (least, most)
    left join (select x.member_id, sum(x.points) as points from point_clear_rows x where x.clear_id = ${id} and ${inScope(ctx.scope, "x", "merchant")}
      group by 1) m on m.points between b.least and b.most
    group by 1 order by 1`.execute(ctx.tx);
  return { ...row, spread, would };
});

const rowsInput = z.object({ clearId: z.uuid() });
type Row = RowOf<typeof listPointClearRows>;
const rowsListed = (scope: Scope, { clearId }: z.output<typeof rowsInput>): Listed => ({
  columns: sql`x.id, x.member_id as "memberId", m.no as "memberNo", coalesce(a.balance, 0)::bigint as has, x.points, x.points - x.left_points - x.cleared as used,
    x.left_points as "left", x.cleared`,
  from: sql`${rowsOf(sql`x`)} join members m on m.service_provider_id = x.service_provider_id and m.id = x.member_id
    left join value_accounts a on a.service_provider_id = x.service_provider_id and a.merchant_id = x.merchant_id and a.owner_id = x.member_id
      and a.kind = 'points'`,
  where: all([inScope(scope, "x", "merchant"), sql`x.clear_id = ${clearId}`]),
  order: "x.points",
  type: "bigint",
});
/** 清零名单: who loses what, the most first. */
export const listPointClearRowsRoute = implement(listPointClearRows, async (ctx, input) => {
  const seen = await ctx.tx
    .selectFrom("point_clears as c")
    .select("c.id")
    .where("c.id", "=", input.clearId)
    .where(inScope(ctx.scope, "c", "merchant"))
    .executeTakeFirst();
  if (!seen) throw notFound("清零记录");
  const page = await listPage<Row>(ctx.tx, input, rowsListed(ctx.scope, input));
  return { ...page, items: await withMembers(ctx, page.items) };
});
export const clearRowExport: ExportSource<typeof rowsInput> = {
  name: "point-clear-rows",
  title: "积分清零名单",
  access: "/vip-member/integralReset/export",
  input: rowsInput,
  columns: [
    exportColumn("memberNo", "会员号", 14),
    exportColumn("memberName", "姓名", 10),
    exportColumn("memberPhone", "手机号", 14),
    exportColumn("has", "现有积分", 12, "count"),
    exportColumn("points", "冻结时", 12, "count"),
    exportColumn("used", "冻结后用了", 12, "count"),
    exportColumn("left", "还会清", 12, "count"),
    exportColumn("cleared", "已清", 12, "count"),
  ],
  always: ["memberName", "memberPhone"],
  ...fileOf(rowsListed, (row: Row) => ({ ...row }), undefined, withMembers),
};
