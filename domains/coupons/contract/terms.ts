import { z } from "zod";
import { day, flag, id, line, oneOf } from "@zhangfang/contract/fields.ts";
import { couponKind, effective, redemption, validityUnit } from "./codes.ts";

const MOST_CENTS = 10_000_000;
const cents = (what: string) => z.int(`${what}须为整数分`).min(1, `${what}须大于 0`).max(MOST_CENTS, `${what}不能超过 100,000.00 元`);
const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "时间格式为 HH:MM");

/** From when to when a coupon is good: the same for everybody, or counted from its receipt. */
export const couponValidity = z.discriminatedUnion("mode", [
  z
    .object({ mode: z.literal(2), from: day, to: day })
    .refine(({ from, to }) => from <= to, { path: ["to"], message: "结束日期不能早于开始日期" }),
  z.object({
    mode: z.literal(3),
    wait: oneOf(effective),
    count: z.int("时长须为整数").min(1, "时长至少为 1").max(365, "时长最多 365"),
    unit: oneOf(validityUnit),
  }),
]);

/** What a coupon is worth and where it is good (marketing.md 1). A sum is in cents; `percent` is what is paid: 88 is 八八折. */
export const couponTerms = z
  .object({
    kind: oneOf(couponKind),
    minCents: z.int("门槛须为整数分").min(0, "门槛不能小于 0").max(MOST_CENTS, "门槛不能超过 100,000.00 元").default(0),
    offCents: cents("优惠金额").nullable().default(null),
    percent: z.int("折扣须为整数").min(10, "折扣为 1 折到 9.9 折").max(99, "折扣为 1 折到 9.9 折").nullable().default(null),
    /** 最多减. */
    capCents: cents("最多减").nullable().default(null),
    priceCents: z.int("换购价须为整数分").min(0, "换购价不能小于 0").max(MOST_CENTS, "换购价过大").nullable().default(null),
    /** 单品折扣: on how many units. */
    maxUnits: z.int("件数须为整数").min(1, "至少 1 件").max(100, "最多 100 件").default(1),
    /** Goods by tag or by number of the sku. */
    goodsTags: z.array(line(32, 1)).max(10, "最多 10 个商品标签").default([]),
    skus: z.array(line(64, 1)).max(100, "最多 100 个商品").default([]),
    validity: couponValidity,
    /** 0 Sunday; none: every day. */
    weekdays: z.array(z.int().min(0).max(6)).max(7).default([]),
    windows: z
      .array(z.object({ from: clock, to: clock }))
      .max(2, "每天最多 2 个时段")
      .default([]),
    excluded: z.array(day).max(30, "最多排除 30 天").default([]),
    methods: z.array(oneOf(redemption)).min(1, "请选择核销方式").default(["OFF_LINE"]),
    /** None: every store. */
    storeIds: z.array(id).max(500, "最多 500 家门店").default([]),
    /** Who may receive it. */
    levels: z.array(z.int().min(1).max(10)).max(10).default([]),
    memberTags: z.array(line(32, 1)).max(20).default([]),
    newOnly: flag.default(false),
    /** 不同享. */
    without: z.array(z.enum(["member", "auto", "points"])).default([]),
    /** 退券顺延: a coupon that comes back too late is good for so many days more. */
    graceDays: z.int().min(0, "顺延天数不能小于 0").max(30, "最多顺延 30 天").default(0),
    note: line(200).default(""),
  })
  .superRefine((terms, ctx) => {
    const bad = (path: string, message: string) => ctx.addIssue({ code: "custom", path: [path], message });
    const { kind, offCents, percent, capCents, priceCents, minCents } = terms;
    const off = kind === 1 || kind === 3;
    const discount = kind === 2 || kind === 4;
    if (off && offCents === null) bad("offCents", "请填写优惠金额");
    if (off && offCents !== null && minCents > 0 && minCents < offCents) bad("minCents", "门槛不能低于优惠金额");
    if (discount && percent === null) bad("percent", "请填写折扣");
    if (kind === 5 && priceCents === null) bad("priceCents", "请填写换购价");
    if (!off && capCents === null) bad("capCents", "请填写最多减多少，才算得出最高负债");
    if (kind >= 3 && terms.goodsTags.length + terms.skus.length === 0) bad("goodsTags", "请选择商品标签或商品");
    for (const [at, { from, to }] of terms.windows.entries())
      if (from === to) ctx.addIssue({ code: "custom", path: ["windows", at, "to"], message: "时段的起止不能相同" });
    if (terms.methods.includes("SELF_CONSUME") && (discount || minCents > 0))
      bad("methods", "自助核销没有订单可算，只用于没有门槛的立减和换购");
    if (terms.methods.includes("PAYMENT_CODE")) bad("methods", "微信付款码核销须先把券发到微信");
  });
export type CouponTerms = z.output<typeof couponTerms>;
