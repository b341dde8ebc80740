import type { Entry } from "./entry.ts";

/** 微信CRM */
export const wechatCrm = {
  top: {
    title: "微信CRM",
    path: "wxCRM",
    icon: "wechat",
    screens: [
      ["wei-xin-app", "微信应用", "/wxCRM/app", "SP MCH"],
      ["wei-xin-fans", "微信粉丝", "/wxCRM/fans", "SP MCH"],
      ["merchants-fans-summary", "粉丝汇总", "/wxCRM/fansSummary", "SP MCH"],
      ["fans-coupon", "粉丝券", "/wxCRM/fansCoupon", "MCH"],
      ["group-note-index", "群发消息", "/wxCRM/groupNote", "MCH"],
      ["group-note-detail", "群发详情", "/wxCRM/groupNote/detail", "MCH", "page"],
    ],
  },
  buttons: [
    ["/wxCRM/app/edit", "添加与修改", "MCH"],
    ["/wxCRM/app/component", "第三方平台", "SP"],
    ["/wxCRM/fans/sync", "同步粉丝", "MCH"],
    ["/wxCRM/fans/channel", "做渠道码", "MCH"],
    ["/wxCRM/fans/export", "导出", "SP MCH"],
    ["/wxCRM/fansSummary/export", "导出", "SP MCH"],
    ["/wxCRM/groupNote/edit", "新建、提交与预览", "MCH"],
    ["/wxCRM/groupNote/audit", "审核", "MCH"],
    ["/wxCRM/groupNote/steer", "暂停、再发与删除", "MCH"],
    ["/wxCRM/groupNote/export", "导出", "MCH"],
  ],
  built: ["wei-xin-app", "wei-xin-fans", "merchants-fans-summary", "fans-coupon", "group-note-index", "group-note-detail"],
} as const satisfies Entry;
