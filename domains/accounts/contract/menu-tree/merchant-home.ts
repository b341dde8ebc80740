import type { Entry } from "./entry.ts";

/** 商户概览 */
export const merchantHome = {
  top: {
    title: "商户概览",
    path: "/",
    icon: "home",
    screens: [["overview", "概览", "/", "MCH AE"]],
  },
  buttons: [],
  built: ["overview"],
} as const satisfies Entry;
