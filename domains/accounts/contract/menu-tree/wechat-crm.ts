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
  buttons: [["/wxCRM/app/edit", "添加与修改", "MCH"]],
  built: ["wei-xin-app", "fans-coupon"],
} as const satisfies Entry;
