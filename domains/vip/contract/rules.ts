import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, instant, line, oneOf } from "@zhangfang/contract/fields.ts";
import { levelBasis, rightKind } from "./codes.ts";

const rank = z.int("级别须为整数").min(1, "级别为 1 到 10").max(10, "级别为 1 到 10");
const whole = (what: string, most: number) => z.int(`${what}须为整数`).min(1, `${what}须大于 0`).max(most, `${what}过大`);
/** One level: a threshold for those that are earned, price and length for one that is bought. */
export const vipLevel = z
  .object({
    rank,
    name: line(16, 1, "请填写等级名称"),
    basis: oneOf(levelBasis),
    /** Points of growth, or cents spent, in 12 months. */
    threshold: whole("门槛", 999_999_999).nullable().default(null),
    priceCents: whole("价格", 99_999_999).nullable().default(null),
    months: z.int("时长须为整月").min(1, "时长至少 1 个月").max(36, "时长最多 36 个月").nullable().default(null),
  })
  .superRefine(({ basis, threshold, priceCents, months }, ctx) => {
    const lacks = (path: string, message: string) => ctx.addIssue({ code: "custom", path: [path], message });
    if (basis !== "paid" && threshold === null) lacks("threshold", "请填写门槛");
    if (basis === "paid" && priceCents === null) lacks("priceCents", "请填写价格");
    if (basis === "paid" && months === null) lacks("months", "请填写时长");
  });
const campaign = z.uuid("请选择优惠券").nullable().default(null);
const coupons = z.int("张数须为整数").min(1, "至少 1 张").max(10, "最多 10 张").default(1);
/** What one level is worth; what is null it has not. */
export const levelRights = z.object({
  rank,
  /** What is paid, in percent: 95 is 九五折. */
  discount: z.int("折扣须为整数").min(10, "折扣为 1 折到 9.9 折").max(99, "折扣为 1 折到 9.9 折").nullable().default(null),
  /** Hundredths: 150 is 1.5 times. */
  multiple: z.int("积分倍数最多两位小数").min(101, "积分倍数须大于 1").max(1_000, "积分倍数最多 10 倍").nullable().default(null),
  birthdayPoints: whole("生日积分", 100_000).nullable().default(null),
  birthdayGiftCents: whole("生日储值", 100_000).nullable().default(null),
  /** Campaigns of the merchant's own that give out, and how many of their coupons. */
  birthdayCouponId: campaign,
  birthdayCouponCount: coupons,
  monthlyCouponId: campaign,
  monthlyCouponCount: coupons,
});
const version = z.object({ version: z.int(), by: z.string(), at: instant });
/** What was seen: a change that came meanwhile is refused, not overwritten. */
const seen = z.int().min(0);

/** The ladder that holds, how many members stand on each level, and the versions before it. */
export const getVipRules = read({
  path: "/api/vip/rules",
  title: "VIP规则",
  access: "/vip-member/rules",
  input: z.object({}),
  output: z.object({
    version: z.int(),
    levels: z.array(
      z.object({
        rank: z.int(),
        name: z.string(),
        basis: oneOf(levelBasis),
        threshold: z.int().nullable(),
        priceCents: z.int().nullable(),
        months: z.int().nullable(),
        members: z.int(),
      }),
    ),
    versions: z.array(version),
  }),
});
export const setVipLevels = write({
  path: "/api/vip/rules/set",
  title: "修改VIP规则",
  access: "/vip-member/rules/edit",
  input: z.object({
    version: seen,
    levels: z
      .array(vipLevel)
      .max(10, "最多 10 级")
      .superRefine((levels, ctx) => {
        for (const [at, level] of levels.entries()) {
          const bad = (path: string, message: string) => ctx.addIssue({ code: "custom", path: [at, path], message });
          const before = levels.slice(0, at);
          if (before.some((other) => other.rank === level.rank)) bad("rank", "级别不能重复");
          if (before.some((other) => other.name === level.name)) bad("name", "等级名称不能重复");
          if (level.basis === "paid" || level.threshold === null) continue;
          const same = levels.filter((other) => other.basis === level.basis && other.threshold !== null && other !== level);
          if (same.some((other) => other.rank < level.rank && (other.threshold ?? 0) >= (level.threshold ?? 0)))
            bad("threshold", "级别越高，门槛须越高");
        }
      }),
  }),
  output: done,
});

/** The rights that hold, by level. */
export const getRights = read({
  path: "/api/vip/rights",
  title: "会员权益",
  access: "/vip-member/rights",
  input: z.object({}),
  output: z.object({
    version: z.int(),
    levels: z.array(
      z.object({
        rank: z.int(),
        name: z.string(),
        basis: oneOf(levelBasis),
        discount: z.int().nullable(),
        multiple: z.int().nullable(),
        birthdayPoints: z.int().nullable(),
        birthdayGiftCents: z.int().nullable(),
        birthdayCouponId: z.string().nullable(),
        birthdayCouponCount: z.int(),
        monthlyCouponId: z.string().nullable(),
        monthlyCouponCount: z.int(),
        /** What those coupons are, in words; empty where there are none. */
        birthdayCoupons: z.string(),
        monthlyCoupons: z.string(),
      }),
    ),
    /** What was given this year, by right. */
    given: z.array(z.object({ kind: oneOf(rightKind), members: z.int(), value: z.int() })),
    versions: z.array(version),
  }),
});
export const setRights = write({
  path: "/api/vip/rights/set",
  title: "修改会员权益",
  access: "/vip-member/rights/edit",
  input: z.object({
    version: seen,
    rights: z
      .array(levelRights)
      .max(10, "最多 10 级")
      .refine((all) => new Set(all.map((one) => one.rank)).size === all.length, "级别不能重复"),
  }),
  output: done,
});
