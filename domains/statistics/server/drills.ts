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
/** The merchants behind the figures of a span, and the devices that are there now. */
export const standingDrills = ({
  from,
  to,
}: Span): { readonly total: Drill; readonly new: Drill; readonly active: Drill; readonly online: Drill } => ({
  total: { path: MERCHANTS, query: { to } },
  new: { path: MERCHANTS, query: { from, to } },
  active: { path: MERCHANTS, query: { activeFrom: from, activeTo: to } },
  online: { path: "/device/list", query: { online: "1", state: "active" } },
});
const MERCHANTS = "/merchants/merchants";
/** The refunds that arrived in a span. */
export const refundDrill = (span: Span, more: Readonly<Record<string, string>> = {}): Drill => ({
  path: "/dataCentre/payRefund",
  query: { dateOf: "finished", status: "2", from: span.from, to: span.to, ...more },
});
