import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, dateRange, id, line, listInput, listOutput, oneOf, positiveCents, scopeFilter } from "@zhangfang/contract/fields.ts";
import { refundStatus } from "../../orders/contract/index.ts";
import { previewRefund, refundFilter, refundRow } from "../../orders/contract/refunds.ts";
import { paidHow } from "./orders.ts";
import { soldProduct } from "./product.ts";

const lines = z
  .array(z.object({ lineId: id, amountCents: positiveCents }))
  .min(1, "请填写退款金额")
  .max(51)
  .refine((given) => new Set(given.map(({ lineId }) => lineId)).size === given.length, "同一商品只能填写一次");

/** What giving amounts of lines back would do: how much money they are worth, and what each party gets or gives back of it. */
export const previewMallRefund = read({
  path: "/api/mall/refund-preview",
  title: "商城退款试算",
  access: "/reconciliation/pay/refund",
  verb: "POST",
  input: z.object({ id, lines }),
  output: previewRefund.output,
});

/** Gives amounts of lines back; the money goes the way of every refund. */
export const refundMallLines = write({
  path: "/api/mall/refunds",
  title: "商城退款",
  access: "/reconciliation/pay/refund",
  rate: "money",
  idempotent: "requestId",
  oneAtATime: "id",
  input: z.object({
    requestId: id,
    id,
    lines,
    reason: line(80, 1, "请填写退款原因"),
    refundPassword: z.string().max(32).optional(),
  }),
  output: z.object({ refundId: id, refundNo: z.string(), status: oneOf(refundStatus) }),
});

export const mallRefundRow = refundRow.extend({ mallId: id, mallNo: z.string(), goods: z.string() });
export const mallRefundFilter = {
  ...scopeFilter,
  ...paidHow,
  ...dateRange,
  dateOf: refundFilter.dateOf,
  /** Refunds that name these goods. */
  product: soldProduct.optional(),
  /** A refund, mall or pay number, whole; dates are then ignored. */
  keyword: line(64).optional(),
  status: oneOf(refundStatus).optional(),
};
export const listMallRefunds = read({
  path: "/api/mall/refunds",
  title: "商城退款订单",
  access: "/reconciliation/refund",
  input: listInput(mallRefundFilter, ["-createdAt", "createdAt"]),
  output: listOutput(mallRefundRow),
});
export const summariseMallRefunds = read({
  path: "/api/mall/refunds/summary",
  title: "商城退款合计",
  access: "/reconciliation/refund",
  input: z.object(mallRefundFilter),
  output: z.object({
    count: z.int(),
    amountCents: cents,
    doneCount: z.int(),
    doneCents: cents,
    /** What came back for the goods that the filter names, each once for a refund; null where it names none. */
    goods: z.object({ count: z.int(), doneCents: cents, doneFeeCents: cents }).nullable(),
    perStatus: z.array(z.object({ status: oneOf(refundStatus), count: z.int() })),
  }),
});
export const getMallRefund = read({
  path: "/api/mall/refunds/:id",
  title: "商城退款详情",
  access: "/reconciliation/refund",
  input: z.object({ id }),
  output: mallRefundRow.extend({
    lines: z.array(z.object({ lineId: id, goodsNo: z.string(), name: z.string(), amountCents: cents })),
  }),
});
