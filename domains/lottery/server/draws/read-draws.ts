import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, during, is } from "@zhangfang/server/lists/conditions.ts";
import { exportColumn, fileOf, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { drawFilters, drawnWhat, listDraws, lotteryFilters, lotteryState, winStatus } from "../../contract/index.ts";
import { lotteriesListed, type LotteryRow } from "../manage/read-lotteries.ts";

type DrawRow = RowOf<typeof listDraws>;
type Filter = Pick<ParsedOf<typeof listDraws>, "lotteryId" | "keyword" | "what" | "status" | "from" | "to">;
const WHAT = { won: sql`d.prize > 0`, gone: sql`d.hit > 0 and d.prize = 0`, none: sql`d.hit = 0` } as const;
const where = (scope: Scope, { lotteryId, keyword, what, status, ...days }: Filter): RawBuilder<boolean> =>
  all([
    inScope(scope, "d", "merchant"),
    is("d.lottery_id", lotteryId),
    keyword &&
      sql`(d.member_id in (select m.id from members m where m.service_provider_id = d.service_provider_id and m.no = ${keyword})
        or exists (select from lottery_wins x where x.service_provider_id = d.service_provider_id and x.lottery_id = d.lottery_id
          and x.draw_no = d.draw_no and x.code = ${keyword}))`,
    what && WHAT[what],
    status !== undefined &&
      sql`exists (select from lottery_wins x where x.service_provider_id = d.service_provider_id and x.lottery_id = d.lottery_id
        and x.draw_no = d.draw_no and x.status = ${status})`,
    during(days, "d.at"),
  ]);
/** The record of draws, for screen and file. Who was merged is shown as who they are now. */
const drawsListed = (scope: Scope, filter: Filter): Listed => ({
  columns: sql`d.id, d.draw_no as "drawNo", d.at, coalesce(m.merged_into, m.id) as "memberId",
    coalesce((select x.no from members x where x.service_provider_id = m.service_provider_id and x.id = m.merged_into), m.no) as "memberNo",
    d.nth, d.roll, case when d.prize > 0 then 'won' when d.hit > 0 then 'gone' else 'none' end as what,
    coalesce(t.terms -> 'prizes' -> (d.hit - 1) ->> 'name', '') as prize, w.kind, w.id as "winId", w.status, coalesce(w.reason, '') as reason, w.until,
    coalesce(s.short_name, '') as "storeName", coalesce(w.by_name, '') as "byName", coalesce(w.cost_cents, 0) as "costCents"`,
  from: sql`lottery_draws d`,
  names: sql`join lotteries l on l.service_provider_id = d.service_provider_id and l.id = d.lottery_id
    join lottery_terms t on t.service_provider_id = l.service_provider_id and t.lottery_id = l.id and t.version = l.version
    join members m on m.service_provider_id = d.service_provider_id and m.id = d.member_id
    left join lottery_wins w on w.service_provider_id = d.service_provider_id and w.lottery_id = d.lottery_id and w.draw_no = d.draw_no
    left join stores s on s.service_provider_id = w.service_provider_id and s.id = w.handed_store_id`,
  where: where(scope, filter),
  order: "d.draw_no",
  type: "bigint",
});
/** 摇一摇记录. */
export const listDrawsRoute = implement(listDraws, (ctx, input) => listPage<DrawRow>(ctx.tx, input, drawsListed(ctx.scope, input)));

const draws = z.object(drawFilters);
export const drawExport: ExportSource<typeof draws> = {
  name: "lottery-draws",
  title: "摇一摇记录",
  access: "/activity/shake/export",
  input: draws,
  columns: [
    exportColumn("drawNo", "序号", 10, "count"),
    exportColumn("at", "时间", 20, "time"),
    exportColumn("memberNo", "会员号", 14),
    exportColumn("nth", "当天第几次", 10, "count"),
    exportColumn("roll", "号码", 10, "count"),
    exportColumn("what", "结果", 10, "code"),
    exportColumn("prize", "奖品", 20),
    exportColumn("status", "兑奖", 10, "code"),
    exportColumn("reason", "原因", 24),
    exportColumn("storeName", "兑奖门店", 18),
    exportColumn("byName", "经手人", 14),
    exportColumn("costCents", "成本", 12, "money"),
  ],
  ...fileOf(
    drawsListed,
    ({ drawNo, at, memberNo, nth, roll, what, prize, status, reason, storeName, byName, costCents }: DrawRow) => ({
      drawNo,
      at,
      memberNo,
      nth,
      roll,
      what: drawnWhat.label(what),
      prize,
      status: status === null ? "" : winStatus.label(status),
      reason,
      storeName,
      byName,
      costCents,
    }),
    "-drawNo",
  ),
};
const lotteries = z.object(lotteryFilters);
export const lotteryExport: ExportSource<typeof lotteries> = {
  name: "lotteries",
  title: "摇一摇活动",
  access: "/activity/shake/export",
  input: lotteries,
  columns: [
    exportColumn("no", "编号", 14),
    exportColumn("name", "活动", 20),
    exportColumn("state", "状态", 10, "code"),
    exportColumn("worth", "奖品", 40),
    exportColumn("firstDay", "开始日", 12),
    exportColumn("lastDay", "结束日", 12),
    exportColumn("draws", "摇了", 10, "count"),
    exportColumn("wins", "中了", 10, "count"),
    exportColumn("budgetCents", "最高成本", 14, "money"),
    exportColumn("spentCents", "已花成本", 14, "money"),
    exportColumn("madeBy", "创建人", 14),
    exportColumn("createdAt", "创建时间", 20, "time"),
  ],
  ...fileOf(lotteriesListed, ({ heldCents: _held, ...row }: LotteryRow) => ({ ...row, state: lotteryState.label(row.state) })),
};
