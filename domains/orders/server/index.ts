import { domain } from "@zhangfang/server/calls/domain.ts";
import { hideCommentRoute, purgeLoosePictures, replyCommentRoute, showCommentRoute } from "./comments/answer-comment.ts";
import { getCommentRoute, listCommentsRoute, statCommentsRoute, summariseCommentsRoute } from "./comments/list-comments.ts";
import { addCommentPictureRoute, getCommentPageRoute, getCommentPictureRoute, writeCommentRoute } from "./comments/write-comment.ts";
import { createFriendOrderRoute } from "./friend-pays/create-friend-order.ts";
import { listFriendPaysRoute, statFriendPaysRoute, summariseFriendPaysRoute } from "./friend-pays/list-friend-pays.ts";
import { followFriendPayRoute, openFriendPayRoute } from "./friend-pays/pay-as-friend.ts";
import { notifyAcquirerRoute } from "./notifications/notify-acquirer.ts";
import { notifyAlipayRoute } from "./notifications/notify-alipay.ts";
import { decideEvidenceRoute, listRefundEvidenceRoute, proveRefundRoute } from "./abnormal/evidence.ts";
import { redirectRefundRoute } from "./abnormal/redirect-refund.ts";
import { notifyWechatPayRoute } from "./notifications/notify-wechat-pay.ts";
import { followOrderJob, hearForFollowers } from "./settlements/follow-order.ts";
import { tellAgainJob } from "./settlements/tell-again.ts";
import { traceOrderRoute } from "./trace/trace-order.ts";
import { orderFinder } from "./pay-orders/find-orders.ts";
import { getPayOrderRoute } from "./pay-orders/get-pay-order.ts";
import { listPayOrdersRoute } from "./pay-orders/list-pay-orders.ts";
import { summarisePayOrdersRoute } from "./pay-orders/summarise-pay-orders.ts";
import { syncPayOrderRoute } from "./pay-orders/sync-pay-order.ts";
import { queryPayment, queryPayments } from "./payments/payment-jobs.ts";
import {
  getRefundRoute,
  listRefundRequestsRoute,
  listRefundsRoute,
  summariseRefundRequestsRoute,
  summariseRefundsRoute,
} from "./refunds/list/read-refunds.ts";
import { previewRefundRequestRoute, previewRefundRetryRoute, previewRefundRoute } from "./refunds/preview-refund.ts";
import { cancelRefundRequestRoute, decideRefundRequestRoute, refundOrderRoute, retryRefundRoute } from "./refunds/refund-routes.ts";
import { queryRefunds, sendRefund } from "./refunds/refund-story.ts";
import { shareAmounts } from "./share-amounts.ts";
import { getShiftRoute } from "./shift/get-shift.ts";
import { handOverRoute } from "./shift/hand-over.ts";
import { listHandoversRoute } from "./shift/list-handovers.ts";
import { closeTillOrderRoute } from "./till/close-till-order.ts";
import { createTillOrderRoute } from "./till/create-till-order.ts";
import { getTillOrderRoute } from "./till/get-till-order.ts";
import { getTillRefundRoute } from "./till/get-till-refund.ts";
import { previewTillRefundRoute, refundTillOrderRoute } from "./till/refund-till-order.ts";
import { payOrderExport } from "./pay-orders/export-pay-orders.ts";
import { refundFinder } from "./refunds/list/find-refunds.ts";
import { refundExport, refundRequestExport } from "./refunds/list/export-refunds.ts";
import { friendPayExport } from "./friend-pays/export-friend-pays.ts";
import { friendPayDaysExport, friendPayStoresExport } from "./friend-pays/friend-statistics.ts";
import { commentExport } from "./comments/export-comments.ts";
import { paymentStep, refundTodos } from "./refunds/list/todos.ts";

// What a filter means, for those who add up the same rows.
export { atTimes, partsOf, walletKey, wayKey } from "./filter.ts";
export { giveChannel } from "../../channels/server/index.ts";
export { INVOICE, invoiceUrlFor, invoiceUrlOf } from "./invoice-link.ts";
export { commentUrlOf } from "./comments/comment-columns.ts";
export { addComment } from "./comments/write-comment.ts";
export { forFriend, friendLinkOf, friendUrlOf } from "./friend-pays/create-friend-order.ts";
export { claimOrders } from "./pay-orders/claim-orders.ts";
export { payOrderExport } from "./pay-orders/export-pay-orders.ts";
export { refundExport } from "./refunds/list/export-refunds.ts";
export type { TakenOutside } from "./shift/taken-outside.ts";
export { refundInput, refundsWhere } from "./refunds/list/refund-filter.ts";
// For whoever stands above: what signs at a channel, and asking it about one payment or refund.
export { settingsOf } from "./channel/channel-account.ts";
export { askAboutPayment, askAboutRefund } from "./ask-channel.ts";
// The steps of an order, for a world that plays the channel's part itself: each in the caller's transaction.
export { closeOrder, settlePayment } from "./payments/settle-payment.ts";
export { askerOf, isSelf } from "./refunds/asker.ts";
export { askRefund } from "./refunds/refund-routes.ts";
export { NO_VOUCHERS, type RefundHold, type VoucherDoor, type VoucherWish } from "./refunds/refund-hold.ts";
export { hearRed, hearVouchers, reserveRefund, sendRefund, settleRefund } from "./refunds/refund-story.ts";
export { previewOf } from "./refunds/preview-refund.ts";
export { refundColumns, refundJoins, withRefundAbilities, type RefundFound } from "./refunds/list/refund-columns.ts";
export { checkRefundPassword, needsRefundPassword } from "./refunds/refund-guards.ts";
export { addEvent, lockOrder, type OrderRow, type Ref, type RefundRow } from "./rows.ts";
export { endShift } from "./shift/end-shift.ts";
export type { OrderFollower } from "./settlements/follow-order.ts";
export type { Settlement } from "./settlements/tell-settlement.ts";
export { addTillOrder } from "./till/add-till-order.ts";
export { placeOrder } from "./till/create-till-order.ts";
export { type Beside, placingAt } from "./till/placing.ts";
export { besidesOf, findTillOrder, readSeller, storeOf, type TillStore, viewOf } from "./till/till-order.ts";

export const orders = domain({
  shareAmounts,
  routes: [
    traceOrderRoute,
    createTillOrderRoute,
    getTillOrderRoute,
    closeTillOrderRoute,
    refundTillOrderRoute,
    previewTillRefundRoute,
    getTillRefundRoute,
    createFriendOrderRoute,
    openFriendPayRoute,
    followFriendPayRoute,
    listFriendPaysRoute,
    summariseFriendPaysRoute,
    statFriendPaysRoute,
    getCommentPageRoute,
    addCommentPictureRoute,
    writeCommentRoute,
    getCommentPictureRoute,
    listCommentsRoute,
    summariseCommentsRoute,
    statCommentsRoute,
    getCommentRoute,
    replyCommentRoute,
    hideCommentRoute,
    showCommentRoute,
    notifyWechatPayRoute,
    notifyAlipayRoute,
    notifyAcquirerRoute,
    listPayOrdersRoute,
    summarisePayOrdersRoute,
    getPayOrderRoute,
    syncPayOrderRoute,
    previewRefundRoute,
    refundOrderRoute,
    listRefundsRoute,
    summariseRefundsRoute,
    getRefundRoute,
    retryRefundRoute,
    listRefundEvidenceRoute,
    redirectRefundRoute,
    proveRefundRoute,
    decideEvidenceRoute,
    listRefundRequestsRoute,
    summariseRefundRequestsRoute,
    previewRefundRequestRoute,
    previewRefundRetryRoute,
    decideRefundRequestRoute,
    cancelRefundRequestRoute,
    getShiftRoute,
    handOverRoute,
    listHandoversRoute,
  ],
  jobs: [queryPayment, queryPayments, sendRefund, queryRefunds, purgeLoosePictures, followOrderJob, tellAgainJob],
  hearers: { 会员: hearForFollowers },
  exports: [payOrderExport, refundExport, refundRequestExport, friendPayExport, friendPayDaysExport, friendPayStoresExport, commentExport],
  finders: [orderFinder, refundFinder],
  todos: refundTodos,
  firstSteps: [paymentStep],
});
