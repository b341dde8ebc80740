import { randomBytes } from "node:crypto";
import type { AbnormalRefundChannel } from "../types/abnormal-refunds.ts";
import type { Transport } from "../channel.ts";
import { readRefund } from "./read/read-refund.ts";
import * as refusals from "./read/refusals.ts";
import { sealField } from "./signing/secret-fields.ts";
import { answerSerial, type Means, sendRequest } from "./signing/send-request.ts";

/**
 * 发起异常退款 /v3/refund/domestic/refunds/{refund_id}/apply-abnormal-refund (channels.md 3): to a debit card of the payer
 * at one of fifteen banks, or to the merchant's own bank account. Card and name travel sealed.
 */
export function wechatAbnormalRefunds(transport: Transport, given: Partial<Pick<Means, "now" | "nonce">> = {}): AbnormalRefundChannel {
  const means: Means = { transport, now: given.now ?? (() => new Date()), nonce: given.nonce ?? (() => randomBytes(16).toString("hex")) };
  return {
    redirect: (account, { refundId, outRefundNo, card }) => {
      const key = account.platformKeys[answerSerial(account)] ?? "";
      const where = card
        ? {
            type: "USER_BANK_CARD",
            bank_type: card.bankType,
            bank_account: sealField(key, card.account),
            real_name: sealField(key, card.name),
          }
        : { type: "MERCHANT_BANK_CARD" };
      return sendRequest(means, account, {
        method: "POST",
        path: `/v3/refund/domestic/refunds/${encodeURIComponent(refundId)}/apply-abnormal-refund`,
        body: { ...(account.mode === "partner" ? { sub_mchid: account.subMchId } : {}), out_refund_no: outRefundNo, ...where },
        refusals: refusals.REFUND,
        read: (status, body) => {
          const found = status === 200 ? readRefund(body) : undefined;
          return found?.outRefundNo === outRefundNo ? found : undefined;
        },
      });
    },
  };
}
