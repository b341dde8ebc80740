import { sql } from "kysely";
import type { ExportColumn, ExportRow, ExportSource } from "@zhangfang/server/export-source.ts";
import { payChannel, payTool } from "../../../channels/contract.ts";
import { refundStatus, refundType } from "../../contract/codes.ts";
import { readByCursor } from "@zhangfang/server/read-by-cursor.ts";
import { refundColumns, refundJoins, type RefundFound } from "./refund-columns.ts";
import { refundInput, refundsWhere } from "./refund-filter.ts";

const columns: readonly ExportColumn[] = [
  { key: "refundNo", label: "退款单号", kind: "text", width: 28 },
  { key: "orderNo", label: "订单号", kind: "text", width: 28 },
  { key: "merchantName", label: "商户", kind: "text", width: 18 },
  { key: "storeName", label: "门店", kind: "text", width: 18 },
  { key: "amountCents", label: "退款金额", kind: "money", width: 12 },
  { key: "feeCents", label: "退回手续费", kind: "money", width: 12 },
  { key: "orderPaidCents", label: "订单实收", kind: "money", width: 12 },
  { key: "refundType", label: "退款类型", kind: "code", width: 10 },
  { key: "status", label: "状态", kind: "code", width: 10 },
  { key: "reason", label: "退款原因", kind: "text", width: 24 },
  { key: "requestedByName", label: "申请人", kind: "text", width: 14 },
  { key: "decidedByName", label: "审批人", kind: "text", width: 14 },
  { key: "decidedAt", label: "审批时间", kind: "time", width: 20 },
  { key: "decisionNote", label: "审批意见", kind: "text", width: 20 },
  { key: "channel", label: "支付渠道", kind: "code", width: 12 },
  { key: "tool", label: "支付工具", kind: "code", width: 14 },
  { key: "channelRefundNo", label: "渠道退款单号", kind: "text", width: 32 },
  { key: "channelStatus", label: "渠道结果", kind: "text", width: 14 },
  { key: "failure", label: "失败原因", kind: "text", width: 24 },
  { key: "attempts", label: "提交次数", kind: "count", width: 10 },
  { key: "createdAt", label: "申请时间", kind: "time", width: 20 },
  { key: "finishedAt", label: "完成时间", kind: "time", width: 20 },
];

/** The list of refunds as a file: its filter, its rows, in its order, codes as their labels. */
export const refundExport: ExportSource<typeof refundInput> = {
  name: "refunds",
  title: "支付退款订单",
  access: "/dataCentre/payRefund/export",
  input: refundInput,
  columns,
  async count(tx, scope, filter) {
    const found = await sql<{
      n: number;
    }>`select count(*) as n from refunds r join pay_orders o on o.service_provider_id = r.service_provider_id and o.id = r.order_id where ${refundsWhere(scope, filter)}`.execute(
      tx,
    );
    return found.rows[0]?.n ?? 0;
  },
  async *rows(tx, scope, filter) {
    const query = sql<RefundFound>`select ${refundColumns} from refunds r ${refundJoins} where ${refundsWhere(scope, filter)} order by r.created_at desc, r.id desc`;
    for await (const batch of readByCursor(tx, { compile: () => query.compile(tx) })) yield batch.map(cellsOf);
  },
};
/** The found row with codes as their labels; it is nobody else's, so it isn't copied. */
function cellsOf(row: RefundFound): ExportRow {
  const cells = row as unknown as Record<string, string | number | null>;
  cells["refundType"] = refundType.label(row.refundType);
  cells["status"] = refundStatus.label(row.status);
  cells["channel"] = payChannel.label(row.channel);
  cells["tool"] = payTool.label(row.tool);
  return cells;
}
