import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, done, flag, id, instant, line, oneOf } from "@zhangfang/contract/fields.ts";
import { attemptStatus, goodsKind, ownVoucher, voucherPlatform } from "./codes.ts";

const seen = ["/plat-dy/coupon", "/plat-ks/coupon"] as const;
const use = ["/plat-dy/coupon/verify", "/plat-ks/coupon/verify"] as const;
const back = ["/plat-dy/coupon/reverse", "/plat-ks/coupon/reverse"] as const;

/** A try to use a voucher, as people see it. */
export const attemptView = z.object({
  id,
  platform: oneOf(voucherPlatform),
  title: z.string(),
  kind: oneOf(goodsKind),
  /** The last four digits; empty where a QR code was read. */
  tail: z.string(),
  storeId: id,
  storeName: z.string(),
  byName: z.string(),
  status: oneOf(attemptStatus),
  /** No call is made any more: two people look in the platform's app. */
  needsPerson: z.boolean(),
  message: z.string(),
  payCents: cents,
  startedAt: instant,
  verifiedAt: instant.nullable(),
  /** When the platform is asked next, and the how many-th time that is. */
  nextAt: instant.nullable(),
  tries: z.int(),
  /** Until when it may be taken back here; null where it may not. */
  cancelUntil: instant.nullable(),
  cancelMessage: z.string(),
  reversedAt: instant.nullable(),
  cancelReason: z.string(),
  /** The order that it pays for. */
  order: z.object({ id, orderNo: z.string() }).nullable(),
  /** What one person found; another confirms. */
  found: z.object({ used: z.boolean(), verifyId: z.string(), byName: z.string(), own: z.boolean() }).nullable(),
});
export type AttemptView = z.output<typeof attemptView>;

/** A use of a times card, or of an own coupon without an order, as the desk lists it beside attempts. */
const ownUse = z.object({
  id,
  source: oneOf(ownVoucher),
  title: z.string(),
  tail: z.string(),
  times: z.int(),
  byName: z.string(),
  startedAt: instant,
  status: oneOf(attemptStatus),
  /** Until when it may be taken back; null where it may not. */
  cancelUntil: instant.nullable(),
  reversedAt: instant.nullable(),
});
export type OwnUse = z.output<typeof ownUse>;

/** 门店 where vouchers can be used, with what each is connected to. */
export const listDeskStores = read({
  path: "/api/platforms/desk/stores",
  title: "核销门店",
  access: seen,
  input: z.object({}),
  output: z.array(z.object({ id, name: z.string(), connected: z.array(oneOf(voucherPlatform)) })),
});
/** 今天 at a store, and everything that has no result yet. */
export const getDesk = read({
  path: "/api/platforms/desk",
  title: "核销台",
  access: seen,
  rate: "poll",
  input: z.object({ storeId: id }),
  output: z.object({
    /** Of platforms' vouchers and of one's own together. */
    verified: z.int(),
    reversed: z.int(),
    open: z.array(attemptView),
    today: z.array(attemptView),
    own: z.array(ownUse),
    now: instant,
  }),
});
const scan = z.string().trim().min(1, "请扫码或输入券码").max(2_048, "这不是券码");
/** What a voucher is, before it is used. */
export const preparedView = z.object({
  /** Carried to the verify; ten minutes, one verify. */
  ticket: z.string(),
  platform: oneOf(voucherPlatform),
  title: z.string(),
  kind: oneOf(goodsKind),
  /** How many of this order can be used at once. */
  most: z.int(),
  times: z.int(),
  left: z.int(),
  faceCents: cents,
  payCents: cents,
  incomeCents: cents,
  incomeSaid: z.string(),
  /** What can be done once it was used by mistake. */
  undoSaid: z.string(),
  endsAt: instant.nullable(),
  /** 要上的菜 */
  serve: z.string(),
  poiId: z.string(),
});
/** 查券: looks it up and uses nothing. */
export const prepareVoucher = write({
  path: "/api/platforms/desk/prepare",
  title: "查券",
  access: use,
  closedToActing: true,
  outside: true,
  silent: true,
  rate: "poll",
  deadline_ms: 20_000,
  input: z.object({ storeId: id, scan }),
  output: preparedView,
});
const wish = {
  requestId: id,
  ticket: z.string().min(1).max(60_000),
  count: z.int("张数须为整数").min(1, "至少核 1 张").max(20, "一次最多核 20 张").default(1),
};
/** 核销: the same request again makes no second call. The answer may be that nobody knows yet. */
export const verifyVoucher = write({
  path: "/api/platforms/desk/verify",
  title: "核销团购券",
  access: use,
  closedToActing: true,
  outside: true,
  rate: "money",
  deadline_ms: 20_000,
  input: z.object({ storeId: id, ...wish }),
  output: z.array(attemptView),
});
/** 撤销核销 */
export const cancelVoucher = write({
  path: "/api/platforms/desk/cancel",
  title: "撤销核销团购券",
  access: back,
  closedToActing: true,
  outside: true,
  rate: "money",
  deadline_ms: 20_000,
  input: z.object({ id, reason: line(60, 1, "请写撤销原因") }),
  output: attemptView,
});
/** 人工核对: what somebody saw in the platform's app. */
export const noteVoucherFound = write({
  path: "/api/platforms/desk/found",
  title: "人工核对团购券",
  access: back,
  closedToActing: true,
  input: z.object({ id, used: flag, verifyId: line(64).optional() }),
  output: done,
});
/** Another person confirms what they saw of it, or asks for another look. */
export const decideVoucherFound = write({
  path: "/api/platforms/desk/found/decide",
  title: "确认人工核对",
  access: back,
  closedToActing: true,
  rate: "money",
  input: z.object({ id, agree: flag, used: flag, verifyId: line(64).optional() }),
  output: done,
});

// The same from a till.
const till = { access: "device", outside: true, deadline_ms: 20_000 } as const;
const cashierCode = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,16}$/, "收银员编号为 1 到 16 位字母、数字或短横线")
  .optional();
/** 查券 at a till. */
export const prepareVoucherAtTill = write({
  ...till,
  path: "/api/till/platform-vouchers/prepare",
  title: "收银查券",
  silent: true,
  input: z.object({ scan }),
  output: preparedView,
});
/** 核销 at a till: where the answer's status is not 1, nothing is handed out, and it is asked for. */
export const verifyVoucherAtTill = write({
  ...till,
  path: "/api/till/platform-vouchers/verify",
  title: "收银核销团购券",
  rate: "money",
  input: z.object({ ...wish, cashierCode }),
  output: z.array(attemptView),
});
/** What has become of it. */
export const getVoucherAtTill = read({
  path: "/api/till/platform-vouchers/:id",
  title: "收银查核销结果",
  access: "device",
  rate: "poll",
  input: z.object({ id }),
  output: attemptView,
});
/** 撤销核销 at the till's own store. */
export const cancelVoucherAtTill = write({
  ...till,
  path: "/api/till/platform-vouchers/cancel",
  title: "收银撤销核销团购券",
  rate: "money",
  input: z.object({ id, reason: line(60, 1, "请写撤销原因"), cashierCode }),
  output: attemptView,
});
