import { z } from "zod";
import { read } from "@zhangfang/contract/endpoint.ts";
import { cents, dateRange, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { discountKind, takenState } from "./codes.ts";

const access = "/ticket/discountRecord";
/** What the list is narrowed by, also for its file. */
export const useFilters = {
  /** The order's number. */
  keyword: line(32).optional(),
  ruleId: id.optional(),
  kind: oneOf(discountKind).optional(),
  state: oneOf(takenState).optional(),
  storeId: id.optional(),
  ...dateRange,
};
/** 优惠记录: each use of a rule. */
export const listDiscountUses = read({
  path: "/api/discounts/uses",
  title: "优惠记录",
  bearsDelay: true,
  access,
  input: listInput(useFilters, ["-at"]),
  output: listOutput(
    z.object({
      id,
      orderId: id,
      orderNo: z.string(),
      ruleId: id,
      ruleName: z.string(),
      kind: oneOf(discountKind),
      state: oneOf(takenState),
      offCents: cents,
      /** What refunds gave back of the order's value. */
      refundedCents: cents,
      grossCents: cents,
      storeName: z.string(),
      memberNo: z.string().nullable(),
      at: instant,
    }),
  ),
});
export const summariseDiscountUses = read({
  path: "/api/discounts/uses/summary",
  title: "优惠记录合计",
  bearsDelay: true,
  access,
  input: z.object(useFilters),
  output: z.object({ count: z.int(), offCents: cents, grossCents: cents }),
});
