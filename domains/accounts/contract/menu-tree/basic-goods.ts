import type { Entry } from "./entry.ts";

/** 基础商品维护 */
export const basicGoods = {
  top: {
    title: "基础商品维护",
    path: "basicInfo",
    icon: "goods",
    screens: [
      ["basic-goods-list", "基础商品", "/basicInfo/basicGoods", "SP MCH"],
      ["basic-goods-detail", "基础商品详情", "/basicInfo/basicGoods/detail", "SP MCH", "page"],
      ["sale-goods-list", "销售商品", "/basicInfo/saleGoods", "SP MCH"],
      ["sale-goods-detail", "销售商品详情", "/basicInfo/saleGoods/detail", "SP MCH", "page"],
    ],
  },
  buttons: [
    ["/basicInfo/basicGoods/edit", "新建与修改", "SP MCH"],
    ["/basicInfo/basicGoods/offer", "下发与收回", "SP"],
    ["/basicInfo/basicGoods/export", "导出", "SP MCH"],
    ["/basicInfo/saleGoods/export", "导出", "SP MCH"],
  ],
  built: ["basic-goods-list", "basic-goods-detail", "sale-goods-list", "sale-goods-detail"],
} as const satisfies Entry;
