import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, dateRange, day, id, instant, line, listInput, listOutput, oneOf, scopeFilter } from "@zhangfang/contract/fields.ts";
import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";
import { createTillOrder, tillOrder } from "./till.ts";

/** A link lives for two hours at most: so long the channel's own code of an order is good. */
export const MOST_FRIEND_MINUTES = 120;

/** What became of a link. `own`: the orderer paid it after all. */
export const friendPayState = labelled({
  waiting: ["待代付", "active"],
  paid: ["好友已付", "good"],
  own: ["本人已付", "good"],
  expired: ["已过期", "ended"],
});
export type FriendPayState = CodeOf<typeof friendPayState>;

const { tillNo, orderType, subject, grossCents, couponCents, pointsCents, storedValueCents, quote, lines, ticket, pin, cashierCode } =
  createTillOrder.input.shape;
/** Who asks a friend, and for how long. */
export const friendAsk = {
  /** The orderer as the channel's app or the merchant knows them. */
  orderer: line(128, 1, "请填写下单人"),
  /** What the friend reads. */
  ordererName: line(16, 1).optional(),
  message: line(40).optional(),
  minutes: z.int().min(5, "有效期至少 5 分钟").max(MOST_FRIEND_MINUTES, `有效期最多 ${MOST_FRIEND_MINUTES} 分钟`).default(60),
};

/**
 * An order that somebody else is to pay: the answer brings the link to share. The same number with the same body is the same link. With a
 * quote it is the orderer's price, and their points and stored value go first: the friend pays what is left in money, and there must be some.
 */
export const createFriendOrder = write({
  path: "/api/till/friend-orders",
  title: "好友代付下单",
  access: "device",
  rate: "money",
  outside: true,
  deadline_ms: 15_000,
  input: z.object({
    tillNo,
    orderType,
    subject,
    grossCents,
    couponCents,
    pointsCents,
    storedValueCents,
    quote,
    lines,
    ticket,
    pin,
    cashierCode,
    ...friendAsk,
  }),
  output: tillOrder.extend({ friendUrl: z.string() }),
});

const token = z.string().regex(/^[A-Za-z0-9_-]{44}$/, "代付链接无效");
const friendPage = z.object({
  storeName: z.string(),
  merchantName: z.string(),
  brandName: z.string(),
  ordererName: z.string().nullable(),
  message: z.string().nullable(),
  subject: z.string(),
  orderNo: z.string(),
  amountCents: cents,
  state: oneOf(friendPayState),
  expiresAt: instant,
  codeUrl: z.string().nullable(),
  qr: z.object({ path: z.string(), cells: z.int() }).nullable(),
  payUrl: z.string().nullable(),
  /** Once it is paid: where whoever paid says how it was. */
  commentUrl: z.string().nullable(),
});
/** The friend opens the link: seen once, it counts as opened. */
export const openFriendPay = write({
  path: "/api/friend-pays/open",
  title: "打开代付链接",
  access: "public",
  rate: "poll",
  input: z.object({ token }),
  output: friendPage,
});
/** What became of it meanwhile. */
export const followFriendPay = read({
  path: "/api/friend-pays/page/:token",
  title: "代付结果",
  access: "public",
  rate: "poll",
  input: z.object({ token }),
  output: friendPage,
});

/** How the screen looks at them; a link to the screen and an export keep it. */
export const friendPayView = labelled({ day: "按日", store: "按门店", links: "代付链接", payouts: "商户代付" });
export type FriendPayView = CodeOf<typeof friendPayView>;

/** The one filter that the links, their sums, their statistics and their export share; days are those of the making. */
export const friendPayFilter = {
  ...scopeFilter,
  ...dateRange,
  /** An order number, whole. */
  keyword: line(64).optional(),
  state: oneOf(friendPayState).optional(),
  view: oneOf(friendPayView).optional(),
};
export const friendPayRow = z.object({
  id,
  orderId: id,
  orderNo: z.string(),
  merchantName: z.string(),
  storeName: z.string(),
  subject: z.string(),
  amountCents: cents,
  state: oneOf(friendPayState),
  /** Both masked. */
  orderer: z.string(),
  payer: z.string().nullable(),
  opened: z.boolean(),
  createdAt: instant,
  expiresAt: instant,
  paidAt: instant.nullable(),
});
export const listFriendPays = read({
  path: "/api/orders/friend-pays",
  title: "好友代付",
  access: "/dataCentre/daifu",
  input: listInput(friendPayFilter, ["-createdAt", "createdAt"]),
  output: listOutput(friendPayRow),
});

const friendFigures = {
  madeCount: z.int(),
  madeCents: cents,
  openedCount: z.int(),
  paidCount: z.int(),
  paidCents: cents,
  ownCount: z.int(),
  expiredCount: z.int(),
  waitingCount: z.int(),
};
/** Over the whole filter; the counts by state leave the state out. */
export const summariseFriendPays = read({
  path: "/api/orders/friend-pays/summary",
  title: "好友代付合计",
  access: "/dataCentre/daifu",
  input: z.object(friendPayFilter),
  output: z.object({ ...friendFigures, perState: z.array(z.object({ status: oneOf(friendPayState), count: z.int() })) }),
});
/** What the statistics are narrowed by, also for their files. */
export const friendPayStatFilter = { ...scopeFilter, ...dateRange, view: oneOf(friendPayView).default("day") };
/** The same figures by day or by store, at most 400 rows: the newest days, the stores with most links. */
export const statFriendPays = read({
  path: "/api/orders/friend-pays/statistics",
  title: "好友代付统计",
  access: "/dataCentre/daifu",
  bearsDelay: true,
  input: z.object(friendPayStatFilter),
  output: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        day: day.nullable(),
        storeName: z.string().nullable(),
        merchantName: z.string().nullable(),
        ...friendFigures,
      }),
    ),
    next: z.null(),
  }),
});
