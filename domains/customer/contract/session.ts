import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { day, done, id, instant, line, oneOf } from "@zhangfang/contract/fields.ts";
import { cardForm } from "../../member-cards/contract/index.ts";
import {
  consentText,
  memberBirthday,
  memberFormFacts,
  memberPhone,
  memberPin,
  memberStatus,
  smsCode,
} from "../../members/contract/index.ts";

/** Whose page it is: in every address, and a member's cookie is good for that merchant alone. */
export const merchant = id;
const store = id.optional();

export const face = z.object({
  name: z.string(),
  /** One of WeChat's twelve; the page knows their colours. */
  tone: z.string(),
  logoUrl: z.string().nullable(),
  backgroundUrl: z.string().nullable(),
  notice: z.string(),
  phone: z.string(),
  rights: z.string(),
});
/** What anybody may see: whose page it is, its card, and what the merchant promises, each in one sentence. */
export const getCustomerPage = read({
  path: "/api/customer/:merchant/page",
  title: "会员页",
  access: "public",
  rate: "poll",
  input: z.object({ merchant, store }),
  output: z.object({
    merchantName: z.string(),
    brandName: z.string(),
    phone: z.string(),
    /** Why nobody can join or sign in. */
    closed: z.string().nullable(),
    card: face.nullable(),
    /** What the card's form asks: 0 nothing, 1 if they like, 2 it must be there. */
    asks: cardForm,
    consent: z.object({ version: z.int(), text: z.string(), guardian: z.string() }),
    pointsRule: z.string().nullable(),
    storedRule: z.string().nullable(),
  }),
});
/** Sends a code to a phone, whoever's it is. The limits are the till's. */
export const sendCustomerCode = write({
  path: "/api/customer/:merchant/sms",
  title: "会员页发送验证码",
  access: "public",
  rate: "login",
  input: z.object({ merchant, phone: memberPhone }),
  output: done.extend({ againAfter: z.int() }),
});
/** What the page keeps on this phone: gifts know it again. */
export const device = z
  .string()
  .regex(/^[\w-]{8,64}$/, "设备标识有误")
  .optional();
/**
 * Joins or signs in: the code proves the phone. Where a PIN stands before the member, `proved` comes back and the PIN is asked for; where
 * somebody new left out what the card's form wants, `lacks` says it at each field, and `proved` goes with what they add.
 */
export const joinAsCustomer = write({
  path: "/api/customer/:merchant/join",
  title: "会员页入会或登录",
  access: "public",
  rate: "login",
  input: z.object({
    merchant,
    store,
    phone: memberPhone,
    sms: smsCode.optional(),
    /** From an earlier answer: the phone was proved just now. */
    proved: z.string().max(512).optional(),
    pin: memberPin.optional(),
    name: line(32).default(""),
    birthday: memberBirthday.nullable().default(null),
    ...memberFormFacts.shape,
    guardian: z.boolean().default(false),
    device,
    /** The code of the member who recommended it. */
    invitation: z
      .string()
      .regex(/^[\w-]{59}$/, "邀请码有误")
      .optional(),
    /** The version of the text that was shown. */
    consent: z.literal(consentText.privacy.version, "须先同意会员服务说明"),
  }),
  output: z.object({ signedIn: z.boolean(), joined: z.boolean(), proved: z.string().nullable(), lacks: z.record(z.string(), z.string()) }),
});
export const leaveCustomerPage = write({
  path: "/api/customer/:merchant/leave",
  title: "会员页退出",
  access: "member",
  input: z.object({ merchant }),
  output: done,
});

/** Everything of the first screen. */
export const getCustomerHome = read({
  path: "/api/customer/:merchant/home",
  title: "会员页首页",
  access: "member",
  rate: "poll",
  input: z.object({ merchant }),
  output: z.object({
    at: instant,
    merchantName: z.string(),
    memberNo: z.string(),
    /** Their own: in full where they typed it, the phone masked. */
    name: z.string(),
    phone: z.string(),
    birthday: memberBirthday.nullable(),
    status: oneOf(memberStatus),
    level: z.string(),
    hasPin: z.boolean(),
    hasIdCard: z.boolean(),
    /** Transfers that wait for this member's yes. */
    incoming: z.int(),
    closeOn: day.nullable(),
    card: face.extend({ code: z.string(), endsOn: day.nullable() }).nullable(),
    points: z.int(),
    pendingPoints: z.int(),
    owedPoints: z.int(),
    /** What ends next. */
    endingPoints: z.int(),
    pointsEndOn: day.nullable(),
    principalCents: z.int(),
    giftCents: z.int(),
    /** Of both, set aside for open orders and card refunds. */
    heldCents: z.int(),
    timesCards: z.array(z.object({ no: z.string(), name: z.string(), left: z.int(), endsAt: instant })),
    coupons: z.array(z.object({ no: z.string(), name: z.string(), endsAt: instant })),
    mayRecharge: z.boolean(),
  }),
});
/** The code of this moment. It is good until it is drawn anew, and a step longer at the till. */
export const getCustomerCode = read({
  path: "/api/customer/:merchant/code",
  title: "会员码",
  access: "member",
  rate: "poll",
  input: z.object({ merchant }),
  output: z.object({
    /** Nothing for who is frozen or leaving; `why` says so. */
    code: z.string().nullable(),
    why: z.string().nullable(),
    qr: z.object({ path: z.string(), cells: z.int() }).nullable(),
    leftMs: z.int(),
    stepMs: z.int(),
  }),
});
/** What moved in one account, the newest first, with what was there after. */
export const listCustomerRecords = read({
  path: "/api/customer/:merchant/records",
  title: "会员页明细",
  access: "member",
  input: z.object({
    merchant,
    account: z.enum(["stored", "points"]),
    before: z
      .string()
      .regex(/^\d{1,15}$/)
      .optional(),
  }),
  output: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        at: instant,
        cause: z.string(),
        place: z.string().nullable(),
        /** Principal or points, then gift or pending points: what moved, and what was there after; null where that did not move. */
        moved: z.int(),
        after: z.int().nullable(),
        second: z.int(),
        secondAfter: z.int().nullable(),
      }),
    ),
    next: z.string().nullable(),
  }),
});
