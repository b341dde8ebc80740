import { z } from "zod";
import { id } from "@zhangfang/contract/fields.ts";
import { exportColumn, fileOf, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import {
  baseFilters,
  baseOwner,
  productFilters,
  productSource,
  saleGoodsFilters,
  saleState,
  shelfFilters,
  stockState,
  tagFilters,
  taxRate,
} from "../contract/index.ts";
import { baseListed, type BaseRow } from "./base/read-base.ts";
import { saleGoodsListed, type SaleGoodsRow } from "./base/sale-goods.ts";
import { type ProductRow, productsListed } from "./goods/read-products.ts";
import { shelfListed, type ShelfRow } from "./shelf/read-shelf.ts";
import { tagsListed, type TagRow } from "./tags/tags.ts";

const NAMED = [
  exportColumn("name", "商品名称", 24),
  exportColumn("spec", "规格", 16),
  exportColumn("barcode", "条码", 18),
  exportColumn("category", "分类", 12),
];
const CREATED = exportColumn("createdAt", "新建时间", 20, "time");
const productInput = z.object(productFilters);
const product: ExportSource<typeof productInput> = {
  name: "products",
  title: "商品",
  access: "/product/product/export",
  input: productInput,
  columns: [
    exportColumn("skuNo", "商品编码", 16),
    ...NAMED,
    exportColumn("unit", "单位", 8),
    exportColumn("tags", "标签", 16),
    exportColumn("priceCents", "售价", 12, "money"),
    exportColumn("memberCents", "会员价", 12, "money"),
    exportColumn("source", "来源", 14, "code"),
    exportColumn("state", "状态", 10, "code"),
    CREATED,
  ],
  ...fileOf(productsListed, ({ picture: _picture, withdrawn: _withdrawn, nextAt: _next, ...row }: ProductRow) => ({
    ...row,
    source: productSource.label(row.source),
    state: saleState.label(row.state),
  })),
};
const shelfInput = z.object({ storeId: id.optional(), ...shelfFilters });
const shelf: ExportSource<typeof shelfInput> = {
  name: "product-stores",
  title: "门店商品",
  access: "/product/store/export",
  input: shelfInput,
  columns: [
    exportColumn("skuNo", "商品编码", 16),
    ...NAMED,
    exportColumn("priceCents", "本店售价", 12, "money"),
    exportColumn("memberCents", "本店会员价", 12, "money"),
    exportColumn("stock", "库存", 10, "count"),
    exportColumn("reserved", "占用", 10, "count"),
    exportColumn("warnBelow", "预警线", 10, "count"),
    exportColumn("stockState", "库存状态", 12, "code"),
    exportColumn("state", "状态", 10, "code"),
  ],
  ...fileOf(shelfListed, ({ picture: _picture, ownPrice: _own, ...row }: ShelfRow) => ({
    ...row,
    stockState: stockState.label(row.stockState),
    state: saleState.label(row.state),
  })),
};
const tagInput = z.object(tagFilters);
const tag: ExportSource<typeof tagInput> = {
  name: "product-tags",
  title: "商品标签",
  access: "/product/tag/export",
  input: tagInput,
  columns: [
    exportColumn("code", "标签编码", 16),
    exportColumn("name", "名称", 20),
    exportColumn("products", "商品数", 10, "count"),
    CREATED,
  ],
  ...fileOf(tagsListed, (row: TagRow) => ({ ...row })),
};
const baseInput = z.object(baseFilters);
const base: ExportSource<typeof baseInput> = {
  name: "base-goods",
  title: "基础商品",
  access: "/basicInfo/basicGoods/export",
  input: baseInput,
  columns: [
    exportColumn("name", "名称", 24),
    exportColumn("barcode", "条码", 18),
    exportColumn("skus", "规格数", 10, "count"),
    exportColumn("category", "分类", 12),
    exportColumn("brand", "品牌", 12),
    exportColumn("unit", "单位", 8),
    exportColumn("taxCode", "税收分类编码", 22),
    exportColumn("taxRate", "税率", 8, "code"),
    exportColumn("owner", "归属", 12, "code"),
    exportColumn("merchantName", "商户", 16),
    exportColumn("offers", "下发商户", 10, "count"),
    exportColumn("sellers", "在售商户", 10, "count"),
    CREATED,
  ],
  ...fileOf(baseListed, ({ picture: _picture, ...row }: BaseRow) => ({
    ...row,
    taxRate: row.taxRate === null ? null : taxRate.label(row.taxRate),
    owner: baseOwner.label(row.owner),
  })),
};
const saleInput = z.object(saleGoodsFilters);
const sale: ExportSource<typeof saleInput> = {
  name: "sale-goods",
  title: "销售商品",
  access: "/basicInfo/saleGoods/export",
  input: saleInput,
  columns: [
    ...NAMED,
    exportColumn("owner", "归属", 12, "code"),
    exportColumn("merchants", "销售商户", 10, "count"),
    exportColumn("onSale", "在售", 10, "count"),
    exportColumn("lowCents", "最低售价", 12, "money"),
    exportColumn("highCents", "最高售价", 12, "money"),
    CREATED,
  ],
  ...fileOf(saleGoodsListed, ({ picture: _picture, ...row }: SaleGoodsRow) => ({ ...row, owner: baseOwner.label(row.owner) })),
};
/** The lists of this room as files. */
export const productExports: readonly ExportSource[] = [product, shelf, tag, base, sale] as never;
