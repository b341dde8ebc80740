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
  buttons: [],
  built: [],
} as const satisfies Entry;
