import { sql } from "kysely";
import { z } from "zod";
import { line } from "@zhangfang/contract/fields.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import type { ImportColumn, ImportSource, Verdict } from "@zhangfang/server/lists/import-source.ts";
import { barcode, skuNo, taxCode, taxRate, type newProduct } from "../../contract/index.ts";
import { nextRev, ownShop } from "../catalog/raise-rev.ts";
import { makeProduct } from "../goods/write-products.ts";
import { clearable, type Known, labelCell, skuOf, skusByKey, yesCell, yuanCell } from "./cells.ts";

const NAME: ImportColumn = { key: "name", label: "商品名称", also: ["名称", "品名"], example: "茉莉奶绿", width: 20 };
const CATEGORY: ImportColumn = { key: "category", label: "分类", also: ["商品分类"], example: "奶茶", width: 12 };
const UNIT: ImportColumn = { key: "unit", label: "单位", example: "杯", width: 8 };
const TAX_CODE: ImportColumn = { key: "taxCode", label: "税收分类编码", example: "1030307010000000000", width: 22 };
const TAX_RATE: ImportColumn = { key: "taxRate", label: "税率", example: "6%", width: 8 };
const SCREEN = { access: "/product/product/import", screen: "/product/product", unit: "个" } as const;
const CLEAR_HELP = "留空不改，填 - 清除";

const newRow = z.object({
  name: line(64, 1, "请填写商品名称"),
  skuNo: skuNo.optional(),
  barcode: barcode.optional(),
  category: line(24).optional(),
  unit: line(8).optional(),
  price: yuanCell,
  member: yuanCell.optional(),
  taxCode: taxCode.optional(),
  taxRate: labelCell(taxRate.options).optional(),
  onSale: yesCell.optional(),
});
/** 新增: one product of one SKU a line; what has the number or the bar code already is there. */
export const newProductImport: ImportSource<typeof newRow, z.output<typeof newProduct>> = {
  name: "products-new",
  title: "商品",
  ...SCREEN,
  columns: () => [
    { ...NAME, required: true },
    { key: "skuNo", label: "商品编码", also: ["编码", "货号"], unique: true, example: "TEA001", help: "留空由系统编号", width: 14 },
    { key: "barcode", label: "条码", also: ["商品条码", "国际条码"], unique: true, example: "6901234567892", width: 18 },
    CATEGORY,
    UNIT,
    { key: "price", label: "售价", also: ["价格", "零售价"], required: true, example: "18.00", help: "元", width: 10 },
    { key: "member", label: "会员价", example: "16.00", help: "元，不高于售价", width: 10 },
    TAX_CODE,
    TAX_RATE,
    { key: "onSale", label: "上架", example: "是", help: "是或否，留空为是", width: 8 },
  ],
  row: newRow,
  titleKey: "name",
  async check(tx, scope, rows) {
    const known = await skusByKey(
      tx,
      scope,
      rows.flatMap(({ skuNo: no, barcode: code }) => [no ?? [], code ?? []].flat()),
    );
    return rows.map((row): Verdict<z.output<typeof newProduct>> => {
      const [byNo, byCode] = [
        row.skuNo === undefined ? undefined : known.get(row.skuNo),
        row.barcode === undefined ? undefined : known.get(row.barcode),
      ];
      if (byNo && (row.barcode === undefined || byCode === byNo)) return { there: true };
      if (byNo) return { errors: { skuNo: `商品编码已属于「${byNo.name}」` } };
      if (byCode) return { errors: { barcode: `条码已属于「${byCode.name}」` } };
      if (row.price === 0) return { errors: { price: "只有赠品可以是 0 元" } };
      if ((row.member ?? 0) > row.price) return { errors: { member: "会员价不能高于售价" } };
      return { value: productOf(row) };
    });
  },
  async create(author, tx, value) {
    const shop = ownShop(author.scope);
    const { id } = await makeProduct(author, tx, shop, value);
    await author.audit(tx, {
      targetKind: "product",
      targetId: id,
      provider: shop.service_provider_id,
      merchant: shop.merchant_id,
      after: { name: value.name, imported: true },
    });
    return id;
  },
};
const productOf = (row: z.output<typeof newRow>): z.output<typeof newProduct> => ({
  name: row.name,
  category: row.category ?? null,
  unit: row.unit ?? null,
  taxCode: row.taxCode ?? null,
  taxRate: row.taxRate ?? null,
  policy: 0,
  picture: null,
  attributes: [],
  weighed: false,
  gift: false,
  noDiscount: false,
  onSale: row.onSale ?? true,
  skus: [
    {
      skuNo: row.skuNo,
      spec: [],
      priceCents: row.price as never,
      memberCents: (row.member ?? null) as never,
      sort: 0,
      barcodes: row.barcode === undefined ? [] : [{ barcode: row.barcode, units: 1 }],
    },
  ],
});

const KEY: ImportColumn = {
  key: "key",
  label: "商品编码或条码",
  also: ["商品编码", "编码", "条码", "货号"],
  required: true,
  unique: true,
  example: "TEA001",
  width: 18,
};
export const keyCell = line(32, 1, "请填写商品编码或条码");
const updateRow = z.object({
  key: keyCell,
  name: line(64).optional(),
  category: clearable(line(24)),
  unit: clearable(line(8)),
  taxCode: clearable(taxCode),
  taxRate: clearable(labelCell(taxRate.options)),
  onSale: yesCell.optional(),
});
interface Update {
  readonly known: Known;
  readonly row: z.output<typeof updateRow>;
}
/** 更新: what a line says is changed, an empty cell is not; prices have a sheet of their own. */
export const updateProductImport: ImportSource<typeof updateRow, Update> = {
  name: "products-update",
  title: "商品更新",
  ...SCREEN,
  columns: () => [
    KEY,
    { ...NAME, help: "留空不改" },
    { ...CATEGORY, help: CLEAR_HELP },
    { ...UNIT, help: CLEAR_HELP },
    { ...TAX_CODE, help: CLEAR_HELP },
    { ...TAX_RATE, help: CLEAR_HELP },
    { key: "onSale", label: "上架", example: "否", help: "是或否，留空不改", width: 8 },
  ],
  row: updateRow,
  titleKey: "key",
  check: (tx, scope, rows) => checkUpdates(tx, scope, rows),
  async create(author, tx, { known, row }) {
    const shop = ownShop(author.scope);
    const rev = await nextRev(tx, shop);
    const other = <T>(cell: T | undefined, there: T): boolean => cell !== undefined && cell !== there;
    const own = known.inherits
      ? [
          ...(other(row.name, known.name) ? ["name"] : []),
          ...(other(row.unit, known.unit) ? ["unit"] : []),
          ...(other(row.taxCode, known.tax_code) || other<number | null>(row.taxRate, known.tax_rate) ? ["tax"] : []),
        ]
      : [];
    const set = { name: row.name, category: row.category, unit: row.unit, tax_code: row.taxCode, tax_rate: row.taxRate };
    const given = Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined));
    const changed = await sql<{ withdrawn: boolean }>`update products p set ${sql.join([
      ...Object.entries(given).map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
      sql`own = array(select distinct unnest(p.own || ${own}::text[]))`,
      sql`revision = p.revision + 1`,
    ])} where p.service_provider_id = ${shop.service_provider_id} and p.merchant_id = ${shop.merchant_id} and p.id = ${known.product_id} and p.retired_at is null returning p.withdrawn`.execute(
      tx,
    );
    if (!changed.rows[0]) throw conflict("商品已删除");
    if (row.onSale === true && changed.rows[0].withdrawn) throw conflict("服务商已收回，不能上架");
    await sql`update product_skus k set rev = ${rev}, on_sale = case when k.id = ${known.id} then ${row.onSale ?? null}::boolean is true or (${row.onSale ?? null}::boolean is null and k.on_sale) else k.on_sale end
      where k.service_provider_id = ${shop.service_provider_id} and k.product_id = ${known.product_id} and k.retired_at is null`.execute(
      tx,
    );
    await author.audit(tx, {
      targetKind: "product",
      targetId: known.id,
      provider: shop.service_provider_id,
      merchant: shop.merchant_id,
      after: { ...given, onSale: row.onSale, imported: true },
    });
    return known.id;
  },
};
async function checkUpdates(tx: Transaction, scope: Scope, rows: readonly z.output<typeof updateRow>[]): Promise<Verdict<Update>[]> {
  const found = await skusByKey(
    tx,
    scope,
    rows.map(({ key }) => key),
  );
  return rows.map((row): Verdict<Update> => {
    const known = skuOf(found, row.key);
    if (!known) return { errors: { key: `没有商品「${row.key}」` } };
    const said = [row.name, row.category, row.unit, row.taxCode, row.taxRate, row.onSale];
    return said.every((one) => one === undefined) ? { there: true } : { value: { known, row } };
  });
}
