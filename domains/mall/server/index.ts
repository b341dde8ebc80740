import { domain } from "@zhangfang/server/calls/domain.ts";
import { createMallOrderRoute } from "./create-mall-order.ts";
import { getMallOrderRoute, revealReceiverRoute, shipMallOrderRoute } from "./get-mall-order.ts";
import { listMallOrdersRoute, summariseMallOrdersRoute } from "./list-mall-orders.ts";
import { getMallRefundRoute, listMallRefundsRoute, summariseMallRefundsRoute } from "./refunds/list-mall-refunds.ts";
import { completeMallOrders, getMallOrderByNoRoute, receiveMallOrderRoute } from "./receive-mall-order.ts";
import { previewMallRefundRoute, refundMallLinesRoute } from "./refunds/refund-mall-lines.ts";
import { mallOrderExport, mallRefundExport } from "./export-mall.ts";
import { shipmentImport } from "./shipping/import-shipments.ts";

import { hearMoney } from "./hear-money.ts";
import { mallTodos } from "./shipping/todos.ts";

export const mall = domain({
  routes: [
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
  ],
  jobs: [completeMallOrders],
  exports: [mallOrderExport, mallRefundExport],
  imports: [shipmentImport],
  hearers: { 商城发货: hearMoney },
  todos: mallTodos,
});
