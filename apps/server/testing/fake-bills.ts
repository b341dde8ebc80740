import { shanghaiDay, shanghaiTime } from "@zhangfang/contract/time.ts";
import type { BillChannel } from "@zhangfang/domains/channels/server/index.ts";
import { feeOf } from "@zhangfang/domains/money/server/index.ts";
import type { FakeChannel } from "@zhangfang/domains/orders/server/testing/fake-channel.ts";
import { wechatBill, wechatLine } from "@zhangfang/domains/reconciliation/server/testing/bill-files.ts";

type Fault = "lost-request" | "lost-reply" | "later" | { readonly crash: "before" | "after"; readonly error: Error };
/** How a bill writes what a refund has come to. */
const STATE = { success: "SUCCESS", processing: "PROCESSING", closed: "FAIL", abnormal: "CHANGE" } as const;
const yuan = (cents: number): string => {
  const whole = Math.abs(cents);
  return `${cents < 0 ? "-" : ""}${Math.trunc(whole / 100)}.${String(whole % 100).padStart(2, "0")}`;
};

/**
 * WeChat Pay's bills, written from its own trades: each payment on the day it was paid, each refund on the day it was asked for.
 * @param fee_rate at which it takes its fee of a payment
 * @param feeBack what it gives back of the fee with a refund, which its contract says and no trade does
 */
export function fakeBills(channel: FakeChannel, fee_rate: number, feeBack: (outRefundNo: string) => Promise<number>) {
  const faults: Fault[] = [];
  const linesOf = async (day: string, subMchId: string) => {
    const rows: { line: string; paid: number; back: number; fee: number }[] = [];
    for (const trade of channel.trades.values()) {
      if (trade.wallet !== "wechat" || trade.paidAt === null || shanghaiDay(trade.paidAt) !== day) continue;
      const fee = feeOf(trade.total_cents, fee_rate);
      const state = trade.state === "REVOKED" ? { state: "REVOKED" } : {};
      const cells = { at: shanghaiTime(trade.paidAt), orderNo: trade.outTradeNo, yuan: yuan(trade.total_cents), fee: `${yuan(fee)}000` };
      rows.push({ line: wechatLine({ ...cells, subMchId, ...state }), paid: trade.total_cents, back: 0, fee });
    }
    for (const refund of channel.refunds.values()) {
      if (channel.trades.get(refund.outTradeNo)?.wallet !== "wechat" || shanghaiDay(refund.createdAt) !== day) continue;
      const fee = -(await feeBack(refund.outRefundNo));
      const cells = {
        at: shanghaiTime(refund.createdAt),
        orderNo: refund.outTradeNo,
        yuan: yuan(refund.amount_cents),
        fee: `${yuan(fee)}000`,
      };
      const line = wechatLine({ ...cells, subMchId, refundNo: refund.outRefundNo, state: STATE[refund.status] });
      rows.push({ line, paid: 0, back: refund.amount_cents, fee });
    }
    return rows;
  };
  const bills: BillChannel = {
    async download(account, { day }, sink) {
      const fault = faults.shift();
      if (typeof fault === "object" && fault.crash === "before") throw fault.error;
      if (fault === "lost-request") return { kind: "unknown", reason: "没有收到应答" };
      if (fault === "later") return { kind: "later", reason: "账单生成中" };
      const rows = await linesOf(day, "subMchId" in account ? (account.subMchId ?? "") : "");
      if (rows.length === 0) return { kind: "empty" };
      const sum = (pick: (row: (typeof rows)[number]) => number): string => yuan(rows.reduce((all, row) => all + pick(row), 0));
      const [paid, back, fee] = [sum((row) => row.paid), sum((row) => row.back), sum((row) => row.fee)];
      const file = wechatBill(
        rows.map((row) => row.line),
        [String(rows.length), paid, back, "0.00", `${fee}000`, paid, back],
      );
      await sink(fault === "lost-reply" ? file.subarray(0, file.length / 2) : file);
      if (typeof fault === "object") throw fault.error;
      return fault === "lost-reply" ? { kind: "unknown", reason: "下载中断" } : { kind: "file", size_bytes: file.length };
    },
  };
  return { bills, fail: (fault: Fault) => void faults.push(fault), forget: () => void faults.splice(0) };
}
