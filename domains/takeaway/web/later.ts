// What exports are called and what the command bar begins: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { labelled } from "@zhangfang/contract/labelled.ts";
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { takeawayBy, takeawayDay, takeawayPart, takeawayPlatform, takeawayStatus } from "../contract/codes.ts";

const platform = ["平台", takeawayPlatform] as const;
registerExportedList("takeaway-figures", {
  path: "/dataCentre/takeaway",
  filters: { by: ["汇总方式", takeawayBy], dayOf: ["日期", takeawayDay], platform },
});
registerExportedList("takeaway-orders", {
  path: "/dataCentre/takeaway",
  filters: {
    dayOf: ["日期", takeawayDay],
    platform,
    status: ["状态", takeawayStatus],
    part: ["哪些单", takeawayPart],
    mapped: ["门店映射", labelled({ none: "未映射" })],
  },
});
