export { NOT_FOUND } from "./channel.ts";
export { bearsOut, hasOpenCall, type No, said, standingNo } from "./calls.ts";
export type {
  AcquirerAccount,
  AcquirerChannel,
  AlipayAccount,
  AlipayCertificates,
  ChannelAccount,
  ChannelAnswer,
  ChannelRequest,
  ClientParams,
  Notification,
  NotificationRefusal,
  NotificationReply,
  Outcome,
  PayAccount,
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
  Wallet,
} from "./channel.ts";
export { authCodeDoorOf, giveAuthCodeDoor, type AuthCodeDoor, type CodeReader } from "./wechat-pay/auth-code.ts";
export { givePayerDoor, payerDoorOf, type PayerDoor, type WechatApp } from "./wechat-pay/payers.ts";
export { scriptDoorOf, giveScriptDoor, type ScriptConfig, type ScriptDoor } from "./wechat-pay/script-door.ts";
export { certificateSn, certificatesOf, isTrusted, rootSn } from "./alipay/certificates.ts";
export { wechatStores } from "./wechat-pay/stores.ts";
export { isPublicKeyId, isRsa, platformKeysOf } from "./wechat-pay/signing/platform-keys.ts";
export { wechatPay } from "./wechat-pay/wechat-pay.ts";
export { byTurns, chooseChannel, toolOf, waitsFor, walletOfCode, walletOfTool } from "./choose-channel.ts";
export type { ChannelRule, OpenChannel } from "./choose-channel.ts";
export { acquirerMappings } from "./acquirer/mappings.ts";
export { replyOf, walletsOf } from "./wallets-of.ts";
export type { BankEntry, BankList, KnownApplyment } from "./wechat-pay/applyments/applyment-channel.ts";
export { applymentChannelOf, giveApplymentChannel } from "./wechat-pay/applyments/applyment-channel.ts";
export { wechatApplyments } from "./wechat-pay/applyments/applyments.ts";
export { addressOf, channelOf, giveChannel, payThrough } from "./payment-channel.ts";
export { givePayoutChannel, payoutChannelOf } from "./payout-channel.ts";
export { CONFIRM_WITHIN_MS } from "./payout-channel.ts";
export type { PayoutChannel, Transfer, TransferNews, TransferOrder, TransferState } from "./payout-channel.ts";
export {
  carryThrough,
  CODES_AT_ONCE,
  type ChannelCouponState,
  type ChannelStock,
  type CodeStep,
  type CouponCarrier,
  type CouponChannel,
  couponChannelOf,
  giveCouponChannel,
  type StockOrder,
} from "./wechat-pay/coupons/coupon-channel.ts";
export type { ChannelGuide, ChannelStore, KnownStore, StoreChannel } from "./store-channel.ts";
export { giveStoreChannel, storeChannelOf } from "./store-channel.ts";
export type { BillAsk, BillChannel, BillFetch, BillType } from "./bill-channel.ts";
export { billChannelOf, billsThrough, giveBillChannel } from "./bill-channel.ts";
export type {
  ChannelReceiver,
  ReceiverType,
  Shared,
  SharedLine,
  ShareOrder,
  ShareReturned,
  ShareReturnOrder,
  SharingAccount,
  SharingChannel,
  SharingLimits,
  SharingWallet,
} from "./sharing-channel.ts";
export { giveSharingChannel, SHARING_LIMITS, shareThrough, sharingChannelOf, walletOfReceiver } from "./sharing-channel.ts";
export { abnormalRefundChannelOf, giveAbnormalRefundChannel } from "./abnormal-refund-channel.ts";
