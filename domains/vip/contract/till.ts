import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, day, id, instant, oneOf } from "@zhangfang/contract/fields.ts";
import { createTillOrder } from "../../orders/contract/index.ts";
import { ticket } from "../../pricing/contract.ts";
import { timesCardStatus } from "./codes.ts";

/** How a till is paid for something, as for an order. */
const paying = createTillOrder.input
  .pick({ tillNo: true, tradeType: true, wallet: true, authCode: true, face: true, openId: true, cashierCode: true })
  .extend({ ticket });
const pin = createTillOrder.input.shape.pin;

/** What this till's store sells: levels, and times cards. */
export const getTillOffers = read({
  path: "/api/till/vip/offers",
  title: "收银可售会员商品",
  access: "device",
  input: z.object({}),
  output: z.object({
    levels: z.array(z.object({ rank: z.int(), name: z.string(), priceCents: cents, months: z.int() })),
    timesProducts: z.array(
      z.object({ id: z.string(), name: z.string(), times: z.int(), giftTimes: z.int(), priceCents: cents, days: z.int() }),
    ),
  }),
});
/** 收银开通VIP. */
export const sellTermAtTill = write({
  path: "/api/till/vip/orders",
  title: "收银开通VIP",
  access: "device",
  rate: "money",
  outside: true,
  deadline_ms: 15_000,
  input: paying.extend({ rank: z.int("请选择等级").min(1, "请选择等级").max(10, "请选择等级") }),
  output: createTillOrder.output,
});
/** 收银售次卡. */
export const sellTimesCardAtTill = write({
  path: "/api/till/times-cards/orders",
  title: "收银售次卡",
  access: "device",
  rate: "money",
  outside: true,
  deadline_ms: 15_000,
  input: paying.extend({ productId: id }),
  output: createTillOrder.output,
});

const cardNo = z.string().regex(/^\d{12}$/, "次卡号为 12 位数字");
const usedCard = z.object({
  useId: z.string(),
  cardNo: z.string(),
  name: z.string(),
  times: z.int(),
  leftTimes: z.int(),
  lastDay: day,
  status: oneOf(timesCardStatus),
  at: instant,
  /** Through when this use may be taken back. */
  reversibleUntil: instant,
});
/** 次卡核销: the same request is the same use. Who is known by a number alone types the PIN. */
export const useTimesCard = write({
  path: "/api/till/times-cards/use",
  title: "收银次卡核销",
  access: "device",
  rate: "money",
  idempotent: "requestId",
  input: z.object({
    requestId: id,
    ticket,
    cardNo,
    times: z.int("次数须为整数").min(1, "次数须大于 0").max(99, "一次最多核销 99 次").default(1),
    pin,
  }),
  output: usedCard,
});
/** 撤销核销, at a store that used it or sold it, within 24 hours, once. */
export const reverseTimesUseAtTill = write({
  path: "/api/till/times-cards/reverse",
  title: "收银撤销核销",
  access: "device",
  rate: "money",
  idempotent: "requestId",
  input: z.object({ requestId: id, useId: id }),
  output: usedCard.omit({ reversibleUntil: true }),
});
