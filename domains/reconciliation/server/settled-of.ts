import { sql } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { BillSource, BillTypeCode } from "../contract/index.ts";

/** A row of a bill that counts, about one order: its payment, or a refund of it. */
export interface OrderBillRow {
  readonly source: BillSource;
  readonly type: BillTypeCode;
  readonly day: string;
  readonly line: number;
  readonly kind: 1 | 2;
  readonly at: string;
  readonly refundNo: string | null;
  readonly channelNo: string | null;
  readonly state: string;
  readonly amount_cents: number;
  /** What the merchant gets for it, a refund negative; before the fee. */
  readonly settled_cents: number;
  /** Thousandths of a cent, of a refund negative. */
  readonly fee_mills: number;
}

/** What the channel's bills say about an order, payments first. Where a day has an ALL bill, SUCCESS and REFUND are left out. */
async function billRowsOf(tx: Transaction, service_provider_id: string, order_id: string): Promise<OrderBillRow[]> {
  const { rows } = await sql<OrderBillRow>`
    select f.source, f.bill_type as type, f.day, r.line, r.kind, r.at, r.refund_no as "refundNo", coalesce(r.channel_refund_no, r.channel_no) as "channelNo",
      r.state, r.amount_cents, r.settled_cents, r.fee_mills
    from pay_orders o join bill_rows r on r.service_provider_id = o.service_provider_id and r.order_no = o.order_no and r.merchant_id = o.merchant_id
      join bill_files f on f.service_provider_id = r.service_provider_id and f.id = r.file_id and f.status = 'matched'
    where o.service_provider_id = ${service_provider_id} and o.id = ${order_id}
      and (f.bill_type in ('ALL', 'TRADE') or not exists (select 1 from bill_files w where w.service_provider_id = f.service_provider_id
        and w.merchant_id = f.merchant_id and w.source = f.source and w.day = f.day and w.bill_type = 'ALL' and w.status = 'matched'))
    order by r.kind, r.at, r.line`.execute(tx);
  return rows;
}

/**
 * What the bills say is settled for an order: 应结 less refunds less fee, in whole cents; null where no bill has it yet.
 * @returns rows too, so that a trace can show them
 */
export async function settledOf(
  tx: Transaction,
  service_provider_id: string,
  order_id: string,
): Promise<{ readonly settled_cents: number | null; readonly rows: readonly OrderBillRow[] }> {
  const rows = await billRowsOf(tx, service_provider_id, order_id);
  const counted = rows.filter(({ state }) => state === "SUCCESS" || state === "PROCESSING");
  if (counted.length === 0) return { settled_cents: null, rows };
  const mills = counted.reduce((all, row) => all + row.settled_cents * 1000 - row.fee_mills, 0);
  return { settled_cents: Math.sign(mills) * Math.floor((Math.abs(mills) + 500) / 1000), rows };
}

const BILLS: Readonly<Record<BillTypeCode, string>> = {
  ALL: "交易账单",
  SUCCESS: "成功交易账单",
  REFUND: "退款账单",
  FUNDFLOW: "资金账单",
  TRADE: "业务明细账单",
};
/** 结算 in an order's money trace: what the channel's bills say of it; whoever sees the order sees it. */
export async function traceSettlement(ctx: Pick<Ctx, "tx">, order: { readonly service_provider_id: string; readonly id: string }) {
  const { settled_cents, rows } = await settledOf(ctx.tx, order.service_provider_id, order.id);
  if (settled_cents === null) return undefined;
  const lines = rows.flatMap((row) => {
    const note = `${row.day} ${BILLS[row.type]}第 ${row.line} 行`;
    const fee_cents = Math.sign(row.fee_mills) * Math.floor((Math.abs(row.fee_mills) + 500) / 1000);
    const one = { rounding: null, at: row.at as never };
    return [
      { ...one, label: row.kind === 1 ? "应结订单金额" : `退款 ${row.refundNo ?? ""}`, note, amountCents: row.settled_cents as never },
      ...(fee_cents === 0
        ? []
        : [{ ...one, label: row.kind === 1 ? "通道手续费" : "通道退回手续费", note: null, amountCents: (0 - fee_cents) as never }]),
    ];
  });
  return { station: "settlement" as const, lines, sum: { label: "通道结算", amountCents: settled_cents as never } };
}
