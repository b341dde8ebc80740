import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, done, id, instant, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { couponKind, couponState } from "../../coupons/contract/index.ts";
import { merchant } from "./session.ts";

/** What the button of a campaign says. */
export const offeredState = labelled({ open: "领取", had: "已领", gone: "已领完", early: "未开始", closed: "不可领" });
/** The tabs of 我的券. */
export const ownCouponTab = labelled({ usable: "可用", using: "使用中", used: "已用", gone: "失效" });

/** 领券中心: what can be received now, or will be. */
export const getCouponCentre = read({
  path: "/api/customer/:merchant/coupon-center",
  title: "会员页领券中心",
  access: "member",
  rate: "poll",
  input: z.object({ merchant }),
  output: z.object({
    items: z.array(
      z.object({
        campaignId: id,
        name: z.string(),
        kind: oneOf(couponKind),
        worth: z.string(),
        /** The terms as one sentence. */
        said: z.string(),
        note: z.string(),
        left: z.int(),
        /** How many this member has had of it. */
        mine: z.int(),
        beginsAt: instant,
        endsAt: instant,
        state: oneOf(offeredState),
        why: z.string().nullable(),
      }),
    ),
  }),
});
/** 领取: the same request is the same coupon. Many who ask at once are answered together, in a transaction of their own. */
export const claimOwnCoupon = write({
  path: "/api/customer/:merchant/claim-coupon",
  title: "会员页领券",
  access: "member",
  outside: true,
  input: z.object({ merchant, campaignId: id, requestId: id }),
  output: z.object({ couponId: id, validFrom: instant, validTo: instant }),
});
/** 我的券. */
export const listOwnCoupons = read({
  path: "/api/customer/:merchant/coupons",
  title: "会员页我的券",
  access: "member",
  rate: "poll",
  input: z.object({ merchant, tab: oneOf(ownCouponTab).default("usable") }),
  output: z.object({
    counts: z.object({ usable: z.int(), using: z.int(), used: z.int(), gone: z.int() }),
    /** What ends first stands first; at most a hundred. */
    items: z.array(
      z.object({
        couponId: id,
        name: z.string(),
        kind: oneOf(couponKind),
        state: oneOf(couponState),
        worth: z.string(),
        said: z.string(),
        note: z.string(),
        /** Which hours of which days; empty where always. */
        hours: z.string(),
        where: z.string(),
        /** The stores where its holder may use it up themselves; none where only staff can. */
        selfAt: z.array(z.object({ storeId: id, storeName: z.string() })),
        validFrom: instant,
        validTo: instant,
        usedAt: instant.nullable(),
        usedStoreName: z.string().nullable(),
        /** Why the shop took it back, or does so. */
        revokedWhy: z.string().nullable(),
        /** The open order that holds it. */
        order: z.object({ storeName: z.string(), paidCents: cents, at: instant }).nullable(),
      }),
    ),
  }),
});
/** 券码: drawn anew each half minute. */
export const getOwnCouponCode = read({
  path: "/api/customer/:merchant/coupon-code",
  title: "会员页券码",
  access: "member",
  rate: "poll",
  input: z.object({ merchant, couponId: id }),
  output: z.object({
    name: z.string(),
    code: z.string().nullable(),
    qr: z.object({ path: z.string(), cells: z.int() }).nullable(),
    /** Why there is none. */
    why: z.string().nullable(),
    leftMs: z.int(),
    stepMs: z.int(),
  }),
});
/** 自助核销: used up before the eyes of the staff, without an order. */
export const consumeOwnCoupon = write({
  path: "/api/customer/:merchant/consume-coupon",
  title: "会员页自助核销",
  access: "member",
  input: z.object({ merchant, couponId: id, storeId: id }),
  output: z.object({ storeName: z.string(), usedAt: instant }),
});
export const deleteOwnCoupon = write({
  path: "/api/customer/:merchant/delete-coupon",
  title: "会员页删除券",
  access: "member",
  input: z.object({ merchant, couponId: id }),
  output: done,
});
