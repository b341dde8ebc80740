import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import type { listRefunds } from "../../contract/index.ts";

export type Refund = RowOf<typeof listRefunds>;

/** Where a refund stands, in one sentence: where the money is, and what happens next. */
export function refundWords(
  refund: Pick<Refund, "status" | "failure" | "finishedAt" | "waitsFor" | "decidedByName" | "decisionNote">,
): string {
  switch (refund.status) {
    case 0:
      if (refund.waitsFor === "voucher")
        return "正在平台撤销这单的券，有结果后自动退款。平台不撤销的，实付照退，请引导顾客到平台申请售后。";
      if (refund.waitsFor === "red") return "先红冲这单的发票，红冲后自动退款，钱还没有退出。";
      if (refund.waitsFor === "red-failed") return "这单的发票没有红冲成。还要退的，由另一人在「退款申请」中写明原因后通过，钱还没有退出。";
      return "金额超过本商户的退款审批额度，正在等待审批。审批人在「退款申请」中通过后才会退款，钱还没有退出。";
    case 1:
      return "已提交给支付通道，通常几秒内完成。这里会自动更新，也可以先关闭。";
    case 2:
      return `已原路退回付款人${refund.finishedAt ? `，完成于 ${shanghaiTime(refund.finishedAt)}` : ""}。`;
    case 3:
      return `通道没有退成${refund.failure ? `：${refund.failure}` : ""}。钱没有退出，可以重新退款。`;
    case 5:
      return "申请人撤回了这笔退款申请。钱没有退出，可以重新申请。";
    default:
      return `${refund.decidedByName ?? "审批人"}驳回了这笔退款${refund.decisionNote ? `：${refund.decisionNote}` : ""}。钱没有退出。`;
  }
}
