import type { Drill, TakingsMetric, ValueMetric } from "../../contract/index.ts";

interface Given {
  readonly drill: { readonly pay: Drill; readonly refund: Drill };
  readonly filter: Readonly<Record<string, string>>;
}
/** What went back stands among the refunds, the rest among the orders; what members' value did has lists of its own. */
export function drillOf(name: TakingsMetric | ValueMetric, { drill, filter }: Given): Drill {
  const narrow = ({ path, query }: Drill, purpose: string): Drill => ({ path, query: { ...query, purpose } });
  const { from = drill.pay.query["from"] ?? "", to = drill.pay.query["to"] ?? "", merchantId, storeId } = filter;
  const nodes = { ...(merchantId && { merchantId }), ...(storeId && { storeId }) };
  switch (name) {
    case "refundCount":
    case "refundCents":
    case "refundFeeCents":
      return drill.refund;
    case "rechargeCents":
      return narrow(drill.pay, "1");
    case "rechargeBackCents":
      return narrow(drill.refund, "1");
    case "cardCents":
      return narrow(drill.pay, "cards");
    case "cardBackCents":
      return narrow(drill.refund, "cards");
    case "consumedCents":
      return { path: "/dataCentre/cardConsumption", query: { from, to, ...nodes } };
    case "timesCents":
      return { path: "/vip-member/timesRecords", query: { from, to, ...nodes } };
    case "balanceCents":
      return { path: "/dataCentre/cardSummary", query: { on: to, ...nodes } };
    default:
      return drill.pay;
  }
}
