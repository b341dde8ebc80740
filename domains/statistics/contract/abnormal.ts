import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, day, done, id, instant, line, listInput, listOutput, oneOf, scopeFilter } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";

export const abnormalReason = labelled({ 1: "无订单", 2: "交易骤降", 3: "退款率高", 4: "设备离线" });
export const abnormalStatus = labelled({ 0: ["待处理", "bad"], 1: ["已处理", "good"], 2: ["已恢复", "ended"] });
/** A week with fewer orders than this, on average, says nothing by falling. */
export const FEWEST_OF_A_WEEK = 10;
/** So many orders are needed in a week before a rate of refunds means anything. */
export const FEWEST_FOR_A_RATE = 20;

/** What was found; each reason has its own figures, the others are null. */
const facts = z.object({
  /** Whole days without an order, and the day of the last one; null where there never was one. */
  days: z.int().nullable(),
  lastDay: day.nullable(),
  /** Takings of the last 7 days, and the mean of the 4 weeks before. */
  weekCents: cents.nullable(),
  meanCents: cents.nullable(),
  refunds: z.int().nullable(),
  orders: z.int().nullable(),
  offline: z.int().nullable(),
  devices: z.int().nullable(),
});
export type AbnormalFacts = z.output<typeof facts>;
export const abnormalStore = z.object({
  id,
  storeId: id,
  storeName: z.string(),
  merchantName: z.string(),
  serviceProviderName: z.string(),
  salesmanName: z.string().nullable(),
  reason: oneOf(abnormalReason),
  facts,
  since: day,
  status: oneOf(abnormalStatus),
  foundAt: instant,
  handledAt: instant.nullable(),
  handledBy: z.string().nullable(),
  note: z.string().nullable(),
});
export const abnormalFilter = {
  serviceProviderId: scopeFilter.serviceProviderId,
  agentId: scopeFilter.agentId,
  businessTeamId: scopeFilter.businessTeamId,
  merchantId: scopeFilter.merchantId,
  reason: oneOf(abnormalReason).optional(),
  status: oneOf(abnormalStatus).optional(),
  /** A part of the store's name. */
  keyword: line(64).optional(),
};
export const listAbnormalStores = read({
  path: "/api/statistics/abnormal-stores",
  title: "异常门店",
  access: "/store/abnormal",
  bearsDelay: true,
  input: listInput(abnormalFilter, ["-foundAt", "foundAt"]),
  output: listOutput(abnormalStore),
});
export const getAbnormalStore = read({
  path: "/api/statistics/abnormal-stores/:id",
  title: "异常门店详情",
  access: "/store/abnormal",
  input: z.object({ id }),
  output: abnormalStore,
});
export const summariseAbnormalStores = read({
  path: "/api/statistics/abnormal-stores/summary",
  title: "异常门店合计",
  access: "/store/abnormal",
  bearsDelay: true,
  input: z.object(abnormalFilter),
  output: z.object({ perStatus: z.array(z.object({ status: oneOf(abnormalStatus), count: z.int() })) }),
});
/** 待处理 → 已处理, all of them or none. While it goes on, it is not found again. */
export const handleAbnormalStores = write({
  path: "/api/statistics/abnormal-stores/handle",
  title: "处理异常门店",
  access: "/store/abnormal/handle",
  input: z.object({ ids: z.array(id).min(1, "请选择门店").max(200, "一次最多 200 条"), note: line(200, 1, "请填写处理说明") }),
  output: z.object({ handled: z.int() }),
});
/** 已处理 → 待处理. */
export const reopenAbnormalStore = write({
  path: "/api/statistics/abnormal-stores/reopen",
  title: "撤销处理异常门店",
  access: "/store/abnormal/handle",
  input: z.object({ id }),
  output: done,
});

const percent = (least: number, most: number) => z.int("须为整数").min(least, `不小于 ${least}`).max(most, `不大于 ${most}`);
const limits = {
  /** Whole days without an order. */
  silentDays: percent(1, 60),
  /** So many percent below the mean of the 4 weeks before. */
  dropPercent: percent(10, 95),
  refundPercent: percent(1, 100),
  offlineHours: percent(1, 720),
};
const ofProvider = { serviceProviderId: id.optional() };
/** The limits of a provider: the caller's own, or for the platform a named one's. */
export const getAbnormalLimits = read({
  path: "/api/statistics/abnormal-limits",
  title: "异常门店条件",
  access: "/store/abnormal/limits",
  input: z.object(ofProvider),
  output: z.object({ ...limits, version: z.int() }),
});
/** Holds from the next morning on. */
export const setAbnormalLimits = write({
  path: "/api/statistics/abnormal-limits/set",
  title: "设置异常门店条件",
  access: "/store/abnormal/limits",
  input: z.object({ ...ofProvider, version: z.int().min(0), ...limits }),
  output: done,
});
