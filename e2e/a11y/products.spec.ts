import { test } from "../journey.ts";
import { lookAtLists } from "./look.ts";

// They change nothing: all workers take from it.
test.describe.configure({ mode: "parallel", timeout: 240_000 });
test.use({ contextOptions: { reducedMotion: "reduce" } });

lookAtLists([
  ["商品", "mch01", "/product/product", /api\/products/],
  ["门店商品", "mch01", "/product/store", /api\/product-stores/],
  ["商品标签", "mch01", "/product/tag", /api\/product-tags/],
  ["基础商品", "sp01", "/basicInfo/basicGoods", /api\/base-goods/],
  ["销售商品", "sp01", "/basicInfo/saleGoods", /api\/sale-goods/],
]);
