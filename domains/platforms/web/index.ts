import { screen } from "@zhangfang/web/screen.ts";

/** 抖音 and 快手: the desk where vouchers are used with the list of them, and the goods that are sold there. One set of parts for both. */
export const screens = {
  "platform-coupon-dy": screen(() => import("./vouchers/VoucherScreen.tsx"), "DouyinVouchers"),
  "platform-coupon-dy-detail": screen(() => import("./vouchers/VoucherDetail.tsx"), "VoucherDetail"),
  "platform-goods-dy": screen(() => import("./goods/GoodsList.tsx"), "DouyinGoods"),
  "platform-goods-dy-detail": screen(() => import("./goods/GoodsDetail.tsx"), "GoodsDetail"),
  "platform-coupon-ks": screen(() => import("./vouchers/VoucherScreen.tsx"), "KuaishouVouchers"),
  "platform-coupon-ks-detail": screen(() => import("./vouchers/VoucherDetail.tsx"), "VoucherDetail"),
  "platform-goods-ks": screen(() => import("./goods/GoodsList.tsx"), "KuaishouGoods"),
  "platform-goods-ks-detail": screen(() => import("./goods/GoodsDetail.tsx"), "GoodsDetail"),
};
