import type { Entry } from "./entry.ts";

/** 会员管理 */
export const members = {
  top: {
    title: "会员管理",
    path: "member",
    icon: "member",
    screens: [
      ["wei-xin-member", "微信会员", "/member/member", "SP MCH AE"],
      ["member-details", "会员详情", "/member/details", "SP MCH AE", "page"],
      ["member-point-rule", "积分规则", "/member/pointRule", "MCH"],
      ["batch-add-points-task", "批量积分任务", "/member/batchPoints", "MCH"],
      ["card-points-add", "积分调整", "/member/pointsAdd", "MCH"],
      ["payment-card-rules", "储值规则", "/member/cardRules", "MCH"],
    ],
  },
  buttons: [],
  built: [],
} as const satisfies Entry;
