import { exportColumn, fileOf, type ExportRow, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { channelName, codeWords, payWallet, payWay, walletOf, wayOf } from "../../../../channels/contract.ts";
import { refundStatus, refundType } from "../../../contract/codes.ts";
import { refundsListed, requestsListed } from "./read-refunds.ts";
import type { RefundFound } from "./refund-columns.ts";
import { refundInput, refundRequestInput } from "./refund-filter.ts";

const COLUMNS = [
  exportColumn("refundNo", "退款单号", 28),
  exportColumn("orderNo", "订单号", 28),
  exportColumn("merchantName", "商户", 18),
  exportColumn("storeName", "门店", 18),
  exportColumn("amountCents", "退款金额", 12, "money"),
  exportColumn("principalCents", "退回储值本金", 12, "money"),
  exportColumn("giftCents", "退回储值赠送", 12, "money"),
  exportColumn("pointsBack", "退回积分", 10, "count"),
  exportColumn("feeCents", "退回手续费", 12, "money"),
  exportColumn("orderPaidCents", "订单实收", 12, "money"),
  exportColumn("refundType", "退款类型", 10, "code"),
  exportColumn("status", "状态", 10, "code"),
  exportColumn("reason", "退款原因", 24),
  exportColumn("requestedByName", "申请人", 14),
  exportColumn("decidedByName", "审批人", 14),
  exportColumn("decidedAt", "审批时间", 20, "time"),
  exportColumn("decisionNote", "审批意见", 20),
  exportColumn("tool", "钱包", 12, "code"),
  exportColumn("payMethod", "收款方式", 12, "code"),
  exportColumn("channel", "通道", 14, "code"),
  exportColumn("channelRefundNo", "通道退款单号", 32),
  exportColumn("channelStatus", "通道结果", 24),
  exportColumn("failure", "失败原因", 24),
  exportColumn("attempts", "提交次数", 10, "count"),
  exportColumn("createdAt", "申请时间", 20, "time"),
  exportColumn("finishedAt", "完成时间", 20, "time"),
];

/** The list of refunds as a file: its filter, its rows, in its order, codes as their labels. */
export const refundExport: ExportSource<typeof refundInput> = {
  name: "refunds",
  title: "支付退款订单",
  access: "/dataCentre/payRefund/export",
  input: refundInput,
  columns: COLUMNS,
  ...fileOf(refundsListed, cellsOf),
};
/** The same of what was asked for above the merchants' limits. */
export const refundRequestExport: ExportSource<typeof refundRequestInput> = {
  name: "refund-requests",
  title: "退款申请",
  access: "/dataCentre/refund/export",
  input: refundRequestInput,
  columns: COLUMNS,
  ...fileOf(requestsListed, cellsOf),
};
/** The found row with codes as their labels; it is nobody else's, so it isn't copied. */
function cellsOf(row: RefundFound): ExportRow {
  const cells = row as unknown as Record<string, string | number | null>;
  cells["refundType"] = refundType.label(row.refundType);
  cells["status"] = refundStatus.label(row.status);
  const words = [
    payWallet.label(walletOf(row.tool)),
    payWay.label(wayOf(row.tool, row.payMethod)),
    channelName(row.channel, walletOf(row.tool)),
  ] as const;
  [cells["tool"], cells["payMethod"], cells["channel"]] = words;
  cells["channelStatus"] = row.channelStatus === null ? null : `${codeWords(row.channelStatus)}（${row.channelStatus}）`;
  return cells;
}
