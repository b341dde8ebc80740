import type { Desk } from "./reply.ts";
import type { Share, ShareLine, Trade } from "./state.ts";
import { rfc3339 } from "./wire.ts";

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
      const failReason = line.account.endsWith("9001") ? "ACCOUNT_ABNORMAL" : line.account.endsWith("9002") ? "NO_RELATION" : null;
      return { ...line, result: failReason === null ? "SUCCESS" : "CLOSED", failReason };
    }),
  };
  desk.state.save("share", done);
  const trade = desk.state.trades.get(share.tradeKey);
  for (const line of done.lines)
    if (trade && line.result === "SUCCESS") tellShare(desk, trade, { number: done.outOrderNo, orderId: done.orderId, line });
  return done;
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
