import { randomDigits } from "../keys.ts";
import { refuse, text } from "../reply.ts";
import type { Bag, Desk, Reply } from "../reply.ts";
import type { State, Transfer, TransferState } from "../state.ts";
import type { Operation } from "../operation.ts";
import { rfc3339 } from "../wire.ts";

const PATH = /^\/v3\/fund-app\/mch-transfer\/transfer-bills(?:\/out-bill-no\/([^/]+)(\/cancel)?)?$/;
/** 24 hours (常见问题 4013778940), before `speed`. */
const CONFIRM_WITHIN_MS = 24 * 3_600_000;
const CANCEL_MS = 2_000;
const keyOf = (mchId: string, outBillNo: string) => `${mchId}/${outBillNo}`;

/** 商家转账: a transfer waits until the payee confirms it on the page, or somebody decides. One number is one transfer. */
export function findTransferOperation(method: string, url: URL, body: Bag): Operation | undefined {
  const match = PATH.exec(url.pathname);
  if (!match) return undefined;
  if (!match[1] && method === "POST")
    return { name: "transfer", number: text(body["out_bill_no"]), answer: (desk) => applyTransfer(desk, body) };
  if (!match[1]) return undefined;
  const number = decodeURIComponent(match[1]);
  if (match[2] && method === "POST") return { name: "cancel-transfer", number, answer: (desk) => cancelTransfer(desk, number) };
  if (!match[2] && method === "GET") return { name: "query-transfer", number, answer: (desk) => queryTransfer(desk, number) };
  return undefined;
}

function applyTransfer(desk: Desk, body: Bag): Reply {
  const { state, merchant, now } = desk;
  const [outBillNo, openId, amount] = [text(body["out_bill_no"]), text(body["openid"]), body["transfer_amount"]];
  if (!/^[0-9A-Za-z]{1,32}$/.test(outBillNo)) return refuse(400, "PARAM_ERROR", "out_bill_no 格式不正确");
  if (text(body["appid"]) === "" || (merchant.appId !== null && merchant.appId !== body["appid"]))
    return refuse(400, "APPID_MCHID_NOT_MATCH", "AppID 与商户号不匹配");
  if (!openId || !text(body["transfer_scene_id"])) return refuse(400, "PARAM_ERROR", "openid 和 transfer_scene_id 必填");
  if (typeof amount !== "number" || !Number.isSafeInteger(amount) || amount < 1)
    return refuse(400, "PARAM_ERROR", "transfer_amount 不正确");
  if (amount >= 200_000 && text(body["user_name"]) === "") return refuse(400, "PARAM_ERROR", "转账金额达到 2000 元须填写收款用户姓名");
  const remark = text(body["transfer_remark"]);
  if (remark === "" || remark.length > 32) return refuse(400, "PARAM_ERROR", "transfer_remark 须为 1 到 32 个字符");
  const known = state.transfers.get(keyOf(merchant.mchId, outBillNo));
  if (known) {
    const same = known.openId === openId && known.amount === amount;
    return same ? { status: 200, body: acceptedOf(known) } : refuse(400, "INVALID_REQUEST", "单号已存在但信息不一致，请查单后比较确认");
  }
  const key = keyOf(merchant.mchId, outBillNo);
  const transferNo = `1330${randomDigits(28)}`;
  const transfer: Transfer = {
    key,
    mchId: merchant.mchId,
    outBillNo,
    transferNo,
    openId,
    amount,
    remark,
    notifyUrl: text(body["notify_url"]) || null,
    createdAt: now,
    updatedAt: now,
    state: "WAIT_USER_CONFIRM",
    failReason: null,
  };
  state.save("transfer", transfer);
  return { status: 200, body: acceptedOf(transfer) };
}

function queryTransfer(desk: Desk, outBillNo: string): Reply {
  const transfer = desk.state.transfers.get(keyOf(desk.merchant.mchId, outBillNo));
  return transfer ? { status: 200, body: bodyOf(currentTransfer(desk, transfer)) } : refuse(404, "RESOURCE_NOT_EXISTS", "转账单不存在");
}

/** 撤销转账: taken at once, done a little later. */
function cancelTransfer(desk: Desk, outBillNo: string): Reply {
  const known = desk.state.transfers.get(keyOf(desk.merchant.mchId, outBillNo));
  if (!known) return refuse(404, "RESOURCE_NOT_EXISTS", "转账单不存在");
  const transfer = currentTransfer(desk, known);
  if (transfer.state === "CANCELING" || transfer.state === "CANCELLED") return { status: 200, body: bodyOf(transfer) };
  if (transfer.state !== "WAIT_USER_CONFIRM") return refuse(400, "INVALID_REQUEST", "转账单当前状态不允许撤销");
  const canceling: Transfer = { ...transfer, state: "CANCELING", updatedAt: desk.now };
  desk.state.save("transfer", canceling);
  return { status: 200, body: bodyOf(canceling) };
}

type Passing = Pick<Desk, "state" | "now" | "settings" | "enqueue">;
/** A transfer as it is now: what nobody confirmed for a day is closed, and what was cancelled is back after a while. */
export function currentTransfer(desk: Passing, transfer: Transfer): Transfer {
  const age_ms = (desk.now - transfer.updatedAt) * desk.settings.speed;
  if (transfer.state === "WAIT_USER_CONFIRM" && desk.now - transfer.createdAt >= CONFIRM_WITHIN_MS)
    return endTransfer(desk, transfer, "FAIL", "OVERDUE_CLOSE");
  if (transfer.state === "CANCELING" && age_ms >= CANCEL_MS) return endTransfer(desk, transfer, "CANCELLED", "MCH_CANCEL");
  return transfer;
}
/** Ends it, and tells whoever asked for it. */
function endTransfer(desk: Omit<Passing, "settings">, transfer: Transfer, state: TransferState, failReason: string | null): Transfer {
  const ended = { ...transfer, state, failReason, updatedAt: desk.now };
  desk.state.save("transfer", ended);
  if (ended.notifyUrl && ["SUCCESS", "FAIL", "CANCELLED"].includes(state))
    desk.enqueue({
      mchId: ended.mchId,
      url: ended.notifyUrl,
      eventType: "MCHTRANSFER.BILL.FINISHED",
      kind: "mch_payment",
      number: ended.outBillNo,
      resource: bodyOf(ended),
    });
  return ended;
}

/** The payee confirms, or it comes to nothing; an ended one stays as it is. @throws where there is none */
export function decideTransfer(desk: Omit<Passing, "settings">, given: Bag): Transfer | undefined {
  const number = text(given["outBillNo"]);
  const transfer = [...desk.state.transfers.values()].find((one) => one.outBillNo === number || one.key === text(given["key"]));
  const result = (given["result"] ?? "SUCCESS") as TransferState;
  if (!transfer || !["SUCCESS", "FAIL", "CANCELLED", "PROCESSING", "WAIT_USER_CONFIRM"].includes(result)) return undefined;
  if (["SUCCESS", "FAIL", "CANCELLED"].includes(transfer.state)) return transfer;
  const failReason = result === "FAIL" ? text(given["reason"]) || "PAYEE_ACCOUNT_ABNORMAL" : null;
  return endTransfer(desk, transfer, result, failReason);
}

const bodyOf = (transfer: Transfer): Record<string, unknown> => ({
  mch_id: transfer.mchId,
  out_bill_no: transfer.outBillNo,
  transfer_bill_no: transfer.transferNo,
  state: transfer.state,
  transfer_amount: transfer.amount,
  transfer_remark: transfer.remark,
  openid: transfer.openId,
  ...(transfer.failReason && { fail_reason: transfer.failReason }),
  create_time: rfc3339(transfer.createdAt),
  update_time: rfc3339(transfer.updatedAt),
});
/** What opens the payee's page comes with the sending alone, also when the same number is sent again; the query lacks it. */
const acceptedOf = (transfer: Transfer): Record<string, unknown> => ({
  ...bodyOf(transfer),
  ...(transfer.state === "WAIT_USER_CONFIRM" && { package_info: `sim_${transfer.transferNo}` }),
});
export const openTransfers = (state: State): object[] =>
  [...state.transfers.values()]
    .filter((one) => one.state === "WAIT_USER_CONFIRM" || one.state === "PROCESSING")
    .slice(-50)
    .map(({ key, outBillNo, amount, remark }) => ({ key, outBillNo, amount, remark }));
