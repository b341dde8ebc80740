import { sql } from "kysely";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { readByCursor } from "@zhangfang/server/read-by-cursor.ts";
import { implement } from "@zhangfang/server/call.ts";
import type { ExportRow, ExportSource } from "@zhangfang/server/export-source.ts";
import { after, countAll, countRows, page } from "@zhangfang/server/keyset.ts";
import { listShareProfit as list, receiver, summariseShareProfit as sums } from "../../contract/index.ts";
import { providerName, receiverName, shareProfitInput, shareProfitWhere, throughOf } from "./profit-filter.ts";

type Row = RowOf<typeof list>;
const columns = sql`d.id, d.day, d.receiver, d.receiver_id as "receiverId", ${receiverName("d")} as "receiverName", ${providerName("d")} as "serviceProviderName",
  d.pay_count as "payCount", d.paid_cents as "paidCents", d.refund_count as "refundCount", d.refund_cents as "refundCents",
  d.difference_cents as "differenceCents", d.ratio_cents as "ratioCents", d.clawed_cents as "clawedCents", d.net_cents as "netCents"`;

/** 分润: by receiver and day, newest first. */
export const listShareProfit = implement(list, async (ctx, { cursor, pageSize, sort, withTotal, ...filter }) => {
  const where = shareProfitWhere(ctx.scope, filter);
  const descending = sort === "-day";
  const direction = sql.raw(descending ? "desc" : "asc");
  const { rows } = await sql<Row>`select ${columns} from commission_daily d
    where ${where} and ${after(cursor, "d.day", "d.id", "date", descending)} order by d.day ${direction}, d.id ${direction} limit ${pageSize + 1}`.execute(
    ctx.tx,
  );
  return {
    ...page(rows, pageSize, (row) => ({ value: row.day, id: row.id })),
    ...(withTotal && { total: await countRows(ctx.tx, sql`commission_daily d where ${where}`) }),
  };
});

export const summariseShareProfit = implement(sums, async (ctx, filter) => {
  const { rows } = await sql<OutputOf<typeof sums>>`
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
    { key: "day", label: "日期", kind: "text", width: 12 },
    { key: "serviceProviderName", label: "服务商", kind: "text", width: 18 },
    { key: "receiver", label: "类型", kind: "code", width: 10 },
    { key: "receiverName", label: "分润方", kind: "text", width: 18 },
    { key: "payCount", label: "支付笔数", kind: "count", width: 10 },
    { key: "paidCents", label: "实收", kind: "money", width: 14 },
    { key: "refundCount", label: "退款笔数", kind: "count", width: 10 },
    { key: "refundCents", label: "退款", kind: "money", width: 14 },
    { key: "differenceCents", label: "费率差", kind: "money", width: 12 },
    { key: "ratioCents", label: "比例分润", kind: "money", width: 12 },
    { key: "clawedCents", label: "退款扣回", kind: "money", width: 12 },
    { key: "netCents", label: "净分润", kind: "money", width: 12 },
  ],
  count: (tx, scope, filter) => countAll(tx, sql`commission_daily d where ${shareProfitWhere(scope, filter)}`),
  async *rows(tx, scope, filter) {
    const query = sql<Row>`select ${columns} from commission_daily d where ${shareProfitWhere(scope, filter)} order by d.day desc, d.id desc`;
    for await (const batch of readByCursor(tx, { compile: () => query.compile(tx) }))
      yield batch.map((row) => ({ ...(row as unknown as ExportRow), receiver: receiver.label(row.receiver) }));
  },
};
