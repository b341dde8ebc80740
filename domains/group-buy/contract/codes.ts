import { type CodeOf, labelled } from "@zhangfang/contract/labelled.ts";

/** Where vouchers are bought and used; takeaway platforms hold none. */
export const voucherPlatform = labelled({
  dy: "抖音",
  ks: "快手",
  meituan: "美团",
  koubei: "口碑",
  "alipay-gb": "支付宝",
  channels: "视频号",
});
export type VoucherPlatform = CodeOf<typeof voucherPlatform>;
/** What rows can be of: platforms' vouchers, and what the merchant itself gave out, in the same shape. */
export const entrySource = labelled({
  dy: "抖音",
  ks: "快手",
  meituan: "美团",
  koubei: "口碑",
  "alipay-gb": "支付宝",
  channels: "视频号",
  times: "次卡",
  coupon: "商家券",
});
export type EntrySource = CodeOf<typeof entrySource>;
/** Those without an interface here: what was used there comes by sheet. */
export const sheetPlatform = labelled({ meituan: "美团", koubei: "口碑", "alipay-gb": "支付宝", channels: "视频号" });
export const groupBuyBy = labelled({ platform: "按平台", kind: "按类型", store: "按门店", day: "按日" });
export type GroupBuyBy = CodeOf<typeof groupBuyBy>;
/** Which entries a figure is made of. */
export const entryPart = labelled({ used: "核销", reversed: "撤销", settled: "已结算", pending: "待结算", uneven: "账单内不平" });
export type EntryPart = CodeOf<typeof entryPart>;
