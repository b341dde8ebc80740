import { read } from "@zhangfang/contract/endpoint.ts";
import { id, oneOf } from "@zhangfang/contract/fields.ts";
import { z } from "zod";
import { keyword, nodeState, shortEntry } from "../../organisation/contract/index.ts";

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
