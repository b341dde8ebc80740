import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, done, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { saleState, stockAct, stockCause, stockState } from "./codes.ts";
import { NAMED_MOST } from "./products.ts";

const access = "/product/store";
const edit = "/product/store/edit";
const stock = "/product/store/stock";
export const shelfFilters = {
  keyword: line(32).optional(),
  category: line(24).optional(),
  state: oneOf(saleState).optional(),
  stock: oneOf(stockState).optional(),
};
const row = z.object({
  /** Of the SKU. */
  id: z.string(),
  skuNo: z.string(),
  name: z.string(),
  spec: z.string(),
  barcode: z.string().nullable(),
  category: z.string().nullable(),
  picture: z.string().nullable(),
  /** What it costs here. */
  priceCents: cents,
  memberCents: cents.nullable(),
  /** The store has a price of its own. */
  ownPrice: z.boolean(),
  stock: z.int().nullable(),
  reserved: z.int(),
  warnBelow: z.int().nullable(),
  stockState: oneOf(stockState),
  /** Here; what the merchant does not sell is off everywhere. */
  state: oneOf(saleState),
  merchantState: oneOf(saleState),
  createdAt: instant,
});
/** 门店商品: what the merchant has, as it is at one store. */
export const getShelf = read({
  path: "/api/product-stores",
  title: "门店商品",
  access,
  input: listInput({ storeId: id.optional(), ...shelfFilters }, ["-createdAt"]),
  output: listOutput(row),
});
export const summariseShelf = read({
  path: "/api/product-stores/summary",
  title: "门店商品汇总",
  access,
  input: z.object({ storeId: id.optional(), ...shelfFilters }),
  output: z.object({
    count: z.int(),
    byState: z.record(z.string(), z.int()),
    byStock: z.record(z.string(), z.int()),
    /** The store that is shown where none was named, and those to choose from. */
    storeId: z.string().nullable(),
    stores: z.array(z.object({ id: z.string(), name: z.string() })),
    categories: z.array(z.string()),
  }),
});
export const getShelfItem = read({
  path: "/api/product-stores/:id",
  title: "门店商品详情",
  access,
  input: z.object({ id, storeId: id }),
  output: row.extend({
    storeId: z.string(),
    storeName: z.string(),
    ownPriceCents: cents.nullable(),
    ownMemberCents: cents.nullable(),
    /** Of the merchant. */
    merchantPriceCents: cents,
    merchantMemberCents: cents.nullable(),
    moves: z.array(
      z.object({
        id: z.string(),
        cause: oneOf(stockCause),
        units: z.int(),
        after: z.int(),
        orderNo: z.string().nullable(),
        note: z.string().nullable(),
        byName: z.string(),
        at: instant,
      }),
    ),
  }),
});
/** 门店上架, 下架. */
export const setShelfSale = write({
  path: "/api/product-stores/sale",
  title: "门店上架下架",
  access: edit,
  input: z.object({
    storeId: id,
    onSale: z.boolean(),
    skuIds: z.array(id).max(NAMED_MOST, `一次最多 ${NAMED_MOST} 个`).default([]),
    filter: z.object(shelfFilters).optional(),
    count: z.int().min(0).optional(),
  }),
  output: z.object({ changed: z.int() }),
});
const units = z.int("数量须为整数").min(0, "数量不能小于 0").max(999_999, "数量不能超过 999,999");
/** 入库, 出库, 盘点, 开始和停止计数. */
export const moveStock = write({
  path: "/api/product-stores/stock",
  title: "调整库存",
  access: stock,
  idempotent: "requestId",
  input: z.object({ requestId: id, storeId: id, skuId: id, act: oneOf(stockAct), units: units.default(0), note: line(60).optional() }),
  output: z.object({ stock: z.int().nullable() }),
});
export const setWarning = write({
  path: "/api/product-stores/warning",
  title: "设置库存预警",
  access: stock,
  input: z.object({ storeId: id, skuId: id, warnBelow: units.nullable() }),
  output: done,
});
/** 退货入库: no more than the order sold of it and gave back. */
export const returnGoods = write({
  path: "/api/product-stores/return",
  title: "退货入库",
  access: stock,
  idempotent: "requestId",
  input: z.object({
    requestId: id,
    storeId: id,
    skuId: id,
    orderNo: line(40, 1, "请填写订单号"),
    units: units.min(1, "至少 1 件"),
  }),
  output: z.object({ stock: z.int().nullable() }),
});
