import { read, write } from "@zhangfang/contract/endpoint.ts";
import { day, flag, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";

export const storePlatform = labelled({ dy: "抖音", ks: "快手", ele: "饿了么", meituan: "美团" });
export const otherStoreState = labelled({ waiting: ["待映射", "warn"], mapped: ["已映射", "good"] });

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
  /** Of several that are mapped to one own store, the one that stands for it. */
  isPrimary: z.boolean(),
  /** From when the mapping holds; null where it holds for all that there is. */
  mappedFrom: day.nullable(),
  /** Where it stands, as the platform says. */
  address: z.string(),
  /** Of one that waits: the own store that it is by name, address or place, and by which of them. */
  suggestedId: id.nullable(),
  suggestedName: z.string().nullable(),
  suggestedWhy: z.string(),
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
    /** The first day of another mapping, today unless said otherwise; a first one holds for all that there is. What was before keeps its store. */
    fromDay: day.optional(),
    /** 主门店: it stands for the own store from now on; the first that is mapped does so by itself. */
    primary: flag.optional(),
  }),
  output: z.object({ id }),
});

/** The one filter that the list and its summary share. */
const otherStoreFilter = {
  serviceProviderId: id.optional(),
  platform: oneOf(storePlatform).optional(),
  state: oneOf(otherStoreState).optional(),
  merchantId: id.optional(),
  /** A part of the name or of the own store's, or the platform's number. */
  keyword: line(64).optional(),
};
/** The list of the screen, by pages; the old query above answers whole. */
export const listOtherStores = read({
  path: "/api/stores/other-stores",
  title: "其他门店",
  access: "/store/other",
  input: listInput(otherStoreFilter, ["-updatedAt"]),
  output: listOutput(otherStoreRow),
});
export const getOtherStore = read({
  path: "/api/stores/other-stores/:id",
  title: "其他门店详情",
  access: "/store/other",
  input: z.object({ id }),
  output: otherStoreRow,
});
export const summariseOtherStores = read({
  path: "/api/stores/other-stores/summary",
  title: "其他门店合计",
  access: "/store/other",
  input: z.object(otherStoreFilter),
  output: z.object({ perState: z.array(z.object({ state: oneOf(otherStoreState), count: z.int() })) }),
});
