import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { screen } from "@zhangfang/web/screen.ts";
import { refundStatus } from "../../orders/contract/index.ts";
import { carrier, mallStatus } from "../contract/index.ts";

/** The screens of the mall, each loaded when somebody first opens it. */
export const screens = {
  "mall-pay-order": screen(() => import("./MallOrderList.tsx"), "MallOrderList"),
  "mall-refund-order": screen(() => import("./MallRefundList.tsx"), "MallRefundList"),
};

registerExportedList("mall-orders", { path: "/reconciliation/pay", filters: { status: ["状态", mallStatus], carrier: ["快递", carrier] } });
registerExportedList("mall-refunds", { path: "/reconciliation/refund", filters: { status: ["状态", refundStatus] } });
