import type { Desk } from "../reply.ts";
import type { Share, ShareLine, Trade } from "../state.ts";
import { bag } from "../reply.ts";
import { rfc3339 } from "../wire.ts";

/** How long a share stays PROCESSING, before `speed`. */
const SHARE_AFTER_MS = 2_000;

/** A number is unique within its merchant. */
export const shareKey = (mchId: string, subMchId: string | null, number: string) => `${mchId}/${subMchId ?? ""}/${number}`;

/** What time has done meanwhile: each receiver got its part or was refused it, and those who got it are told. */
export function currentShare(desk: Pick<Desk, "state" | "now" | "settings" | "enqueue">, share: Share): Share {
  if (share.finishedAt !== null || desk.now - share.createdAt < SHARE_AFTER_MS / desk.settings.speed) return share;
  const done: Share = {
    ...share,
    finishedAt: desk.now,
    lines: share.lines.map((line): ShareLine => {
      if (share.alipay) return closed(line, line.account.endsWith("9001") ? "TXN_RESULT_ACCOUNT_ABNORMAL" : null);
      const failReason = line.account.endsWith("9001") ? "ACCOUNT_ABNORMAL" : line.account.endsWith("9002") ? "NO_RELATION" : null;
      return closed(line, failReason);
    }),
  };
  desk.state.save("share", done);
  const trade = desk.state.trades.get(share.tradeKey);
  if (share.alipay) {
    if (trade && share.alipay.finish && done.lines.some((line) => line.result === "SUCCESS"))
      desk.state.save("trade", { ...trade, unfrozen: true });
    if (trade) tellApplication(desk, trade, { out_request_no: done.outOrderNo, settle_no: done.orderId });
    return done;
  }
  for (const line of done.lines)
    if (trade && line.result === "SUCCESS") tellShare(desk, trade, { number: done.outOrderNo, orderId: done.orderId, line });
  return done;
}
const closed = (line: ShareLine, failReason: string | null): ShareLine => ({
  ...line,
  result: failReason === null ? "SUCCESS" : "CLOSED",
  failReason,
});
/** What of a trade went back to the payer or to receivers, or is on its way there. */
export function sharedSince(state: Desk["state"], trade: Trade): number {
  const back = state.refundsOf(trade.key).filter((refund) => refund.state !== "CLOSED");
  const shared = state.sharesOf(trade.key).flatMap((one) => one.lines.filter((line) => line.result !== "CLOSED"));
  return [...back, ...shared].reduce((total, one) => total + one.amount, 0);
}
/** 消息服务 of Alipay: to the application's own address, where it has one. */
export function tellApplication(desk: Pick<Desk, "state" | "enqueue">, trade: Trade, news: Readonly<Record<string, unknown>>): void {
  const url = desk.state.merchants.get(trade.mchId)?.alipay?.gateway;
  if (!url) return;
  const resource = {
    message: "alipay.trade.order.settle.notify",
    content: bag({ ...news, trade_no: trade.transactionId, msg_type: "async_settle_result" }),
  };
  desk.enqueue({
    mchId: trade.mchId,
    url,
    eventType: resource.message,
    kind: "profitsharing",
    number: String(news["out_request_no"]),
    resource,
  });
}
/** 分账动账通知 goes where the merchant's payments are told; the event is the payment's own, as the channel does it. */
export function tellShare(
  desk: Pick<Desk, "state" | "now" | "enqueue">,
  trade: Trade,
  { number, orderId, line }: { number: string; orderId: string; line: Pick<ShareLine, "type" | "account" | "amount" | "description"> },
): void {
  if (!trade.notifyUrl) return;
  desk.enqueue({
    mchId: trade.mchId,
    url: trade.notifyUrl,
    eventType: "TRANSACTION.SUCCESS",
    kind: "profitsharing",
    number,
    resource: {
      ...(trade.subMchId === null ? { mchid: trade.mchId } : { sp_mchid: trade.mchId, sub_mchid: trade.subMchId }),
      transaction_id: trade.transactionId,
      order_id: orderId,
      out_order_no: number,
      receiver: { type: line.type, account: line.account, amount: line.amount, description: line.description },
      success_time: rfc3339(desk.now),
    },
  });
}
