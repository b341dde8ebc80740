import { pushPolicies } from "@zhangfang/domains/integrations/server/testing/policy.ts";
import { groupBuyPolicies } from "@zhangfang/domains/group-buy/server/testing/policy.ts";
import { takeawayPolicies } from "@zhangfang/domains/takeaway/server/testing/policy.ts";
import { lotteryPolicies } from "@zhangfang/domains/lottery/server/testing/policy.ts";
import { applymentPolicies } from "@zhangfang/domains/applyment/server/testing/policy.ts";
import { invoicePolicies } from "@zhangfang/domains/invoices/server/testing/policy.ts";
import { wechatPolicies } from "@zhangfang/domains/wechat/server/testing/policy.ts";
import { activityPolicies } from "@zhangfang/domains/activities/server/testing/policy.ts";
import { todosPolicies } from "@zhangfang/domains/todos/server/testing/policy.ts";
import { findPolicies } from "@zhangfang/domains/find/server/testing/policy.ts";
import { discountPolicies } from "@zhangfang/domains/discounts/server/testing/policy.ts";
import type { Policy } from "./policy.ts";
import { adPolicies } from "@zhangfang/domains/ads/server/testing/policy.ts";
import { agentPolicies } from "@zhangfang/domains/organisation/server/testing/policy-agents.ts";
import { accountPolicies } from "@zhangfang/domains/accounts/server/testing/policy.ts";
import { cashierPolicies } from "@zhangfang/domains/cashiers/server/testing/policy.ts";
import { couponPolicies } from "@zhangfang/domains/coupons/server/testing/policy.ts";
import { customerPolicies } from "@zhangfang/domains/customer/server/testing/policy.ts";
import { commissionPolicies } from "@zhangfang/domains/commissions/server/testing/policy.ts";
import { devicePolicies } from "@zhangfang/domains/devices/server/testing/policy-config.ts";
import { equipmentPolicies } from "@zhangfang/domains/devices/server/testing/policy.ts";
import { importPolicies } from "@zhangfang/domains/imports/server/testing/policy.ts";
import { hardwarePolicies } from "@zhangfang/domains/store-hardware/server/testing/policy.ts";
import { commentPolicies } from "@zhangfang/domains/orders/server/testing/policy-comments.ts";
import { mallPolicies } from "@zhangfang/domains/mall/server/testing/policy.ts";
import { materialPolicies } from "@zhangfang/domains/ads/server/testing/policy-materials.ts";
import { memberCardPolicies } from "@zhangfang/domains/member-cards/server/testing/policy.ts";
import { memberPolicies } from "@zhangfang/domains/members/server/testing/policy.ts";
import { merchantPolicies } from "@zhangfang/domains/organisation/server/testing/policy-merchants.ts";
import { onlinePolicies } from "@zhangfang/domains/orders/server/testing/policy-online.ts";
import { orderPolicies } from "@zhangfang/domains/orders/server/testing/policy.ts";
import { plainPolicies } from "./policy-plain.ts";
import { platformPolicies } from "@zhangfang/domains/platforms/server/testing/policy.ts";
import { pointPolicies } from "@zhangfang/domains/points/server/testing/policy.ts";
import { playPolicies } from "@zhangfang/domains/ads/server/testing/policy-plays.ts";
import { productPolicies } from "@zhangfang/domains/products/server/testing/policy.ts";
import { providerPolicies } from "@zhangfang/domains/organisation/server/testing/policy-providers.ts";
import { ratePolicies } from "@zhangfang/domains/organisation/server/testing/policy-rates.ts";
import { reconciliationPolicies } from "@zhangfang/domains/reconciliation/server/testing/policy.ts";
import { salesmanPolicies } from "@zhangfang/domains/organisation/server/testing/policy-salesmen.ts";
import { sharingPolicies } from "@zhangfang/domains/profit-sharing/server/testing/policy.ts";
import { sitePolicies } from "@zhangfang/domains/organisation/server/testing/policy-sites.ts";
import { payCodePolicies } from "@zhangfang/domains/pay-codes/server/testing/policy.ts";
import { statisticsPolicies } from "@zhangfang/domains/statistics/server/testing/policy.ts";
import { storedPolicies } from "@zhangfang/domains/stored-value/server/testing/policy.ts";
import { storeChannelPolicies, storePolicies, storeSetPolicies } from "@zhangfang/domains/stores/server/testing/policy.ts";
import { teamPolicies } from "@zhangfang/domains/organisation/server/testing/policy-teams.ts";
import { tillPolicies } from "@zhangfang/domains/orders/server/testing/policy-tills.ts";
import { referencePolicies } from "@zhangfang/domains/reference/server/testing/policy.ts";
import { lookupPolicies } from "@zhangfang/domains/stores/server/testing/policy-lookups.ts";
import { viewPolicies } from "@zhangfang/domains/views/server/testing/policy.ts";
import { exportPolicies } from "@zhangfang/domains/exports/server/testing/policy.ts";
import { vipPolicies } from "@zhangfang/domains/vip/server/testing/policy.ts";
import { messagePolicies } from "@zhangfang/domains/messages/server/testing/policy.ts";

/** The whole table: one row for each route, written down by hand from the permission table and the tree, by the room it stands in. */
export const ROOMS: Readonly<Record<string, readonly Policy[]>> = {
  find: findPolicies,
  todos: todosPolicies,
  reference: referencePolicies,
  messages: messagePolicies,
  accounts: accountPolicies,
  organisation: [
    ...merchantPolicies,
    ...providerPolicies,
    ...agentPolicies,
    ...ratePolicies,
    ...salesmanPolicies,
    ...teamPolicies,
    ...sitePolicies,
  ],
  stores: [...storePolicies, ...storeSetPolicies, ...storeChannelPolicies, ...lookupPolicies],
  devices: [...devicePolicies, ...equipmentPolicies],
  ads: [...adPolicies, ...materialPolicies, ...playPolicies],
  cashiers: cashierPolicies,
  commissions: commissionPolicies,
  "profit-sharing": sharingPolicies,
  orders: [...orderPolicies, ...tillPolicies, ...onlinePolicies, ...commentPolicies],
  products: productPolicies,
  reconciliation: reconciliationPolicies,
  mall: mallPolicies,
  "pay-codes": payCodePolicies,
  "store-hardware": hardwarePolicies,
  members: memberPolicies,
  "member-cards": memberCardPolicies,
  "stored-value": storedPolicies,
  vip: vipPolicies,
  coupons: couponPolicies,
  discounts: discountPolicies,
  wechat: wechatPolicies,
  invoices: invoicePolicies,
  applyment: applymentPolicies,
  platforms: platformPolicies,
  takeaway: takeawayPolicies,
  "group-buy": groupBuyPolicies,
  activities: activityPolicies,
  lottery: lotteryPolicies,
  integrations: pushPolicies,
  customer: customerPolicies,
  points: pointPolicies,
  statistics: statisticsPolicies,
  exports: exportPolicies,
  views: viewPolicies,
  imports: importPolicies,
  server: plainPolicies,
};
export const POLICIES: readonly Policy[] = Object.values(ROOMS).flat();
