import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { ChannelAccount, Transport } from "../channel.ts";
import type { ChannelReceiver, ShareOrder, SharingChannel } from "../types/sharing.ts";
import { readReturned, readShared } from "./read/read-sharing.ts";
import * as refusals from "./read/refusals.ts";
import { sealField } from "./signing/secret-fields.ts";
import { answerSerial, type Call, type Means, sendRequest } from "./signing/send-request.ts";

const ROOT = "/v3/profitsharing";
const amounts = z.object({ unsplit_amount: z.int().min(0) });
const config = z.object({ max_ratio: z.int().min(0).max(10_000) });

/**
 * 分账, direct and service-provider mode. Fields and codes: pay.weixin.qq.com/doc/v3/partner/4012690683 and its neighbours
 * of 2025-09-29, read 2026-11. Not verified: which code answers a second request of one number with other content.
 */
export function wechatSharing(transport: Transport, given: Partial<Pick<Means, "now" | "nonce">> = {}): SharingChannel<ChannelAccount> {
  const means: Means = { transport, now: given.now ?? (() => new Date()), nonce: given.nonce ?? (() => randomBytes(16).toString("hex")) };
  const { post, get } = callsBy(means);
  return {
    addReceiver: (account, receiver) => post(account, "receivers/add", receiverBody(account, receiver), () => null),
    removeReceiver: (account, { type, account: number }) =>
      post(account, "receivers/delete", { ...appOf(account, type), type, account: number }, () => null),
    share: (account, order) => post(account, "orders", shareBody(account, order), mine(order.outOrderNo)),
    queryShare: (account, { outOrderNo, transactionId }) =>
      get(account, `orders/${encodeURIComponent(outOrderNo)}`, { ...subMerchant(account), transaction_id: transactionId }, (status, body) =>
        status === 200 ? mine(outOrderNo)(body) : undefined,
      ),
    unfreeze: (account, { outOrderNo, transactionId, reason }) =>
      post(account, "orders/unfreeze", { transaction_id: transactionId, out_order_no: outOrderNo, description: reason }, mine(outOrderNo)),
    giveBack: (account, order) =>
      post(
        account,
        "return-orders",
        {
          out_order_no: order.outOrderNo,
          out_return_no: order.outReturnNo,
          return_mchid: order.account,
          amount: order.amount_cents,
          description: order.reason,
        },
        myReturn(order.outReturnNo),
      ),
    queryReturn: (account, { outOrderNo, outReturnNo }) =>
      get(
        account,
        `return-orders/${encodeURIComponent(outReturnNo)}`,
        { ...subMerchant(account), out_order_no: outOrderNo },
        (status, body) => (status === 200 ? myReturn(outReturnNo)(body) : undefined),
      ),
    unsplit: (account, transactionId) =>
      get(account, `transactions/${encodeURIComponent(transactionId)}/amounts`, {}, (status, body) => {
        const found = status === 200 ? amounts.safeParse(body).data : undefined;
        return found && { cents: found.unsplit_amount };
      }),
    maxRatio: (account) =>
      get(account, `merchant-configs/${encodeURIComponent(account.subMchId ?? account.mchId)}`, {}, (status, body) => {
        const found = status === 200 ? config.safeParse(body).data : undefined;
        // The channel counts in parts per 10,000.
        return found && { ratio: found.max_ratio * 10 };
      }),
  };
}

/** The calls of this address: a body with the merchant in it, or a query; and whether an answer is about what was asked. */
function callsBy(means: Means) {
  const post = <T>(account: ChannelAccount, path: string, body: object, read: (body: unknown) => T | undefined) =>
    sendRequest<T>(means, account, {
      method: "POST",
      path: `${ROOT}/${path}`,
      body: { ...subMerchant(account), ...body },
      refusals: refusals.SHARE,
      read: (status, found) => (status === 200 ? read(found) : undefined),
    });
  const get = <T>(account: ChannelAccount, path: string, query: Record<string, string>, read: Call<T>["read"]) =>
    sendRequest<T>(means, account, {
      method: "GET",
      path: `${ROOT}/${path}${Object.keys(query).length > 0 ? `?${new URLSearchParams(query).toString()}` : ""}`,
      refusals: refusals.QUERY,
      read,
    });
  return { post, get };
}
const mine = (outOrderNo: string) => (body: unknown) => {
  const found = readShared(body);
  return found?.outOrderNo === outOrderNo ? found : undefined;
};
const myReturn = (outReturnNo: string) => (body: unknown) => {
  const found = readReturned(body);
  return found?.outReturnNo === outReturnNo ? found : undefined;
};

const subMerchant = (account: ChannelAccount): Record<string, string> =>
  account.mode === "partner" ? { sub_mchid: account.subMchId ?? "" } : {};
/** A person is known to an app, so it has to be named; `PERSONAL_SUB_OPENID` would need the merchant's own. */
const appOf = (account: ChannelAccount, type: string) =>
  type === "PERSONAL_SUB_OPENID" ? { appid: account.appId, sub_appid: account.appId } : { appid: account.appId };
const sealed = (account: ChannelAccount, name: string | null) =>
  name === null ? {} : { name: sealField(account.platformKeys[answerSerial(account)] ?? "", name) };

function receiverBody(account: ChannelAccount, receiver: ChannelReceiver): object {
  return {
    ...appOf(account, receiver.type),
    type: receiver.type,
    account: receiver.account,
    ...sealed(account, receiver.name),
    relation_type: receiver.relation,
    ...(receiver.customRelation === null ? {} : { custom_relation: receiver.customRelation }),
  };
}
function shareBody(account: ChannelAccount, { transactionId, outOrderNo, lines, unfreeze }: ShareOrder): object {
  return {
    appid: account.appId,
    transaction_id: transactionId,
    out_order_no: outOrderNo,
    receivers: lines.map((line) => ({
      type: line.type,
      account: line.account,
      ...sealed(account, line.name),
      amount: line.amount_cents,
      description: line.description,
    })),
    unfreeze_unsplit: unfreeze,
  };
}
