import type { Entry } from "./entry.ts";

/** 活动管理 */
export const activities = {
  top: {
    title: "活动管理",
    path: "",
    icon: "activity",
    screens: [
      ["activity-centre", "活动中心", "/activity/centre", "MCH"],
      ["activity-recommend", "推荐有礼", "/activity/recommend", "MCH"],
      ["activity-scan", "扫码有礼", "/activity/scan", "MCH"],
      ["activity-birthday", "生日有礼", "/activity/birthday", "MCH"],
      ["activity-new", "新人有礼", "/activity/new", "MCH"],
      ["shake-activity", "摇一摇活动", "/activity/shake", "MCH"],
      ["shake-activity-details", "活动详情", "/activity/shake/details", "MCH", "page"],
    ],
  },
  buttons: [
    ["/activity/centre/edit", "新建与修改", "MCH"],
    ["/activity/centre/audit", "审核", "MCH"],
    ["/activity/centre/steer", "暂停、恢复与结束", "MCH"],
    ["/activity/centre/places", "加名额", "MCH"],
    ["/activity/centre/review", "放行与拒绝", "MCH"],
    ["/activity/centre/export", "导出", "MCH"],
    ["/activity/shake/edit", "新建与修改", "MCH"],
    ["/activity/shake/audit", "审核", "MCH"],
    ["/activity/shake/steer", "暂停、恢复与结束", "MCH"],
    ["/activity/shake/raise", "加奖", "MCH"],
    ["/activity/shake/staff", "员工名单", "MCH"],
    ["/activity/shake/hand", "兑奖", "MCH"],
    ["/activity/shake/export", "导出", "MCH"],
  ],
  built: [
    "activity-centre",
    "activity-birthday",
    "activity-scan",
    "activity-recommend",
    "activity-new",
    "shake-activity",
    "shake-activity-details",
  ],
} as const satisfies Entry;
