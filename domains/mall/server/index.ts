import type { Route } from "@zhangfang/server/call.ts";
import type { Job } from "@zhangfang/server/jobs.ts";
import { createMallOrderRoute } from "./create-mall-order.ts";
import { getMallOrderRoute, revealReceiverRoute, shipMallOrderRoute } from "./get-mall-order.ts";
import { listMallOrdersRoute, summariseMallOrdersRoute } from "./list-mall-orders.ts";
import { getMallRefundRoute, listMallRefundsRoute, summariseMallRefundsRoute } from "./refunds/list-mall-refunds.ts";
import { completeMallOrders, getMallOrderByNoRoute, receiveMallOrderRoute } from "./receive-mall-order.ts";
import { previewMallRefundRoute, refundMallLinesRoute } from "./refunds/refund-mall-lines.ts";

export { mallOrderExport, mallRefundExport } from "./export-mall.ts";
export { shipmentImport } from "./shipping/import-shipments.ts";
export { hearMoney } from "./hear-money.ts";

export const routes: Route[] = [
  createMallOrderRoute,
  getMallOrderByNoRoute,
  receiveMallOrderRoute,
  listMallOrdersRoute,
  summariseMallOrdersRoute,
  getMallOrderRoute,
  shipMallOrderRoute,
  revealReceiverRoute,
  previewMallRefundRoute,
  refundMallLinesRoute,
  listMallRefundsRoute,
  summariseMallRefundsRoute,
  getMallRefundRoute,
];
export const jobs: Job[] = [completeMallOrders];
