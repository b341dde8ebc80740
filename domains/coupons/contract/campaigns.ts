import { z } from "zod";
import { read, viewsOf, write } from "@zhangfang/contract/endpoint.ts";
import { cents, dateRange, done, flag, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { mirror } from "./carriers.ts";
import {
  campaignChange,
  campaignState,
  couponCarrier,
  couponFunder,
  couponFunding,
  couponKind,
  couponState,
  couponType,
  coverState,
} from "./codes.ts";
import { couponTerms } from "./terms.ts";

// The provider's own and the merchant's own are the same calls: whose they are follows from who asks.
const list = ["/merchantTicket/list", "/ticket/list"] as const;
const fresh = ["/merchantTicket/new", "/ticket/new"] as const;
const button = (name: string) => [`/merchantTicket/list/${name}`, `/ticket/list/${name}`] as const;
const whole = (what: string, most: number) => z.int(`${what}须为整数`).min(1, `${what}至少为 1`).max(most, `${what}不能超过 ${most}`);

/** What the list is narrowed by, also for its file. */
export const campaignFilters = {
  keyword: line(32).optional(),
  kind: oneOf(couponKind).optional(),
  state: oneOf(campaignState).optional(),
  change: oneOf(campaignChange).optional(),
  ...dateRange,
};
const merchantIds = z.array(id).min(1, "请选择商户").max(500, "最多 500 家商户");
const row = z.object({
  id,
  no: z.string(),
  name: z.string(),
  kind: oneOf(couponKind),
  type: oneOf(couponType),
  funding: oneOf(couponFunding),
  funder: oneOf(couponFunder),
  state: oneOf(campaignState),
  /** 满 80 减 20. */
  worth: z.string(),
  total: z.int(),
  issued: z.int(),
  held: z.int(),
  beginsAt: instant,
  endsAt: instant,
  /** The most that what is still out or can still be received may cost. */
  valueCents: cents,
  madeBy: z.string(),
  createdAt: instant,
  /** Of a provider's campaign: how many percent of what comes off the provider pays, and how many merchants take part. */
  providerPercent: z.int(),
  merchants: z.int(),
  /** What the merchant who asks said to it. */
  cover: oneOf(coverState).nullable(),
});
export const listCampaigns = read({
  path: "/api/coupons/campaigns",
  title: "商户优惠券",
  access: list,
  /** `offered`: the provider's campaigns that cover the merchant who asks. */
  input: listInput({ ...campaignFilters, offered: flag.optional() }, ["-createdAt"]),
  output: listOutput(row),
});
export const campaignViews = viewsOf(listCampaigns, {
  waiting: ["待审核", { state: "UNAUDIT" }],
  changed: ["有改动等审核", { change: "open" }],
  running: ["发放中", { state: "RUNNING" }],
  paused: ["已暂停", { state: "PAUSED" }],
});

/** What a campaign is made of. */
const campaign = {
  name: line(20, 1, "请填写券名称"),
  terms: couponTerms,
  total: whole("发放总量", 1_000_000_000),
  perPerson: whole("每人限领", 100),
  perPersonDay: whole("每人每天限领", 100).nullable().default(null),
  perDay: whole("每天发放", 1_000_000_000).nullable().default(null),
  /** When it can be received. */
  beginsAt: instant,
  endsAt: instant,
  listed: flag.default(true),
  /** 微信承载, of a merchant's own alone. */
  carrier: oneOf(couponCarrier).default("NONE"),
  /** A provider's campaign alone: what the provider pays of it (0: the merchants bear all), and whom it covers. */
  provider: z
    .object({ percent: z.int("承担比例须为整数").min(0, "承担比例不能小于 0").max(100, "承担比例不能超过 100%"), merchantIds })
    .nullable()
    .default(null),
};
export const getCampaign = read({
  path: "/api/coupons/campaign",
  title: "商户优惠券详情",
  access: ["/merchantTicket/details", "/ticket/details"],
  input: z.object({ id }),
  output: row.extend({
    said: z.string(),
    version: z.int(),
    terms: couponTerms,
    perPerson: z.int(),
    perPersonDay: z.int().nullable(),
    perDay: z.int().nullable(),
    listed: z.boolean(),
    carrier: oneOf(couponCarrier),
    mirror: mirror.nullable(),
    decidedBy: z.string().nullable(),
    decidedAt: instant.nullable(),
    stoppedAt: instant.nullable(),
    /** Who made it may not approve it; a small one its merchant's root alone, with the refund password. */
    mayDecide: z.boolean(),
    mayDecideAlone: z.boolean(),
    /** Whether the caller steers it: the provider's own, or the merchant's own. */
    mine: z.boolean(),
    /** How many of its coupons stand where. */
    coupons: z.array(z.object({ state: oneOf(couponState), count: z.int() })),
    /** What paid orders took off by it, refunded ones left out, and what those came to. */
    offCents: cents,
    grossCents: cents,
    orders: z.int(),
    /** By store where it was used. */
    stores: z.array(z.object({ storeId: z.string(), name: z.string(), used: z.int(), offCents: cents })),
    /** What of it the provider pays. */
    providerCents: cents,
    /** The merchants of a provider's campaign, as the provider sees them. */
    covers: z.array(
      z.object({
        merchantId: z.string(),
        name: z.string(),
        state: oneOf(coverState),
        by: z.string(),
        at: instant,
        used: z.int(),
        offCents: cents,
        providerCents: cents,
      }),
    ),
    /** Better terms that wait for another's yes, for whoever steers the campaign. */
    better: z
      .object({
        n: z.int(),
        said: z.string(),
        /** The most that one coupon would take off. */
        eachCents: cents,
        by: z.string(),
        at: instant,
        own: z.boolean(),
        mayDecide: z.boolean(),
        mayDecideAlone: z.boolean(),
      })
      .nullable(),
    versions: z.array(z.object({ version: z.int(), said: z.string(), by: z.string(), at: instant })),
    /** Names of the stores and goods that its terms name. */
    names: z.object({ stores: z.record(z.string(), z.string()), goods: z.record(z.string(), z.string()) }),
  }),
});
/** 新建: it waits for another person's yes. */
export const addCampaign = write({
  path: "/api/coupons/campaigns/add",
  title: "新建优惠券",
  access: fresh,
  idempotent: "requestId",
  input: z.object({ requestId: id, ...campaign }),
  output: z.object({ id, no: z.string() }),
});
/** 修改 while it waits: a new version of its terms. */
export const updateCampaign = write({
  path: "/api/coupons/campaigns/update",
  title: "修改优惠券",
  access: fresh,
  input: z.object({ id, version: z.int(), ...campaign }),
  output: done,
});
/** 审核: by another than who made it. */
export const decideCampaign = write({
  path: "/api/coupons/campaigns/decide",
  title: "审核优惠券",
  access: button("audit"),
  input: z.object({ id, version: z.int(), approve: flag, refundPassword: z.string().max(64).optional() }),
  output: done,
});
/** 撤回: by who made it, while it waits. */
export const withdrawCampaign = write({
  path: "/api/coupons/campaigns/withdraw",
  title: "撤回优惠券",
  access: fresh,
  input: z.object({ id }),
  output: done,
});
export const steerCampaign = write({
  path: "/api/coupons/campaigns/steer",
  title: "暂停、恢复或停止发放",
  access: button("steer"),
  input: z.object({ id, act: z.enum(["pause", "resume", "stop"]) }),
  output: done,
});
/** 加库存: where the total is still the one that was seen. */
export const addCouponStock = write({
  path: "/api/coupons/campaigns/stock",
  title: "增加优惠券库存",
  access: button("stock"),
  input: z.object({ id, seen: z.int(), total: whole("发放总量", 1_000_000_000), refundPassword: z.string().max(64).optional() }),
  output: done,
});
/** 参加 or 不参加: what a merchant says to a provider's campaign. What its members received stays good. */
export const answerCampaign = write({
  path: "/api/coupons/campaigns/answer",
  title: "参加或退出服务商的券",
  access: "/merchantTicket/list/answer",
  // The provider acts for a merchant in other things: it can't say its yes.
  closedToActing: true,
  input: z.object({ id, accept: flag }),
  output: done,
});
/** 增加商户 to a provider's campaign. */
export const coverMerchants = write({
  path: "/api/coupons/campaigns/merchants",
  title: "增加适用商户",
  access: "/ticket/list/merchants",
  input: z.object({ id, merchantIds }),
  output: z.object({ added: z.int() }),
});
/** 试跑: what the terms would have done with the orders of the last 30 days. Nothing is written. */
export const tryCampaign = write({
  path: "/api/coupons/campaigns/try",
  title: "试跑优惠券",
  access: fresh,
  rate: "poll",
  /** `merchantIds`: whose orders a provider asks of; all of them where none is named. */
  input: z.object({ terms: couponTerms, merchantIds: z.array(id).max(500).default([]) }),
  output: z.object({
    orders: z.int(),
    /** Orders that have the goods the terms go by, where they go by goods. */
    withGoods: z.int(),
    uses: z.int(),
    costCents: cents,
    /** Orders that missed the threshold by a fifth or less. */
    near: z.int(),
    /** How many orders came to how much, in 20 equal steps up to `mostCents`. */
    steps: z.array(z.int()),
    mostCents: cents,
    said: z.string(),
    /** The most that one coupon takes off. */
    valueCents: cents,
    whole: z.boolean(),
  }),
});
