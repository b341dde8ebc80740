import type { Entry } from "./entry.ts";

/** 子账号 */
export const subAccounts = {
  top: {
    title: "子账号",
    path: "bypass",
    icon: "sub-account",
    screens: [["bypass-account", "子账号", "/bypass/bypass", "A SP MCH"]],
  },
  buttons: [["/bypass/bypass/loginAs", "代管登录", "MCH"]],
  built: ["bypass-account"],
} as const satisfies Entry;
