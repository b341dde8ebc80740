import { expect, test } from "vitest";
import { auditValue } from "@zhangfang/domains/accounts/contract/index.ts";
import { activityState } from "@zhangfang/domains/activities/contract/index.ts";
import { packageState as dossierPackage } from "@zhangfang/domains/applyment/contract/codes.ts";
import { withdrawalStatus } from "@zhangfang/domains/commissions/contract/index.ts";
import { campaignState, couponState, statementState } from "@zhangfang/domains/coupons/contract/index.ts";
import { endpointState } from "@zhangfang/domains/integrations/contract/index.ts";
import { applicationStatus, invoiceStatus, redStatus } from "@zhangfang/domains/invoices/contract/index.ts";
import { lotteryState } from "@zhangfang/domains/lottery/contract/index.ts";
import { mallStatus } from "@zhangfang/domains/mall/contract/index.ts";
import { activityStatus, cardStatus, wxCardState } from "@zhangfang/domains/member-cards/contract/index.ts";
import { memberStatus } from "@zhangfang/domains/members/contract/index.ts";
import { commentStatus, orderStatus, refundStatus } from "@zhangfang/domains/orders/contract/index.ts";
import { receiverState, returnStatus, sharingStatus } from "@zhangfang/domains/profit-sharing/contract/index.ts";
import { transferStatus } from "@zhangfang/domains/stored-value/contract/index.ts";
import { guideStatus, wxStoreStatus } from "@zhangfang/domains/stores/contract/index.ts";
import { noteState } from "@zhangfang/domains/wechat/contract/index.ts";

test("the log tells how things stand in the words of their own rooms", () => {
  const sets = {
    activity: activityState,
    applyment_package: dossierPackage,
    card_activity: activityStatus,
    coupon: couponState,
    coupon_campaign: campaignState,
    guide: guideStatus,
    invoice: invoiceStatus,
    invoice_application: applicationStatus,
    invoice_red: redStatus,
    lottery: lotteryState,
    mall_order: mallStatus,
    member: memberStatus,
    member_card: cardStatus,
    order_comment: commentStatus,
    package: campaignState,
    pay_order: orderStatus,
    push_endpoint: endpointState,
    refund: refundStatus,
    "share-return": returnStatus,
    sharing: sharingStatus,
    "sharing-receiver": receiverState,
    subsidy_statement: statementState,
    transfer_offer: transferStatus,
    withdrawal: withdrawalStatus,
    "wx-store": wxStoreStatus,
    wx_card: wxCardState,
    wx_note: noteState,
  };
  for (const [kind, { values, label }] of Object.entries(sets))
    for (const field of ["status", "state"]) {
      for (const code of values) expect([kind, auditValue(field, String(code), kind)]).toEqual([kind, label(code as never)]);
      // What a room has no word for stands as it is.
      expect([kind, auditValue(field, "99", kind)]).toEqual([kind, "99"]);
    }
});
