// What exports are called and what the command bar begins: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { payChannel } from "../../channels/contract.ts";
import { cardRefundReason, cardRefundStatus, moveReport, rechargeStatus, rechargeWay } from "../contract/index.ts";

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
