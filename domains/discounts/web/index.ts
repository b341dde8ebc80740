import { screen } from "@zhangfang/web/screen.ts";

/** What comes off by itself, and each time it did. */
export const screens = {
  "discount-set": screen(() => import("./DiscountSettings.tsx"), "DiscountSettingsScreen"),
  "discount-rules": screen(() => import("./DiscountRules.tsx"), "DiscountRules"),
  "discount-record": screen(() => import("./DiscountUses.tsx"), "DiscountUses"),
};
