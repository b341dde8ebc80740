import { labelled } from "@zhangfang/contract/labelled.ts";

export const adStatus = labelled({ 0: ["暂停", "ended"], 1: ["启用", "good"] });
/** 播放时段标志 (spec.md section 3). */
export const playPeriod = labelled({ 0: "时段外", 1: ["时段内", "active"] });
export const adKind = labelled({ 1: "图片", 2: "视频" });
/** The highest priority, which is the platform's alone. */
export const PLATFORM_PRIORITY = 9;
