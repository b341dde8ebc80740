// What exports are called and what the command bar begins: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { paidHowWords } from "../../orders/web/index.ts";
import { abnormalReason, abnormalStatus } from "../contract/abnormal.ts";
import { against, dimension, profitBy } from "../contract/index.ts";

const filters = {
  by: ["统计维度", dimension],
  splitBy: ["再按", dimension],
  against: ["对比", against],
  ...paidHowWords,
  cashierId: ["收银员"],
  deviceId: ["设备"],
  product: ["商品"],
} as const;
registerExportedList("pay-statistics", { path: "/dataCentre/payStatistics", filters });
registerExportedList("sales", { path: "/dataCentre/sales", filters });
registerExportedList("merchants-profit", { path: "/dataCentre/merchantsProfit", filters: { by: ["统计维度", profitBy] } });
registerExportedList("abnormal-stores", {
  path: "/store/abnormal",
  filters: { reason: ["原因", abnormalReason], status: ["状态", abnormalStatus] },
});
