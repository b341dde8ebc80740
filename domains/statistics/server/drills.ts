import type { Drill, Span } from "../contract/index.ts";

/** The payments behind a figure: the list by the moment of payment, as the statistics count. */
export const payDrill = (span: Span, more: Readonly<Record<string, string>> = {}): Drill => ({
  path: "/dataCentre/payOrder",
  query: { dateOf: "paid", from: span.from, to: span.to, ...more },
});
/** The mall's orders of some goods by the moment of payment, and its refunds that name them. `product` may be "all". */
export const goodsDrills = (span: Span, more: Readonly<Record<string, string>>): { readonly pay: Drill; readonly refund: Drill } => ({
  pay: { path: "/reconciliation/pay", query: { ...payDrill(span, more).query } },
  refund: { path: "/reconciliation/refund", query: { ...refundDrill(span, more).query } },
});
/** The refunds that arrived in a span. */
export const refundDrill = (span: Span, more: Readonly<Record<string, string>> = {}): Drill => ({
  path: "/dataCentre/payRefund",
  query: { dateOf: "finished", status: "2", from: span.from, to: span.to, ...more },
});
