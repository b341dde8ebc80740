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
  buttons: [
    ["/product/product/edit", "新建与修改", "MCH"],
    ["/product/product/import", "批量导入", "MCH"],
    ["/product/product/export", "导出", "MCH AE"],
    ["/product/store/edit", "上下架与改价", "MCH AE"],
    ["/product/store/stock", "调整库存", "MCH AE"],
    ["/product/store/export", "导出", "MCH AE"],
    ["/product/tag/edit", "新建与修改", "MCH"],
    ["/product/tag/export", "导出", "MCH"],
  ],
  built: ["product", "product-store", "merchant-goods-tag"],
} as const satisfies Entry;
