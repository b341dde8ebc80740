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
  buttons: [
    ["/member/member/add", "新增会员", "MCH AE"],
    ["/member/member/edit", "修改资料", "MCH AE"],
    ["/member/member/remark", "备注与标签", "MCH AE"],
    ["/member/member/reveal", "查看完整信息", "MCH AE"],
    ["/member/member/freeze", "冻结", "MCH AE"],
    ["/member/member/delete", "注销", "MCH AE"],
    ["/member/member/merge", "合并会员", "MCH"],
    ["/member/member/bonus", "发送积分", "MCH AE"],
    ["/member/member/opening", "确认导入本金", "MCH"],
    ["/member/member/payCode", "付款码识别", "MCH"],
    ["/member/member/import", "批量导入", "MCH AE"],
    ["/member/member/export", "导出", "SP MCH AE"],
    ["/member/cardRules/edit", "修改储值规则", "MCH"],
    ["/member/pointRule/edit", "修改", "MCH"],
    ["/member/batchPoints/run", "新建和控制任务", "MCH"],
    ["/member/batchPoints/export", "导出", "MCH"],
    ["/member/pointsAdd/adjust", "调整积分", "MCH"],
    ["/member/pointsAdd/approve", "审核", "MCH"],
    ["/member/pointsAdd/export", "导出", "MCH"],
  ],
  built: ["wei-xin-member", "member-details", "payment-card-rules", "member-point-rule", "batch-add-points-task", "card-points-add"],
} as const satisfies Entry;
