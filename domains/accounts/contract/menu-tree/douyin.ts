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
  buttons: [
    ["/plat-dy/goods/sync", "同步", "SP MCH"],
    ["/plat-dy/goods/map", "填写要上的菜", "SP MCH"],
    ["/plat-dy/goods/account", "平台账户", "SP MCH"],
    ["/plat-dy/coupon/verify", "核销", "MCH AE"],
    ["/plat-dy/coupon/reverse", "撤销与人工核对", "MCH AE"],
    ["/plat-dy/coupon/export", "导出", "SP MCH AE"],
  ],
  built: ["platform-goods-dy", "platform-goods-dy-detail", "platform-coupon-dy", "platform-coupon-dy-detail"],
} as const satisfies Entry;
