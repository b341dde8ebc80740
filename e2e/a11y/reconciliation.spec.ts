import { test } from "../journey.ts";
import { lookAtLists } from "./look.ts";

// They change nothing: all workers take from it.
test.describe.configure({ mode: "parallel", timeout: 240_000 });
test.use({ contextOptions: { reducedMotion: "reduce" } });

lookAtLists([
  ["对账差异", "sp01", "/reconciliation/bill?view=differences", /api\/reconciliation\/differences/],
  ["商城支付订单", "mch01", "/reconciliation/pay", /api\/mall\/pay-orders/],
  ["商城退款订单", "sp01", "/reconciliation/refund", /api\/mall\/refunds/],
]);
