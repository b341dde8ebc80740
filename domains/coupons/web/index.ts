import { lazy } from "react";
import { screen } from "@zhangfang/web/screen.ts";
import { registerMemberAct, registerMembersAct } from "../../members/web/index.ts";
import { createPackageSend } from "../contract/index.ts";

export { useGivable } from "./sends/use-givable.ts";
export const PackagePicks = lazy(async () => ({ default: (await import("./packages/PackagePicks.tsx")).PackagePicks }));
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

registerMemberAct({
  title: "发券包",
  of: createPackageSend,
  Drawer: lazy(async () => ({ default: (await import("./sends/SendPackage.tsx")).SendPackageToOne })),
});
registerMembersAct({
  title: "发券包",
  of: createPackageSend,
  Drawer: lazy(async () => ({ default: (await import("./sends/SendPackage.tsx")).SendPackage })),
});
