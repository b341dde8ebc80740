import { labelled } from "@zhangfang/contract/labelled.ts";

/** What may hold a conversation with those who follow it, by WeChat's own names. */
export const wxAppKind = labelled({ 1: "服务号", 2: "订阅号" });
export const wxAppState = labelled({ active: ["启用", "good"], paused: ["停用", "ended"] });
