import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, done, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { whyNotBarcode, whyNotPattern } from "./barcode.ts";
import { inherited, priceKind, priceStatus, productSource, saleState, taxPolicy, taxRate } from "./codes.ts";

/** How many SKUs one product may have, one act may name, and one act over a filter may change. */
export const SKUS_MOST = 200;
export const NAMED_MOST = 500;
export const BATCH_MOST = 10_000;

const MOST_CENTS = 999_999_999;
const priceOf = z.int("金额须为整数分").min(0, "金额不能小于 0").max(MOST_CENTS, "金额不能超过 9,999,999.99 元").brand<"Cents">();
export const skuNo = z.string().regex(/^[0-9A-Za-z_-]{1,32}$/, "商品编码为 1 到 32 位字母、数字、下划线或短横线");
/** A bar code as it is kept: capitals, its check digit right. */
export const barcode = z
  .string()
  .trim()
  .toUpperCase()
  .max(32, "不能超过 32 位")
  .superRefine((text, ctx) => {
    const why = whyNotBarcode(text);
    if (why !== undefined) ctx.addIssue({ code: "custom", message: why });
  });
const barcodes = z
  .array(z.object({ barcode, units: z.int().min(1, "至少 1 件").max(9_999, "最多 9,999 件").default(1) }))
  .max(20, "一个规格最多 20 个条码");
/** Where a picture of this room is. */
export const pictureUrl = z.string().regex(/^\/api\/product-pictures\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "图片无效");
export const attributes = z.array(line(12, 1, "请填写规格名")).max(3, "最多 3 种规格");
export const spec = z.array(line(24, 1, "请填写规格值")).max(3);
export const taxCode = z.string().regex(/^\d{19}$/, "税收分类编码为 19 位数字");
/** What base goods and products both have. */
export const goodsFacts = {
  name: line(64, 1, "请填写名称"),
  category: line(24).nullable().default(null),
  unit: line(8).nullable().default(null),
  taxCode: taxCode.nullable().default(null),
  taxRate: oneOf(taxRate).nullable().default(null),
  policy: oneOf(taxPolicy).default(0),
  picture: pictureUrl.nullable().default(null),
};

export const productFilters = {
  keyword: line(32).optional(),
  category: line(24).optional(),
  tagId: id.optional(),
  source: oneOf(productSource).optional(),
  state: oneOf(saleState).optional(),
};
/** The things that a batch means: those that are named, or all of a filter with the count that was seen. */
export const chosen = {
  skuIds: z.array(id).max(NAMED_MOST, `一次最多 ${NAMED_MOST} 个`).default([]),
  filter: z.object(productFilters).optional(),
  count: z.int().min(0).optional(),
};

const access = "/product/product";
const edit = "/product/product/edit";
const row = z.object({
  id: z.string(),
  productId: z.string(),
  skuNo: z.string(),
  name: z.string(),
  spec: z.string(),
  barcode: z.string().nullable(),
  category: z.string().nullable(),
  unit: z.string().nullable(),
  tags: z.string(),
  picture: z.string().nullable(),
  priceCents: cents,
  memberCents: cents.nullable(),
  /** A price that has not begun. */
  nextAt: instant.nullable(),
  source: oneOf(productSource),
  withdrawn: z.boolean(),
  state: oneOf(saleState),
  createdAt: instant,
});
export const getProducts = read({
  path: "/api/products",
  title: "商品",
  access,
  input: listInput(productFilters, ["-createdAt"]),
  output: listOutput(row),
});
export const summariseProducts = read({
  path: "/api/products/summary",
  title: "商品汇总",
  access,
  input: z.object(productFilters),
  output: z.object({
    count: z.int(),
    byState: z.record(z.string(), z.int()),
    categories: z.array(z.string()),
    tags: z.array(z.object({ id: z.string(), name: z.string() })),
    scalePattern: z.string(),
  }),
});
const price = z.object({
  id: z.string(),
  skuNo: z.string(),
  storeName: z.string().nullable(),
  kind: oneOf(priceKind),
  cents: cents.nullable(),
  fromAt: instant,
  status: oneOf(priceStatus),
  byName: z.string(),
  imported: z.boolean(),
});
/** The whole product of a SKU. */
export const getProduct = read({
  path: "/api/products/:id",
  title: "商品详情",
  access,
  input: z.object({ id }),
  output: row.extend({
    revision: z.int(),
    taxCode: z.string().nullable(),
    taxRate: oneOf(taxRate).nullable(),
    policy: oneOf(taxPolicy),
    /** Its picture in full, as the form takes it. */
    pictureUrl: z.string().nullable(),
    baseId: z.string().nullable(),
    own: z.array(oneOf(inherited)),
    attributes: z.array(z.string()),
    weighed: z.boolean(),
    gift: z.boolean(),
    noDiscount: z.boolean(),
    skus: z.array(
      z.object({
        id: z.string(),
        skuNo: z.string(),
        spec: z.array(z.string()),
        priceCents: cents,
        memberCents: cents.nullable(),
        sort: z.int(),
        state: oneOf(saleState),
        barcodes: z.array(z.object({ barcode: z.string(), units: z.int() })),
      }),
    ),
    /** The newest changes of price and what is planned, of all its SKUs. */
    prices: z.array(price),
    /** What the SKU that was asked for is at the stores in sight where it has something of its own. */
    stores: z.array(
      z.object({
        storeId: z.string(),
        storeName: z.string(),
        onSale: z.boolean(),
        priceCents: cents.nullable(),
        memberCents: cents.nullable(),
        stock: z.int().nullable(),
      }),
    ),
  }),
});
const flags = {
  /** Sold by weight: one unit at the price that the scale says. */
  weighed: z.boolean().default(false),
  /** 赠品: it may cost nothing. */
  gift: z.boolean().default(false),
  noDiscount: z.boolean().default(false),
};
const newSku = {
  skuNo: skuNo.optional(),
  spec: spec.default([]),
  priceCents: priceOf,
  memberCents: priceOf.nullable().default(null),
  sort: z.int().min(0).max(9_999).default(0),
  barcodes: barcodes.default([]),
};
export const newProduct = z.object({
  ...goodsFacts,
  ...flags,
  attributes: attributes.default([]),
  onSale: z.boolean().default(true),
  skus: z.array(z.object(newSku)).min(1, "至少一个规格").max(SKUS_MOST, `最多 ${SKUS_MOST} 个规格`),
});
export const addProduct = write({
  path: "/api/products/add",
  title: "新建商品",
  access: edit,
  idempotent: "requestId",
  most_keys: 20_000,
  input: newProduct.extend({ requestId: id }),
  output: done.extend({ id: z.string(), productId: z.string() }),
});
/** What the form showed. `inherit` names what goes back to the base good (恢复继承). SKUs that are not named any more are deleted; prices are changed apart. */
export const updateProduct = write({
  path: "/api/products/update",
  title: "修改商品",
  access: edit,
  most_keys: 20_000,
  input: z.object({
    id,
    revision: z.int(),
    ...goodsFacts,
    ...flags,
    inherit: z.array(oneOf(inherited)).max(4).default([]),
    attributes: attributes.default([]),
    skus: z
      .array(z.object({ ...newSku, id: id.optional(), priceCents: priceOf.optional() }))
      .min(1, "至少一个规格")
      .max(SKUS_MOST, `最多 ${SKUS_MOST} 个规格`),
  }),
  output: done,
});
/** 上架, 下架: those that are named, or the whole filter with the count that was seen. */
export const setProductSale = write({
  path: "/api/products/sale",
  title: "商品上架下架",
  access: edit,
  input: z.object({ onSale: z.boolean(), ...chosen }),
  output: z.object({ changed: z.int(), skipped: z.int() }),
});
export const removeProduct = write({
  path: "/api/products/remove",
  title: "删除商品",
  access: edit,
  input: z.object({ id }),
  output: done,
});
/** 改价, now or at a minute, of the merchant or of one store; at a store null goes back to the merchant's. */
export const changePrice = write({
  path: "/api/products/price",
  title: "商品改价",
  access: ["/product/product/edit", "/product/store/edit"],
  idempotent: "requestId",
  rate: "money",
  input: z.object({
    requestId: id,
    skuId: id,
    storeId: id.nullable().default(null),
    priceCents: priceOf.nullable(),
    memberCents: priceOf.nullable().default(null),
    /** Left out: now. */
    from: instant.optional(),
    /** A change of more than half was seen and meant. */
    confirmed: z.boolean().default(false),
  }),
  output: done,
});
export const cancelPrice = write({
  path: "/api/products/price/cancel",
  title: "取消改价",
  access: ["/product/product/edit", "/product/store/edit"],
  input: z.object({ id }),
  output: done,
});
/** How the merchant's scales print their codes. */
export const setScalePattern = write({
  path: "/api/products/scale",
  title: "设置秤码格式",
  access: edit,
  input: z.object({
    pattern: z
      .string()
      .trim()
      .toUpperCase()
      .max(13)
      .superRefine((text, ctx) => {
        const why = whyNotPattern(text);
        if (why !== undefined) ctx.addIssue({ code: "custom", message: why });
      }),
  }),
  output: done,
});
export const PICTURE_MOST = { width: 2_000, height: 2_000, bytes: 700_000 } as const;
export const addProductPicture = write({
  path: "/api/products/pictures",
  title: "上传商品图片",
  access: [edit, "/basicInfo/basicGoods/edit"],
  input: z.object({ base64: z.base64().max(1_000_000, "图片过大") }),
  output: z.object({ url: z.string() }),
});
/** A picture by its number, for tills and whoever else has it. */
export const getProductPicture = read({
  path: "/api/product-pictures/:id",
  title: "商品图片",
  access: "public",
  envelope: "file",
  input: z.object({ id, size: z.enum(["small", "middle", "large"]).default("large") }),
  output: z.unknown(),
});
