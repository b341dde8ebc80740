import { z } from "zod";
import { read } from "@zhangfang/contract/endpoint.ts";
import { cents, instant, wholeNumber } from "@zhangfang/contract/fields.ts";

/** How many things a page of the catalogue holds, and how far ahead a till knows prices. */
export const CATALOG_PAGE = 500;
export const AHEAD_MS = 48 * 3_600_000;

/** A SKU as a till of this store sells it. */
export const catalogItem = z.object({
  id: z.string(),
  skuNo: z.string(),
  name: z.string(),
  spec: z.string(),
  category: z.string().nullable(),
  unit: z.string().nullable(),
  barcodes: z.array(z.object({ barcode: z.string(), units: z.int() })),
  priceCents: cents,
  memberCents: cents.nullable(),
  /** The next price within 48 hours; the till turns to it by itself. */
  nextPrice: z.object({ cents, memberCents: cents.nullable(), from: instant }).nullable(),
  tags: z.array(z.string()),
  noDiscount: z.boolean(),
  weighed: z.boolean(),
  gift: z.boolean(),
  counted: z.boolean(),
  taxCode: z.string().nullable(),
  taxRate: z.int().nullable(),
  onSale: z.boolean(),
  sort: z.int(),
  picture: z.string().nullable(),
});
/** What a till has to know of the goods of its store: everything, or what changed after `since`. */
export const getTillCatalog = read({
  path: "/api/till/catalog",
  title: "收银商品目录",
  access: "device",
  waits: true,
  input: z.object({
    /** The `upTo` of the last load; 0 for everything. */
    since: wholeNumber(0, 9_000_000_000_000).default(0),
    /** `next` of the page before. */
    cursor: z
      .string()
      .regex(/^\d{1,15}\.\d{1,15}\.[0-9a-f-]{36}$/, "分页标记无效")
      .optional(),
  }),
  output: z.object({
    rev: z.int(),
    upTo: z.int(),
    /** Forget everything that this load does not bring. */
    full: z.boolean(),
    items: z.array(catalogItem),
    /** SKUs to forget. */
    gone: z.array(z.string()),
    next: z.string().nullable(),
    scalePattern: z.string(),
    tag: z.string(),
  }),
});
