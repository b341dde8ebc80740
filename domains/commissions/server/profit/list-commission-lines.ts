import { sql } from "kysely";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/call.ts";
import type { ExportRow, ExportSource } from "@zhangfang/server/export-source.ts";
import { after, countAll, countRows, page } from "@zhangfang/server/keyset.ts";
import { readByCursor } from "@zhangfang/server/read-by-cursor.ts";
import { lineFact, listCommissionLines as list, receiver } from "../../contract/index.ts";
import { lineInput, linesWhere, receiverName } from "./profit-filter.ts";

type Row = RowOf<typeof list>;
const columns = sql`l.id, l.occurred_at as "occurredAt", l.day, l.fact, l.receiver, ${receiverName("l")} as "receiverName", l.order_id as "orderId",
  coalesce(o.order_no, '') as "orderNo", coalesce(app.past_name('merchant', l.service_provider_id, l.order_merchant_id), '') as "merchantName",
  l.fact_cents as "factCents", l.merchant_rate as "merchantRate", l.own_rate as "ownRate", l.ratio, l.difference_cents as "differenceCents",
  (l.amount_cents - l.difference_cents)::bigint as "ratioCents", l.amount_cents as "commissionCents", l.remainder_cents as "remainderCents"`;
const tables = sql`commission_lines l left join pay_orders o on o.service_provider_id = l.service_provider_id and o.id = l.order_id`;

/** 分润明细: the lines behind a figure, newest first. */
export const listCommissionLines = implement(list, async (ctx, { cursor, pageSize, sort, withTotal, ...filter }) => {
  const where = linesWhere(ctx.scope, filter);
  const descending = sort === "-occurredAt";
  const direction = sql.raw(descending ? "desc" : "asc");
  const { rows } = await sql<Row>`select ${columns} from ${tables}
    where ${where} and ${after(cursor, "l.occurred_at", "l.id", "timestamptz", descending)}
    order by l.occurred_at ${direction}, l.id ${direction} limit ${pageSize + 1}`.execute(ctx.tx);
  return {
    ...page(rows, pageSize, (row) => ({ value: row.occurredAt, id: row.id })),
    ...(withTotal && { total: await countRows(ctx.tx, sql`${tables} where ${where}`) }),
  };
});

export const commissionLineExport: ExportSource<typeof lineInput> = {
  name: "commission-lines",
  title: "分润明细",
  access: ["/dataCentre/shareProfit/export", "/dataCentre/shareProfit/own"],
  input: lineInput,
  columns: [
    { key: "occurredAt", label: "时间", kind: "time", width: 20 },
    { key: "fact", label: "类型", kind: "code", width: 10 },
    { key: "orderNo", label: "订单号", kind: "text", width: 28 },
    { key: "merchantName", label: "商户", kind: "text", width: 18 },
    { key: "receiver", label: "分润方类型", kind: "code", width: 10 },
    { key: "receiverName", label: "分润方", kind: "text", width: 18 },
    { key: "factCents", label: "收款/退款金额", kind: "money", width: 14 },
    { key: "differenceCents", label: "费率差", kind: "money", width: 12 },
    { key: "ratioCents", label: "比例分润", kind: "money", width: 12 },
    { key: "commissionCents", label: "分润", kind: "money", width: 12 },
    { key: "remainderCents", label: "其中舍入尾差", kind: "money", width: 12 },
  ],
  count: (tx, scope, filter) => countAll(tx, sql`${tables} where ${linesWhere(scope, filter)}`),
  async *rows(tx, scope, filter) {
    const query = sql<Row>`select ${columns} from ${tables} where ${linesWhere(scope, filter)} order by l.occurred_at desc, l.id desc`;
    for await (const batch of readByCursor(tx, { compile: () => query.compile(tx) }))
      yield batch.map((row) => ({
        ...(row as unknown as ExportRow),
        fact: lineFact.label(row.fact),
        receiver: receiver.label(row.receiver),
      }));
  },
};
