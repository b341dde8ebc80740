import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { ChannelAccount, Transport } from "../channel.ts";
import type { PayoutChannel, Transfer, TransferNews, TransferOrder, TransferState } from "../types/payouts.ts";
import { openNotification } from "./read/read-notification.ts";
import { instantOf } from "./read/read-transaction.ts";
import { CANCEL_TRANSFER, QUERY, TRANSFER } from "./read/refusals.ts";
import { sealField } from "./signing/secret-fields.ts";
import { answerSerial, sendRequest, type Means } from "./signing/send-request.ts";

const PATH = "/v3/fund-app/mch-transfer/transfer-bills";

/**
 * 商家转账 with the payee's confirmation, from the provider's own merchant number
 * (pay.weixin.qq.com/docs/merchant/apis/mch-trans/transfer-bill/transfer-to-user.html and get-transfer-bill-by-out-no.html,
 * read 2026-11). Every answer but a definite refusal is settled by the query: "状态码不为200时…请勿更换单号". Not verified: what a
 * scene's report has to hold besides the two entries of 1005 that an SDK's issue shows (yansongda/pay#1126), and which codes refuse
 * for good; only those of the gate are taken for a no.
 */
export function wechatTransfers(transport: Transport, given: Partial<Pick<Means, "now" | "nonce">> = {}): PayoutChannel {
  const means: Means = { transport, now: given.now ?? (() => new Date()), nonce: given.nonce ?? (() => randomBytes(16).toString("hex")) };
  const read = (outBillNo: string) => (status: number, body: unknown) => {
    const found = status === 200 ? readTransfer(body) : undefined;
    return found?.outBillNo === outBillNo ? found : undefined;
  };
  return {
    transfer: (account, order) =>
      sendRequest(means, account, {
        method: "POST",
        path: PATH,
        body: bodyOf(account, order),
        refusals: TRANSFER,
        read: read(order.outBillNo),
      }),
    queryTransfer: (account, outBillNo) =>
      sendRequest(means, account, {
        method: "GET",
        path: `${PATH}/out-bill-no/${encodeURIComponent(outBillNo)}`,
        refusals: QUERY,
        read: read(outBillNo),
      }),
    // cancel-transfer.html, read 2026-11: for one that is not confirmed; the body may be left out (FAQ 4013778940).
    cancelTransfer: (account, outBillNo) =>
      sendRequest(means, account, {
        method: "POST",
        path: `${PATH}/out-bill-no/${encodeURIComponent(outBillNo)}/cancel`,
        refusals: CANCEL_TRANSFER,
        read: read(outBillNo),
      }),
    readTransferNews,
  };
}

/** MCHTRANSFER.BILL.FINISHED (4012712115): the transfer as it ended, confirmed, failed, closed or cancelled. */
function readTransferNews(...given: Parameters<typeof openNotification>): TransferNews {
  const opened = openNotification(...given);
  if (opened.kind === "refused") return opened;
  const { eventId, eventType, inner } = opened;
  if (!eventType.startsWith("MCHTRANSFER.BILL.")) return { kind: "other", eventId, eventType };
  const transfer = readTransfer(inner);
  return transfer ? { kind: "transfer", eventId, transfer } : { kind: "refused", code: "BODY", message: "转账通知内容无法识别" };
}

function bodyOf(account: ChannelAccount, order: TransferOrder): object {
  const key = account.platformKeys[answerSerial(account)] ?? "";
  return {
    appid: account.appId,
    out_bill_no: order.outBillNo,
    transfer_scene_id: order.sceneId,
    openid: order.openId,
    user_name: sealField(key, order.payeeName),
    transfer_amount: order.amount_cents,
    transfer_remark: order.remark,
    ...(order.notifyUrl && { notify_url: order.notifyUrl }),
    transfer_scene_report_infos: [
      { info_type: "岗位类型", info_content: "推广人员" },
      { info_type: "报酬说明", info_content: "商户服务分润" },
    ],
  };
}

/** The documented values of 单据状态; CANCELING is still undecided. */
const STATES: Readonly<Record<string, TransferState>> = {
  ACCEPTED: "processing",
  PROCESSING: "processing",
  WAIT_USER_CONFIRM: "waiting",
  TRANSFERING: "processing",
  SUCCESS: "success",
  FAIL: "failed",
  CANCELING: "processing",
  CANCELLED: "cancelled",
};
const shape = z.object({
  out_bill_no: z.string(),
  transfer_bill_no: z.string().max(64).optional(),
  state: z.string(),
  fail_reason: z.string().max(200).optional(),
  transfer_amount: z.int().min(0).optional(),
  update_time: z.string().optional(),
  create_time: z.string().optional(),
  package_info: z.string().max(1024).optional(),
});
function readTransfer(body: unknown): Transfer | undefined {
  const found = shape.safeParse(body);
  const state = found.success ? STATES[found.data.state] : undefined;
  if (!found.success || !state) return undefined;
  const [updatedAt, createdAt] = [instantOf(found.data.update_time), instantOf(found.data.create_time)];
  if (updatedAt === undefined || createdAt === undefined) return undefined;
  return {
    outBillNo: found.data.out_bill_no,
    transferNo: found.data.transfer_bill_no ?? null,
    state,
    channelState: found.data.state,
    failReason: found.data.fail_reason || null,
    amount_cents: found.data.transfer_amount ?? null,
    updatedAt,
    createdAt,
    packageInfo: state === "waiting" ? found.data.package_info || null : null,
  };
}
