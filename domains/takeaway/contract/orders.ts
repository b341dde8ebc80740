import { z } from "zod";
import { read } from "@zhangfang/contract/endpoint.ts";
import { cents, dateRange, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { takeawayDay, takeawayPart, takeawayPlatform, takeawaySource, takeawayStatus } from "./codes.ts";

const access = "/dataCentre/takeaway";
/** What the list is narrowed by, also for its file and behind each figure. */
export const takeawayFilters = {
  /** The platform's order number, or with days the number of the day. */
  keyword: line(64).optional(),
  platform: oneOf(takeawayPlatform).optional(),
  status: oneOf(takeawayStatus).optional(),
  part: oneOf(takeawayPart).optional(),
  merchantId: id.optional(),
  storeId: id.optional(),
  /** `none`: orders of platform stores that are mapped to none of ours. */
  mapped: z.enum(["none"]).optional(),
  dayOf: oneOf(takeawayDay).default("placed"),
  ...dateRange,
};
export const takeawayMoney = {
  originalCents: cents,
  packageCents: cents,
  deliveryCents: cents,
  /** 商家活动 and 平台活动: what each bore of what came off. */
  shopOffCents: cents,
  platformOffCents: cents,
  paidCents: cents,
  feeCents: cents,
  incomeCents: cents,
  refundCents: cents,
};
const row = z.object({
  id,
  platform: oneOf(takeawayPlatform),
  platformOrderId: z.string(),
  dayNo: z.string(),
  status: oneOf(takeawayStatus),
  merchantName: z.string(),
  storeName: z.string().nullable(),
  platformStoreName: z.string(),
  ...takeawayMoney,
  /** Income less what the shop bears of refunds. */
  netCents: cents,
  /** The platform's income is unlike its own parts. */
  odd: z.boolean(),
  placedAt: instant,
  completedAt: instant.nullable(),
});
/** 外卖订单: what stands behind the figures. */
export const listTakeawayOrders = read({
  path: "/api/takeaway/orders",
  title: "外卖订单",
  access,
  input: listInput(takeawayFilters, ["-placedAt"]),
  output: listOutput(row),
});
export const getTakeawayOrder = read({
  path: "/api/takeaway/order",
  title: "外卖订单详情",
  access,
  input: z.object({ id }),
  output: row.extend({
    shopRefundCents: cents,
    /** Income out of its parts; null where the platform does not tell them all. */
    partsCents: cents.nullable(),
    source: oneOf(takeawaySource),
    platformStoreId: z.string(),
    changedAt: instant,
    lines: z.array(z.object({ name: z.string(), count: z.int(), cents })),
  }),
});
