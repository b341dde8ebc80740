import { screen } from "@zhangfang/web/screen.ts";
import { registerFinder } from "@zhangfang/web/slots.ts";
import { orderFinder } from "./find-orders.ts";

/** The screens of orders, refunds and takings, each loaded when somebody first opens it. */
export const screens = {
  "pay-order-page": screen(() => import("./pay-orders/PayOrderList.tsx"), "PayOrderList"),
  "pay-refund-order-page": screen(() => import("./refunds/RefundList.tsx"), "RefundList"),
  "refund-order": screen(() => import("./refunds/RefundRequestList.tsx"), "RefundRequestList"),
  "pay-store-order": screen(() => import("./takings/StoreTakings.tsx"), "StoreTakings"),
};

registerFinder(orderFinder);
