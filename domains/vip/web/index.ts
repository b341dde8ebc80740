import { screen } from "@zhangfang/web/screen.ts";

export const screens = {
  "vip-member-rules": screen(() => import("./VipRules.tsx"), "VipRules"),
  "vip-rights": screen(() => import("./VipRights.tsx"), "VipRights"),
  "vip-times-card": screen(() => import("./times/TimesProducts.tsx"), "TimesProducts"),
  "vip-orders": screen(() => import("./TermList.tsx"), "TermList"),
  "times-card-orders": screen(() => import("./times/TimesCards.tsx"), "TimesCards"),
  "times-card-records": screen(() => import("./times/TimesUses.tsx"), "TimesUses"),
};
