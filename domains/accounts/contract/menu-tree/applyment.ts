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
  buttons: [
    ["/applyment/form/edit", "填写资料", "SP AG TM"],
    ["/applyment/form/submit", "提交与作废", "SP AG TM"],
    ["/applyment/form/reveal", "查看证件图片", "SP AG TM"],
    ["/applyment/form/account", "进件账户", "SP"],
    ["/applyment/info/export", "导出", "SP AG TM MCH"],
  ],
  built: ["applyment-form", "applyment-info"],
} as const satisfies Entry;
