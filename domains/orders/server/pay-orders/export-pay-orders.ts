import { sql } from "kysely";
import { countAll } from "@zhangfang/server/keyset.ts";
import type { ExportColumn, ExportRow, ExportSource } from "@zhangfang/server/export-source.ts";
import { payChannel, payMethod, payTool } from "../../../channels/contract.ts";
import { orderStatus, orderType, tradeType } from "../../contract/codes.ts";
import { readByCursor } from "@zhangfang/server/read-by-cursor.ts";
import { payOrderColumns, payOrderNames, type PayOrderFound } from "./pay-order-columns.ts";
import { payOrderInput, payOrdersWhere } from "./pay-order-filter.ts";

const columns: readonly ExportColumn[] = [
  { key: "orderNo", label: "订单号", kind: "text", width: 28 },
  { key: "tillNo", label: "收银单号", kind: "text", width: 20 },
  { key: "channelNo", label: "渠道单号", kind: "text", width: 32 },
  { key: "orderType", label: "订单类型", kind: "code", width: 10 },
  { key: "subject", label: "商品", kind: "text", width: 20 },
  { key: "merchantName", label: "商户", kind: "text", width: 18 },
  { key: "storeName", label: "门店", kind: "text", width: 18 },
  { key: "deviceName", label: "设备", kind: "text", width: 14 },
  { key: "cashierName", label: "收银员", kind: "text", width: 12 },
  { key: "payer", label: "付款人", kind: "text", width: 14 },
  { key: "grossCents", label: "订单金额", kind: "money", width: 12 },
  { key: "couponCents", label: "优惠券", kind: "money", width: 12 },
  { key: "pointsCents", label: "积分抵扣", kind: "money", width: 12 },
  { key: "storedValueCents", label: "储值抵扣", kind: "money", width: 12 },
  { key: "discountCents", label: "优惠", kind: "money", width: 12 },
  { key: "paidCents", label: "实收", kind: "money", width: 12 },
  { key: "feeCents", label: "手续费", kind: "money", width: 12 },
  { key: "refundedCents", label: "已退款", kind: "money", width: 12 },
  { key: "refundingCents", label: "退款中", kind: "money", width: 12 },
  { key: "channel", label: "支付渠道", kind: "code", width: 12 },
  { key: "tool", label: "支付工具", kind: "code", width: 14 },
  { key: "payMethod", label: "支付方式", kind: "code", width: 12 },
  { key: "tradeType", label: "交易类型", kind: "code", width: 18 },
  { key: "status", label: "状态", kind: "code", width: 10 },
  { key: "createdAt", label: "下单时间", kind: "time", width: 20 },
  { key: "paidAt", label: "支付时间", kind: "time", width: 20 },
];

/** The list of pay orders as a file: its filter, its rows, in its order, codes as their labels. */
export const payOrderExport: ExportSource<typeof payOrderInput> = {
  name: "pay-orders",
  title: "支付订单",
  access: "/dataCentre/payOrder/export",
  input: payOrderInput,
  columns,
  count: (tx, scope, filter) => countAll(tx, sql`pay_orders o where ${payOrdersWhere(scope, filter)}`),
  async *rows(tx, scope, filter) {
    const query = sql<PayOrderFound>`select ${payOrderColumns} from pay_orders o ${payOrderNames} where ${payOrdersWhere(scope, filter)} order by o.created_at desc, o.id desc`;
    for await (const batch of readByCursor(tx, { compile: () => query.compile(tx) })) yield batch.map(cellsOf);
  },
};
/** The found row with codes as their labels; it is nobody else's, so it isn't copied. */
function cellsOf(row: PayOrderFound): ExportRow {
  const cells = row as unknown as Record<string, string | number | null>;
  // A discount that nobody came to take is none: the column adds up to the sum over the list.
  if (row.paidAt === null) for (const key of ["discountCents", "couponCents", "pointsCents", "storedValueCents"]) cells[key] = 0;
  cells["orderType"] = orderType.label(row.orderType);
  cells["channel"] = payChannel.label(row.channel);
  cells["tool"] = payTool.label(row.tool);
  cells["payMethod"] = payMethod.label(row.payMethod);
  cells["tradeType"] = tradeType.label(row.tradeType);
  cells["status"] = orderStatus.label(row.status);
  return cells;
}
