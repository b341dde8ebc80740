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
  buttons: [],
  built: [],
} as const satisfies Entry;
