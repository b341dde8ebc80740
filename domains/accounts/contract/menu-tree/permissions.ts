import type { Entry } from "./entry.ts";

/** 权限管理 */
export const permissions = {
  top: {
    title: "权限管理",
    path: "jurisdiction",
    icon: "permission",
    screens: [
      ["permission", "权限管理", "/jurisdiction/permission", "A SP MCH"],
      ["audit-log", "操作日志", "/jurisdiction/audit", "A SP MCH"],
    ],
  },
  buttons: [
    ["/jurisdiction/audit/export", "导出", "A SP MCH"],
    ["/jurisdiction/audit/verify", "核验", "A SP"],
  ],
  built: ["permission", "audit-log"],
} as const satisfies Entry;
