import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";

export const cardStatus = labelled({
  0: ["初始", "ended"],
  1: ["已创建", "active"],
  2: ["已启用", "good"],
  3: ["已暂停", "warn"],
  4: ["已重启", "good"],
  5: ["已过期", "ended"],
});
export type CardStatus = CodeOf<typeof cardStatus>;
/** The twelve tones of WeChat's card faces (their colours: kit/web/look/tokens.ts). */
export const cardTone = labelled({
  COLOR010: "草绿",
  COLOR020: "松绿",
  COLOR030: "湖蓝",
  COLOR040: "宝蓝",
  COLOR050: "紫",
  COLOR060: "赭黄",
  COLOR070: "金黄",
  COLOR080: "橙",
  COLOR081: "深橙",
  COLOR082: "嫩绿",
  COLOR090: "珊瑚",
  COLOR100: "红",
});
/** What a card's form asks, in the order of the digits that are kept. */
export const formField = labelled({
  mobile: "手机号",
  name: "姓名",
  birthday: "生日",
  idcard: "身份证号",
  income: "收入",
  industry: "行业",
  habit: "兴趣爱好",
  email: "邮箱",
  location: "详细地址",
  sex: "性别",
  education: "教育背景",
});
export type FormField = CodeOf<typeof formField>;
export const formFlag = labelled({ 0: "关", 1: "选填", 2: "必填" });
export type FormFlag = CodeOf<typeof formFlag>;
export const activation = labelled({ auto: "领取即用", form: "填表后可用" });
export const bindingKind = labelled({ store: "门店", device: "设备", "mini-program": "小程序" });
export type BindingKind = CodeOf<typeof bindingKind>;
/** What a level below may change on a card. */
export const cardRight = labelled({ face: "卡面", form: "表单", gift: "开卡礼", stores: "适用门店", pause: "暂停与重启" });
export type CardRight = CodeOf<typeof cardRight>;
export const holdingWay = labelled({ till: "收银端", office: "后台", sheet: "导入", page: "会员页" });
export const activityStatus = labelled({ 0: ["未开始", "active"], 1: ["进行中", "good"], 2: ["已暂停", "warn"], 3: ["已结束", "ended"] });
export type ActivityStatus = CodeOf<typeof activityStatus>;
/** Why somebody who opens a card gets no gift of an activity. */
export const refusedWhy = labelled({
  gone: "已送完",
  phone: "同一手机号领过",
  openid: "同一微信或支付宝领过",
  device: "同一手机领过",
});
export type RefusedWhy = CodeOf<typeof refusedWhy>;
/** A card at WeChat, by WeChat's words NOT_APPROVE, APPROVED, APPROVE_FAIL, DELETED; 0 is none. */
export const wxCardState = labelled({
  0: ["未创建", "ended"],
  1: ["待审核", "active"],
  2: ["已通过", "good"],
  3: ["未通过", "bad"],
  4: ["已删除", "ended"],
});
export type WxCardState = CodeOf<typeof wxCardState>;
/** A holder's card at WeChat: NOT_ACTIVATE, EFFECTIVE, EXPIRE, UNAVAILABLE, DELETE. */
export const wxHolderState = labelled({
  1: ["未激活", "active"],
  2: ["有效", "good"],
  3: ["已过期", "ended"],
  4: ["已停用", "warn"],
  5: ["已删除", "ended"],
});
export type WxHolderState = CodeOf<typeof wxHolderState>;
export const wxApi = labelled({ open: "公众平台会员卡", brand: "微信支付品牌会员卡" });
export type WxApi = CodeOf<typeof wxApi>;
export const wxSync = labelled({ 0: ["等待同步", "active"], 1: ["已同步", "good"], 2: ["微信拒绝", "bad"], 3: ["还不知道", "warn"] });
