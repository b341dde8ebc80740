// The pure rules, for the model that walks those of all rooms together.
export { planRefund, type RefundFacts } from "../refunds/refund-rules.ts";
