import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { screen } from "@zhangfang/web/screen.ts";
import { registerActs } from "@zhangfang/web/slots.ts";
import { baseOwner, productSource, saleState, stockState, addProduct } from "../contract/index.ts";

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

registerExportedList("products", {
  path: "/product/product",
  filters: { state: ["状态", saleState], source: ["来源", productSource], category: ["分类"] },
});
registerExportedList("product-stores", {
  path: "/product/store",
  filters: { state: ["状态", saleState], stock: ["库存", stockState], category: ["分类"] },
});
registerExportedList("product-tags", { path: "/product/tag", filters: {} });
registerExportedList("base-goods", { path: "/basicInfo/basicGoods", filters: { owner: ["归属", baseOwner], category: ["分类"] } });
registerExportedList("sale-goods", { path: "/basicInfo/saleGoods", filters: { owner: ["归属", baseOwner], category: ["分类"] } });

registerActs([{ title: "新建商品", words: ["添加商品", "新增商品", "上架商品"], of: addProduct, to: "/product/product?panel=add" }]);
