import type { Entry } from "./entry.ts";

/** 快手平台 */
export const kuaishou = {
  top: {
    title: "快手平台",
    path: "plat-ks",
    icon: "kuaishou",
    screens: [
      ["platform-goods-ks", "平台商品", "/plat-ks/goods", "SP MCH"],
      ["platform-goods-ks-detail", "平台商品详情", "/plat-ks/goods/detail", "SP MCH", "page"],
      ["platform-coupon-ks", "平台券", "/plat-ks/coupon", "SP MCH AE"],
      ["platform-coupon-ks-detail", "平台券详情", "/plat-ks/coupon/detail", "SP MCH AE", "page"],
    ],
  },
  buttons: [
    ["/plat-ks/goods/sync", "同步", "SP MCH"],
    ["/plat-ks/goods/map", "填写要上的菜", "SP MCH"],
    ["/plat-ks/goods/account", "平台账户", "SP MCH"],
    ["/plat-ks/coupon/verify", "核销", "MCH AE"],
    ["/plat-ks/coupon/reverse", "撤销与人工核对", "MCH AE"],
    ["/plat-ks/coupon/export", "导出", "SP MCH AE"],
  ],
  built: ["platform-goods-ks", "platform-goods-ks-detail", "platform-coupon-ks", "platform-coupon-ks-detail"],
} as const satisfies Entry;
