export { NOT_FOUND } from "./channel.ts";
export type {
  ChannelAccount,
  ChannelAnswer,
  ChannelRequest,
  ClientParams,
  Notification,
  NotificationRefusal,
  NotificationReply,
  Outcome,
  Payment,
  PaymentChannel,
  PaymentOrder,
  Promotion,
  Refund,
  RefundOrder,
  RefundStatus,
  TradeState,
  TradeType,
  Transaction,
  Transport,
} from "./channel.ts";
export { wechatStores } from "./wechat-pay/stores.ts";
export { wechatPay } from "./wechat-pay/wechat-pay.ts";
export { channelOf, giveChannel } from "./payment-channel.ts";
export type { ChannelGuide, ChannelStore, KnownStore, StoreChannel } from "./store-channel.ts";
export { giveStoreChannel, storeChannelOf } from "./store-channel.ts";
