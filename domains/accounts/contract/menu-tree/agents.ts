import type { Entry } from "./entry.ts";

/** 代理商管理 */
export const agents = {
  top: {
    title: "代理商管理",
    path: "agent",
    icon: "agent",
    screens: [["agent", "代理商", "/agent/agent", "A SP"]],
  },
  buttons: [
    ["/agent/agent/loginAs", "代管登录", "A SP"],
    ["/agent/agent/add", "新建代理商", "SP"],
    ["/agent/agent/edit", "修改代理商", "A SP"],
    ["/agent/agent/ratio", "调整分润比例", "A SP"],
    ["/agent/agent/rates", "费率", "A SP"],
    ["/agent/agent/state", "启用停用", "A SP"],
    ["/agent/agent/contract", "合同", "A SP"],
    ["/agent/agent/review", "审核合同", "A SP"],
    ["/agent/agent/export", "导出", "A SP"],
  ],
  built: ["agent"],
} as const satisfies Entry;
