import { randomDigits } from "../keys.ts";
import { bag, text } from "../reply.ts";
import type { Bag, Desk } from "../reply.ts";
import { currentShare, shareKey, sharedSince } from "../sharing/share-state.ts";
import { receiverKey } from "../sharing/sharing-receivers.ts";
import { currentReturn } from "../sharing/sharing-returns.ts";
import type { Receiver, Share, ShareLine, ShareReturn, Trade } from "../state.ts";
import { centsOf, failed, moment, type Node, ok, yuan } from "./trades.ts";

const MOST_REQUESTS = 300;
const MOST_RECEIVERS = 50;
/** Per hundred of an order that may be shared. */
const MAX_RATIO = 30;
const AFTER_MS = 30_000;
const THIRTY_DAYS_MS = 30 * 86_400_000;
const NUMBER = /^[0-9A-Za-z_]{1,64}$/;

/** 分账关系: up to twenty at once; a login name with its holder's name. Names with 不符 fit nobody, accounts that end in 9009 do not exist. */
export function bind(desk: Desk, seller: string | null, content: Bag, removed: boolean): Node {
  if (!/^[0-9A-Za-z_]{1,32}$/.test(text(content["out_request_no"]))) return failed("ACQ.INVALID_PARAMETER", "外部请求号不能为空");
  const list = Array.isArray(content["receiver_list"]) ? content["receiver_list"].map(bag) : [];
  if (list.length === 0 || list.length > 20) return failed("ACQ.RECEIVER_LIST_EMPTY", "分账收款方列表为空");
  const found: Receiver[] = [];
  for (const one of list) {
    const [type, account, name] = [text(one["type"]), text(one["account"]), text(one["name"])];
    if (type !== "userId" && type !== "loginName") return failed("ACQ.INVALID_RECEIVER_TYPE", "分账收款方类型参数非法");
    if (type === "userId" && !/^2088\d{12}$/.test(account)) return failed("ACQ.INVALID_PARAMETER", "用户号须为 2088 开头的 16 位数字");
    if (!removed && ((type === "loginName" && name === "") || name.includes("不符")))
      return failed("ACQ.USER_NOT_EXIST", "分账接收方姓名与账号不匹配");
    if (account.endsWith("9009")) return failed("ACQ.USER_NOT_EXIST", "分账接收方不存在");
    const key = receiverKey(desk.merchant.mchId, seller, type, account);
    found.push({
      key,
      mchId: desk.merchant.mchId,
      subMchId: seller,
      type,
      account,
      name: name || null,
      relation: text(one["memo"]),
      custom: null,
      removed,
    });
  }
  for (const receiver of found) desk.state.save("receiver", receiver);
  return ok({ result_code: "SUCCESS" });
}

/** What of a payment is still frozen: less what went back and what was shared; nothing once it was let go. */
function unsettledOf(desk: Pick<Desk, "state" | "now">, trade: Trade): number {
  if (!trade.profitSharing || trade.unfrozen || desk.now - (trade.paidAt ?? 0) > THIRTY_DAYS_MS) return 0;
  return Math.max(0, trade.total - sharedSince(desk.state, trade));
}
export const unsettled = (desk: Desk, trade: Trade | undefined): Node =>
  trade
    ? ok({ trade_no: trade.transactionId, unsettled_amount: yuan(unsettledOf(desk, trade)) })
    : failed("ACQ.TRADE_NOT_EXIST", "交易不存在");
export const ratio = (desk: Desk, seller: string | null): Node => ok({ user_id: ownerOf(desk, seller), max_ratio: MAX_RATIO });

/** 统一收单交易结算, asynchronous; without receivers it only lets go what is left. */
export function settle(desk: Desk, trade: Trade | undefined, seller: string | null, content: Bag): Node {
  const number = text(content["out_request_no"]);
  if (!NUMBER.test(number)) return failed("ACQ.INVALID_PARAMETER", "结算请求号不能为空");
  if (!trade) return failed("ACQ.TRADE_NOT_EXIST", "交易不存在");
  if (trade.state !== "SUCCESS" && trade.state !== "REFUND") return failed("ACQ.TRADE_STATUS_ERROR", "交易状态不合法");
  const lines = linesOf(desk, seller, content["royalty_parameters"]);
  if (!Array.isArray(lines)) return lines;
  const finish = text(bag(content["extend_params"])["royalty_finish"]) === "true";
  if (lines.length === 0 && !finish) return failed("ACQ.INVALID_PARAMETER", "分账明细不能为空");
  const fingerprint = JSON.stringify([lines, finish, content["royalty_mode"]]);
  const key = shareKey(desk.merchant.mchId, seller, `${trade.key}/${number}`);
  const known = desk.state.shares.get(key);
  if (known)
    return known.fingerprint === fingerprint
      ? ok({ trade_no: trade.transactionId, settle_no: known.orderId })
      : failed("ACQ.DISCORDANT_REPEAT_REQUEST", "请求信息不一致");
  const refused =
    lines.length > 0 ? whyNot(desk, trade, lines) : trade.unfrozen ? failed("ACQ.ILLEGAL_SETTLE_STATE", "交易已完结") : undefined;
  if (refused) return refused;
  const made: Share = {
    key,
    tradeKey: trade.key,
    kind: lines.length > 0 ? "share" : "unfreeze",
    outOrderNo: number,
    orderId: `${moment(desk.now).slice(0, 10).replaceAll("-", "")}002530${randomDigits(18)}`,
    fingerprint,
    createdAt: desk.now,
    finishedAt: lines.length > 0 ? null : desk.now,
    lines: lines.map((line) => ({ ...line, result: "PENDING", failReason: null, detailId: `2026${randomDigits(24)}` })),
    alipay: { finish },
  };
  desk.state.save("share", made);
  if (lines.length === 0) desk.state.save("trade", { ...trade, unfrozen: true });
  return ok({ trade_no: trade.transactionId, settle_no: made.orderId });
}
const ownerOf = (desk: Desk, seller: string | null): string => seller ?? desk.merchant.alipay?.sellerId ?? "";
type Asked = Pick<ShareLine, "type" | "account" | "amount" | "description">;
function linesOf(desk: Desk, seller: string | null, given: unknown): Asked[] | Node {
  const lines: Asked[] = [];
  for (const one of Array.isArray(given) ? given.map(bag) : []) {
    const [type, account, amount] = [text(one["trans_in_type"]) || "userId", text(one["trans_in"]), centsOf(one["amount"])];
    if (amount === undefined || amount < 1) return failed("ACQ.INVALID_PARAMETER", "分账金额无效");
    if (text(one["trans_out"]) !== ownerOf(desk, seller)) return failed("ACQ.INVALID_PARAMETER", "支出方不是收款商家");
    if (text(one["royalty_type"]) !== "transfer") return failed("ACQ.INVALID_PARAMETER", "分账类型无效");
    const known = desk.state.receivers.get(receiverKey(desk.merchant.mchId, seller, type, account));
    if (!known || known.removed) return failed("ACQ.ROYALTY_RECEIVER_INVALID", "收入方不在分账关系内");
    lines.push({ type, account, amount, description: text(one["desc"]) });
  }
  return lines.length > MOST_RECEIVERS ? failed("ACQ.INVALID_PARAMETER", "一次最多 50 个收款方") : lines;
}
function whyNot(desk: Desk, trade: Trade, lines: readonly Asked[]): Node | undefined {
  if (desk.now - (trade.paidAt ?? desk.now) < AFTER_MS / desk.settings.speed)
    return failed("ACQ.ILLEGAL_SETTLE_STATE", "请在支付成功 30 秒后再分账");
  const before = desk.state.sharesOf(trade.key).filter((one) => one.kind === "share");
  if (before.length >= MOST_REQUESTS) return failed("ACQ.ILLEGAL_SETTLE_STATE", "分账次数超限");
  const sum = (all: readonly { amount: number }[]) => all.reduce((total, one) => total + one.amount, 0);
  const gone = before.flatMap((one) => one.lines.filter((line) => line.result !== "CLOSED"));
  const asked = sum(lines);
  if ((sum(gone) + asked) * 100 > trade.total * MAX_RATIO || asked > unsettledOf(desk, trade))
    return failed("ACQ.ALLOC_AMOUNT_VALIDATE_ERROR", "分账金额超过最大可分账金额");
  return undefined;
}

/** 只退分账: from a receiver that got it of this trade, never more than it got. */
export function giveBack(desk: Desk, trade: Trade | undefined, seller: string | null, content: Bag): Node {
  const number = text(content["out_request_no"]);
  const [one, ...more] = (content["refund_royalty_parameters"] as unknown[]).map(bag);
  const amount = centsOf(one?.["amount"]);
  if (!trade) return failed("ACQ.TRADE_NOT_EXIST", "交易不存在");
  if (!NUMBER.test(number) || !one || more.length > 0 || amount === undefined || amount < 1 || centsOf(content["refund_amount"]) !== 0)
    return failed("ACQ.INVALID_PARAMETER", "参数无效");
  if (text(one["trans_in"]) !== ownerOf(desk, seller)) return failed("ACQ.INVALID_PARAMETER", "退分账收入方不是收款商家");
  const [type, account] = [text(one["trans_out_type"]) || "userId", text(one["trans_out"])];
  const key = shareKey(desk.merchant.mchId, seller, `${trade.key}/${number}`);
  const taken = () => ok({ trade_no: trade.transactionId, out_trade_no: trade.outTradeNo, fund_change: "N", refund_fee: "0.00" });
  const known = desk.state.shareReturns.get(key);
  if (known)
    return known.mchId === account && known.amount === amount ? taken() : failed("ACQ.DISCORDANT_REPEAT_REQUEST", "请求信息不一致");
  const got = desk.state
    .sharesOf(trade.key)
    .flatMap((share) =>
      currentShare(desk, share).lines.filter((line) => line.type === type && line.account === account && line.result === "SUCCESS"),
    );
  const before = desk.state.returnsOf(trade.key).filter((back) => back.mchId === account && back.result !== "FAILED");
  const sum = (all: readonly { amount: number }[]) => all.reduce((total, line) => total + line.amount, 0);
  if (sum(before) + amount > sum(got)) return failed("ACQ.ALLOC_AMOUNT_VALIDATE_ERROR", "退分账金额超限");
  if (account.endsWith("9005")) return failed("ACQ.REFUNDALLOC_UNAUTH_LIMIT", "退分账未授权");
  const made: ShareReturn = {
    key,
    shareKey: trade.key,
    outReturnNo: number,
    returnId: `2026${randomDigits(24)}`,
    mchId: account,
    amount,
    description: text(one["desc"]),
    createdAt: desk.now,
    result: "PROCESSING",
    failReason: null,
    finishedAt: null,
    held: account.endsWith("9004"),
    alipay: { type },
  };
  desk.state.save("shareReturn", made);
  return taken();
}

/** With `masks` a login name is told by its holder's user id and a user id by its end; whether the real one does so nobody has said. */
const shownAs = (desk: Desk, { type, account }: Pick<ShareLine, "type" | "account">): Node => ({
  trans_in: !desk.settings.masks ? account : type === "loginName" ? "2088000000007777" : masked(account),
  trans_in_type: desk.settings.masks ? "userId" : type,
});
const masked = (account: string): string => `${account.slice(0, 4)}********${account.slice(-4)}`;
const STATES = { PENDING: "PROCESSING", SUCCESS: "SUCCESS", CLOSED: "FAIL" } as const;
const RETURNS = { PROCESSING: "PROCESSING", SUCCESS: "SUCCESS", FAILED: "FAIL" } as const;
/** 交易分账查询: a share, a letting go or a return by the number of its request. */
export function settleQuery(desk: Desk, trade: Trade | undefined, seller: string | null, content: Bag): Node {
  const number = text(content["out_request_no"]);
  if (!trade) return failed("ACQ.TRADE_NOT_EXIST", "交易不存在");
  const key = shareKey(desk.merchant.mchId, seller, `${trade.key}/${number}`);
  const share = desk.state.shares.get(key);
  const back = desk.state.shareReturns.get(key);
  const detail = (node: Node, at: number | null, failReason: string | null): Node => ({
    ...node,
    ...(at !== null && { execute_dt: moment(at) }),
    ...(failReason !== null && { error_code: failReason, error_desc: "失败" }),
  });
  if (share) {
    const now = currentShare(desk, share);
    const royalty_detail_list = now.lines.map((line) =>
      detail(
        {
          operation_type: "transfer",
          trans_out: ownerOf(desk, seller),
          trans_out_type: "userId",
          ...shownAs(desk, line),
          amount: yuan(line.amount),
          state: STATES[line.result],
          detail_id: line.detailId,
        },
        now.finishedAt,
        line.failReason,
      ),
    );
    return ok({ out_request_no: number, operation_dt: moment(share.createdAt), royalty_detail_list });
  }
  if (!back) return ok({});
  const now = currentReturn(desk, back);
  const node = {
    operation_type: "transfer_refund",
    trans_out: desk.settings.masks ? masked(now.mchId) : now.mchId,
    trans_out_type: now.alipay?.type ?? "userId",
    amount: yuan(now.amount),
  };
  const royalty_detail_list = [detail({ ...node, state: RETURNS[now.result], detail_id: now.returnId }, now.finishedAt, now.failReason)];
  return ok({ out_request_no: number, operation_dt: moment(back.createdAt), royalty_detail_list });
}
