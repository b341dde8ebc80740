import type { Entry } from "./entry.ts";

/** 会员卡管理 */
export const memberCards = {
  top: {
    title: "会员卡管理",
    path: "",
    icon: "card",
    screens: [
      ["member-card", "会员卡", "/memberCard/card", "MCH"],
      ["member-card-wx", "微信会员卡设置", "/memberCard/wx", "MCH"],
      ["member-card-area", "区域会员卡", "/memberCard/area", "MCH AE"],
      ["member-card-activity", "开卡活动", "/memberCard/activity", "MCH"],
      ["member-card-binding", "会员卡绑定", "/memberCard/binding", "MCH"],
      ["member-card-set-auth", "会员卡授权", "/memberCard/setAuth", "SP MCH"],
      ["wei-xin-member-card", "微信会员卡", "/memberCard/wxCard", "SP"],
    ],
  },
  buttons: [
    ["/memberCard/card/edit", "新建与修改", "MCH"],
    ["/memberCard/card/state", "启用与暂停", "MCH"],
    ["/memberCard/card/open", "给会员开卡", "MCH"],
    ["/memberCard/card/export", "导出", "MCH"],
    ["/memberCard/wx/edit", "创建与删除", "MCH"],
    ["/memberCard/area/edit", "修改范围与卡面", "MCH AE"],
    ["/memberCard/activity/edit", "新建与修改", "MCH"],
    ["/memberCard/binding/edit", "绑定与解绑", "MCH"],
    ["/memberCard/setAuth/edit", "修改授权", "SP MCH"],
    ["/memberCard/wxCard/sync", "同步", "SP"],
  ],
  built: [
    "member-card",
    "member-card-wx",
    "member-card-area",
    "member-card-activity",
    "member-card-binding",
    "member-card-set-auth",
    "wei-xin-member-card",
  ],
} as const satisfies Entry;
