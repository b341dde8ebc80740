import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { screen } from "@zhangfang/web/screen.ts";
import {
  campaignState,
  couponKind,
  couponSource,
  couponState,
  figuresBy,
  packageGetStatus,
  packageKind,
  sendRowStatus,
} from "../contract/index.ts";

export { useGivable } from "./sends/use-givable.ts";
/** The screens of a provider's and a merchant's coupons: what was made, and what became of each. */
export const screens = {
  "ticket-list": screen(() => import("./campaigns/TicketScreen.tsx"), "TicketScreen"),
  "ticket-new": screen(() => import("./campaigns/form/CampaignNew.tsx"), "CampaignNew"),
  "ticket-details": screen(() => import("./campaigns/CampaignDetails.tsx"), "CampaignDetails"),
  "merchant-ticket-list": screen(() => import("./campaigns/TicketScreen.tsx"), "TicketScreen"),
  "merchant-ticket-new": screen(() => import("./campaigns/form/CampaignNew.tsx"), "CampaignNew"),
  "merchant-ticket-details": screen(() => import("./campaigns/CampaignDetails.tsx"), "CampaignDetails"),
  "batch-add-coupons-task": screen(() => import("./sends/SendList.tsx"), "SendList"),
  "ticket-group": screen(() => import("./packages/PackageList.tsx"), "PackageList"),
  "ticket-group-get-record": screen(() => import("./packages/GetList.tsx"), "GetList"),
  "coupon-summary": screen(() => import("./received/CouponSummary.tsx"), "CouponSummary"),
  "coupon-data-detail": screen(() => import("./received/CouponList.tsx"), "CouponList"),
};

registerExportedList("campaigns", {
  path: "/merchantTicket/list",
  filters: { state: ["状态", campaignState], kind: ["类型", couponKind] },
});
registerExportedList("provider-campaigns", {
  path: "/ticket/list",
  filters: { state: ["状态", campaignState], kind: ["类型", couponKind] },
});
registerExportedList("coupons", {
  path: "/dataCentre/couponDetail",
  filters: { state: ["状态", couponState], source: ["来源", couponSource], campaignId: ["优惠券"], memberId: ["会员"] },
});
registerExportedList("coupon-figures", { path: "/dataCentre/coupon", filters: { by: ["汇总方式", figuresBy] } });
registerExportedList("send-rows", {
  path: "/ticket/batchSend",
  filters: { taskId: ["任务"], status: ["结果", sendRowStatus] },
});
registerExportedList("packages", {
  path: "/ticket/group",
  filters: { state: ["状态", campaignState], kind: ["收费", packageKind] },
});
registerExportedList("package-gets", {
  path: "/ticket/groupRecord",
  filters: { status: ["状态", packageGetStatus], kind: ["收费", packageKind], packageId: ["券包"] },
});
