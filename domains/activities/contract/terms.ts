import { z } from "zod";
import { flag, id, line, oneOf } from "@zhangfang/contract/fields.ts";
import { scanOnce } from "./codes.ts";

const MOST_COUPONS = 5;
/** What one person gets. */
export const gift = z.object({
  coupons: z
    .array(
      z.object({
        campaignId: id,
        count: z.int("张数须为整数").min(1, "每种券至少 1 张").max(10, "每种券最多 10 张"),
      }),
    )
    .max(MOST_COUPONS, `最多送 ${MOST_COUPONS} 种券`)
    .default([])
    .refine((all) => new Set(all.map(({ campaignId }) => campaignId)).size === all.length, "同一种券只选一次，张数写在后面"),
  points: z.int("积分须为整数").min(0, "积分不能小于 0").max(100_000, "积分最多 100,000").default(0),
  /** Days that the points are good for; null for ever. */
  pointsDays: z.int("天数须为整数").min(1, "至少 1 天").max(3_650, "最多 3,650 天").nullable().default(null),
  giftCents: z.int("金额须为整数分").min(0, "余额不能小于 0").max(100_000, "余额最多 1,000.00 元").default(0),
});
export type Gift = z.output<typeof gift>;
export const givesNothing = ({ coupons, points, giftCents }: Gift): boolean => coupons.length === 0 && points === 0 && giftCents === 0;

/** What an activity gives, to whom and how often (marketing.md 10). What a kind does not look at stays as it is here. */
export const activityTerms = z
  .object({
    gift,
    /** How many may have it. */
    places: z.int("名额须为整数").min(1, "名额至少为 1").max(1_000_000, "名额最多 1,000,000"),
    /** None: every store. */
    storeIds: z.array(id).max(500, "最多 500 家门店").default([]),
    /** 生日有礼: so many days before. */
    daysBefore: z.int("天数须为整数").min(0, "提前天数不能小于 0").max(30, "最多提前 30 天").default(0),
    /** 扫码有礼. */
    once: oneOf(scanOnce).default("life"),
    /** 推荐有礼: what the friend's first order has to come to, how many friends a day count, and whether the friend gets the same. 支付有礼: what an order has to. */
    minCents: z.int("金额须为整数分").min(0, "金额不能小于 0").max(10_000_000, "金额不能超过 100,000.00 元").default(0),
    perDay: z.int("人数须为整数").min(1, "每天至少 1 位").max(100, "每天最多 100 位").default(5),
    friendToo: flag.default(true),
    note: line(60).default(""),
  })
  .superRefine((terms, ctx) => {
    if (givesNothing(terms.gift)) ctx.addIssue({ code: "custom", path: ["gift", "coupons"], message: "请至少送一样：券、积分或赠送余额" });
  });
export type ActivityTerms = z.output<typeof activityTerms>;
