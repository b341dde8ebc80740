import { openOutbound } from "@zhangfang/server/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { ChannelAccount, Outcome } from "./channel.ts";
import { CHANNEL_HOSTS } from "./payment-channel.ts";
import { wechatSharing } from "./wechat-pay/sharing.ts";

/** What the channel allows, with where it says so; amounts of time in their own unit. */
export const SHARING_LIMITS = {
  /** 请求分账 (pay.weixin.qq.com/doc/v3/partner/4012690683): each request shares with at most 50 receivers … */
  receiversPerRequest: 50,
  /** … and an order bears at most 50 requests. */
  requestsPerOrder: 50,
  /** Earliest after the payment (channels.md 4). */
  afterPayment_ms: 60_000,
  /** Money that nobody shared goes to the merchant by itself after 30 days (channels.md 4). */
  freezeDays: 30,
  /** 请求分账回退: within 180 days, and from merchants alone (…/return-orders/create-return-order.html). */
  returnDays: 180,
  /** What a merchant lets its provider share where the channel was not asked: 30 % in parts per 100,000 (channels.md 4). */
  defaultRatio: 30_000,
  /** 分账关系: a word of one's own for it. */
  customRelationChars: 10,
} as const;

export type ReceiverType = "MERCHANT_ID" | "PERSONAL_OPENID" | "PERSONAL_SUB_OPENID";
/** Who may get shares. The name travels sealed. */
export interface ChannelReceiver {
  readonly type: ReceiverType;
  /** A merchant's number or a person's openid. */
  readonly account: string;
  /** A merchant's whole name is required; a person's is checked where it is given. */
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
  readonly orderId: string;
  readonly finished: boolean;
  readonly lines: readonly SharedLine[];
}
export interface ShareReturnOrder {
  readonly outOrderNo: string;
  /** One number is one return; the same number again is safe. */
  readonly outReturnNo: string;
  /** Only merchants give back. */
  readonly mchId: string;
  readonly amount_cents: number;
  readonly reason: string;
}
export interface ShareReturned {
  readonly outOrderNo: string;
  readonly outReturnNo: string;
  readonly returnId: string;
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
export interface SharingChannel {
  /** Adding somebody who is there already is fine. */
  addReceiver(account: ChannelAccount, receiver: ChannelReceiver): Promise<Outcome<null>>;
  removeReceiver(account: ChannelAccount, receiver: Pick<ChannelReceiver, "type" | "account">): Promise<Outcome<null>>;
  share(account: ChannelAccount, order: ShareOrder): Promise<Outcome<Shared>>;
  queryShare(account: ChannelAccount, by: Pick<ShareOrder, "outOrderNo" | "transactionId">): Promise<Outcome<Shared>>;
  /** 完结: what is left of the payment goes to the merchant; nothing can be shared after it. */
  unfreeze(
    account: ChannelAccount,
    given: Pick<ShareOrder, "outOrderNo" | "transactionId"> & { readonly reason: string },
  ): Promise<Outcome<Shared>>;
  giveBack(account: ChannelAccount, order: ShareReturnOrder): Promise<Outcome<ShareReturned>>;
  queryReturn(account: ChannelAccount, by: Pick<ShareReturnOrder, "outOrderNo" | "outReturnNo">): Promise<Outcome<ShareReturned>>;
  /** What of a payment is still there to be shared, in cents. */
  unsplit(account: ChannelAccount, transactionId: string): Promise<Outcome<{ readonly cents: number }>>;
  /** How much of a payment the merchant lets its provider share, in parts per 100,000. */
  maxRatio(account: ChannelAccount): Promise<Outcome<{ readonly ratio: number }>>;
}

const opened = new WeakMap<Services, SharingChannel>();
/** The channel that these services share through: WeChat Pay, and in the demo the simulator on this machine as well. */
export function sharingChannelOf(services: Services): SharingChannel {
  const known = opened.get(services);
  if (known) return known;
  const { demo, simulator_port } = services.config;
  const channel = wechatSharing(openOutbound(demo ? [...CHANNEL_HOSTS, `127.0.0.1:${simulator_port}`] : CHANNEL_HOSTS, { loopback: demo }));
  opened.set(services, channel);
  return channel;
}
/** Gives these services another one, for a test or for a world whose clock is not the machine's. */
export function giveSharingChannel(services: Services, channel: SharingChannel): void {
  opened.set(services, channel);
}
