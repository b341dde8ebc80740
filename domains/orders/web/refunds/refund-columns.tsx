import type { ReactNode } from "react";
import { type Column, columns } from "@zhangfang/web/list/table/columns.tsx";
import { channelName, codeWords, payWallet, payWay, walletOf, wayOf } from "../../../channels/contract.ts";
import { cancelRefundRequest, refundStatus, refundType, retryRefund } from "../../contract/index.ts";
import type { Refund } from "./refund-words.ts";

interface Asked {
  readonly open: (id: string) => void;
  readonly acts: (row: Refund) => ReactNode;
  /** For levels above the merchant. */
  readonly withMerchant: boolean;
  /** Who asks counts more than which order, and the status stands in the tabs. */
  readonly forApproval?: boolean;
  /** Listed by the moment at which they arrived. */
  readonly arrived?: boolean;
}

/** The columns of a refund, in the order that the staff read them; their keys are those of the export. */
export function refundColumns({ open, acts, withMerchant, forApproval = false, arrived = false }: Asked): Column<Refund>[] {
  const c = columns<Refund>();
  const asked = { hidden: true };
  return [
    c.link("refundNo", "退款单号", (row) => open(row.id), { width: 244 }),
    c.link("orderNo", "订单号", { to: (row) => `/dataCentre/payOrder?id=${row.orderId}` }, { width: 244, hidden: forApproval }),
    c.text("merchantName", "商户", { hidden: !withMerchant }),
    c.text("storeName", "门店"),
    c.money("amountCents", "退款（元）", { width: 112 }),
    c.code("status", "状态", refundStatus, { width: 88 }),
    c.text("reason", "退款原因", { hidden: arrived || (withMerchant && !forApproval) }),
    c.text("requestedByName", "申请人", { width: 96, hidden: !forApproval }),
    c.time("createdAt", "申请时间", { sort: "createdAt" }),
    c.time("finishedAt", "完成时间", { hidden: !arrived }),
    c.code("refundType", "类型", refundType, asked),
    c.money("orderPaidCents", "订单实收（元）", asked),
    c.money("feeCents", "退回手续费（元）", { ...asked, width: 140 }),
    c.text("tool", "钱包", (row) => payWallet.label(walletOf(row.tool)), asked),
    c.text("payMethod", "收款方式", (row) => payWay.label(wayOf(row.tool, row.payMethod)), asked),
    c.text("channel", "通道", (row) => channelName(row.channel, walletOf(row.tool)), asked),
    c.text("channelRefundNo", "通道退款单号", { ...asked, width: 260 }),
    c.text("channelStatus", "通道结果", (row) => row.channelStatus && codeWords(row.channelStatus), {
      ...asked,
      note: (row) => row.channelStatus,
    }),
    c.text("failure", "失败原因", { ...asked, width: 200 }),
    c.number("attempts", "提交次数", asked),
    c.text("decidedByName", "审批人", asked),
    c.time("decidedAt", "审批时间", asked),
    c.text("decisionNote", "审批意见", asked),
    c.actions(acts, forApproval ? { width: 112 } : { width: 72, of: [retryRefund, cancelRefundRequest] }),
  ];
}
