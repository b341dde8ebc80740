import { read, write } from "@zhangfang/contract/endpoint.ts";
import { id, instant, line, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";
import { keyword, nodeState, shortEntry } from "../organisation/contract/index.ts";

export const newStore = z.object({
  serviceProviderId: id,
  merchantId: id,
  name: line(64, 1, "请填写名称"),
  shortName: line(32, 1, "请填写简称"),
  province: line(32).optional(),
  city: line(32).optional(),
  address: line(128).optional(),
  phone: line(20).optional(),
  hours: line(64).optional(),
});
export const newCashier = z.object({
  serviceProviderId: id,
  merchantId: id,
  storeId: id,
  code: z.string().regex(/^[A-Za-z0-9-]{1,16}$/, "收银员编号为 1 到 16 位字母或数字"),
  name: line(32, 1, "请填写姓名"),
});

const storePlatform = labelled({ dy: "抖音", ks: "快手", ele: "饿了么", meituan: "美团" });
const otherStoreState = labelled({ waiting: ["待映射", "warn"], mapped: ["已映射", "good"] });

/** A store of another platform and the own store it is mapped to. */
export const otherStoreRow = z.object({
  id,
  platform: oneOf(storePlatform),
  platformStoreId: z.string(),
  name: z.string(),
  merchantId: id,
  merchantName: z.string(),
  storeId: id.nullable(),
  storeName: z.string().nullable(),
  state: oneOf(otherStoreState),
  updatedAt: instant,
});
export const queryOtherStores = read({
  path: "/sfpfacadeservicepc/api/other_store/stores/query",
  title: "其他门店查询",
  access: "/store/other",
  envelope: "bare",
  input: z.object({
    platform: oneOf(storePlatform).optional(),
    state: oneOf(otherStoreState).optional(),
    merchantId: id.optional(),
    keyword: line(64).optional(),
  }),
  output: z.array(otherStoreRow),
});
/** Adds a platform's store or changes the mapping of a known one; without `storeId` it waits for a mapping. */
export const saveOtherStore = write({
  path: "/sfpfacadeservicepc/api/other_store/save",
  title: "保存其他门店",
  access: "/store/other",
  envelope: "bare",
  input: z.object({
    merchantId: id,
    platform: oneOf(storePlatform),
    platformStoreId: line(64, 1, "请填写平台门店编号"),
    name: line(64, 1, "请填写名称"),
    storeId: id.nullable().optional(),
  }),
  output: z.object({ id }),
});

/** A store with its merchant and provider (spec.md section 3, Store list entry). */
export const storeEntry = z.object({
  id,
  name: z.string(),
  number: z.string(),
  state: oneOf(nodeState),
  merchants: z.object({ id, name: z.string(), serviceProvider: z.object({ id, name: z.string() }) }),
});
/** Stores in sight. `regionId` is an area; `type` all brings the closed ones as well. */
const storeFilter = z.object({
  ...keyword,
  type: z.enum(["active", "all", ""]).default("active"),
  regionId: z.union([id, z.literal("")]).optional(),
});
export const listStores = read({
  path: "/newokpayorderservice/api/stores/list",
  title: "门店查询",
  access: "signed-in",
  envelope: "bare",
  input: storeFilter,
  output: z.array(storeEntry),
});
/** The same under the path of another old service. */
export const listStoresOfFacade = read({
  path: "/sfpfacadeservice/api/stores/list",
  title: "门店查询",
  access: "signed-in",
  envelope: "bare",
  input: storeFilter,
  output: z.array(storeEntry),
});
export const listStoresOfMerchant = read({
  path: "/newokpayorderservice/api/storesList",
  title: "商户的门店下拉",
  access: "signed-in",
  envelope: "bare",
  input: z.object({ ...keyword, merchantsId: id }),
  output: z.array(shortEntry),
});
/** What a select asks for that is searched as somebody types: within a merchant or a store, or the name of a known one. */
export const seek = { ...keyword, merchantId: id.optional(), storeId: id.optional(), id: id.optional() };
/** So many come back; whoever does not find theirs types more of it. */
export const SEEK_LIMIT = 50;
/** What stands in a store, with the store's name to tell it from others of its name. */
export const inStore = z.object({ id, name: z.string(), storeName: z.string() });

/** Cashiers in sight by name or code; those who left too, for their orders are still looked for. */
export const listCashiers = read({
  path: "/api/stores/cashiers",
  title: "收银员下拉",
  access: "signed-in",
  input: z.object(seek),
  output: z.array(inStore),
});
