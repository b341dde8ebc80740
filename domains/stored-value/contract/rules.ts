import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, day, flag, instant, oneOf, positiveCents } from "@zhangfang/contract/fields.ts";
import { ticket } from "../../pricing/contract.ts";
import { drawMode } from "../../value-book/contract.ts";
import { wishPays } from "./codes.ts";

/** What the law of prepaid cards allows at most: one recharge, and everything that a member holds after it (membership.md 6). */
export const MOST_CENTS = 500_000;
const amount = z.int("金额须为整数分").min(0, "金额不能小于 0").max(MOST_CENTS, "不能超过 5,000.00 元");
export const rechargeTier = z
  .object({
    amountCents: positiveCents.refine((sum) => sum <= MOST_CENTS, "不能超过 5,000.00 元"),
    giftCents: amount.default(0),
    points: z.int("积分须为整数").min(0, "积分不能小于 0").max(1_000_000, "积分不能超过 1,000,000").default(0),
    /** How often a member may take it; null as often as they like. */
    most: z.int().min(1, "次数须大于 0").max(99, "次数不能超过 99").nullable().default(null),
    /** A campaign that gives out, and how many of its coupons. */
    couponCampaignId: z.uuid("请选择优惠券").nullable().default(null),
    couponCount: z.int("张数须为整数").min(1, "至少 1 张").max(10, "最多 10 张").default(1),
  })
  .superRefine(({ amountCents, giftCents }, { addIssue }) => {
    if (amountCents + giftCents > MOST_CENTS)
      addIssue({ code: "custom", path: ["giftCents"], message: "本金加赠送超过每人上限 5,000.00 元" });
  });
export type RechargeTier = z.output<typeof rechargeTier>;

const rule = {
  tiers: z
    .array(rechargeTier)
    .max(20, "最多 20 个档位")
    .refine((all) => new Set(all.map(({ amountCents }) => amountCents)).size === all.length, "同一充值金额只能有一个档位"),
  mode: oneOf(drawMode).default("ratio"),
  anyAmount: flag.default(true),
  wishPays: oneOf(wishPays).default("less-used"),
  idCardAboveCents: amount.default(100_000),
  secondAboveCents: amount.default(50_000),
  firstDay: day.nullable().default(null),
  lastDay: day.nullable().default(null),
};
const shown = z.object({
  id: z.string(),
  version: z.int(),
  ...rule,
  tiers: z.array(
    z.object({
      amountCents: cents,
      giftCents: cents,
      points: z.int(),
      most: z.int().nullable(),
      couponCampaignId: z.string().nullable(),
      couponCount: z.int(),
    }),
  ),
  madeBy: z.string(),
  createdAt: instant,
});
const access = "/member/cardRules";
/** The rule as it stands, its earlier versions, and what is owed to members now. */
export const getRechargeRules = read({
  path: "/api/stored-value/rules",
  title: "储值规则",
  access,
  input: z.object({}),
  output: z.object({
    rule: shown.nullable(),
    earlier: z.array(z.object({ version: z.int(), madeBy: z.string(), createdAt: instant, tiers: z.int() })),
    owed: z.object({
      principalCents: cents,
      giftCents: cents,
      members: z.int(),
      /** By age of the recharge: half a year, a year, more. */
      byAge: z.array(cents),
    }),
  }),
});
/** Makes the next version, for recharges from now on; `version` is the one that was seen, 0 for none. */
export const saveRechargeRules = write({
  path: "/api/stored-value/rules/save",
  title: "保存储值规则",
  access: "/member/cardRules/edit",
  input: z.object({ version: z.int().min(0), ...rule }).superRefine(({ firstDay, lastDay }, { addIssue }) => {
    if (firstDay && lastDay && lastDay < firstDay) addIssue({ code: "custom", path: ["lastDay"], message: "结束日期不能早于开始日期" });
  }),
  output: z.object({ version: z.int() }),
});

/**
 * What a till offers to who recharges; with a ticket what this member gets, by the very rule that the recharge runs. That locks for a moment what a
 * recharge would lock, so that it opens its own transaction.
 */
export const getTillRechargeRules = read({
  path: "/api/till/recharge-rules",
  title: "收银储值档位",
  access: "device",
  rate: "poll",
  outside: true,
  input: z.object({ ticket: ticket.optional() }),
  output: z.object({
    ruleId: z.string().nullable(),
    anyAmount: z.boolean(),
    mostCents: cents,
    /** Why this member may not recharge at all; null without a ticket. */
    bar: z.string().nullable(),
    /** `coupons`: what comes with it, in words for the customer; empty where none do. `why`: why this member can't take it. */
    tiers: z.array(z.object({ amountCents: cents, giftCents: cents, points: z.int(), coupons: z.string(), why: z.string().nullable() })),
  }),
});
