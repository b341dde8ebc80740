import type { Entry } from "./entry.ts";

/** 业务员管理 */
export const salesmen = {
  top: {
    title: "业务员管理",
    path: "salesman",
    icon: "salesman",
    screens: [["salesman", "业务员", "/salesman/salesman", "A SP AG GP TM"]],
  },
  buttons: [
    ["/salesman/salesman/loginAs", "代管登录", "A SP AG GP BT"],
    ["/salesman/salesman/add", "新建业务员", "SP AG GP BT"],
    ["/salesman/salesman/edit", "修改业务员", "A SP AG GP BT"],
    ["/salesman/salesman/ratio", "分润比例", "A SP"],
    ["/salesman/salesman/state", "启用停用", "A SP AG GP BT"],
    ["/salesman/salesman/handover", "移交商户", "A SP AG GP BT"],
    ["/salesman/salesman/export", "导出", "A SP AG GP TM"],
  ],
  built: ["salesman"],
} as const satisfies Entry;
