import { labelled } from "@zhangfang/contract/labelled.ts";
import type { ItemType } from "../../level-config/contract/index.ts";

export const adStatus = labelled({ 0: ["暂停", "ended"], 1: ["启用", "good"] });
/** 播放时段标志 (spec.md section 3). */
export const playPeriod = labelled({ 0: "时段外", 1: ["时段内", "active"] });
/** The highest priority, which is the platform's alone. */
export const PLATFORM_PRIORITY = 9;
export const adPriority = labelled({
  1: "1 最低",
  2: "2",
  3: "3 普通",
  4: "4",
  5: "5",
  6: "6",
  7: "7",
  8: "8 最高",
  9: "9 平台",
});
/** Where a target stands, for the reason that an ad plays. */
export const targetLevel: Readonly<Record<ItemType, string>> = { 0: "本设备", 1: "门店", 2: "商户", 3: "服务商", 4: "全平台" };
