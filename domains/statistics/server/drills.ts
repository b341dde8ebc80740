import type { Drill, Span } from "../contract/index.ts";

/** The payments behind a figure: the list by the moment of payment, as the statistics count. */
export const payDrill = (span: Span, more: Readonly<Record<string, string>> = {}): Drill => ({
  path: "/dataCentre/payOrder",
  query: { dateOf: "paid", from: span.from, to: span.to, ...more },
});
/** The refunds that arrived in a span. */
export const refundDrill = (span: Span, more: Readonly<Record<string, string>> = {}): Drill => ({
  path: "/dataCentre/payRefund",
  query: { dateOf: "finished", status: "2", from: span.from, to: span.to, ...more },
});
