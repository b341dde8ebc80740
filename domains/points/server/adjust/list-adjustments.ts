import { sql } from "kysely";
import { z } from "zod";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, during, is } from "@zhangfang/server/lists/conditions.ts";
import { exportColumn, type ExportSource, fileOf } from "@zhangfang/server/lists/export-source.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { memberSought, withMembers } from "../../../members/server/index.ts";
import {
  adjustFilters,
  adjustStatus,
  listPointAdjustments,
  listPointEntries,
  pointReason,
  summarisePointAdjustments,
} from "../../contract/index.ts";

type Filter = ParsedOf<typeof summarisePointAdjustments>;
const FROM = sql`point_adjustments a join members m on m.service_provider_id = a.service_provider_id and m.id = a.member_id`;
const where = (scope: Scope, filter: Filter, services: Services | undefined) =>
  all([
    inScope(scope, "a", "merchant"),
    filter.keyword && memberSought(services, scope, filter.keyword),
    is("a.reason", filter.reason),
    is("a.status", filter.status),
    during(filter, "a.created_at"),
  ]);
const listed = (scope: Scope, filter: Filter, _tx: Transaction, services?: Services): Listed => ({
  columns: sql`a.id, a.member_id as "memberId", m.no as "memberNo", a.points, a.done_points as "donePoints", a.reason, a.note, a.status,
    a.asked_by_name as "askedByName", a.decided_by_name as "decidedByName", a.created_at as "createdAt",
    a.asked_by = ${scope.user ?? null}::uuid as mine`,
  from: FROM,
  where: where(scope, filter, services),
  order: "a.created_at",
});
type Row = RowOf<typeof listPointAdjustments>;

/** 积分调整记录. */
export const listPointAdjustmentsRoute = implement(listPointAdjustments, async (ctx, input) => {
  const page = await listPage<Row>(ctx.tx, input, listed(ctx.scope, input, ctx.tx, ctx.services));
  return { ...page, items: await withMembers(ctx, page.items) };
});
/** What was added and deducted over the filter; by status without the filter's own, for the tabs. */
export const summarisePointAdjustmentsRoute = implement(summarisePointAdjustments, async (ctx, { status, ...rest }) => {
  const { rows } = await sql<{ status: number; count: number; added: number; deducted: number }>`select a.status, count(*)::int as count,
      coalesce(sum(a.done_points) filter (where a.done_points > 0), 0)::bigint as added,
      coalesce(-sum(a.done_points) filter (where a.done_points < 0), 0)::bigint as deducted
    from ${FROM} where ${where(ctx.scope, rest as Filter, ctx.services)} group by a.status`.execute(ctx.tx);
  const shown = rows.filter((row) => status === undefined || row.status === status);
  return {
    added: shown.reduce((sum, { added }) => sum + added, 0),
    deducted: shown.reduce((sum, { deducted }) => sum + deducted, 0),
    byStatus: Object.fromEntries(rows.map((row) => [row.status, row.count])),
  };
});

const input = z.object(adjustFilters);
export const adjustmentExport: ExportSource<typeof input> = {
  name: "point-adjustments",
  title: "积分调整",
  access: "/member/pointsAdd/export",
  input,
  columns: [
    exportColumn("memberNo", "会员号", 14),
    exportColumn("memberName", "姓名", 10),
    exportColumn("memberPhone", "手机号", 14),
    exportColumn("points", "申请积分", 12, "count"),
    exportColumn("donePoints", "生效积分", 12, "count"),
    exportColumn("reason", "原因", 12, "code"),
    exportColumn("note", "说明", 30),
    exportColumn("status", "状态", 10, "code"),
    exportColumn("askedByName", "申请人", 14),
    exportColumn("decidedByName", "审核人", 14),
    exportColumn("createdAt", "时间", 20, "time"),
  ],
  always: ["memberName", "memberPhone"],
  ...fileOf(
    listed,
    ({ mine: _mine, ...row }: Row) => ({
      ...row,
      reason: pointReason.label(row.reason),
      status: adjustStatus.label(row.status),
    }),
    undefined,
    withMembers,
  ),
};

/** 积分明细: every entry that moved the member's points, with the balance after it. */
export const listPointEntriesRoute = implement(listPointEntries, async (ctx, { memberNo, ...asked }) => {
  const moved = (kind: string) => sql`coalesce((select sum(p.amount) from value_postings p
    join value_accounts a on a.service_provider_id = p.service_provider_id and a.id = p.account_id
    where p.service_provider_id = e.service_provider_id and p.entry_id = e.id and a.kind = ${sql.lit(kind)}), 0)::bigint`;
  const { rows: members } = await sql<{ memberId: string; memberNo: string }>`select m.id as "memberId", m.no as "memberNo" from members m
    where m.no = ${memberNo} and ${inScope(ctx.scope, "m", "merchant")} limit 1`.execute(ctx.tx);
  const [member] = await withMembers(ctx, members);
  const page = await listPage<RowOf<typeof listPointEntries>>(ctx.tx, asked, {
    columns: sql`e.id, e.cause, ${moved("points")} as points, ${moved("points-pending")} as pending, ${moved("points-debt")} as owed,
      (select p.balance_after from value_postings p
        join value_accounts a on a.service_provider_id = p.service_provider_id and a.id = p.account_id
        where p.service_provider_id = e.service_provider_id and p.entry_id = e.id and a.kind = 'points') as after, e.occurred_at as at`,
    from: sql`value_entries e`,
    where: all([
      inScope(ctx.scope, "e", "merchant"),
      sql`starts_with(e.cause, 'points-')`,
      sql`e.owner_id in (select m.id from members m where m.no = ${memberNo} and ${inScope(ctx.scope, "m", "merchant")})`,
    ]),
    order: "e.occurred_at",
  });
  return { ...page, member: member ?? null };
});
