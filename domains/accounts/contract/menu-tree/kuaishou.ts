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
  buttons: [],
  built: [],
} as const satisfies Entry;
