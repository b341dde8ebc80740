import type { Entry } from "./entry.ts";

/** 商品管理 */
export const products = {
  top: {
    title: "商品管理",
    path: "product",
    icon: "product",
    screens: [
      ["product", "商品", "/product/product", "MCH AE"],
      ["product-store", "门店商品", "/product/store", "MCH AE"],
      ["merchant-goods-tag", "商品标签", "/product/tag", "MCH"],
    ],
  },
  buttons: [],
  built: [],
} as const satisfies Entry;
