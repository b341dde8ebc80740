import { sql } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import type { Cents } from "@zhangfang/contract/fields.ts";
import { soughtBy } from "@zhangfang/server/lists/found-by.ts";
import { type Finder, mayBeName } from "../../../find/server/index.ts";
import { FIRST_BARCODE, foundBy, patternOf, productsWhere, PRODUCTS_FROM, SPEC } from "./read-products.ts";

interface Row {
  readonly id: string;
  readonly name: string;
  readonly spec: string;
  readonly code: string | null;
  readonly sku: string;
  readonly cents: Cents;
}
/** 商品 by a part of the name or its pinyin, the number or a bar code, also one that a scale printed. */
export const productFinder: Finder = {
  kind: "products",
  title: "商品",
  promise: "商品",
  access: "/product/product",
  match: mayBeName,
  find: async ({ tx, scope }, { text, digits }) => {
    const keyword = digits ?? text;
    const named = await soughtBy(tx, keyword, { alias: "p", table: "name_search", kind: "products" });
    const sought = digits === undefined ? named.where : foundBy(keyword, await patternOf(tx, scope));
    const { rows } = await sql<Row>`select k.id, p.name, ${SPEC} as spec, ${FIRST_BARCODE} as code, k.sku_no as sku, k.price_cents as cents
      from ${PRODUCTS_FROM} where ${await productsWhere(tx, scope, {})} and ${sought} order by k.created_at desc limit 8`.execute(tx);
    return rows.map(({ id, name, spec, code, sku, cents }) => ({
      title: name,
      hint: [spec, code ?? sku, `¥${yuan(cents)}`].filter(Boolean).join(" · "),
      to: `/product/product?id=${id}`,
      near: [name, code, sku].includes(keyword) ? 0 : name.startsWith(keyword) ? 1 : 2,
    }));
  },
};
