import { exportColumn, fileOf, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { refundStatus, refundType } from "../../orders/contract/index.ts";
import { carrier, mallStatus } from "../contract/index.ts";
import { mallRefundInput, mallRefundsListed, type MallRefundFound } from "./refunds/list-mall-refunds.ts";
import { mallOrdersListed } from "./list-mall-orders.ts";
import { mallOrderInput, type MallFound } from "./mall-columns.ts";

/** The mall's orders as a file: the list's filter, its rows, in its order; receivers as masked as on the screen. */
export const mallOrderExport: ExportSource<typeof mallOrderInput> = {
  name: "mall-orders",
  title: "商城支付订单",
  access: "/reconciliation/pay/export",
  input: mallOrderInput,
  columns: [
    exportColumn("mallNo", "商城单号", 26),
    exportColumn("orderNo", "支付单号", 28),
    exportColumn("merchantName", "商户", 18),
    exportColumn("storeName", "门店", 18),
    exportColumn("goods", "商品", 28),
    exportColumn("quantity", "件数", 8, "count"),
    exportColumn("goodsCents", "商品金额", 12, "money"),
    exportColumn("deliveryCents", "运费", 12, "money"),
    exportColumn("discountCents", "优惠", 12, "money"),
    exportColumn("storedCents", "储值支付", 12, "money"),
    exportColumn("paidCents", "实收", 12, "money"),
    exportColumn("refundedCents", "已退款", 12, "money"),
    exportColumn("status", "状态", 12, "code"),
    exportColumn("buyer", "下单人", 16),
    exportColumn("receiverName", "收货人", 10),
    exportColumn("receiverPhone", "收货电话", 14),
    exportColumn("receiverArea", "收货地区", 24),
    exportColumn("carrier", "快递公司", 12, "code"),
    exportColumn("trackingNo", "快递单号", 22),
    exportColumn("createdAt", "下单时间", 20, "time"),
    exportColumn("paidAt", "支付时间", 20, "time"),
    exportColumn("shippedAt", "发货时间", 20, "time"),
    exportColumn("completedAt", "完成时间", 20, "time"),
  ],
  ...fileOf(mallOrdersListed, (row: MallFound) => ({
    ...row,
    status: mallStatus.label(row.status),
    carrier: row.carrier && carrier.label(row.carrier),
  })),
};

/** The mall's refunds as a file. */
export const mallRefundExport: ExportSource<typeof mallRefundInput> = {
  name: "mall-refunds",
  title: "商城退款订单",
  access: "/reconciliation/refund/export",
  input: mallRefundInput,
  columns: [
    exportColumn("refundNo", "退款单号", 28),
    exportColumn("mallNo", "商城单号", 26),
    exportColumn("orderNo", "支付单号", 28),
    exportColumn("merchantName", "商户", 18),
    exportColumn("storeName", "门店", 18),
    exportColumn("goods", "商品", 28),
    exportColumn("amountCents", "退款金额", 12, "money"),
    exportColumn("refundType", "退款类型", 12, "code"),
    exportColumn("status", "状态", 12, "code"),
    exportColumn("reason", "原因", 24),
    exportColumn("requestedByName", "申请人", 14),
    exportColumn("createdAt", "申请时间", 20, "time"),
    exportColumn("finishedAt", "完成时间", 20, "time"),
  ],
  ...fileOf(mallRefundsListed, (row: MallRefundFound) => ({
    ...row,
    status: refundStatus.label(row.status),
    refundType: refundType.label(row.refundType),
  })),
};
