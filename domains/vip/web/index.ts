import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { screen } from "@zhangfang/web/screen.ts";
import { productState, termStatus, timesCardStatus, timesUseState } from "../contract/index.ts";

export const screens = {
  "vip-member-rules": screen(() => import("./VipRules.tsx"), "VipRules"),
  "vip-rights": screen(() => import("./VipRights.tsx"), "VipRights"),
  "vip-times-card": screen(() => import("./TimesProducts.tsx"), "TimesProducts"),
  "vip-orders": screen(() => import("./TermList.tsx"), "TermList"),
  "times-card-orders": screen(() => import("./TimesCards.tsx"), "TimesCards"),
  "times-card-records": screen(() => import("./TimesUses.tsx"), "TimesUses"),
};

registerExportedList("vip-orders", { path: "/vip-member/orders", filters: { status: ["状态", termStatus] } });
registerExportedList("times-products", { path: "/vip-member/timesCard", filters: { state: ["状态", productState] } });
registerExportedList("times-cards", { path: "/vip-member/timesOrders", filters: { status: ["状态", timesCardStatus] } });
registerExportedList("times-uses", { path: "/vip-member/timesRecords", filters: { state: ["状态", timesUseState] } });
