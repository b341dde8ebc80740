import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, done, id, instant, line, listInput, listOutput, oneOf, positiveCents } from "@zhangfang/contract/fields.ts";
import { baseOwner, saleState, taxPolicy, taxRate } from "./codes.ts";
import { attributes, barcode, goodsFacts, SKUS_MOST, skuNo, spec } from "./products.ts";

const access = "/basicInfo/basicGoods";
const edit = "/basicInfo/basicGoods/edit";
export const baseFilters = {
  keyword: line(32).optional(),
  category: line(24).optional(),
  owner: oneOf(baseOwner).optional(),
  merchantId: id.optional(),
};
const row = z.object({
  id: z.string(),
  name: z.string(),
  category: z.string().nullable(),
  brand: z.string().nullable(),
  unit: z.string().nullable(),
  barcode: z.string().nullable(),
  skus: z.int(),
  taxCode: z.string().nullable(),
  taxRate: oneOf(taxRate).nullable(),
  picture: z.string().nullable(),
  owner: oneOf(baseOwner),
  merchantName: z.string().nullable(),
  /** To how many merchants it is offered, and how many sell it, of those in sight. */
  offers: z.int(),
  sellers: z.int(),
  createdAt: instant,
});
export const getBaseGoods = read({
  path: "/api/base-goods",
  title: "基础商品",
  access,
  input: listInput(baseFilters, ["-createdAt"]),
  output: listOutput(row),
});
export const summariseBaseGoods = read({
  path: "/api/base-goods/summary",
  title: "基础商品汇总",
  access,
  input: z.object(baseFilters),
  output: z.object({ count: z.int(), byOwner: z.record(z.string(), z.int()), categories: z.array(z.string()) }),
});
export const getBaseGood = read({
  path: "/api/base-goods/:id",
  title: "基础商品详情",
  access,
  input: z.object({ id }),
  output: row.extend({
    revision: z.int(),
    policy: oneOf(taxPolicy),
    pictureUrl: z.string().nullable(),
    attributes: z.array(z.string()),
    /** The caller may change it. */
    mine: z.boolean(),
    /** The SKU of the caller's own product of it, for a merchant that sells it. */
    adoptedAs: z.string().nullable(),
    variants: z.array(z.object({ id: z.string(), spec: z.array(z.string()), barcode: z.string().nullable() })),
    merchants: z.array(z.object({ id: z.string(), name: z.string(), sells: z.boolean(), offeredAt: instant })),
  }),
});
const variant = { spec: spec.default([]), barcode: barcode.nullable().default(null) };
const facts = { ...goodsFacts, brand: line(24).nullable().default(null), attributes: attributes.default([]) };
export const addBaseGood = write({
  path: "/api/base-goods/add",
  title: "新建基础商品",
  access: edit,
  idempotent: "requestId",
  most_keys: 5_000,
  input: z.object({
    requestId: id,
    ...facts,
    variants: z.array(z.object(variant)).min(1, "至少一个规格").max(SKUS_MOST, `最多 ${SKUS_MOST} 个规格`),
  }),
  output: done.extend({ id: z.string() }),
});
/** Variants that are there stay: merchants may sell them. */
export const updateBaseGood = write({
  path: "/api/base-goods/update",
  title: "修改基础商品",
  access: edit,
  most_keys: 5_000,
  input: z.object({
    id,
    revision: z.int(),
    ...facts,
    variants: z
      .array(z.object({ ...variant, id: id.optional() }))
      .min(1, "至少一个规格")
      .max(SKUS_MOST, `最多 ${SKUS_MOST} 个规格`),
  }),
  output: done,
});
/** 下发, 收回: to one merchant, or to all that there are. What is taken back goes off sale. */
const reach = z.object({ ids: z.array(id).min(1, "请选择商品").max(200, "一次最多 200 个"), merchantId: id.nullable().default(null) });
export const offerBaseGoods = write({
  path: "/api/base-goods/offer",
  title: "下发基础商品",
  access: "/basicInfo/basicGoods/offer",
  input: reach,
  output: z.object({ changed: z.int() }),
});
export const takeBackBaseGoods = write({
  path: "/api/base-goods/take-back",
  title: "收回基础商品",
  access: "/basicInfo/basicGoods/offer",
  input: reach,
  output: z.object({ changed: z.int() }),
});
/** A merchant begins to sell it, at its own prices. */
export const adoptBaseGood = write({
  path: "/api/base-goods/adopt",
  title: "转为销售商品",
  access: "/product/product/edit",
  idempotent: "requestId",
  input: z.object({
    requestId: id,
    id,
    skus: z
      .array(
        z.object({
          variantId: id,
          skuNo: skuNo.optional(),
          priceCents: positiveCents,
          memberCents: positiveCents.nullable().default(null),
        }),
      )
      .min(1, "请为至少一个规格定价")
      .max(SKUS_MOST),
  }),
  output: done.extend({ id: z.string() }),
});

const saleAccess = "/basicInfo/saleGoods";
export const saleGoodsFilters = { keyword: line(32).optional(), category: line(24).optional(), owner: oneOf(baseOwner).optional() };
const sold = z.object({
  /** Of the base SKU. */
  id: z.string(),
  name: z.string(),
  spec: z.string(),
  barcode: z.string().nullable(),
  category: z.string().nullable(),
  picture: z.string().nullable(),
  owner: oneOf(baseOwner),
  merchants: z.int(),
  onSale: z.int(),
  lowCents: cents.nullable(),
  highCents: cents.nullable(),
  createdAt: instant,
});
/** 销售商品: 商品 seen by base SKU. */
export const getSaleGoods = read({
  path: "/api/sale-goods",
  title: "销售商品",
  access: saleAccess,
  input: listInput(saleGoodsFilters, ["-createdAt"]),
  output: listOutput(sold),
});
export const summariseSaleGoods = read({
  path: "/api/sale-goods/summary",
  title: "销售商品汇总",
  access: saleAccess,
  input: z.object(saleGoodsFilters),
  output: z.object({ count: z.int(), sold: z.int(), categories: z.array(z.string()) }),
});
/** Who sells it, at what prices: the first 200 by price. */
export const getSaleGood = read({
  path: "/api/sale-goods/:id",
  title: "销售商品详情",
  access: saleAccess,
  input: z.object({ id }),
  output: sold.extend({
    baseId: z.string(),
    sellers: z.array(
      z.object({
        skuId: z.string(),
        merchantName: z.string(),
        skuNo: z.string(),
        name: z.string(),
        priceCents: cents,
        memberCents: cents.nullable(),
        state: oneOf(saleState),
      }),
    ),
  }),
});
