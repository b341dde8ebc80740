import type { Entry } from "./entry.ts";

/** 创建商户账号 */
export const applyment = {
  top: {
    title: "创建商户账号",
    path: "applyment",
    icon: "applyment",
    screens: [
      ["applyment-form", "进件申请", "/applyment/form", "SP AG TM"],
      ["applyment-info", "进件详情", "/applyment/info", "SP AG TM MCH"],
    ],
  },
  buttons: [],
  built: [],
} as const satisfies Entry;
