import { type CodeOf, labelled } from "@zhangfang/contract/labelled.ts";

/** What may hold a conversation with those who follow it, by WeChat's own names. */
export const wxAppKind = labelled({ 1: "服务号", 2: "订阅号" });
export const wxAppState = labelled({ active: ["启用", "good"], paused: ["停用", "ended"] });
export const fanSyncStatus = labelled({ 0: ["同步中", "active"], 1: ["已完成", "good"], 2: ["没有完成", "bad"] });
export const fanChannelKind = labelled({ store: "门店", employee: "员工", table: "桌台", campaign: "活动" });
export const fanChannelStatus = labelled({ 0: ["制作中", "active"], 1: ["可用", "good"], 2: ["没有做成", "bad"] });
/** How somebody followed without a code of ours: WeChat's subscribe_scene. */
export const followWay = labelled({
  ADD_SCENE_SEARCH: "搜索公众号",
  ADD_SCENE_ACCOUNT_MIGRATION: "公众号迁移",
  ADD_SCENE_PROFILE_CARD: "名片分享",
  ADD_SCENE_QR_CODE: "扫公众号二维码",
  ADD_SCENE_PROFILE_LINK: "图文里的名称",
  ADD_SCENE_PROFILE_ITEM: "图文右上角菜单",
  ADD_SCENE_PAID: "支付后关注",
  ADD_SCENE_WECHAT_ADVERTISEMENT: "微信广告",
  ADD_SCENE_REPRINT: "他人转载",
  ADD_SCENE_LIVESTREAM: "视频号直播",
  ADD_SCENE_CHANNELS: "视频号",
  ADD_SCENE_WXA: "小程序关注",
  ADD_SCENE_OTHERS: "其他方式",
});
export const fanBy = labelled({ day: "按日", source: "按来源", store: "按门店" });
export type FanBy = CodeOf<typeof fanBy>;
/** The rows behind a figure. */
export const fanPart = labelled({
  joined: "新增",
  left: "取关",
  flash: "当日关注又取关",
  total: "期末在关注",
  kept7: "7 日后还在",
  kept30: "30 日后还在",
});
export type FanPart = CodeOf<typeof fanPart>;
export const fanState = labelled({ yes: ["在关注", "good"], no: ["已取关", "ended"] });
export const fanEvent = labelled({
  subscribe: ["关注", "good"],
  unsubscribe: ["取消关注", "ended"],
  scan: ["扫码", "active"],
  listed: ["名单里有", "active"],
  missing: ["名单里没有了", "ended"],
});
