// What exports are called and what the command bar begins: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { registerActs } from "@zhangfang/web/slots.ts";
import {
  commentStars,
  commentStatus,
  dateOf,
  failedRefunds,
  friendPayState,
  friendPayView,
  orderPurpose,
  orderStatus,
  orderType,
  refundDateOf,
  refundStatus,
  requestState,
  refundType,
  refundOrder,
  handOver,
  decideRefundRequest,
} from "../contract/index.ts";
import { paidHowWords } from "./paid-how-words.ts";

registerExportedList("pay-orders", {
  path: "/dataCentre/payOrder",
  filters: {
    dateOf: ["日期按", dateOf],
    status: ["状态", orderStatus],
    orderType: ["订单类型", orderType],
    purpose: ["用途", orderPurpose],
    ...paidHowWords,
    refunded: ["有退款"],
    cashierId: ["收银员"],
    deviceId: ["设备"],
  },
});
registerExportedList("refunds", {
  path: "/dataCentre/payRefund",
  filters: {
    dateOf: ["日期按", refundDateOf],
    status: ["状态", refundStatus],
    failed: ["失败退款", failedRefunds],
    refundType: ["退款类型", refundType],
    purpose: ["用途", orderPurpose],
    ...paidHowWords,
    cashierId: ["收银员"],
    deviceId: ["设备"],
  },
});
registerExportedList("refund-requests", { path: "/dataCentre/refund", filters: { state: ["状态", requestState] } });
for (const source of ["friend-pay-days", "friend-pay-stores"])
  registerExportedList(source, { path: "/dataCentre/daifu", filters: { view: ["查看", friendPayView] } });
registerExportedList("friend-pays", { path: "/dataCentre/daifu", filters: { state: ["状态", friendPayState] } });
registerExportedList("order-comments", {
  path: "/dataCentre/comment",
  filters: { stars: ["星级", commentStars], status: ["状态", commentStatus], replied: ["已回复"] },
});
registerActs([
  { title: "退款", words: ["退钱", "退单"], of: refundOrder, to: "/dataCentre/payOrder", onThing: "refund" },
  { title: "审批退款", words: ["退款审批", "审核退款"], of: decideRefundRequest, to: "/dataCentre/refund?state=pending" },
  { title: "交班", words: ["交接班", "下班"], of: handOver, to: "/dataCentre/storeOrder" },
]);
