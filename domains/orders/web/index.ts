import { lazy } from "react";
import { screen } from "@zhangfang/web/screen.ts";

/** The screens of orders, refunds and takings, each loaded when somebody first opens it. */
export const screens = {
  "pay-order-page": screen(() => import("./pay-orders/PayOrderList.tsx"), "PayOrderList"),
  "pay-refund-order-page": screen(() => import("./refunds/RefundList.tsx"), "RefundList"),
  "refund-order": screen(() => import("./refunds/requests/RefundRequestList.tsx"), "RefundRequestList"),
  "order-comment": screen(() => import("./comments/CommentScreen.tsx"), "CommentScreen"),
  "daifu-order-statistics": screen(() => import("./friend-pays/DaifuScreen.tsx"), "DaifuScreen"),
  "pay-store-order": screen(() => import("./takings/StoreTakings.tsx"), "StoreTakings"),
};

export { QuickReasons } from "./refunds/form/QuickReasons.tsx";
export { refundWords } from "./refunds/refund-words.ts";
export { RefundActs } from "./refunds/RefundActs.tsx";
export { RefundedBefore } from "./refunds/form/RefundedBefore.tsx";
/** 资金去向, 退款试算 and 退款结果 for whoever has orders and refunds of its own; each loaded where it is first shown. */
export const MoneyTrace = lazy(async () => ({ default: (await import("./trace/MoneyTrace.tsx")).MoneyTrace }));
export const RefundResult = lazy(async () => ({ default: (await import("./refunds/form/RefundResult.tsx")).RefundResult }));
export const RefundPreview = lazy(async () => ({ default: (await import("./refunds/form/RefundPreview.tsx")).RefundPreview }));
export { paidHowWords } from "./paid-how-words.ts";
export { PaidHowFilters } from "./PaidHowFilters.tsx";
export { WhichMoment } from "./WhichMoment.tsx";
