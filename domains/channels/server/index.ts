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
export { wechatPay } from "./wechat-pay/wechat-pay.ts";
export { channelOf, giveChannel } from "./payment-channel.ts";
