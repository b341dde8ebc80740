import { openOutbound } from "@zhangfang/server/outside/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { alipaySharing } from "./alipay/sharing.ts";
import type { AlipayAccount, ChannelAccount, Outcome, Transport } from "./channel.ts";
import { CHANNEL_HOSTS } from "./payment-channel.ts";
import { wechatSharing } from "./wechat-pay/sharing.ts";

/** Whose payments can be shared: those of the direct channel's two wallets. */
export type SharingWallet = "wechat" | "alipay";
/** What signs for a merchant where its payments are shared. */
export type SharingAccount = ChannelAccount | AlipayAccount;

export interface SharingLimits {
  /** Each request shares with at most so many receivers … */
  readonly receiversPerRequest: number;
  /** … and an order bears at most so many requests. */
  readonly requestsPerOrder: number;
  /** Earliest after the payment. */
  readonly afterPayment_ms: number;
  /** Money that nobody shared goes to the merchant by itself after so many days. */
  readonly freezeDays: number;
  /** Within so many days a receiver can be asked to give back. */
  readonly returnDays: number;
  /** What may be shared of a payment where the channel was not asked; parts per 100,000. */
  readonly defaultRatio: number;
  /** What is left goes to the merchant only where somebody got something, and not with the request itself. */
  readonly letsGoWithSuccess: boolean;
}
/** What the channels allow, with where they say so. */
export const SHARING_LIMITS: Readonly<Record<SharingWallet, SharingLimits>> = {
  // 请求分账 (pay.weixin.qq.com/doc/v3/partner/4012690683); a minute, 30 days and 30 % by channels.md 4; 180 days by
  // 请求分账回退 (…/return-orders/create-return-order.html).
  wechat: {
    receiversPerRequest: 50,
    requestsPerOrder: 50,
    afterPayment_ms: 60_000,
    freezeDays: 30,
    returnDays: 180,
    defaultRatio: 30_000,
    letsGoWithSuccess: false,
  },
  // 异步分账: 50 receivers, 300 requests (e-com-net.com/article/1696826114460168192.htm, which repeats Alipay's table); 30 s
  // (zhifubao.apifox.cn api-126563053); 30 days, 30 % of total_amount and 'after this share succeeded' (商家分账 接入指南,
  // apifox.com/apidoc/docs-site/3618910/doc-3272472). A return is an alipay.trade.refund: as long as refunds, which is the contract's.
  alipay: {
    receiversPerRequest: 50,
    requestsPerOrder: 300,
    afterPayment_ms: 30_000,
    freezeDays: 30,
    returnDays: 365,
    defaultRatio: 30_000,
    letsGoWithSuccess: true,
  },
};

export type ReceiverType = "MERCHANT_ID" | "PERSONAL_OPENID" | "PERSONAL_SUB_OPENID" | "ALIPAY_USER_ID" | "ALIPAY_LOGIN_NAME";
/** At which wallet a receiver of this type has its account. */
export const walletOfReceiver = (type: string): SharingWallet => (type.startsWith("ALIPAY_") ? "alipay" : "wechat");
/** Who may get shares. At WeChat Pay the name travels sealed. */
export interface ChannelReceiver {
  readonly type: ReceiverType;
  /** A merchant's number or a person's openid; at Alipay the user id or the login name. */
  readonly account: string;
  /** A merchant's whole name and a login name's holder are required; another's is checked where it is given. */
  readonly name: string | null;
  readonly relation: string;
  readonly customRelation: string | null;
}
export interface ShareOrder {
  /** The channel's number of the payment. */
  readonly transactionId: string;
  /** One number is one share; the same number again is safe. */
  readonly outOrderNo: string;
  readonly lines: readonly {
    readonly type: ReceiverType;
    readonly account: string;
    readonly name: string | null;
    readonly amount_cents: number;
    readonly description: string;
  }[];
  /** What is left goes to the merchant with this request. */
  readonly unfreeze: boolean;
}
/** What a share is asked about by: who was to get what tells a receiver whose account the answer masks. */
export type ShareAsked = Pick<ShareOrder, "outOrderNo" | "transactionId"> & { readonly lines: readonly ShareTarget[] };
export type ShareTarget = Pick<ShareOrder["lines"][number], "type" | "account" | "amount_cents">;
/** `closed` moved nothing: that part stays with the merchant. */
export interface SharedLine {
  readonly type: string;
  readonly account: string;
  readonly amount_cents: number;
  readonly result: "pending" | "success" | "closed";
  readonly failReason: string | null;
  readonly detailId: string | null;
  /** ISO in UTC. */
  readonly finishedAt: string | null;
}
/** A share as the channel has it. */
export interface Shared {
  readonly outOrderNo: string;
  readonly transactionId: string;
  /** The channel's own number of it, where the answer names one. */
  readonly orderId: string | null;
  readonly finished: boolean;
  readonly lines: readonly SharedLine[];
}
export interface ShareReturnOrder {
  /** The channel's number of the payment. */
  readonly transactionId: string;
  readonly outOrderNo: string;
  /** One number is one return; the same number again is safe. */
  readonly outReturnNo: string;
  /** Who gives back: at WeChat Pay only merchants do. */
  readonly type: ReceiverType;
  readonly account: string;
  readonly amount_cents: number;
  readonly reason: string;
}
export interface ShareReturned {
  readonly outOrderNo: string;
  readonly outReturnNo: string;
  readonly returnId: string | null;
  readonly amount_cents: number;
  readonly result: "processing" | "success" | "failed";
  readonly failReason: string | null;
  /** ISO in UTC. */
  readonly finishedAt: string | null;
}
/**
 * Sharing a payment with others, and getting it back. The money goes from the merchant's account at the channel to the
 * receiver's, and never through us. Every call with the same numbers may be repeated.
 */
export interface SharingChannel<A extends SharingAccount = SharingAccount> {
  /** Adding somebody who is there already is fine. */
  addReceiver(account: A, receiver: ChannelReceiver): Promise<Outcome<null>>;
  removeReceiver(account: A, receiver: Pick<ChannelReceiver, "type" | "account">): Promise<Outcome<null>>;
  share(account: A, order: ShareOrder): Promise<Outcome<Shared>>;
  queryShare(account: A, by: ShareAsked): Promise<Outcome<Shared>>;
  /** 完结: what is left of the payment goes to the merchant; nothing can be shared after it. */
  unfreeze(account: A, given: Pick<ShareOrder, "outOrderNo" | "transactionId"> & { readonly reason: string }): Promise<Outcome<Shared>>;
  giveBack(account: A, order: ShareReturnOrder): Promise<Outcome<ShareReturned>>;
  queryReturn(account: A, order: ShareReturnOrder): Promise<Outcome<ShareReturned>>;
  /** What of a payment is still there to be shared, in cents. */
  unsplit(account: A, transactionId: string): Promise<Outcome<{ readonly cents: number }>>;
  /** How much of a payment may be shared, in parts per 100,000. */
  maxRatio(account: A): Promise<Outcome<{ readonly ratio: number }>>;
}

/** Both channels behind one: which one is asked stands in the account. */
export function shareThrough(transport: Transport): SharingChannel {
  const all = { wechat: wechatSharing(transport), alipay: alipaySharing(transport) };
  const of = (account: SharingAccount): SharingChannel => ("family" in account ? all.alipay : all.wechat);
  return {
    addReceiver: (account, receiver) => of(account).addReceiver(account, receiver),
    removeReceiver: (account, receiver) => of(account).removeReceiver(account, receiver),
    share: (account, order) => of(account).share(account, order),
    queryShare: (account, by) => of(account).queryShare(account, by),
    unfreeze: (account, given) => of(account).unfreeze(account, given),
    giveBack: (account, order) => of(account).giveBack(account, order),
    queryReturn: (account, order) => of(account).queryReturn(account, order),
    unsplit: (account, transactionId) => of(account).unsplit(account, transactionId),
    maxRatio: (account) => of(account).maxRatio(account),
  };
}

const opened = new WeakMap<Services, SharingChannel>();
/** The channel that these services share through: WeChat Pay and Alipay, and in the demo the simulator on this machine as well. */
export function sharingChannelOf(services: Services): SharingChannel {
  const known = opened.get(services);
  if (known) return known;
  const { demo, simulator_port } = services.config;
  const channel = shareThrough(openOutbound(demo ? [...CHANNEL_HOSTS, `127.0.0.1:${simulator_port}`] : CHANNEL_HOSTS, { loopback: demo }));
  opened.set(services, channel);
  return channel;
}
/** Gives these services another one, for a test or for a world whose clock is not the machine's. */
export function giveSharingChannel(services: Services, channel: SharingChannel): void {
  opened.set(services, channel);
}
