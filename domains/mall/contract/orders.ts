import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, dateRange, id, instant, line, listInput, listOutput, oneOf, queryCents, scopeFilter } from "@zhangfang/contract/fields.ts";
import { payTool } from "../../channels/contract.ts";
import { orderEvent, orderStatus } from "../../orders/contract/index.ts";
import { refundRow } from "../../orders/contract/refunds.ts";
import { payOrderFilter } from "../../orders/contract/pay-orders.ts";
import { carrier, mallStatus } from "./codes.ts";
import { soldProduct } from "./product.ts";

export const mallOrderRow = z.object({
  id,
  mallNo: z.string(),
  orderId: id,
  orderNo: z.string(),
  merchantName: z.string(),
  storeName: z.string(),
  /** The goods in one line. */
  goods: z.string(),
  quantity: z.int(),
  goodsCents: cents,
  deliveryCents: cents,
  discountCents: cents,
  /** What stored value pays of it. */
  storedCents: cents,
  /** Zero until it is paid. */
  paidCents: cents,
  refundedCents: cents,
  refundingCents: cents,
  status: oneOf(mallStatus),
  payStatus: oneOf(orderStatus),
  /** All of them masked. */
  buyer: z.string(),
  receiverName: z.string(),
  receiverPhone: z.string(),
  receiverArea: z.string(),
  carrier: oneOf(carrier).nullable(),
  trackingNo: z.string().nullable(),
  createdAt: instant,
  paidAt: instant.nullable(),
  shippedAt: instant.nullable(),
  completedAt: instant.nullable(),
  /** The caller may send it or correct where it is. */
  shippable: z.boolean(),
  /** The caller may give something back. */
  refundable: z.boolean(),
});

const { channel, tool, payMethod, wallet, way, tradeType, cashierId, deviceId, hour, weekday, lacking } = payOrderFilter;
/** How an order was paid and by whom it was rung up, as the lists of pay orders say it. */
export const paidHow = { channel, tool, payMethod, wallet, way, tradeType, cashierId, deviceId, hour, weekday, lacking };
/** The one filter that the list, its sums and its export share. */
export const mallOrderFilter = {
  ...scopeFilter,
  ...paidHow,
  ...dateRange,
  dateOf: payOrderFilter.dateOf,
  /** Orders of these goods. */
  product: soldProduct.optional(),
  /** A mall, pay, or tracking number, whole; dates are then ignored. */
  keyword: line(64).optional(),
  status: oneOf(mallStatus).optional(),
  carrier: oneOf(carrier).optional(),
  minCents: queryCents.optional(),
  maxCents: queryCents.optional(),
};
export const listMallOrders = read({
  path: "/api/mall/pay-orders",
  title: "商城支付订单",
  access: "/reconciliation/pay",
  input: listInput(mallOrderFilter, ["-createdAt", "createdAt"]),
  output: listOutput(mallOrderRow),
});
/** Over the whole filter; amounts are those of paid orders, the counts by status leave the status out. */
export const summariseMallOrders = read({
  path: "/api/mall/pay-orders/summary",
  title: "商城支付订单合计",
  access: "/reconciliation/pay",
  input: z.object(mallOrderFilter),
  output: z.object({
    count: z.int(),
    paidCount: z.int(),
    goodsCents: cents,
    deliveryCents: cents,
    discountCents: cents,
    storedCents: cents,
    paidCents: cents,
    refundedCents: cents,
    /** What the goods that the filter names make of it, each once for an order; null where it names none. */
    goods: z.object({ count: z.int(), grossCents: cents, discountCents: cents, paidCents: cents, feeCents: cents }).nullable(),
    perStatus: z.array(z.object({ status: oneOf(mallStatus), count: z.int() })),
  }),
});
export const mallLine = z.object({
  id,
  goodsNo: z.string(),
  name: z.string(),
  quantity: z.int(),
  unitCents: cents,
  discountCents: cents,
  amountCents: cents,
  /** Given back or on its way back. */
  takenCents: cents,
  /** What may still be given back of it. */
  leftCents: cents,
});
export const getMallOrder = read({
  path: "/api/mall/pay-orders/:id",
  title: "商城订单详情",
  access: ["/reconciliation/pay", "/reconciliation/refund"],
  input: z.object({ id }),
  output: mallOrderRow.extend({
    note: z.string().nullable(),
    shippedBy: z.string().nullable(),
    closedAt: instant.nullable(),
    expiresAt: instant,
    tool: oneOf(payTool),
    lines: z.array(mallLine),
    events: z.array(orderEvent),
    refunds: z.array(refundRow),
    /** The merchant's refund password is asked for. */
    needsPassword: z.boolean(),
  }),
});

/** Sends the goods, or corrects where they are while they are on their way. */
export const shipMallOrder = write({
  path: "/api/mall/pay-orders/ship",
  title: "商城发货",
  access: "/reconciliation/pay/ship",
  input: z.object({ id, carrier: oneOf(carrier), trackingNo: z.string().regex(/^[0-9A-Za-z-]{4,32}$/, "请填写 4 至 32 位快递单号") }),
  output: z.object({ status: oneOf(mallStatus) }),
});
/** Name, phone and address in full; each look is written down. */
export const revealReceiver = write({
  path: "/api/mall/pay-orders/receiver",
  title: "查看收货信息",
  access: "/reconciliation/pay/receiver",
  input: z.object({ id }),
  output: z.object({ name: z.string(), phone: z.string(), area: z.string(), address: z.string() }),
});
