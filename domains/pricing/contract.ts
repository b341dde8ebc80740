import { z } from "zod";
import { write } from "@zhangfang/contract/endpoint.ts";
import { cents, flag, instant, line, oneOf, positiveCents } from "@zhangfang/contract/fields.ts";
import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";

/** What changes what is paid, in the order of the steps of a price (docs/money.md, The price of an order). */
export const priceSource = labelled({
  voucher: "平台券",
  member: "会员优惠",
  auto: "自动优惠",
  coupon: "优惠券",
  manual: "手工优惠",
  till: "收银优惠",
  points: "积分抵扣",
  stored: "储值支付",
  channel: "渠道优惠",
  short: "商户承担",
});
export type PriceSource = CodeOf<typeof priceSource>;

/** Why an offer takes nothing off; the numbers beside it say what it wanted and what was missing. */
export const priceRefusal = labelled({
  below: "未满使用门槛",
  excluded: "与已用优惠不同享",
  group: "同类优惠已用更优先的一项",
  count: "超过一单可用张数",
  line: "商品已用其他券",
  nothing: "没有可以优惠的商品",
});
export type PriceRefusal = CodeOf<typeof priceRefusal>;

/** A line as the till rang it up. */
export const quoteLine = z.object({
  goodsNo: line(64, 1).optional(),
  name: line(64, 1, "请填写商品名称"),
  units: z.int("数量须为整数").min(1, "数量须大于 0").max(9999, "数量不能超过 9999"),
  unitCents: z.int("单价须为整数分").min(0, "单价不能小于 0").max(999_999_999, "单价不能超过 9,999,999.99 元"),
  noDiscount: flag.default(false),
});
export const quoteLines = z.array(quoteLine).min(1, "请填写商品").max(200, "商品不能超过 200 行");

/** 报价: what an order would come to with these coupons, or with the best of them. Nothing is set aside. */
export const quotePrice = write({
  path: "/api/till/quotes",
  title: "收银报价",
  access: "device",
  rate: "poll",
  input: z.object({
    /** The goods; or an amount alone, which only offers for the whole order look at. */
    lines: quoteLines.optional(),
    grossCents: positiveCents.optional(),
    /** Coupons that were read, by their code. */
    coupons: z.array(line(64, 1)).max(20, "一次最多读取 20 张券").default([]),
    /** 最省: choose among the coupons; otherwise all of them are used where they may. */
    best: flag.default(false),
    /** How many points the customer would spend at most. */
    points: z.int("积分须为整数").min(0, "积分不能小于 0").max(99_999_999, "积分过多").default(0),
  }),
  output: z.object({
    /** Goes unchanged into the order. */
    quote: z.string(),
    expiresAt: instant,
    grossCents: cents,
    discountCents: cents,
    paidCents: cents,
    parts: z.array(z.object({ source: oneOf(priceSource), name: z.string(), offCents: cents })),
    refused: z.array(
      z.object({
        source: oneOf(priceSource),
        name: z.string(),
        reason: oneOf(priceRefusal),
        needCents: cents.nullable(),
        shortCents: cents.nullable(),
      }),
    ),
    /** 最省: how many ways were compared, and whether those were all there are. */
    compared: z.int(),
    whole: z.boolean(),
  }),
});
