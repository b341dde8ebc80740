import { sql } from "kysely";
import type { z } from "zod";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { exportColumn, fileOf, type ExportRow, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { listShareProfit, receiver, summariseShareProfit } from "../../contract/index.ts";
import { providerName, receiverName, shareProfitInput, shareProfitWhere, throughOf } from "./profit-filter.ts";

type Row = RowOf<typeof listShareProfit>;
const columns = sql`d.id, d.day, d.receiver, d.receiver_id as "receiverId", ${receiverName("d")} as "receiverName", ${providerName("d")} as "serviceProviderName",
  d.pay_count as "payCount", d.paid_cents as "paidCents", d.refund_count as "refundCount", d.refund_cents as "refundCents",
  d.difference_cents as "differenceCents", d.ratio_cents as "ratioCents", d.clawed_cents as "clawedCents", d.net_cents as "netCents"`;

const listed = (scope: Scope, filter: z.output<typeof shareProfitInput>): Listed => ({
  columns,
  from: sql`commission_daily d`,
  where: shareProfitWhere(scope, filter),
  order: "d.day",
  type: "date",
});
/** 分润: by receiver and day, newest first. */
export const listShareProfitRoute = implement(listShareProfit, (ctx, input) => listPage<Row>(ctx.tx, input, listed(ctx.scope, input)));

export const summariseShareProfitRoute = implement(summariseShareProfit, async (ctx, filter) => {
  const { rows } = await sql<OutputOf<typeof summariseShareProfit>>`
    select coalesce(sum(d.difference_cents), 0)::bigint as "differenceCents", coalesce(sum(d.ratio_cents), 0)::bigint as "ratioCents",
      coalesce(sum(d.clawed_cents), 0)::bigint as "clawedCents", coalesce(sum(d.net_cents), 0)::bigint as "netCents",
      ${throughOf(ctx.scope, filter.serviceProviderId)} as through
    from commission_daily d where ${shareProfitWhere(ctx.scope, filter)}`.execute(ctx.tx);
  return rows[0]!;
});

/** The list as a file. */
export const shareProfitExport: ExportSource<typeof shareProfitInput> = {
  name: "share-profit",
  title: "分润",
  access: ["/dataCentre/shareProfit/export", "/dataCentre/shareProfit/own"],
  input: shareProfitInput,
  columns: [
    exportColumn("day", "日期", 12),
    exportColumn("serviceProviderName", "服务商", 18),
    exportColumn("receiver", "类型", 10, "code"),
    exportColumn("receiverName", "分润方", 18),
    exportColumn("payCount", "支付笔数", 10, "count"),
    exportColumn("paidCents", "实收", 14, "money"),
    exportColumn("refundCount", "退款笔数", 10, "count"),
    exportColumn("refundCents", "退款", 14, "money"),
    exportColumn("differenceCents", "费率差", 12, "money"),
    exportColumn("ratioCents", "比例分润", 12, "money"),
    exportColumn("clawedCents", "退款扣回", 12, "money"),
    exportColumn("netCents", "净分润", 12, "money"),
  ],
  ...fileOf(listed, (row: Row) => ({ ...(row as unknown as ExportRow), receiver: receiver.label(row.receiver) })),
};
