import { pushFacts } from "@zhangfang/domains/integrations/server/testing/plant.ts";
import { entryFacts } from "@zhangfang/domains/group-buy/server/testing/plant.ts";
import { takeawayFacts } from "@zhangfang/domains/takeaway/server/testing/plant.ts";
import { appFacts, componentFacts, noteFacts } from "@zhangfang/domains/wechat/server/testing/plant.ts";
import { activityFacts, grantFacts } from "@zhangfang/domains/activities/server/testing/plant.ts";
import { discountFacts } from "@zhangfang/domains/discounts/server/testing/plant.ts";
import { auditFacts, scannedCode } from "@zhangfang/domains/accounts/server/testing/plant.ts";
import { adFacts } from "@zhangfang/domains/ads/server/testing/plant.ts";
import { materialFacts, openUploads } from "@zhangfang/domains/ads/server/testing/plant-materials.ts";
import { commissionFacts } from "@zhangfang/domains/commissions/server/testing/plant.ts";
import {
  campaignFacts,
  couponFacts,
  offerFacts,
  differenceFacts,
  packageFacts,
  packageGetFacts,
  sendFacts,
  statementFacts,
} from "@zhangfang/domains/coupons/server/testing/plant.ts";
import { memberCookies } from "@zhangfang/domains/customer/server/testing/plant.ts";
import { commandFacts } from "@zhangfang/domains/devices/server/testing/plant-commands.ts";
import { stockFacts } from "@zhangfang/domains/devices/server/testing/plant-stock.ts";
import { applymentFacts } from "@zhangfang/domains/applyment/server/testing/plant.ts";
import { invoiceFacts, tradeRuleFacts } from "@zhangfang/domains/invoices/server/testing/plant.ts";
import { lotteryFacts, lotteryStaffFacts, winFacts } from "@zhangfang/domains/lottery/server/testing/plant.ts";
import { viewsByLogin } from "@zhangfang/domains/views/server/testing/plant.ts";
import { exportsByLogin } from "@zhangfang/domains/exports/server/testing/plant.ts";
import { importsByLogin } from "@zhangfang/domains/imports/server/testing/plant.ts";
import { adSaves, deviceSaves } from "@zhangfang/domains/level-config/server/testing/plant.ts";
import { cardFacts, holderFacts } from "@zhangfang/domains/member-cards/server/testing/plant.ts";
import { memberFacts } from "@zhangfang/domains/members/server/testing/plant.ts";
import { onlineFacts } from "@zhangfang/domains/mall/server/testing/plant.ts";
import { dayOfBusiness, orderFacts } from "@zhangfang/domains/orders/server/testing/live-a-day.ts";
import { waitingAssignments } from "@zhangfang/domains/organisation/server/testing/plant-assignments.ts";
import { channelAccounts } from "@zhangfang/domains/organisation/server/testing/plant-channel-accounts.ts";
import { siteFacts } from "@zhangfang/domains/organisation/server/testing/plant-sites.ts";
import { cashierCodeFacts, payCodeFacts } from "@zhangfang/domains/pay-codes/server/testing/plant.ts";
import { baseFacts, productFacts } from "@zhangfang/domains/products/server/testing/plant.ts";
import { platformFacts } from "@zhangfang/domains/platforms/server/testing/plant.ts";
import { pointFacts } from "@zhangfang/domains/points/server/testing/plant.ts";
import { sharingFacts, sharingSetups } from "@zhangfang/domains/profit-sharing/server/testing/plant.ts";
import { billFacts, storeDayFacts } from "@zhangfang/domains/reconciliation/server/testing/plant.ts";
import { storedFacts, storedTickets } from "@zhangfang/domains/stored-value/server/testing/plant.ts";
import { abnormalStores } from "@zhangfang/domains/statistics/server/testing/plant.ts";
import { hardwareFacts } from "@zhangfang/domains/store-hardware/server/testing/plant.ts";
import { freeArea, otherStores } from "@zhangfang/domains/stores/server/testing/plant.ts";
import { guideFacts } from "@zhangfang/domains/stores/server/testing/plant-guides.ts";
import { vipFacts, vipTickets } from "@zhangfang/domains/vip/server/testing/plant.ts";
import type { Plant } from "../world.ts";

/** The day of business, and what follows from it, before anybody signs in. */
export const DAY: readonly Plant<unknown>[] = [dayOfBusiness, commissionFacts, sharingSetups];

/** What stands in the world of the matrix besides, in the order in which it comes about. */
export const PLANTS: readonly Plant<unknown>[] = [
  onlineFacts,
  vipFacts,
  // Before the rest: the files hold what there is.
  exportsByLogin,
  viewsByLogin,
  importsByLogin,
  abnormalStores,
  billFacts,
  storeDayFacts,
  otherStores,
  siteFacts,
  guideFacts,
  channelAccounts,
  freeArea,
  hardwareFacts,
  productFacts,
  baseFacts,
  deviceSaves,
  adSaves,
  openUploads,
  adFacts,
  stockFacts,
  waitingAssignments,
  payCodeFacts,
  cashierCodeFacts,
  commandFacts,
  memberFacts,
  cardFacts,
  holderFacts,
  scannedCode,
  auditFacts,
  storedFacts,
  memberCookies,
  pointFacts,
  vipTickets,
  storedTickets,
  campaignFacts,
  packageFacts,
  packageGetFacts,
  couponFacts,
  offerFacts,
  sendFacts,
  differenceFacts,
  statementFacts,
  discountFacts,
  activityFacts,
  lotteryFacts,
  winFacts,
  lotteryStaffFacts,
  grantFacts,
  appFacts,
  noteFacts,
  componentFacts,
  tradeRuleFacts,
  invoiceFacts,
  applymentFacts,
  platformFacts,
  takeawayFacts,
  entryFacts,
  pushFacts,
  // Read, not made.
  materialFacts,
  orderFacts,
  sharingFacts,
];
