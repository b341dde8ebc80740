import { randomDigits } from "../keys.ts";
import { refuse, text } from "../reply.ts";
import type { Bag, Desk, Reply } from "../reply.ts";
import { currentShare, sharedSince, shareKey } from "./share-state.ts";
import { addReceiver, namedReceivers, removeReceiver } from "./sharing-receivers.ts";
import type { Share, ShareLine, Trade } from "../state.ts";
import { askReturn, queryReturn } from "./sharing-returns.ts";
import type { Operation } from "../operation.ts";
import { rfc3339 } from "../wire.ts";

const PATH = /^\/v3\/profitsharing\/(.+)$/;
const MINUTE_MS = 60_000;
const THIRTY_DAYS_MS = 30 * 86_400_000;
const MOST_REQUESTS = 50;
/** Parts per 10,000 of an order that may be shared. */
const MAX_RATIO = 3000;

/**
 * 分账. Source of addresses and fields: pay.weixin.qq.com/doc/v3/partner/4012690683 and channels.md 4. The last four digits
 * of a receiver's account decide: 9001 is CLOSED with ACCOUNT_ABNORMAL, 9002 with NO_RELATION, 9003 has no balance to give
 * back, 9004 gives back only when somebody decides.
 */
export function findSharingOperation(method: string, url: URL, body: Bag): Operation | undefined {
  const path = PATH.exec(url.pathname)?.[1];
  if (path === undefined) return undefined;
  const sub = (method === "GET" ? url.searchParams.get("sub_mchid") : text(body["sub_mchid"])) || null;
  const number = text(body["out_order_no"]);
  if (method === "POST")
    switch (path) {
      case "receivers/add":
        return { name: "add-receiver", number: text(body["account"]), answer: (desk) => addReceiver(desk, body) };
      case "receivers/delete":
        return { name: "remove-receiver", number: text(body["account"]), answer: (desk) => removeReceiver(desk, body) };
      case "orders":
        return { name: "share", number, answer: (desk) => share(desk, sub, body) };
      case "orders/unfreeze":
        return { name: "unfreeze", number, answer: (desk) => unfreeze(desk, sub, body) };
      case "return-orders":
        return { name: "share-return", number: text(body["out_return_no"]), answer: (desk) => askReturn(desk, sub, body) };
      default:
        return undefined;
    }
  const [kind = "", last = ""] = path.split("/").map(decodeURIComponent);
  if (kind === "orders") return { name: "query-share", number: last, answer: (desk) => queryShare(desk, sub, last) };
  if (kind === "return-orders") return { name: "query-return", number: last, answer: (desk) => queryReturn(desk, sub, last) };
  if (kind === "transactions") return { name: "unsplit", number: last, answer: (desk) => amounts(desk, last) };
  if (kind === "merchant-configs")
    return { name: "max-ratio", number: last, answer: () => ({ status: 200, body: { sub_mchid: last, max_ratio: MAX_RATIO } }) };
  return undefined;
}

const feeOf = (trade: Trade, rate: number) => Math.floor((trade.total * rate * 2 + 100_000) / 200_000);
/** What of a payment is still frozen: less the fee, what went back, what was shared; nothing once it was let go. */
function unsplitOf(desk: Pick<Desk, "state" | "now">, trade: Trade, feeRate: number): number {
  if (!trade.profitSharing || trade.unfrozen || desk.now - (trade.paidAt ?? 0) > THIRTY_DAYS_MS) return 0;
  return Math.max(0, trade.total - feeOf(trade, feeRate) - sharedSince(desk.state, trade));
}
function paidTrade(desk: Desk, subMchId: string | null, transactionId: string): Trade | Reply {
  const trade = desk.state.tradeOfTransaction(transactionId);
  if (!trade || trade.mchId !== desk.merchant.mchId || trade.subMchId !== subMchId) return refuse(404, "RESOURCE_NOT_EXISTS", "订单不存在");
  if (trade.state !== "SUCCESS" && trade.state !== "REFUND") return refuse(400, "INVALID_REQUEST", "订单未支付");
  if (!trade.profitSharing) return refuse(400, "INVALID_REQUEST", "非分账订单不支持分账");
  return trade;
}

function share(desk: Desk, subMchId: string | null, body: Bag): Reply {
  const { state, merchant, now, settings } = desk;
  const outOrderNo = text(body["out_order_no"]);
  if (!/^[0-9A-Za-z_\-|*@]{1,64}$/.test(outOrderNo)) return refuse(400, "PARAM_ERROR", "out_order_no 格式不正确");
  const trade = paidTrade(desk, subMchId, text(body["transaction_id"]));
  if ("status" in trade) return trade;
  const named = namedReceivers(desk, subMchId, body["receivers"]);
  if ("status" in named) return named;
  const key = shareKey(merchant.mchId, subMchId, outOrderNo);
  const known = state.shares.get(key);
  if (known) return repeated(desk, known, JSON.stringify(named));
  if (now - (trade.paidAt ?? now) < MINUTE_MS / settings.speed)
    return refuse(400, "INVALID_REQUEST", "订单支付成功后请至少等待 1 分钟再分账");
  const before = state.sharesOf(trade.key);
  if (before.filter((one) => one.kind === "share").length >= MOST_REQUESTS) return refuse(400, "RULE_LIMIT", "分账次数超过 50 次");
  const asked = named.reduce((sum, line) => sum + line.amount, 0);
  const gone = before.flatMap((one) => one.lines.filter((line) => line.result !== "CLOSED" && one.kind === "share"));
  if (gone.reduce((sum, line) => sum + line.amount, asked) * 10_000 > trade.total * MAX_RATIO)
    return refuse(403, "RULE_LIMIT", "超出最大分账比例");
  if (asked > unsplitOf(desk, trade, merchant.feeRate)) return refuse(403, "NOT_ENOUGH", "分账金额不足");
  const made: Share = {
    key,
    tradeKey: trade.key,
    kind: "share",
    outOrderNo,
    orderId: `3008${randomDigits(24)}`,
    fingerprint: JSON.stringify(named),
    createdAt: now,
    finishedAt: null,
    lines: named.map((line) => ({ ...line, result: "PENDING", failReason: null, detailId: `3601${randomDigits(19)}` })),
  };
  state.save("share", made);
  if (body["unfreeze_unsplit"] === true) state.save("trade", { ...trade, unfrozen: true });
  return { status: 200, body: shareBody(trade, made) };
}
function repeated(desk: Desk, known: Share, fingerprint: string): Reply {
  const trade = desk.state.trades.get(known.tradeKey);
  if (!trade || known.fingerprint !== fingerprint) return refuse(400, "INVALID_REQUEST", "分账单号已使用，参数与首次请求时不一致");
  return { status: 200, body: shareBody(trade, currentShare(desk, known)) };
}

function unfreeze(desk: Desk, subMchId: string | null, body: Bag): Reply {
  const outOrderNo = text(body["out_order_no"]);
  const trade = paidTrade(desk, subMchId, text(body["transaction_id"]));
  if ("status" in trade) return trade;
  const key = shareKey(desk.merchant.mchId, subMchId, outOrderNo);
  const known = desk.state.shares.get(key);
  if (known) return repeated(desk, known, "unfreeze");
  if (trade.unfrozen) return refuse(400, "INVALID_REQUEST", "订单剩余资金已解冻");
  const rest: ShareLine = {
    type: "MERCHANT_ID",
    account: subMchId ?? trade.mchId,
    amount: unsplitOf(desk, trade, desk.merchant.feeRate),
    description: text(body["description"]),
    result: "SUCCESS",
    failReason: null,
    detailId: `3601${randomDigits(19)}`,
  };
  const made: Share = {
    key,
    tradeKey: trade.key,
    kind: "unfreeze",
    outOrderNo,
    orderId: `3008${randomDigits(24)}`,
    fingerprint: "unfreeze",
    createdAt: desk.now,
    finishedAt: desk.now,
    lines: [rest],
  };
  desk.state.save("share", made);
  desk.state.save("trade", { ...trade, unfrozen: true });
  return { status: 200, body: shareBody(trade, made) };
}

function queryShare(desk: Desk, subMchId: string | null, outOrderNo: string): Reply {
  const found = desk.state.shares.get(shareKey(desk.merchant.mchId, subMchId, outOrderNo));
  const trade = found && desk.state.trades.get(found.tradeKey);
  return found && trade
    ? { status: 200, body: shareBody(trade, currentShare(desk, found)) }
    : refuse(404, "RESOURCE_NOT_EXISTS", "分账单不存在");
}
function amounts(desk: Desk, transactionId: string): Reply {
  const trade = desk.state.tradeOfTransaction(transactionId);
  if (!trade || trade.mchId !== desk.merchant.mchId) return refuse(404, "RESOURCE_NOT_EXISTS", "订单不存在");
  return { status: 200, body: { transaction_id: transactionId, unsplit_amount: unsplitOf(desk, trade, desk.merchant.feeRate) } };
}

function shareBody(trade: Trade, share: Share): object {
  const at = rfc3339(share.createdAt);
  return {
    ...(trade.subMchId && { sub_mchid: trade.subMchId }),
    transaction_id: trade.transactionId,
    out_order_no: share.outOrderNo,
    order_id: share.orderId,
    state: share.finishedAt === null ? "PROCESSING" : "FINISHED",
    receivers: share.lines.map(({ type, account, amount, description, result, failReason, detailId }) => ({
      type,
      account,
      amount,
      description,
      result,
      ...(failReason && { fail_reason: failReason }),
      detail_id: detailId,
      create_time: at,
      ...(share.finishedAt !== null && { finish_time: rfc3339(share.finishedAt) }),
    })),
  };
}
