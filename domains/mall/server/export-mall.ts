import { sql } from "kysely";
import { countAll } from "@zhangfang/server/keyset.ts";
import type { ExportColumn, ExportSource } from "@zhangfang/server/export-source.ts";
import { readByCursor } from "@zhangfang/server/read-by-cursor.ts";
import { refundStatus, refundType } from "../../orders/contract/index.ts";
import { carrier, mallStatus } from "../contract/index.ts";
import { mallRefundColumns, mallRefundFrom, mallRefundInput, mallRefundsWhere, type MallRefundFound } from "./refunds/list-mall-refunds.ts";
import { mallColumns, mallFrom, mallOrderInput, mallOrdersWhere, type MallFound } from "./mall-columns.ts";

const text = (key: string, label: string, width: number): ExportColumn => ({ key, label, kind: "text", width });
const money = (key: string, label: string): ExportColumn => ({ key, label, kind: "money", width: 12 });
const time = (key: string, label: string): ExportColumn => ({ key, label, kind: "time", width: 20 });
const code = (key: string, label: string): ExportColumn => ({ key, label, kind: "code", width: 12 });

/** The mall's orders as a file: the list's filter, its rows, in its order; receivers as masked as on the screen. */
export const mallOrderExport: ExportSource<typeof mallOrderInput> = {
  name: "mall-orders",
  title: "商城支付订单",
  access: "/reconciliation/pay/export",
  input: mallOrderInput,
  columns: [
    text("mallNo", "商城单号", 26),
    text("orderNo", "支付单号", 28),
    text("merchantName", "商户", 18),
    text("storeName", "门店", 18),
    text("goods", "商品", 28),
    { key: "quantity", label: "件数", kind: "count", width: 8 },
    money("goodsCents", "商品金额"),
    money("deliveryCents", "运费"),
    money("discountCents", "优惠"),
    money("paidCents", "实收"),
    money("refundedCents", "已退款"),
    code("status", "状态"),
    text("buyer", "下单人", 16),
    text("receiverName", "收货人", 10),
    text("receiverPhone", "收货电话", 14),
    text("receiverArea", "收货地区", 24),
    code("carrier", "快递公司"),
    text("trackingNo", "快递单号", 22),
    time("createdAt", "下单时间"),
    time("paidAt", "支付时间"),
    time("shippedAt", "发货时间"),
    time("completedAt", "完成时间"),
  ],
  count: (tx, scope, filter) => countAll(tx, sql`${mallFrom} where ${mallOrdersWhere(scope, filter)}`),
  async *rows(tx, scope, filter) {
    const query = sql<MallFound>`select ${mallColumns} from ${mallFrom} where ${mallOrdersWhere(scope, filter)} order by x.created_at desc, x.id desc`;
    for await (const batch of readByCursor(tx, { compile: () => query.compile(tx) }))
      yield batch.map((row) => ({ ...row, status: mallStatus.label(row.status), carrier: row.carrier && carrier.label(row.carrier) }));
  },
};

/** The mall's refunds as a file. */
export const mallRefundExport: ExportSource<typeof mallRefundInput> = {
  name: "mall-refunds",
  title: "商城退款订单",
  access: "/reconciliation/refund/export",
  input: mallRefundInput,
  columns: [
    text("refundNo", "退款单号", 28),
    text("mallNo", "商城单号", 26),
    text("orderNo", "支付单号", 28),
    text("merchantName", "商户", 18),
    text("storeName", "门店", 18),
    text("goods", "商品", 28),
    money("amountCents", "退款金额"),
    code("refundType", "退款类型"),
    code("status", "状态"),
    text("reason", "原因", 24),
    text("requestedByName", "申请人", 14),
    time("createdAt", "申请时间"),
    time("finishedAt", "完成时间"),
  ],
  count: (tx, scope, filter) => countAll(tx, sql`${mallRefundFrom} where ${mallRefundsWhere(scope, filter)}`),
  async *rows(tx, scope, filter) {
    const query = sql<MallRefundFound>`select ${mallRefundColumns} from ${mallRefundFrom} where ${mallRefundsWhere(scope, filter)} order by r.created_at desc, r.id desc`;
    for await (const batch of readByCursor(tx, { compile: () => query.compile(tx) }))
      yield batch.map((row) => ({ ...row, status: refundStatus.label(row.status), refundType: refundType.label(row.refundType) }));
  },
};
