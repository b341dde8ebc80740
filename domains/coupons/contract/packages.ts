import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, dateRange, done, flag, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { memberShown } from "../../members/contract/index.ts";
import { createTillOrder } from "../../orders/contract/index.ts";
import { ticket } from "../../pricing/contract.ts";
import { campaignState, couponState, packageGetStatus, packageKind } from "./codes.ts";

const list = "/ticket/group";
const edit = "/ticket/group/edit";
const whole = (what: string, most: number) => z.int(`${what}须为整数`).min(1, `${what}至少为 1`).max(most, `${what}不能超过 ${most}`);

/** What the list is narrowed by, also for its file. */
export const packageFilters = {
  keyword: line(32).optional(),
  state: oneOf(campaignState).optional(),
  kind: oneOf(packageKind).optional(),
  ...dateRange,
};
const row = z.object({
  id,
  no: z.string(),
  name: z.string(),
  state: oneOf(campaignState),
  /** Nothing: free. */
  priceCents: cents.nullable(),
  /** 满 80 减 20 × 2、8.8 折 × 1. */
  content: z.string(),
  total: z.int(),
  issued: z.int(),
  held: z.int(),
  beginsAt: instant,
  endsAt: instant,
  /** How many were received free, how many were sold, and what that brought less what went back. */
  received: z.int(),
  sold: z.int(),
  incomeCents: cents,
  /** Coupons that it gave, and those of them that are used. */
  coupons: z.int(),
  used: z.int(),
  /** The most that what is left of it may cost. */
  valueCents: cents,
  madeBy: z.string(),
  createdAt: instant,
});
/** 券包. */
export const listPackages = read({
  path: "/api/coupons/packages",
  title: "券包",
  access: list,
  input: listInput(packageFilters, ["-createdAt"]),
  output: listOutput(row),
});
const item = z.object({
  campaignId: id,
  name: z.string(),
  worth: z.string(),
  said: z.string(),
  count: z.int(),
  valueCents: cents,
  /** What is left of its campaign, and whether that gives out now. */
  left: z.int(),
  state: oneOf(campaignState),
});
export const getPackage = read({
  path: "/api/coupons/packages/one",
  title: "券包详情",
  access: list,
  input: z.object({ id }),
  output: row.extend({
    note: z.string(),
    perPerson: z.int(),
    perPersonDay: z.int().nullable(),
    perDay: z.int().nullable(),
    /** The most that one of it may cost. */
    eachCents: cents,
    items: z.array(item),
    /** How many of it stand where, and its coupons. */
    gets: z.array(z.object({ status: oneOf(packageGetStatus), count: z.int() })),
    states: z.array(z.object({ state: oneOf(couponState), count: z.int() })),
    refundedCents: cents,
    decidedBy: z.string().nullable(),
    decidedAt: instant.nullable(),
    stoppedAt: instant.nullable(),
    /** As of a campaign: another, or a merchant's root to little. */
    mayDecide: z.boolean(),
    mayDecideAlone: z.boolean(),
  }),
});
/** What a package can be made of: the merchant's coupons that give out now. */
export const listPackable = read({
  path: "/api/coupons/packages/campaigns",
  title: "可放进券包的优惠券",
  access: edit,
  input: z.object({}),
  output: z.object({
    items: z.array(
      z.object({ id, name: z.string(), worth: z.string(), said: z.string(), left: z.int(), valueCents: cents, endsAt: instant }),
    ),
  }),
});
/** 新建券包: it waits for another person's yes, and never changes. */
export const addPackage = write({
  path: "/api/coupons/packages/add",
  title: "新建券包",
  access: edit,
  idempotent: "requestId",
  input: z
    .object({
      requestId: id,
      name: line(20, 1, "请填写券包名称"),
      note: line(200).default(""),
      /** Nothing: free. */
      priceCents: z.int("售价须为整数分").min(1, "售价须大于 0").max(10_000_000, "售价不能超过 100,000.00 元").nullable().default(null),
      items: z
        .array(z.object({ campaignId: id, count: whole("张数", 20) }))
        .min(1, "请选择券包里的券")
        .max(10, "最多 10 种券"),
      total: whole("发放总量", 1_000_000),
      perPerson: whole("每人限领", 100),
      perPersonDay: whole("每人每天限领", 100).nullable().default(null),
      perDay: whole("每天发放", 1_000_000).nullable().default(null),
      beginsAt: instant,
      endsAt: instant,
    })
    .superRefine(({ items }, ctx) => {
      const seen = new Set<string>();
      for (const [at, { campaignId }] of items.entries()) {
        if (seen.has(campaignId))
          ctx.addIssue({ code: "custom", path: ["items", at, "campaignId"], message: "同一种券只选一次，张数可以加" });
        seen.add(campaignId);
      }
    }),
  output: z.object({ id, no: z.string() }),
});
/** 审核: by another than who made it. */
export const decidePackage = write({
  path: "/api/coupons/packages/decide",
  title: "审核券包",
  access: "/ticket/group/audit",
  input: z.object({ id, approve: flag, refundPassword: z.string().max(64).optional() }),
  output: done,
});
/** 撤回: by who made it, while it waits. */
export const withdrawPackage = write({
  path: "/api/coupons/packages/withdraw",
  title: "撤回券包",
  access: edit,
  input: z.object({ id }),
  output: done,
});
export const steerPackage = write({
  path: "/api/coupons/packages/steer",
  title: "暂停、恢复或停止券包",
  access: "/ticket/group/steer",
  input: z.object({ id, act: z.enum(["pause", "resume", "stop"]) }),
  output: done,
});

const record = "/ticket/groupRecord";
export const packageGetFilters = {
  /** A pay order's number, or a member by number, phone or name. */
  keyword: line(32).optional(),
  packageId: id.optional(),
  status: oneOf(packageGetStatus).optional(),
  kind: oneOf(packageKind).optional(),
  ...dateRange,
};
const get = z.object({
  id,
  packageId: id,
  packageName: z.string(),
  ...memberShown,
  status: oneOf(packageGetStatus),
  /** 0: free. */
  priceCents: cents,
  orderNo: z.string().nullable(),
  refundCents: cents.nullable(),
  /** Its coupons: all, used, still usable or in use, and gone back. */
  coupons: z.int(),
  used: z.int(),
  left: z.int(),
  returned: z.int(),
  gotAt: instant.nullable(),
  createdAt: instant,
});
/** 券包领取记录. */
export const listPackageGets = read({
  path: "/api/coupons/package-gets",
  title: "券包领取记录",
  access: record,
  input: listInput(packageGetFilters, ["-createdAt"]),
  output: listOutput(get),
});
export const summarisePackageGets = read({
  path: "/api/coupons/package-gets/summary",
  title: "券包领取记录合计",
  access: record,
  input: z.object(packageGetFilters),
  output: z.object({ count: z.int(), paidCents: cents, refundedCents: cents, byStatus: z.record(z.string(), z.int()) }),
});
const part = z.object({
  couponId: id.nullable(),
  /** The last four digits alone. */
  no: z.string().nullable(),
  name: z.string(),
  worth: z.string(),
  state: oneOf(couponState).nullable(),
  validTo: instant.nullable(),
  valueCents: cents,
  shareCents: cents,
  returned: z.boolean(),
});
export const getPackageGet = read({
  path: "/api/coupons/package-gets/one",
  title: "券包领取详情",
  access: record,
  input: z.object({ id }),
  output: get.extend({ refundNo: z.string().nullable(), parts: z.array(part) }),
});
/** What a refund gives back: the share of each coupon that nobody used. */
export const previewPackageRefund = read({
  path: "/api/coupons/package-gets/refund",
  title: "券包退款试算",
  access: "/ticket/groupRecord/refund",
  input: z.object({ id }),
  output: z.object({
    priceCents: cents,
    refundCents: cents,
    /** Those that go back and are void then, and those that stay, each with why. */
    goes: z.array(part),
    stays: z.array(part.extend({ why: z.string() })),
    needsPassword: z.boolean(),
    refusal: z.string().nullable(),
  }),
});
/** 券包退款: once; its unused coupons are set aside from now on. `refundCents` is what was shown. */
export const refundPackage = write({
  path: "/api/coupons/package-gets/refund",
  title: "券包退款",
  access: "/ticket/groupRecord/refund",
  rate: "money",
  idempotent: "requestId",
  input: z.object({
    requestId: id,
    id,
    refundCents: cents,
    reason: line(80, 1, "请填写说明"),
    refundPassword: z.string().max(32).optional(),
  }),
  output: z.object({ refundId: z.string(), refundNo: z.string(), status: z.int() }),
});

/** 券包 that a till's store sells, and what is left of each. */
export const getTillPackages = read({
  path: "/api/till/packages",
  title: "收银可售券包",
  access: "device",
  input: z.object({}),
  output: z.object({
    packages: z.array(z.object({ id, name: z.string(), content: z.string(), priceCents: cents, left: z.int(), perPerson: z.int() })),
  }),
});
/** 收银售券包: to the member of the ticket; its coupons come with the money. */
export const sellPackageAtTill = write({
  path: "/api/till/packages/orders",
  title: "收银售券包",
  access: "device",
  rate: "money",
  outside: true,
  deadline_ms: 15_000,
  input: createTillOrder.input
    .pick({ tillNo: true, tradeType: true, wallet: true, authCode: true, face: true, openId: true, cashierCode: true })
    .extend({ ticket, packageId: id }),
  output: createTillOrder.output,
});
