import { randomDigits } from "../keys.ts";
import { refuse, text } from "../reply.ts";
import type { Bag, Desk, Reply } from "../reply.ts";
import { currentShare, shareKey, tellApplication, tellShare } from "./share-state.ts";
import type { ShareReturn } from "../state.ts";
import { rfc3339 } from "../wire.ts";

const RETURN_DAYS_MS = 180 * 86_400_000;
/** How long a return stays PROCESSING, before `speed`. */
const RETURN_AFTER_MS = 1_000;

/** 请求分账回退: from a merchant who got it, never more than it got, within 180 days. */
export function askReturn(desk: Desk, subMchId: string | null, body: Bag): Reply {
  const { state, merchant, now } = desk;
  const outReturnNo = text(body["out_return_no"]);
  const amount = body["amount"];
  if (!/^[0-9A-Za-z_\-|*@]{1,64}$/.test(outReturnNo)) return refuse(400, "PARAM_ERROR", "out_return_no 格式不正确");
  if (typeof amount !== "number" || !Number.isSafeInteger(amount) || amount < 1) return refuse(400, "PARAM_ERROR", "amount 不正确");
  const known = state.shareReturns.get(shareKey(merchant.mchId, subMchId, outReturnNo));
  const found = state.shares.get(shareKey(merchant.mchId, subMchId, text(body["out_order_no"])));
  const share = found && currentShare(desk, found);
  if (!share) return refuse(404, "RESOURCE_NOT_EXISTS", "原分账单不存在");
  if (known)
    return known.shareKey === share.key && known.mchId === text(body["return_mchid"]) && known.amount === amount
      ? { status: 200, body: returnBody(share.outOrderNo, share.orderId, subMchId, currentReturn(desk, known)) }
      : refuse(400, "INVALID_REQUEST", "回退单号已使用，参数与首次请求时不一致");
  if (now - share.createdAt > RETURN_DAYS_MS) return refuse(400, "INVALID_REQUEST", "超过 180 天，不能回退");
  const line = share.lines.find(
    (one) => one.type === "MERCHANT_ID" && one.account === text(body["return_mchid"]) && one.result === "SUCCESS",
  );
  if (!line) return refuse(400, "INVALID_REQUEST", "该接收方没有可回退的分账");
  const before = state.returnsOf(share.key).filter((one) => one.mchId === line.account && one.result !== "FAILED");
  if (before.reduce((sum, one) => sum + one.amount, amount) > line.amount) return refuse(400, "INVALID_REQUEST", "回退金额大于分账金额");
  const made: ShareReturn = {
    key: shareKey(merchant.mchId, subMchId, outReturnNo),
    shareKey: share.key,
    outReturnNo,
    returnId: `3009${randomDigits(24)}`,
    mchId: line.account,
    amount,
    description: text(body["description"]),
    createdAt: now,
    result: "PROCESSING",
    failReason: null,
    finishedAt: null,
    held: line.account.endsWith("9004"),
  };
  state.save("shareReturn", made);
  return { status: 200, body: returnBody(share.outOrderNo, share.orderId, subMchId, made) };
}

/** 查询分账回退结果. */
export function queryReturn(desk: Desk, subMchId: string | null, outReturnNo: string): Reply {
  const found = desk.state.shareReturns.get(shareKey(desk.merchant.mchId, subMchId, outReturnNo));
  const share = found && desk.state.shares.get(found.shareKey);
  return found && share
    ? { status: 200, body: returnBody(share.outOrderNo, share.orderId, subMchId, currentReturn(desk, found)) }
    : refuse(404, "RESOURCE_NOT_EXISTS", "回退单不存在");
}

/** What time has done meanwhile: it came back, or there was nothing to give. */
export function currentReturn(desk: Pick<Desk, "state" | "now" | "settings" | "enqueue">, given: ShareReturn): ShareReturn {
  if (given.result !== "PROCESSING" || given.held || desk.now - given.createdAt < RETURN_AFTER_MS / desk.settings.speed) return given;
  return settleReturn(
    desk,
    given,
    given.mchId.endsWith("9003") ? (given.alipay ? "TXN_RESULT_ACCOUNT_BALANCE_NOT_ENOUGH" : "BALANCE_NOT_ENOUGH") : null,
  );
}
/** A return comes to its end. @param failReason null where it came back */
export function settleReturn(desk: Pick<Desk, "state" | "now" | "enqueue">, given: ShareReturn, failReason: string | null): ShareReturn {
  const done: ShareReturn = { ...given, held: false, result: failReason === null ? "SUCCESS" : "FAILED", failReason, finishedAt: desk.now };
  desk.state.save("shareReturn", done);
  if (given.alipay) {
    const of = desk.state.trades.get(given.shareKey);
    if (of) tellApplication(desk, of, { out_request_no: given.outReturnNo });
    return done;
  }
  const share = desk.state.shares.get(given.shareKey);
  const trade = share && desk.state.trades.get(share.tradeKey);
  const line = { type: "MERCHANT_ID", account: given.mchId, amount: given.amount, description: given.description };
  if (trade && failReason === null) tellShare(desk, trade, { number: given.outReturnNo, orderId: given.returnId, line });
  return done;
}

function returnBody(outOrderNo: string, orderId: string, subMchId: string | null, one: ShareReturn): object {
  return {
    ...(subMchId && { sub_mchid: subMchId }),
    order_id: orderId,
    out_order_no: outOrderNo,
    out_return_no: one.outReturnNo,
    return_id: one.returnId,
    return_mchid: one.mchId,
    amount: one.amount,
    description: one.description,
    result: one.result,
    ...(one.failReason && { fail_reason: one.failReason }),
    create_time: rfc3339(one.createdAt),
    ...(one.finishedAt !== null && { finish_time: rfc3339(one.finishedAt) }),
  };
}
