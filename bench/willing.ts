import { type PaymentChannel, type SharingChannel } from "@zhangfang/domains/channels/server/index.ts";

/** Channels that give at once what they are asked to give, so that only our own side is measured. */
const unheard = async () => ({ kind: "unknown", reason: "not asked" }) as const;
export const willingToShare: SharingChannel = {
  addReceiver: unheard,
  removeReceiver: unheard,
  queryShare: unheard,
  unfreeze: unheard,
  giveBack: unheard,
  queryReturn: unheard,
  unsplit: unheard,
  maxRatio: unheard,
  share: async (_account, { outOrderNo, transactionId, lines }) => ({
    kind: "ok",
    value: {
      outOrderNo,
      transactionId,
      orderId: `30${outOrderNo}`,
      finished: true,
      lines: lines.map(({ type, account, amount_cents }) => ({
        type,
        account,
        amount_cents,
        result: "success",
        failReason: null,
        detailId: null,
        finishedAt: new Date().toISOString(),
      })),
    },
  }),
};
export const willingToPay: PaymentChannel = {
  query: unheard,
  close: unheard,
  reverse: unheard,
  refund: unheard,
  queryRefund: unheard,
  readNotification: () => {
    throw new Error("not told");
  },
  replyToNotification: () => {
    throw new Error("not told");
  },
  pay: async (_account, { outTradeNo, amount_cents }) => ({
    kind: "ok",
    value: {
      kind: "transaction",
      transaction: {
        outTradeNo,
        tradeState: "SUCCESS",
        transactionId: `42${outTradeNo.replaceAll(/\D/g, "")}`,
        total_cents: amount_cents,
        paid_cents: amount_cents,
        paidAt: new Date().toISOString(),
        openId: null,
        tradeType: "MICROPAY",
        bankType: null,
        promotions: [],
      },
    },
  }),
};
