import { z } from "zod";
import { read } from "@zhangfang/contract/endpoint.ts";
import { cents, id, instant, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";

/** The stations of an order's money, in the order in which it passes them. */
export const traceStation = labelled({
  discounts: "下单",
  payment: "付款",
  fee: "手续费",
  refunds: "退款",
  sharing: "分账",
  merchant: "商户所得",
  commissions: "分润",
  subsidy: "补贴",
  member: "会员账户",
  gifts: "赠礼",
  settlement: "结算",
  invoice: "发票",
});
export type TraceStation = CodeOf<typeof traceStation>;

export const traceLine = z.object({
  label: z.string(),
  /** Who bears it, on what day, in which state. */
  note: z.string().nullable(),
  /** Signed as seen by the merchant, of 会员账户 by the member; null where a line only says something. */
  amountCents: cents.nullable(),
  /** What came out before it was rounded to the cent, and what the rounding took or gave. */
  rounding: z.string().nullable(),
  at: instant.nullable(),
});
export const tracePart = z.object({
  station: oneOf(traceStation),
  lines: z.array(traceLine),
  /** What the part comes to, and in which words; null where no money moved in it. */
  sum: z.object({ label: z.string(), amountCents: cents }).nullable(),
});

/** Where the money of an order came from and went; each part by what the caller's level may see. */
export const traceOrder = read({
  path: "/api/orders/pay-orders/:id/trace",
  title: "订单资金去向",
  access: ["/dataCentre/payOrder", "/dataCentre/payRefund", "/dataCentre/refund", "/dataCentre/storeOrder", "/reconciliation/pay"],
  bearsDelay: true,
  input: z.object({ id }),
  output: z.object({
    orderNo: z.string(),
    parts: z.array(tracePart),
    /** Every party with what it put in (negative) or holds; they sum to zero. */
    parties: z.array(z.object({ name: z.string(), note: z.string().nullable(), amountCents: cents })),
  }),
});
