import { z } from "zod";
import { write } from "@zhangfang/contract/endpoint.ts";
import { cents, flag, id, instant, line, oneOf, positiveCents } from "@zhangfang/contract/fields.ts";
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
  channel: "通道优惠",
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
  least: "未达起用积分",
  left: "不用它更省",
});
export type PriceRefusal = CodeOf<typeof priceRefusal>;

const amount = (what: string) => z.int(`${what}须为整数分`).min(0, `${what}不能小于 0`).max(999_999_999, `${what}不能超过 9,999,999.99 元`);
/** A line as the till rang it up. */
export const quoteLine = z.object({
  /** The till's own number of the line, by which its units are refunded. */
  place: z.int("行号须为整数").min(1, "行号须大于 0").max(500, "行号不能超过 500"),
  /** The shop's number of the goods: what the shop knows of them holds. */
  sku: line(64, 1).optional(),
  name: line(64, 1, "请填写商品名称"),
  units: z.int("数量须为整数").min(1, "数量须大于 0").max(9999, "数量不能超过 9999"),
  unitCents: amount("单价"),
  /** What item coupons go by; of goods that the shop does not know. */
  tags: z.array(line(32, 1)).max(20, "一件商品最多 20 个标签").optional(),
  noDiscount: flag.default(false),
});
export const quoteLines = z
  .array(quoteLine)
  .min(1, "请填写商品")
  .max(200, "商品不能超过 200 行")
  .refine((all) => new Set(all.map(({ place }) => place)).size === all.length, "行号不能重复");

/** Uses of vouchers at a platform (`verifyVoucherAtTill`) that pay for a part of the order; of 团购商品 with the lines that each stands for. */
export const platformVouchers = z
  .array(
    z.union([
      id,
      z.object({
        attemptId: id,
        lines: z
          .array(z.int("行号须为整数").min(1, "行号须大于 0").max(500, "行号不能超过 500"))
          .min(1, "请选择券抵的商品")
          .max(20, "一张券最多抵 20 行商品"),
      }),
    ]),
    "请填写平台券的核销编号",
  )
  .max(20, "一单最多用 20 张平台券")
  .transform((all) => all.map((one) => (typeof one === "string" ? { id: one } : { id: one.attemptId, places: one.lines })))
  .refine((all) => new Set(all.map((one) => one.id)).size === all.length, "同一张平台券只能填写一次");

/** A customer's card for ten minutes, as identifying them answered it. */
export const ticket = z.string().max(2_000, "会员凭证无效，请重新识别会员");

/** What one offer took off. */
export const pricePart = z.object({
  source: oneOf(priceSource),
  /** Its own name with whoever offers it. */
  ref: z.string(),
  name: z.string(),
  offCents: cents,
  /** Who bears it. */
  providerCents: cents,
  merchantCents: cents,
  points: z.int().optional(),
});
/** What an order is paid with: money, and stored value that was paid for or given. */
export const priceTender = z.object({ kind: z.enum(["principal", "gift", "money"]), cents });
/** A step of a price, or why something took nothing off, in words and numbers. */
export const priceWhy = z.object({
  source: oneOf(priceSource),
  ref: z.string(),
  /** `off` for a step that took something off. */
  code: z.union([z.literal("off"), oneOf(priceRefusal)]),
  text: z.string(),
  numbers: z.record(z.string(), z.int()),
});

/** 报价: what an order would come to with these wishes, step by step, and why what takes nothing off does not. Nothing is set aside. */
export const quotePrice = write({
  path: "/api/till/quotes",
  silent: true,
  title: "收银报价",
  access: "device",
  rate: "poll",
  input: z.object({
    tillNo: z.string().regex(/^[0-9A-Za-z_-]{1,64}$/, "收银单号须为 1 至 64 位字母、数字、下划线或短横线"),
    cashierCode: line(32, 1).optional(),
    /** The goods; or an amount alone, which only offers for the whole order look at. */
    lines: quoteLines.optional(),
    grossCents: positiveCents.optional(),
    ticket: ticket.optional(),
    platformVouchers: platformVouchers.optional(),
    /** Coupons by their number; or the best of what there is. */
    coupons: z.union([z.literal("best"), z.array(line(64, 1)).max(20, "一次最多读取 20 张券")], "请填写券号，或 best").default([]),
    /** At most so many points, and so much stored value; or all that may be used. */
    points: z
      .union([z.literal("most"), z.int("积分须为整数").min(0, "积分不能小于 0").max(99_999_999, "积分过多")], "请填写积分数，或 most")
      .default(0),
    storedValueCents: z.union([z.literal("most"), amount("储值")], "请填写金额，或 most").default(0),
    /** 手工优惠, within the cashier's limit. */
    manualOffCents: amount("手工优惠").default(0),
  }),
  output: z.object({
    /** Goes unchanged into the order. */
    quote: z.string(),
    expiresAt: instant,
    grossCents: cents,
    /** Money and stored value: what a refund could give back. */
    valueCents: cents,
    /** What is left to pay in money. */
    paidCents: cents,
    lines: z.array(z.object({ place: z.int(), grossCents: cents, offCents: cents, netCents: cents })),
    parts: z.array(pricePart),
    tenders: z.array(priceTender),
    steps: z.array(priceWhy),
    refused: z.array(priceWhy),
    /** 最省: how many ways were compared, and whether those were all there are. */
    compared: z.object({ ways: z.int(), whole: z.boolean() }).optional(),
    /** Points that the customer would earn. */
    earns: z.int(),
  }),
});
