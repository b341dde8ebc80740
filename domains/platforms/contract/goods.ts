import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, done, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { goodsKind, goodsStatus, syncStatus, voucherPlatform } from "./codes.ts";

const access = ["/plat-dy/goods", "/plat-ks/goods"] as const;
const platform = oneOf(voucherPlatform);
const filters = {
  platform,
  merchantId: id.optional(),
  keyword: line(40).optional(),
  status: oneOf(goodsStatus).optional(),
  kind: oneOf(goodsKind).optional(),
};
const row = z.object({
  id,
  platform,
  goodsId: z.string(),
  title: z.string(),
  kind: oneOf(goodsKind),
  status: oneOf(goodsStatus),
  priceCents: cents,
  marketCents: cents,
  /** Null: the platform does not tell it. */
  stock: z.int().nullable(),
  sold: z.int().nullable(),
  /** How many of the platform's stores it is good at, and how many of those are mapped here; null where the platform does not say. */
  stores: z.int().nullable(),
  mapped: z.int(),
  serve: z.string(),
  merchantName: z.string(),
  seenAt: instant,
});
/** 平台商品 */
export const listPlatformGoods = read({
  path: "/api/platforms/goods",
  title: "平台商品",
  access,
  input: listInput(filters, ["-seenAt"]),
  output: listOutput(row),
});
export const summarisePlatformGoods = read({
  path: "/api/platforms/goods/summary",
  title: "平台商品合计",
  access,
  input: z.object(filters),
  output: z.object({ count: z.int(), byStatus: z.record(z.string(), z.int()), waitingStores: z.int() }),
});
export const getPlatformGoods = read({
  path: "/api/platforms/goods/one",
  title: "平台商品详情",
  access: ["/plat-dy/goods", "/plat-ks/goods", "/plat-dy/goods/detail", "/plat-ks/goods/detail"],
  input: z.object({ id }),
  output: row.extend({
    servedBy: z.string(),
    poi: z.array(z.object({ poiId: z.string(), name: z.string(), storeName: z.string().nullable() })),
    verified: z.int(),
    verifiedCents: cents,
  }),
});
/** 要上的菜: what the desk shows when somebody brings it. */
export const saveGoodsServe = write({
  path: "/api/platforms/goods/serve",
  title: "填写要上的菜",
  access: ["/plat-dy/goods/map", "/plat-ks/goods/map"],
  input: z.object({ id, serve: line(200) }),
  output: done,
});
const sync = z.object({
  id,
  status: oneOf(syncStatus),
  stores: z.int(),
  goods: z.int(),
  why: z.string(),
  byName: z.string(),
  startedAt: instant,
  endedAt: instant.nullable(),
});
/** 同步: loads stores and goods page by page; one at a time for an account. */
export const startPlatformSync = write({
  path: "/api/platforms/sync",
  title: "同步平台商品和门店",
  access: ["/plat-dy/goods/sync", "/plat-ks/goods/sync"],
  input: z.object({ platform, merchantId: id.optional() }),
  output: sync,
});
/** The last load, with how far it is. */
export const getPlatformSync = read({
  path: "/api/platforms/sync",
  title: "平台同步进度",
  access,
  rate: "poll",
  input: z.object({ platform, merchantId: id.optional() }),
  output: z.object({ sync: sync.nullable() }),
});
