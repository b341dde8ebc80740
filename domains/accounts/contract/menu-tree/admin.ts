import type { Entry } from "./entry.ts";

/** 管理后台 */
export const admin = {
  top: {
    title: "管理后台",
    path: "admin",
    icon: "control",
    screens: [
      ["service-provider", "服务商", "/admin/serviceProvider", "A"],
      ["trade", "行业", "/admin/trade", "A"],
      ["province", "省份", "/admin/province", "A"],
      ["city", "城市", "/admin/city", "A"],
      ["official-site", "官网", "/admin/officialSite", "A SP"],
      ["official-site-add", "新增官网", "/admin/officialSite/add", "A SP", "page"],
      ["data-push-index", "数据推送", "/admin/dataPush", "A SP"],
      ["data-push-list", "推送记录", "/admin/dataPush/list", "A SP", "page"],
      ["full-in-info", "资料补全", "/admin/fullInInfo", "A SP"],
    ],
  },
  buttons: [
    ["/admin/serviceProvider/loginAs", "代管登录", "A"],
    ["/admin/serviceProvider/add", "新建服务商", "A"],
    ["/admin/serviceProvider/edit", "修改服务商", "A"],
    ["/admin/serviceProvider/brand", "品牌与层级名称", "A"],
    ["/admin/serviceProvider/contract", "合同", "A"],
    ["/admin/serviceProvider/rates", "费率", "A"],
    ["/admin/serviceProvider/state", "启用停用", "A"],
    ["/admin/serviceProvider/export", "导出", "A"],
    ["/admin/officialSite/edit", "编辑官网", "A SP"],
    ["/admin/officialSite/publish", "发布官网", "A SP"],
    ["/admin/dataPush/edit", "新建和修改", "SP"],
    ["/admin/dataPush/state", "暂停和删除", "A SP"],
    ["/admin/dataPush/replay", "测试和重放", "A SP"],
    ["/admin/fullInInfo/remind", "提醒补全", "A SP"],
    ["/admin/fullInInfo/export", "导出", "A SP"],
  ],
  built: [
    "trade",
    "province",
    "city",
    "service-provider",
    "official-site",
    "official-site-add",
    "data-push-index",
    "data-push-list",
    "full-in-info",
  ],
} as const satisfies Entry;
