import { randomDigits } from "./keys.ts";
import { refuse, text } from "./reply.ts";
import type { Bag, Desk, Reply } from "./reply.ts";
import type { State, Transfer, TransferState } from "./state.ts";
import type { Operation } from "./wechat.ts";
import { rfc3339 } from "./wire.ts";

const PATH = /^\/v3\/fund-app\/mch-transfer\/transfer-bills(?:\/out-bill-no\/([^/]+))?$/;
const keyOf = (mchId: string, outBillNo: string) => `${mchId}/${outBillNo}`;

/** 商家转账: a transfer waits until the payee confirms it on the page, or somebody decides. One number is one transfer. */
export function findTransferOperation(method: string, url: URL, body: Bag): Operation | undefined {
  const match = PATH.exec(url.pathname);
  if (!match) return undefined;
  if (!match[1] && method === "POST")
    return { name: "transfer", number: text(body["out_bill_no"]), answer: (desk) => applyTransfer(desk, body) };
  if (match[1] && method === "GET") {
    const number = decodeURIComponent(match[1]);
    return { name: "query-transfer", number, answer: (desk) => queryTransfer(desk, number) };
  }
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
    return same ? { status: 200, body: bodyOf(known) } : refuse(400, "INVALID_REQUEST", "单号已存在但信息不一致，请查单后比较确认");
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
    createdAt: now,
    updatedAt: now,
    state: "WAIT_USER_CONFIRM",
    failReason: null,
  };
  state.save("transfer", transfer);
  return { status: 200, body: bodyOf(transfer) };
}

function queryTransfer(desk: Desk, outBillNo: string): Reply {
  const transfer = desk.state.transfers.get(keyOf(desk.merchant.mchId, outBillNo));
  return transfer ? { status: 200, body: bodyOf(transfer) } : refuse(404, "RESOURCE_NOT_EXISTS", "转账单不存在");
}

/** The payee confirms, or it comes to nothing; an ended one stays as it is. @throws where there is none */
export function decideTransfer(state: State, given: Bag, now: number): Transfer | undefined {
  const number = text(given["outBillNo"]);
  const transfer = [...state.transfers.values()].find((one) => one.outBillNo === number || one.key === text(given["key"]));
  const result = (given["result"] ?? "SUCCESS") as TransferState;
  if (!transfer || !["SUCCESS", "FAIL", "CANCELLED", "PROCESSING", "WAIT_USER_CONFIRM"].includes(result)) return undefined;
  if (["SUCCESS", "FAIL", "CANCELLED"].includes(transfer.state)) return transfer;
  const failReason = result === "FAIL" ? text(given["reason"]) || "PAYEE_ACCOUNT_ABNORMAL" : null;
  const decided = { ...transfer, state: result, failReason, updatedAt: now };
  state.save("transfer", decided);
  return decided;
}

const bodyOf = (transfer: Transfer): object => ({
  mch_id: transfer.mchId,
  out_bill_no: transfer.outBillNo,
  transfer_bill_no: transfer.transferNo,
  state: transfer.state,
  transfer_amount: transfer.amount,
  transfer_remark: transfer.remark,
  openid: transfer.openId,
  ...(transfer.failReason && { fail_reason: transfer.failReason }),
  ...(transfer.state === "WAIT_USER_CONFIRM" && { package_info: `sim_${transfer.transferNo}` }),
  create_time: rfc3339(transfer.createdAt),
  update_time: rfc3339(transfer.updatedAt),
});
export const openTransfers = (state: State): object[] =>
  [...state.transfers.values()]
    .filter((one) => one.state === "WAIT_USER_CONFIRM" || one.state === "PROCESSING")
    .slice(-50)
    .map(({ key, outBillNo, amount, remark }) => ({ key, outBillNo, amount, remark }));
