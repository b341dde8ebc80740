import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { AlipayAccount, Outcome, Transport } from "../channel.ts";
import { NOT_FOUND } from "../channel.ts";
import type { ChannelReceiver, ReceiverType, ShareOrder, ShareReturnOrder, SharingChannel } from "../types/sharing.ts";
import { askGateway, type Means as Asking, meansOf } from "./ask-gateway.ts";
import { readReturned, readShared, settleNumber } from "./read-sharing.ts";
import { yuanAmount, yuanText } from "./read-trade.ts";
import * as refusals from "./refusals.ts";

interface Means extends Asking {
  /** 32 letters and digits at most, new each time: the binding's own number. */
  readonly nonce: () => string;
}
const bound = z.object({ result_code: z.literal("SUCCESS") });
const settled = z.object({ trade_no: z.string(), settle_no: z.string().optional() });
const returned = z.object({ trade_no: z.string() });
const left = z.object({ unsettled_amount: yuanAmount });
const rate = z.object({ max_ratio: z.coerce.number().int().min(0).max(100) });

/**
 * 商家分账, direct and ISV mode. Always asynchronous: some receivers may get their part and others not, and the two ways must not
 * be mixed for one order (zhifubao.apifox.cn api-126563053). The answer says only that the request was taken; the query decides.
 * The same number with the same content again is the same share. Sources and what is not verified: docs/channels.md.
 */
export function alipaySharing(transport: Transport, given: Partial<Pick<Means, "now" | "nonce">> = {}): SharingChannel<AlipayAccount> {
  const means: Means = { ...meansOf(transport, given), nonce: given.nonce ?? (() => randomBytes(16).toString("hex")) };
  return {
    addReceiver: (account, receiver) => relate(means, account, "bind", { ...partyOf(receiver), ...holderOf(receiver) }),
    removeReceiver: (account, receiver) => relate(means, account, "unbind", partyOf(receiver)),
    share: (account, order) => settle(means, account, order),
    queryShare: (account, by) => query(means, account, by.transactionId, by.outOrderNo, (node) => readShared(node, by)),
    unfreeze: (account, { outOrderNo, transactionId }) => settle(means, account, { outOrderNo, transactionId, lines: [], unfreeze: true }),
    giveBack: (account, order) => giveBack(means, account, order),
    queryReturn: (account, order) => query(means, account, order.transactionId, order.outReturnNo, (node) => readReturned(node, order)),
    unsplit: (account, transactionId) =>
      askGateway(means, account, {
        method: "alipay.trade.order.onsettle.query",
        content: { trade_no: transactionId },
        refusals: refusals.QUERY,
        read: (node) => {
          const found = left.safeParse(node).data;
          return found && { cents: found.unsettled_amount };
        },
      }),
    maxRatio: (account) =>
      askGateway(means, account, {
        method: "alipay.trade.royalty.rate.query",
        content: { out_request_no: means.nonce() },
        refusals: refusals.RELATION,
        read: (node) => {
          const found = rate.safeParse(node).data;
          // The channel counts in parts per hundred.
          return found && { ratio: found.max_ratio * 1_000 };
        },
      }),
  };
}

const PARTIES: Readonly<Partial<Record<ReceiverType, string>>> = { ALIPAY_USER_ID: "userId", ALIPAY_LOGIN_NAME: "loginName" };
const typeOf = (type: ReceiverType): string => PARTIES[type] ?? "userId";
const partyOf = ({ type, account }: Pick<ChannelReceiver, "type" | "account">) => ({ type: typeOf(type), account });
const holderOf = ({ name, relation, customRelation }: ChannelReceiver) => ({
  ...(name !== null && { name }),
  memo: customRelation ?? relation,
});

function relate(means: Means, account: AlipayAccount, what: "bind" | "unbind", party: object): Promise<Outcome<null>> {
  return askGateway<null>(means, account, {
    method: `alipay.trade.royalty.relation.${what}`,
    content: { receiver_list: [party], out_request_no: means.nonce() },
    refusals: refusals.RELATION,
    read: (node) => (bound.safeParse(node).success ? null : undefined),
  });
}

/** 统一收单交易结算. Without receivers it only lets go what is left. */
function settle(means: Means, account: AlipayAccount, { transactionId, outOrderNo, lines, unfreeze }: ShareOrder) {
  const royalties = lines.map(({ type, account: number, name, amount_cents, description }) => ({
    royalty_type: "transfer",
    trans_out: account.sellerId,
    trans_out_type: "userId",
    trans_in: number,
    trans_in_type: typeOf(type),
    ...(name !== null && { trans_in_name: name }),
    amount: yuanText(amount_cents),
    desc: description,
  }));
  const pending = lines.map(({ type, account: number, amount_cents }) => ({
    type,
    account: number,
    amount_cents,
    result: "pending" as const,
    failReason: null,
    detailId: null,
    finishedAt: null,
  }));
  return askGateway(means, account, {
    method: "alipay.trade.order.settle",
    content: {
      out_request_no: settleNumber(outOrderNo),
      trade_no: transactionId,
      ...(royalties.length > 0 && { royalty_parameters: royalties }),
      royalty_mode: "async",
      extend_params: { royalty_finish: String(unfreeze) },
    },
    refusals: refusals.SETTLE,
    read: (node) => {
      const found = settled.safeParse(node).data;
      if (found?.trade_no !== transactionId) return undefined;
      return { outOrderNo, transactionId, orderId: found.settle_no ?? null, finished: lines.length === 0, lines: pending };
    },
  });
}

/** 只退分账: a refund of nothing to the payer with what the receiver gives back (opendocs.alipay.com/support/01rg1b). */
function giveBack(means: Means, account: AlipayAccount, order: ShareReturnOrder) {
  return askGateway(means, account, {
    method: "alipay.trade.refund",
    content: {
      trade_no: order.transactionId,
      refund_amount: "0.00",
      out_request_no: settleNumber(order.outReturnNo),
      refund_reason: order.reason,
      refund_royalty_parameters: [
        {
          royalty_type: "transfer",
          trans_out: order.account,
          trans_out_type: typeOf(order.type),
          trans_in: account.sellerId,
          trans_in_type: "userId",
          amount: yuanText(order.amount_cents),
          desc: order.reason,
        },
      ],
    },
    refusals: refusals.GIVE_BACK,
    read: (node) => {
      if (returned.safeParse(node).data?.trade_no !== order.transactionId) return undefined;
      const { outOrderNo, outReturnNo, amount_cents } = order;
      return { outOrderNo, outReturnNo, returnId: null, amount_cents, result: "processing" as const, failReason: null, finishedAt: null };
    },
  });
}

/** 交易分账查询: what became of a share, and of a return, by the number of its request. */
async function query<T>(
  means: Means,
  account: AlipayAccount,
  transactionId: string,
  number: string,
  read: (node: unknown) => T | "none" | undefined,
): Promise<Outcome<T>> {
  const outcome = await askGateway<T | "none">(means, account, {
    method: "alipay.trade.order.settle.query",
    content: { trade_no: transactionId, out_request_no: settleNumber(number) },
    refusals: refusals.QUERY,
    read,
  });
  if (outcome.kind !== "ok") return outcome;
  return outcome.value === "none" ? { kind: "refused", code: NOT_FOUND, message: "分账不存在" } : { kind: "ok", value: outcome.value };
}
