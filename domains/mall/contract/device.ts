import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, instant, line, oneOf, positiveCents } from "@zhangfang/contract/fields.ts";
import { pricePart, priceTender, ticket } from "../../pricing/contract.ts";
import { createTillOrder, friendAsk, orderStatus } from "../../orders/contract/index.ts";
import { carrier, mallStatus } from "./codes.ts";

/** The mall's own number of an order; unique in its store, for ever. */
export const mallNo = z.string().regex(/^[0-9A-Za-z_-]{4,48}$/, "商城单号须为 4 至 48 位字母、数字、下划线或短横线");
const amount = z.int("金额须为整数分").min(0).max(999_999_999);

/** What the mall learns of an order. */
export const mallAnswer = z.object({
  mallNo: z.string(),
  orderNo: z.string(),
  mallStatus: oneOf(mallStatus),
  status: oneOf(orderStatus),
  paidCents: cents,
  refundedCents: cents,
  expiresAt: instant,
  codeUrl: z.string().nullable(),
  clientParams: z.record(z.string(), z.string()).nullable(),
  carrier: oneOf(carrier).nullable(),
  trackingNo: z.string().nullable(),
  /** Where a friend pays, where that was asked for. */
  friendUrl: z.string().nullable(),
  message: z.string().nullable(),
  /** Of a member's order: what took something off, and what it is paid with. */
  parts: z.array(pricePart),
  tenders: z.array(priceTender),
});

const wish = z.union([z.literal("most"), amount], "请填写金额，或 most").optional();
/**
 * An order with its goods and its pay order, both or neither. Signed as a till's; the same number with the same body is the same order. With a
 * ticket it is a member's: priced as it is placed, the level by itself, points and stored value as far as they are wished, each within what
 * is there; and what goods the store counts are set aside until it is paid or closed.
 */
export const createMallOrder = write({
  path: "/api/mall/orders",
  title: "商城下单",
  access: "device",
  rate: "money",
  outside: true,
  deadline_ms: 15_000,
  input: z.object({
    mallNo,
    lines: z
      .array(
        z.object({
          goodsNo: line(32, 1, "请填写商品编号"),
          name: line(64, 1, "请填写商品名称"),
          quantity: z.int().min(1).max(9_999),
          unitCents: positiveCents,
          discountCents: amount.default(0),
        }),
      )
      .min(1, "请至少选择一件商品")
      .max(50, "一单最多 50 种商品"),
    deliveryCents: amount.default(0),
    /** The customer as the channel's app knows them; it pays by JSAPI where `inApp` says so, else by a code. */
    buyer: line(128, 1, "请填写下单人"),
    inApp: z.boolean().default(false),
    receiver: z.object({
      name: line(32, 1, "请填写收货人"),
      phone: z.string().regex(/^1\d{10}$/, "请填写 11 位手机号"),
      area: line(64, 1, "请填写省市区"),
      address: line(128, 1, "请填写详细地址"),
    }),
    note: line(100).optional(),
    /** Whose order it is, as identifying them answered it; the mall's own discounts then stay out. */
    ticket: ticket.optional(),
    /** At most so many cents by points, and so many of stored value; or all that may be used. */
    pointsCents: wish,
    storedValueCents: wish,
    /** What the member types where the sum asks for it. */
    pin: createTillOrder.input.shape.pin,
    minutes: friendAsk.minutes,
    /** Somebody else is to pay: the answer brings the link. */
    friend: z.object({ ordererName: friendAsk.ordererName, message: friendAsk.message }).optional(),
  }),
  output: mallAnswer,
});
export const getMallOrderByNo = read({
  path: "/api/mall/orders/:mallNo",
  title: "商城查单",
  access: "device",
  rate: "poll",
  input: z.object({ mallNo }),
  output: mallAnswer,
});
/** The customer has it: 已发货 to 已完成. Repeating it changes nothing. */
export const receiveMallOrder = write({
  path: "/api/mall/orders/receive",
  title: "商城确认收货",
  access: "device",
  input: z.object({ mallNo }),
  output: mallAnswer,
});
