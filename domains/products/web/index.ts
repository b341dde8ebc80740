import { screen } from "@zhangfang/web/screen.ts";

/** The screens of goods: the library, what is sold, and what stands at a store. */
export const screens = {
  product: screen(() => import("./goods/ProductList.tsx"), "ProductList"),
  "product-store": screen(() => import("./shelf/ShelfList.tsx"), "ShelfList"),
  "merchant-goods-tag": screen(() => import("./tags/TagList.tsx"), "TagList"),
  "basic-goods-list": screen(() => import("./base/BaseList.tsx"), "BaseList"),
  "basic-goods-detail": screen(() => import("./base/BaseDetail.tsx"), "BaseDetail"),
  "sale-goods-list": screen(() => import("./base/SaleGoods.tsx"), "SaleGoodsList"),
  "sale-goods-detail": screen(() => import("./base/SaleGoods.tsx"), "SaleGoodsDetail"),
};
