import { exportColumn, fileOf, type ExportRow, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { channelName, payWallet, payWay, walletOf, wayOf } from "../../../channels/contract.ts";
import { orderStatus, orderType, tradeType } from "../../contract/codes.ts";
import { payOrdersListed } from "./list-pay-orders.ts";
import type { PayOrderFound } from "./pay-order-columns.ts";
import { payOrderInput } from "./pay-order-filter.ts";

/** The list of pay orders as a file: its filter, its rows, in its order, codes as their labels. */
export const payOrderExport: ExportSource<typeof payOrderInput> = {
  name: "pay-orders",
  title: "支付订单",
  access: "/dataCentre/payOrder/export",
  input: payOrderInput,
  columns: [
    exportColumn("orderNo", "订单号", 28),
    exportColumn("tillNo", "收银单号", 20),
    exportColumn("channelNo", "通道单号", 32),
    exportColumn("orderType", "订单类型", 10, "code"),
    exportColumn("subject", "商品", 20),
    exportColumn("merchantName", "商户", 18),
    exportColumn("storeName", "门店", 18),
    exportColumn("deviceName", "设备", 14),
    exportColumn("cashierName", "收银员", 12),
    exportColumn("memberNo", "会员号", 14),
    exportColumn("payer", "付款人", 14),
    exportColumn("grossCents", "订单金额", 12, "money"),
    exportColumn("voucherCents", "平台券", 12, "money"),
    exportColumn("couponCents", "优惠券", 12, "money"),
    exportColumn("pointsCents", "积分抵扣", 12, "money"),
    exportColumn("storedValueCents", "储值支付", 12, "money"),
    exportColumn("discountCents", "优惠", 12, "money"),
    exportColumn("paidCents", "实收", 12, "money"),
    exportColumn("feeCents", "手续费", 12, "money"),
    exportColumn("refundedCents", "已退款", 12, "money"),
    exportColumn("refundingCents", "退款中", 12, "money"),
    exportColumn("tool", "钱包", 12, "code"),
    exportColumn("payMethod", "收款方式", 12, "code"),
    exportColumn("channel", "通道", 14, "code"),
    exportColumn("tradeType", "交易类型", 18, "code"),
    exportColumn("status", "状态", 10, "code"),
    exportColumn("createdAt", "下单时间", 20, "time"),
    exportColumn("paidAt", "支付时间", 20, "time"),
  ],
  ...fileOf(payOrdersListed, cellsOf),
};
/** The found row with codes as their labels; it is nobody else's, so it isn't copied. */
function cellsOf(row: PayOrderFound): ExportRow {
  const cells = row as unknown as Record<string, string | number | null>;
  // A discount that nobody came to take is none: the column adds up to the sum over the list.
  if (row.paidAt === null)
    for (const key of ["discountCents", "voucherCents", "couponCents", "pointsCents", "storedValueCents"]) cells[key] = 0;
  cells["orderType"] = orderType.label(row.orderType);
  // From the row's own codes, before the cells take their places.
  const words = [
    payWallet.label(walletOf(row.tool)),
    payWay.label(wayOf(row.tool, row.payMethod)),
    channelName(row.channel, walletOf(row.tool)),
  ] as const;
  [cells["tool"], cells["payMethod"], cells["channel"]] = words;
  cells["tradeType"] = tradeType.label(row.tradeType);
  cells["status"] = orderStatus.label(row.status);
  return cells;
}
