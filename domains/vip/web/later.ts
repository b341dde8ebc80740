// What exports are called and what the command bar begins: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { productState, termEnding, termStatus, timesCardStatus, timesUseState } from "../contract/index.ts";

registerExportedList("vip-orders", { path: "/vip-member/orders", filters: { status: ["状态", termStatus], ending: ["到期", termEnding] } });
registerExportedList("times-products", { path: "/vip-member/timesCard", filters: { state: ["状态", productState] } });
registerExportedList("times-cards", { path: "/vip-member/timesOrders", filters: { status: ["状态", timesCardStatus] } });
registerExportedList("times-uses", { path: "/vip-member/timesRecords", filters: { state: ["状态", timesUseState] } });
