// What exports are called and what the command bar begins: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { registerActs } from "@zhangfang/web/slots.ts";
import { baseOwner, productSource, saleState, stockState, addProduct } from "../contract/index.ts";

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
