import { read, viewsOf } from "@zhangfang/contract/endpoint.ts";
import { cents, id, instant, line, listInput, listOutput, oneOf, scopeFilter } from "@zhangfang/contract/fields.ts";
import { z } from "zod";
import { nodeState } from "../../organisation/contract/index.ts";

const named = z.object({ id, name: z.string() });

/** One store in the list. */
export const storeRow = z.object({
  id,
  number: z.string(),
  name: z.string(),
  shortName: z.string(),
  merchantId: id,
  merchantName: z.string(),
  serviceProviderName: z.string(),
  province: z.string().nullable(),
  city: z.string().nullable(),
  district: z.string().nullable(),
  address: z.string().nullable(),
  /** Masked. */
  phone: z.string().nullable(),
  groups: z.array(named),
  areas: z.array(named),
  /** The week in words. */
  hours: z.string().nullable(),
  deviceCount: z.int(),
  /** Paid less refunded since midnight, and how many payments. */
  todayCents: cents,
  todayCount: z.int(),
  state: oneOf(nodeState),
  createdAt: instant,
});

/** The one filter that the list, its summary and its export share. */
export const storeFilter = {
  ...scopeFilter,
  /** A part of a name, its pinyin, initials or whole, a part of the number, the end of the phone. */
  keyword: line(64).optional(),
  state: oneOf(nodeState).optional(),
  province: line(32).optional(),
  city: line(32).optional(),
  groupId: id.optional(),
  areaId: id.optional(),
};

export const listStoreRows = read({
  path: "/api/stores",
  title: "门店",
  access: "/store/store",
  input: listInput(storeFilter, ["-createdAt", "createdAt"]),
  output: listOutput(storeRow),
});
export const storeViews = viewsOf(listStoreRows, {
  open: ["启用的门店", { state: "active" }],
  closed: ["停用的门店", { state: "disabled" }],
  oldest: ["启用的门店，最早新建在前", { state: "active" }, null, "createdAt"],
});
/** Counts over the whole filter; those of the tabs leave the state out. */
export const summariseStores = read({
  path: "/api/stores/summary",
  title: "门店合计",
  access: "/store/store",
  input: z.object(storeFilter),
  output: z.object({
    count: z.int(),
    perState: z.array(z.object({ state: oneOf(nodeState), count: z.int() })),
    todayCents: cents,
    todayCount: z.int(),
  }),
});
/** Groups and areas of a merchant, for filters; without `merchantId` those of one's own merchant. */
export const listStoreChoices = read({
  path: "/api/stores/choices",
  title: "门店分组与区域选项",
  access: "/store/store",
  input: z.object({ merchantId: id.optional() }),
  output: z.object({ groups: z.array(named), areas: z.array(named) }),
});
