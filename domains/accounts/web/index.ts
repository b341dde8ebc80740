import { lazy } from "react";
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { screen } from "@zhangfang/web/screen.ts";
import { registerActs } from "@zhangfang/web/slots.ts";

/** The screens of accounts, each loaded when somebody first opens it. */
export const screens = {
  permission: screen(() => import("./positions/PositionList.tsx"), "PositionList"),
  "audit-log": screen(() => import("./audit/AuditList.tsx"), "AuditList"),
  "bypass-account": screen(() => import("./staff/StaffList.tsx"), "StaffList"),
  account: screen(() => import("./accounts/AccountList.tsx"), "AccountList"),
};

/** 安全设置, from the menu of the signed-in account. */
export const SecurityDrawer = lazy(async () => ({ default: (await import("./SecurityDrawer.tsx")).SecurityDrawer }));
registerExportedList("audit-log", {
  path: "/jurisdiction/audit",
  filters: { title: ["操作"], targetId: ["对象编号"], acting: ["代管操作"] },
});

registerActs([
  { title: "新增账号", words: ["添加账号", "新建账号"], of: ["/account/account"], to: "/account/account?panel=add" },
  { title: "新增子账号", words: ["添加子账号", "新建子账号", "添加员工"], of: ["/bypass/bypass"], to: "/bypass/bypass?panel=edit" },
]);
