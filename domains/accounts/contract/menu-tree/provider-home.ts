import type { Entry } from "./entry.ts";

/** 服务商概览 */
export const providerHome = {
  top: {
    title: "服务商概览",
    path: "/",
    icon: "home",
    screens: [["overview", "概览", "/", "SP"]],
  },
  buttons: [],
  built: ["overview"],
} as const satisfies Entry;
