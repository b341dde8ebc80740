import type { Entry } from "./entry.ts";

/** 商户管理 */
export const merchants = {
  top: {
    title: "商户管理",
    path: "merchants",
    icon: "merchant",
    screens: [
      ["merchants", "商户", "/merchants/merchants", "A SP AG GP TM"],
      ["merchants-info", "商户信息", "/merchants/info", "MCH"],
      ["merchant-config-setting", "商户配置", "/merchants/config", "SP MCH"],
      ["v3-secret", "APIv3密钥", "/merchants/v3Secret", "SP MCH"],
    ],
  },
  buttons: [
    ["/merchants/merchants/loginAs", "代管登录", "A SP AG GP TM"],
    ["/merchants/merchants/add", "新建商户", "SP AG BT"],
    ["/merchants/merchants/edit", "修改商户", "A SP AG BT"],
    ["/merchants/merchants/assign", "调整归属", "A SP"],
    ["/merchants/merchants/rates", "费率", "A SP"],
    ["/merchants/merchants/state", "启用停用", "A SP"],
    ["/merchants/merchants/import", "批量导入", "SP AG BT"],
    ["/merchants/merchants/export", "导出", "A SP AG GP TM"],
    ["/merchants/info/edit", "修改资料", "MCH"],
    ["/merchants/config/edit", "修改配置", "SP MCH"],
    ["/merchants/v3Secret/set", "设置密钥", "SP MCH"],
  ],
  built: ["merchants", "merchants-info", "merchant-config-setting", "v3-secret"],
} as const satisfies Entry;
