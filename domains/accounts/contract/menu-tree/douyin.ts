import type { Entry } from "./entry.ts";

/** 抖音平台 */
export const douyin = {
  top: {
    title: "抖音平台",
    path: "plat-dy",
    icon: "douyin",
    screens: [
      ["platform-goods-dy", "平台商品", "/plat-dy/goods", "SP MCH"],
      ["platform-goods-dy-detail", "平台商品详情", "/plat-dy/goods/detail", "SP MCH", "page"],
      ["platform-coupon-dy", "平台券", "/plat-dy/coupon", "SP MCH AE"],
      ["platform-coupon-dy-detail", "平台券详情", "/plat-dy/coupon/detail", "SP MCH AE", "page"],
    ],
  },
  buttons: [],
  built: [],
} as const satisfies Entry;
