// What exports are called and what the command bar begins: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { dateOf, refundDateOf, refundStatus } from "../../orders/contract/index.ts";
import { paidHowWords } from "../../orders/web/index.ts";
import { carrier, mallStatus } from "../contract/index.ts";

registerExportedList("mall-orders", {
  path: "/reconciliation/pay",
  filters: { dateOf: ["日期按", dateOf], status: ["状态", mallStatus], carrier: ["快递", carrier], product: ["商品"], ...paidHowWords },
});
registerExportedList("mall-refunds", {
  path: "/reconciliation/refund",
  filters: { dateOf: ["日期按", refundDateOf], status: ["状态", refundStatus], product: ["商品"], ...paidHowWords },
});
