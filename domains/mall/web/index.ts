import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { screen } from "@zhangfang/web/screen.ts";
import { dateOf, refundDateOf, refundStatus } from "../../orders/contract/index.ts";
import { paidHowWords } from "../../orders/web/index.ts";
import { carrier, mallStatus } from "../contract/index.ts";

/** The screens of the mall, each loaded when somebody first opens it. */
export const screens = {
  "mall-pay-order": screen(() => import("./MallOrderList.tsx"), "MallOrderList"),
  "mall-refund-order": screen(() => import("./MallRefundList.tsx"), "MallRefundList"),
};

export { ProductFilter } from "./ProductFilter.tsx";

registerExportedList("mall-orders", {
  path: "/reconciliation/pay",
  filters: { dateOf: ["日期按", dateOf], status: ["状态", mallStatus], carrier: ["快递", carrier], product: ["商品"], ...paidHowWords },
});
registerExportedList("mall-refunds", {
  path: "/reconciliation/refund",
  filters: { dateOf: ["日期按", refundDateOf], status: ["状态", refundStatus], product: ["商品"], ...paidHowWords },
});
