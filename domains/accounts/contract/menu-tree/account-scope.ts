import type { Entry } from "./entry.ts";

/** 账号管理 */
export const accountScope = {
  top: {
    title: "账号管理",
    path: "account",
    icon: "account",
    screens: [["account", "账号管理", "/account/account", "A SP"]],
  },
  buttons: [
    ["/account/account/loginAs", "代管登录", "A SP"],
    ["/account/account/grant", "功能范围", "A SP"],
    ["/account/account/actingPolicy", "代管设置", "SP"],
  ],
  built: ["account"],
} as const satisfies Entry;
