import { lazy } from "react";
import { screen } from "@zhangfang/web/screen.ts";
import { registerMemberAct } from "../../members/web/index.ts";
import { adjustBalance } from "../contract/index.ts";

export const screens = {
  "payment-card-rules": screen(() => import("./RechargeRules.tsx"), "RechargeRules"),
  "payment-card-summary": screen(() => import("./StoredSummary.tsx"), "StoredSummary"),
  "payment-card-consumption": screen(() => import("./StoredConsumption.tsx"), "StoredConsumption"),
  "payment-card-recharge": screen(() => import("./RechargeScreen.tsx"), "RechargeScreen"),
};

registerMemberAct({
  title: "改余额",
  of: adjustBalance,
  whole: true,
  Drawer: lazy(async () => ({ default: (await import("./AdjustBalanceDrawer.tsx")).AdjustBalanceDrawer })),
});
