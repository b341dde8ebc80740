import { sql, type RawBuilder } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import type { Cents } from "@zhangfang/contract/fields.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { type Finder, mayBeName } from "../../../find/server/index.ts";
import { codeOf, FIRST_BARCODE, patternOf, productsWhere, PRODUCTS_FROM, SPEC } from "./read-products.ts";

interface Row {
  readonly id: string;
  readonly name: string;
  readonly spec: string;
  readonly code: string | null;
  readonly sku: string;
  readonly cents: Cents;
}
/** A part of a number is looked for among so many, those made last: no index tells it. */
const NEWEST = 500;
/** 商品 by a part of the name or its pinyin, the number or a bar code, also one that a scale printed. */
export const productFinder: Finder = {
  kind: "products",
  title: "商品",
  promise: "商品",
  access: "/product/product",
  match: mayBeName,
  by: { alias: "p", table: "name_search", kind: "products" },
  find: async ({ tx, scope }, { text, digits, among: named }) => {
    if (!named || (named.none && digits === undefined)) return [];
    const keyword = digits ?? text;
    const living = await productsWhere(tx, scope, {});
    const sought = digits === undefined ? named.where : numbered(scope, digits, await patternOf(tx, scope), living, named.where);
    const { rows } = await sql<Row>`select k.id, p.name, ${SPEC} as spec, ${FIRST_BARCODE} as code, k.sku_no as sku, k.price_cents as cents
      from ${PRODUCTS_FROM} where ${living} and ${sought} order by k.sku_no = ${keyword} desc, k.created_at desc limit 8`.execute(tx);
    return rows.map(({ id, name, spec, code, sku, cents }) => ({
      title: name,
      hint: [spec, code ?? sku, `¥${yuan(cents)}`].filter(Boolean).join(" · "),
      to: `/product/product?id=${id}`,
      near: [name, code, sku].includes(keyword) ? 0 : name.startsWith(keyword) ? 1 : 2,
    }));
  },
};

/** That digits stand in a good's name, are its number or a bar code, or a part of the number of one of the newest; each part has an index of its own. */
function numbered(scope: Scope, digits: string, pattern: string, living: RawBuilder<boolean>, named: RawBuilder<boolean>) {
  const ids = (where: RawBuilder<boolean>) =>
    sql`(select k.id from ${PRODUCTS_FROM} where ${living} and ${where} order by k.created_at desc limit 8)`;
  return sql<boolean>`k.id = any(array(${ids(named)} union all ${ids(sql`k.sku_no = ${digits}`)}
    union all (select b.sku_id from sku_barcodes b where ${inScope(scope, "b", "merchant")} and b.barcode = ${codeOf(pattern, digits)}
      and b.retired_at is null limit 8)
    union all (select n.id from (select k.id, k.sku_no from product_skus k where ${inScope(scope, "k", "merchant")} and k.retired_at is null
      order by k.created_at desc, k.id desc limit ${sql.lit(NEWEST)}) n where position(${digits} in n.sku_no) > 0)))`;
}
