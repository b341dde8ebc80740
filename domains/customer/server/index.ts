import { domain } from "@zhangfang/server/calls/domain.ts";
import { listOwnActivitiesRoute, openActivityCodeRoute, openFanLinkRoute, openInvitationCodeRoute } from "./activities/own-activities.ts";
import { drawOwnLotteryRoute, listOwnLotteriesRoute } from "./activities/own-lotteries.ts";
import {
  changeOwnPhoneRoute,
  closeSelfRoute,
  freezeSelfRoute,
  keepSelfRoute,
  saveOwnProfileRoute,
  sendOwnCodeRoute,
  setOwnIdCardRoute,
  setOwnPinRoute,
} from "./self/change-self.ts";
import {
  claimOwnCouponRoute,
  consumeOwnCouponRoute,
  deleteOwnCouponRoute,
  getCouponCentreRoute,
  getOwnCouponCodeRoute,
  listOwnCouponsRoute,
} from "./coupons/own-coupons.ts";
import { buyOwnPackageRoute, followOwnPackageRoute, listOwnPackagesRoute, receiveOwnPackageRoute } from "./coupons/own-packages.ts";
import { payAsMemberRoute, quoteAtCodeRoute } from "./pay/pay-as-member.ts";
import { copyOwnDataRoute } from "./self/copy-data.ts";
import { getCustomerCodeRoute, getCustomerHomeRoute, listCustomerRecordsRoute } from "./self/home.ts";
import { getCustomerAddressRoute } from "./session/address.ts";
import { getCustomerPageRoute, joinAsCustomerRoute, leaveCustomerPageRoute, sendCustomerCodeRoute } from "./session/join.ts";
import { purgeMemberSessions } from "./session/member-session.ts";
import { askOwnRefundRoute, listOwnRechargesRoute, previewOwnRefundRoute, withdrawOwnRefundRoute } from "./value/card-refunds.ts";
import {
  followCustomerRechargeRoute,
  getCustomerRechargeRoute,
  nameCustomerPayerRoute,
  rechargeAsCustomerRoute,
} from "./value/recharge.ts";
import { answerOwnTransferRoute, findReceiverRoute, transferAsCustomerRoute, listOwnTransfersRoute } from "./value/transfer.ts";

export { memberDoor } from "./session/member-session.ts";

export const customer = domain({
  routes: [
    getCustomerAddressRoute,
    getCustomerPageRoute,
    sendCustomerCodeRoute,
    joinAsCustomerRoute,
    leaveCustomerPageRoute,
    getCustomerHomeRoute,
    getCustomerCodeRoute,
    listCustomerRecordsRoute,
    getCustomerRechargeRoute,
    nameCustomerPayerRoute,
    rechargeAsCustomerRoute,
    followCustomerRechargeRoute,
    quoteAtCodeRoute,
    payAsMemberRoute,
    findReceiverRoute,
    transferAsCustomerRoute,
    listOwnTransfersRoute,
    answerOwnTransferRoute,
    listOwnRechargesRoute,
    previewOwnRefundRoute,
    askOwnRefundRoute,
    withdrawOwnRefundRoute,
    getCouponCentreRoute,
    claimOwnCouponRoute,
    listOwnCouponsRoute,
    getOwnCouponCodeRoute,
    consumeOwnCouponRoute,
    deleteOwnCouponRoute,
    listOwnActivitiesRoute,
    openActivityCodeRoute,
    openFanLinkRoute,
    openInvitationCodeRoute,
    listOwnLotteriesRoute,
    drawOwnLotteryRoute,
    listOwnPackagesRoute,
    receiveOwnPackageRoute,
    buyOwnPackageRoute,
    followOwnPackageRoute,
    sendOwnCodeRoute,
    saveOwnProfileRoute,
    setOwnIdCardRoute,
    setOwnPinRoute,
    changeOwnPhoneRoute,
    freezeSelfRoute,
    copyOwnDataRoute,
    closeSelfRoute,
    keepSelfRoute,
  ],
  jobs: [purgeMemberSessions],
});
