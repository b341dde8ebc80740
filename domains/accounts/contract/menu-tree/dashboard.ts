import type { Entry } from "./entry.ts";

/** 数据概览 */
export const dashboard = {
  top: {
    title: "数据概览",
    path: "/",
    icon: "dashboard",
    screens: [["dashboard", "数据看板", "/", "A AG GP TM"]],
  },
  buttons: [],
  built: ["dashboard"],
} as const satisfies Entry;
