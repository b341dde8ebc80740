import { sql } from "kysely";
import type { z } from "zod";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { exportColumn, fileOf, type ExportRow, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { lineFact, listCommissionLines, receiver, summariseCommissionLines } from "../../contract/index.ts";
import { lineInput, linesWhere, receiverName } from "./profit-filter.ts";

type Row = RowOf<typeof listCommissionLines>;
const columns = sql`l.id, l.occurred_at as "occurredAt", l.day, l.fact, l.receiver, ${receiverName("l")} as "receiverName", l.order_id as "orderId",
  coalesce(o.order_no, '') as "orderNo", coalesce(app.past_name('merchant', l.service_provider_id, l.order_merchant_id), '') as "merchantName",
  l.fact_cents as "factCents", l.merchant_rate as "merchantRate", l.own_rate as "ownRate", l.ratio, l.difference_cents as "differenceCents",
  (l.amount_cents - l.difference_cents)::bigint as "ratioCents", l.amount_cents as "commissionCents", l.remainder_cents as "remainderCents"`;
const tables = sql`commission_lines l left join pay_orders o on o.service_provider_id = l.service_provider_id and o.id = l.order_id`;

const listed = (scope: Scope, filter: z.output<typeof lineInput>): Listed => ({
  columns,
  from: tables,
  where: linesWhere(scope, filter),
  order: "l.occurred_at",
});
/** 分润明细: the lines behind a figure, newest first. */
export const listCommissionLinesRoute = implement(listCommissionLines, (ctx, input) =>
  listPage<Row>(ctx.tx, input, listed(ctx.scope, input)),
);

/** 分润明细合计: over the whole filter. */
export const summariseCommissionLinesRoute = implement(summariseCommissionLines, async (ctx, filter) => {
  const { rows } = await sql<OutputOf<typeof summariseCommissionLines>>`
    select count(*)::int as count, coalesce(sum(l.difference_cents), 0)::bigint as "differenceCents",
      coalesce(sum(l.amount_cents - l.difference_cents), 0)::bigint as "ratioCents", coalesce(sum(l.amount_cents), 0)::bigint as "commissionCents",
      coalesce(sum(l.amount_cents) filter (where l.fact = 'payment'), 0)::bigint as "earnedCents",
      -coalesce(sum(l.amount_cents) filter (where l.fact = 'refund'), 0)::bigint as "clawedCents"
    from commission_lines l where ${linesWhere(ctx.scope, filter)}`.execute(ctx.tx);
  return rows[0]!;
});

export const commissionLineExport: ExportSource<typeof lineInput> = {
  name: "commission-lines",
  title: "分润明细",
  access: ["/dataCentre/shareProfit/export", "/dataCentre/shareProfit/own"],
  input: lineInput,
  columns: [
    exportColumn("occurredAt", "时间", 20, "time"),
    exportColumn("fact", "类型", 10, "code"),
    exportColumn("orderNo", "订单号", 28),
    exportColumn("merchantName", "商户", 18),
    exportColumn("receiver", "分润方类型", 10, "code"),
    exportColumn("receiverName", "分润方", 18),
    exportColumn("factCents", "收款/退款金额", 14, "money"),
    exportColumn("differenceCents", "费率差", 12, "money"),
    exportColumn("ratioCents", "比例分润", 12, "money"),
    exportColumn("commissionCents", "分润", 12, "money"),
    exportColumn("remainderCents", "其中舍入尾差", 12, "money"),
  ],
  ...fileOf(listed, (row: Row) => ({
    ...(row as unknown as ExportRow),
    fact: lineFact.label(row.fact),
    receiver: receiver.label(row.receiver),
  })),
};
