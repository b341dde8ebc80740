import { openOutbound } from "@zhangfang/server/outside/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { alipaySharing } from "./alipay/sharing.ts";
import type { Transport } from "./channel.ts";
import { CHANNEL_HOSTS } from "./payment-channel.ts";
import { wechatSharing } from "./wechat-pay/sharing.ts";
import type { SharingAccount, SharingChannel } from "./types/sharing.ts";

export type {
  SharingAccount,
  ReceiverType,
  ChannelReceiver,
  ShareOrder,
  ShareAsked,
  ShareTarget,
  SharedLine,
  Shared,
  ShareReturnOrder,
  ShareReturned,
  SharingChannel,
} from "./types/sharing.ts";

/** Whose payments can be shared: those of the direct channel's two wallets. */
export type SharingWallet = "wechat" | "alipay";
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

/** At which wallet a receiver of this type has its account. */
export const walletOfReceiver = (type: string): SharingWallet => (type.startsWith("ALIPAY_") ? "alipay" : "wechat");
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
