import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, during, is } from "@zhangfang/server/lists/conditions.ts";
import { exportColumn, fileOf, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { activityFilters, activityKind, activityState, grantFilters, grantStatus, listGrants } from "../../contract/index.ts";
import { activitiesListed, type ActivityRow } from "../manage/read-activities.ts";

type GrantRow = RowOf<typeof listGrants>;
type Filter = Pick<ParsedOf<typeof listGrants>, "activityId" | "keyword" | "status" | "why" | "from" | "to">;
const where = (scope: Scope, { activityId, keyword, status, why, ...days }: Filter): RawBuilder<boolean> =>
  all([
    inScope(scope, "g", "merchant"),
    is("g.activity_id", activityId),
    keyword && sql`g.member_id in (select m.id from members m where m.service_provider_id = g.service_provider_id and m.no = ${keyword})`,
    is("g.status", status),
    is("g.why", why),
    during(days, "g.at"),
  ]);
/** The list of grants, for screen and file. Who was merged is shown as who they are now. */
const grantsListed = (scope: Scope, filter: Filter): Listed => ({
  columns: sql`g.id, g.activity_id as "activityId", a.name as "activityName", a.kind, coalesce(m.merged_into, m.id) as "memberId",
    coalesce((select x.no from members x where x.service_provider_id = m.service_provider_id and x.id = m.merged_into), m.no) as "memberNo",
    s.short_name as "storeName", g.status, g.why, g.reason, g.cost_cents as "costCents", g.at`,
  from: sql`activity_grants g`,
  // Row by row of the page: the planner takes a fenced table for a hundredth of what it is, and would rather multiply activities with members.
  names: sql`join lateral (select x.name, x.kind from activities x where x.service_provider_id = g.service_provider_id and x.id = g.activity_id offset 0) a on true
    join lateral (select x.service_provider_id, x.id, x.no, x.merged_into from members x where x.service_provider_id = g.service_provider_id
      and x.id = g.member_id offset 0) m on true
    join stores s on s.service_provider_id = g.service_provider_id and s.id = g.store_id`,
  where: where(scope, filter),
  order: "g.at",
});
/** 活动领取记录. */
export const listGrantsRoute = implement(listGrants, (ctx, input) => listPage<GrantRow>(ctx.tx, input, grantsListed(ctx.scope, input)));

const grants = z.object(grantFilters);
export const grantExport: ExportSource<typeof grants> = {
  name: "activity-grants",
  title: "活动领取记录",
  access: "/activity/centre/export",
  input: grants,
  columns: [
    exportColumn("at", "时间", 20, "time"),
    exportColumn("activityName", "活动", 20),
    exportColumn("kind", "类型", 10, "code"),
    exportColumn("memberNo", "会员号", 14),
    exportColumn("storeName", "门店", 18),
    exportColumn("status", "结果", 10, "code"),
    exportColumn("reason", "原因", 24),
    exportColumn("costCents", "成本", 12, "money"),
  ],
  ...fileOf(
    grantsListed,
    ({ at, activityName, kind, memberNo, storeName, status, reason, costCents }: GrantRow) => ({
      at,
      activityName,
      kind: activityKind.label(kind),
      memberNo,
      storeName,
      status: grantStatus.label(status),
      reason,
      costCents,
    }),
    "-at",
  ),
};
const activities = z.object(activityFilters);
export const activityExport: ExportSource<typeof activities> = {
  name: "activities",
  title: "活动",
  access: "/activity/centre/export",
  input: activities,
  columns: [
    exportColumn("no", "编号", 14),
    exportColumn("name", "活动", 20),
    exportColumn("kind", "类型", 10, "code"),
    exportColumn("state", "状态", 10, "code"),
    exportColumn("worth", "每人得", 30),
    exportColumn("firstDay", "开始日", 12),
    exportColumn("lastDay", "结束日", 12),
    exportColumn("places", "名额", 10, "count"),
    exportColumn("taken", "已占名额", 10, "count"),
    exportColumn("budgetCents", "最高成本", 14, "money"),
    exportColumn("spentCents", "已花成本", 14, "money"),
    exportColumn("madeBy", "创建人", 14),
    exportColumn("createdAt", "创建时间", 20, "time"),
  ],
  ...fileOf(activitiesListed, ({ heldCents: _held, review: _review, ...row }: ActivityRow) => ({
    ...row,
    kind: activityKind.label(row.kind),
    state: activityState.label(row.state),
  })),
};
