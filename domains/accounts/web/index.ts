import { lazy } from "react";
import { screen } from "@zhangfang/web/screen.ts";

/** The screens of accounts, each loaded when somebody first opens it. */
export const screens = {
  permission: screen(() => import("./positions/PositionList.tsx"), "PositionList"),
  "audit-log": screen(() => import("./audit/AuditList.tsx"), "AuditList"),
  "bypass-account": screen(() => import("./staff/StaffList.tsx"), "StaffList"),
  account: screen(() => import("./accounts/AccountList.tsx"), "AccountList"),
};

/** 安全设置, from the menu of the signed-in account. */
export const SecurityDrawer = lazy(async () => ({ default: (await import("./SecurityDrawer.tsx")).SecurityDrawer }));
