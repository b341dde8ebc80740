import { domain } from "@zhangfang/server/calls/domain.ts";
import { askBetterRoute, decideBetterRoute, withdrawBetterRoute } from "./campaigns/better-terms.ts";
import { addCouponStockRoute, decideCampaignRoute, steerCampaignRoute } from "./campaigns/decide-campaigns.ts";
import { answerCampaignRoute, coverMerchantsRoute } from "./campaigns/cover-merchants.ts";
import { getCampaignRoute, listCampaignsRoute } from "./campaigns/read-campaigns.ts";
import { tryCampaignRoute } from "./campaigns/try-campaign.ts";
import { addCampaignRoute, updateCampaignRoute, withdrawCampaignRoute } from "./campaigns/write-campaigns.ts";
import { compareCarriers } from "./carriers/compare-carriers.ts";
import { checkDifferenceRoute, listDifferencesRoute, retryDifferenceRoute } from "./carriers/differences.ts";
import { tellCarriers } from "./carriers/tell-carriers.ts";
import { endCampaigns, expireCoupons } from "./end-days.ts";
import { campaignExport, couponExport, packageExport, packageGetExport, providerCampaignExport } from "./export-coupons.ts";
import { giveGifts, lookAfterGifts, takeGifts } from "./gifts/gift-coupons.ts";
import { couponContributor } from "./holding/contribute-coupons.ts";
import { hearPackage } from "./packages/hear-package.ts";
import { getPackageGetRoute, listPackageGetsRoute, summarisePackageGetsRoute } from "./packages/read-gets.ts";
import { getPackageRoute, listPackableRoute, listPackagesRoute } from "./packages/read-packages.ts";
import { previewPackageRefundRoute, refundPackageRoute } from "./packages/refund-package.ts";
import { getTillPackagesRoute, sellPackageAtTillRoute } from "./packages/sell-package.ts";
import { followPackageRefunds } from "./packages/set-aside.ts";
import { addPackageRoute, decidePackageRoute, endPackages, steerPackageRoute, withdrawPackageRoute } from "./packages/write-packages.ts";
import { lookAtCouponRoute, useCouponAtDeskRoute } from "./received/at-desk.ts";
import { figuresExport, getCouponFiguresRoute } from "./received/coupon-figures.ts";
import { couponsAgainst, tillCoupons } from "./received/member-coupons.ts";
import { getCouponRoute, listCouponsRoute, summariseCouponsRoute } from "./received/read-coupons.ts";
import { askRevokeRoute, decideRevokeRoute, lookAfterRevokes, runRevoke } from "./sends/revoke-send.ts";
import { forgetSheets } from "./sends/end-task.ts";
import { lookAfterSends, runSend } from "./sends/run-send.ts";
import {
  countSendAudienceRoute,
  createPackageSendRoute,
  createSendRoute,
  getSendRoute,
  listSendablePackagesRoute,
  listSendableRoute,
  listSendRowsRoute,
  listSendsRoute,
  sendExport,
  sendRowExport,
  steerSendRoute,
} from "./sends/send-routes.ts";
import { makeStatements } from "./subsidies/make-statements.ts";
import {
  answerStatementRoute,
  getStatementRoute,
  listStatementsRoute,
  merchantStatementExport,
  statementExport,
  listSubsidiesRoute,
  payStatementRoute,
  summariseSubsidiesRoute,
} from "./subsidies/statement-routes.ts";
import { traceSubsidy } from "./subsidies/trace-subsidy.ts";
import { couponTodos } from "./todos.ts";

// For what coupons come with.
export {
  couponWords,
  failedGifts,
  givableOf,
  giftsBackWords,
  giftWords,
  oweCoupons,
  settleFailedGifts,
  takeBackGifts,
  voidUnused,
} from "./gifts/gift-coupons.ts";
// For rules that look at the same people and hours.
export { ORDERED, PERSON, rankOn } from "./claims/claim-bars.ts";
// For what sets coupons aside and gives them, on another person's yes.
export { freeCouponStock, giveCoupons, holdCouponStock } from "./claims/give-coupons.ts";
export { type Priced, priceCoupons } from "./gifts/price-coupons.ts";
export { canonical } from "./campaigns/check-terms.ts";
export { isMaker, mayAlone, mustBeAnother, mustMayDecide, restsFrom } from "./campaigns/find-campaign.ts";
export { isOpen } from "./rules/term-rules.ts";
// For the customer's own page (domains/customer): each for one member, who is named by their session.
export { claimCoupon } from "./claims/claim-coupon.ts";
export { receivePackage } from "./packages/give-package.ts";
export { packagesFor } from "./packages/member-packages.ts";
export { sellPackage } from "./packages/sell-package.ts";
export { couponEntries } from "./received/coupon-entries.ts";
export { usedAloneSince } from "./received/at-desk.ts";
export { consumeCoupon } from "./received/consume-coupon.ts";
export { couponCentre, dropCoupon, mustGive, ownCouponCode, ownCoupons } from "./received/member-coupons.ts";
// For the demo world: months that are over become statements.
export { makeStatements } from "./subsidies/make-statements.ts";
export { verifyCoupons } from "./verify-coupons.ts";

export const coupons = domain({
  routes: [
    listCampaignsRoute,
    getCampaignRoute,
    addCampaignRoute,
    updateCampaignRoute,
    decideCampaignRoute,
    withdrawCampaignRoute,
    steerCampaignRoute,
    addCouponStockRoute,
    askBetterRoute,
    decideBetterRoute,
    withdrawBetterRoute,
    tryCampaignRoute,
    answerCampaignRoute,
    coverMerchantsRoute,
    listDifferencesRoute,
    retryDifferenceRoute,
    checkDifferenceRoute,
    listCouponsRoute,
    summariseCouponsRoute,
    getCouponFiguresRoute,
    getCouponRoute,
    lookAtCouponRoute,
    useCouponAtDeskRoute,
    listSendsRoute,
    getSendRoute,
    listSendRowsRoute,
    countSendAudienceRoute,
    listSendableRoute,
    createPackageSendRoute,
    createSendRoute,
    listSendablePackagesRoute,
    steerSendRoute,
    askRevokeRoute,
    decideRevokeRoute,
    listPackagesRoute,
    getPackageRoute,
    listPackableRoute,
    addPackageRoute,
    decidePackageRoute,
    withdrawPackageRoute,
    steerPackageRoute,
    listPackageGetsRoute,
    summarisePackageGetsRoute,
    getPackageGetRoute,
    previewPackageRefundRoute,
    refundPackageRoute,
    getTillPackagesRoute,
    sellPackageAtTillRoute,
    listStatementsRoute,
    summariseSubsidiesRoute,
    getStatementRoute,
    listSubsidiesRoute,
    payStatementRoute,
    answerStatementRoute,
  ],
  jobs: [
    endCampaigns,
    expireCoupons,
    runSend,
    runRevoke,
    giveGifts,
    takeGifts,
    lookAfterGifts,
    lookAfterSends,
    forgetSheets,
    lookAfterRevokes,
    makeStatements,
    endPackages,
    followPackageRefunds,
    tellCarriers,
    compareCarriers,
  ],
  exports: [
    campaignExport,
    providerCampaignExport,
    figuresExport,
    couponExport,
    sendExport,
    sendRowExport,
    statementExport,
    merchantStatementExport,
    packageExport,
    packageGetExport,
  ],
  hearers: { packages: hearPackage },
  contributors: [couponContributor],
  trace: traceSubsidy,
  memberFacts: { coupons: tillCoupons, against: couponsAgainst },
  todos: couponTodos,
});
