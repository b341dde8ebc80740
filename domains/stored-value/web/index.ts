import { lazy } from "react";
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { screen } from "@zhangfang/web/screen.ts";
import { payChannel } from "../../channels/contract.ts";
import { registerMemberAct } from "../../members/web/index.ts";
import { adjustBalance, cardRefundReason, cardRefundStatus, moveReport, rechargeStatus, rechargeWay } from "../contract/index.ts";

export const screens = {
  "payment-card-rules": screen(() => import("./RechargeRules.tsx"), "RechargeRules"),
  "payment-card-summary": screen(() => import("./StoredSummary.tsx"), "StoredSummary"),
  "payment-card-consumption": screen(() => import("./StoredConsumption.tsx"), "StoredConsumption"),
  "payment-card-recharge": screen(() => import("./RechargeScreen.tsx"), "RechargeScreen"),
};

registerExportedList("recharges", {
  path: "/dataCentre/cardRecharge",
  filters: { status: ["状态", rechargeStatus], way: ["收款方式", rechargeWay], channel: ["通道", payChannel], tierCents: ["档位"] },
});
registerExportedList("card-refunds", {
  path: "/dataCentre/cardRecharge?view=refunds",
  filters: { status: ["状态", cardRefundStatus], reason: ["原因", cardRefundReason] },
});
registerExportedList("stored-moves", {
  path: "/dataCentre/cardConsumption",
  filters: { report: ["报表", moveReport], soldStoreId: ["售卡门店"] },
});
registerExportedList("stored-consumption", { path: "/dataCentre/cardConsumption?view=stores", filters: { soldStoreId: ["售卡门店"] } });
registerExportedList("stored-liability", { path: "/dataCentre/cardSummary", filters: { on: ["截至"] } });
registerExportedList("stored-statements", { path: "/dataCentre/cardSummary", filters: { month: ["月份"] } });
registerMemberAct({
  title: "改余额",
  of: adjustBalance,
  whole: true,
  Drawer: lazy(async () => ({ default: (await import("./AdjustBalanceDrawer.tsx")).AdjustBalanceDrawer })),
});
