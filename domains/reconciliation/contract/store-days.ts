import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, day, done, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { hindrance, storeDayBand, storeDayColumn, storeDayStatus } from "./store-day-words.ts";

const access = "/reconciliation/bill";
const amounts = {
  count: z.int(),
  paidCents: cents,
  shopOffCents: cents,
  subsidyCents: cents,
  feeCents: cents,
  backCount: z.int(),
  backCents: cents,
  incomeCents: cents,
};
/** The figures of a store's day. Own takings are those of 支付统计, vouchers of 团购券汇总, takeaway of 外卖汇总 按完成日. */
export const storeDayFigures = z.object({
  lines: z.array(
    z.object({ band: oneOf(storeDayBand), key: z.string(), ...amounts, settled: z.boolean(), settledCents: cents, odd: z.int() }),
  ),
  stored: z.object({ principalCents: cents, giftCents: cents }),
  rechargeCents: cents,
  /** Made on the day of this store's orders and issued; red letters of the day that are done. */
  invoices: z.object({ count: z.int(), cents, redCount: z.int(), redCents: cents }),
});
const hinders = z.object({
  kind: oneOf(hindrance),
  /** It could still change the figures; the others are written down in the closed day. */
  blocks: z.boolean(),
  source: z.string(),
  count: z.int(),
  /** The day of 对账 that it is about. */
  dayId: id.nullable(),
});
/** What a bill says of the day: `none`, it did not come; else the state of that day in 对账, for the whole merchant. */
const billState = z.object({
  source: z.string(),
  state: z.enum(["none", "differing", "partial", "ready", "closed"]),
  dayId: id.nullable(),
});
/** `line`: the figure of the ledger whose rows can be opened; null for what stands beside it. */
const change = z.object({
  name: z.string(),
  line: z.object({ band: oneOf(storeDayBand), key: z.string(), column: oneOf(storeDayColumn) }).nullable(),
  money: z.boolean(),
  before: z.int(),
  now: z.int(),
});

const storesFilter = { day, merchantId: id.optional(), storeId: id.optional(), state: oneOf(storeDayStatus).optional() };
/** The stores of a day, each with what its day came to. */
export const listStoreDays = read({
  path: "/api/reconciliation/store-days",
  title: "门店日",
  bearsDelay: true,
  access,
  input: listInput(storesFilter, ["-createdAt"]),
  output: listOutput(
    z.object({
      /** The store's. */
      id,
      day,
      storeName: z.string(),
      merchantName: z.string(),
      status: oneOf(storeDayStatus),
      empty: z.boolean(),
      ownCents: cents,
      voucherCents: cents,
      takeawayCents: cents,
      totalCents: cents,
      /** What forbids closing, and what only warns. */
      blocks: z.int(),
      warns: z.int(),
      /** Of a closed or proposed day: how many figures are others by now. */
      changed: z.int(),
      closedBy: z.string().nullable(),
      createdAt: instant,
    }),
  ),
});
export const summariseStoreDays = read({
  path: "/api/reconciliation/store-days/summary",
  title: "门店日合计",
  bearsDelay: true,
  access,
  input: z.object(storesFilter),
  output: z.object({ perState: z.array(z.object({ state: oneOf(storeDayStatus), count: z.int() })) }),
});
/** A month of one store, also the days on which nothing happened. */
export const getStoreMonth = read({
  path: "/api/reconciliation/store-days/month",
  title: "门店月历",
  bearsDelay: true,
  access,
  input: z.object({ storeId: id, month: z.string().regex(/^20\d\d-(?:0[1-9]|1[0-2])$/, "月份格式应为 YYYY-MM") }),
  output: z.object({
    days: z.array(
      z.object({
        day,
        status: oneOf(storeDayStatus),
        future: z.boolean(),
        empty: z.boolean(),
        totalCents: cents,
        blocks: z.int(),
        /** Of a closed or proposed day: how many figures are others by now. */
        changed: z.int(),
      }),
    ),
  }),
});
/** One store's day: the figures, of a closed one those it was closed over, and what is another figure now. */
export const getStoreDay = read({
  path: "/api/reconciliation/store-day",
  title: "门店日详情",
  access,
  input: z.object({ storeId: id, day }),
  output: z.object({
    storeId: id,
    storeName: z.string(),
    merchantId: id,
    merchantName: z.string(),
    day,
    status: oneOf(storeDayStatus),
    /** 0 where nobody touched the day yet. */
    version: z.int(),
    figures: storeDayFigures,
    hindrances: z.array(hinders),
    bills: z.array(billState),
    /** What differs now from what was proposed, or from what it was closed over. */
    changes: z.array(change),
    note: z.string(),
    proposedBy: z.string().nullable(),
    proposedAt: instant.nullable(),
    closedBy: z.string().nullable(),
    closedAt: instant.nullable(),
    reopenedBy: z.string().nullable(),
    reopenedAt: instant.nullable(),
    reopenReason: z.string().nullable(),
    /** The caller may confirm it: it is somebody else's proposal, of the same level or one below. */
    decidable: z.boolean(),
    withdrawable: z.boolean(),
    /** Each closing of the day as it was signed, the newest first. */
    closings: z.array(
      z.object({
        version: z.int(),
        figures: storeDayFigures,
        hindrances: z.array(hinders),
        bills: z.array(billState),
        note: z.string(),
        proposedAt: instant,
        proposedBy: z.string(),
        closedAt: instant,
        closedBy: z.string(),
      }),
    ),
    asOf: instant,
  }),
});

const which = { storeId: id, day };
/** The figures that somebody saw, by name (`namedFigures`); another one now is refused. */
const seen = z.record(z.string().max(64), z.int()).refine((given) => Object.keys(given).length <= 600, "数据过多");
/** 提交关账. 409 says what hinders, or which figure is another one by now. */
export const proposeStoreDay = write({
  path: "/api/reconciliation/store-days/propose",
  title: "提交门店日关账",
  access: "/reconciliation/bill/close",
  rate: "money",
  idempotent: "requestId",
  input: z.object({ requestId: id, ...which, seen, note: line(200).optional() }),
  output: done,
});
/** 确认关账, by another person of the same level or above, over the figures that both saw. It freezes them. */
export const closeStoreDay = write({
  path: "/api/reconciliation/store-days/close",
  title: "确认门店日关账",
  access: "/reconciliation/bill/close",
  rate: "money",
  idempotent: "requestId",
  closedToActing: true,
  input: z.object({ requestId: id, ...which, version: z.int().min(1), seen }),
  output: done,
});
/** 撤回: a proposal that nobody confirmed, by whoever stands on its level or above. */
export const withdrawStoreDay = write({
  path: "/api/reconciliation/store-days/withdraw",
  title: "撤回门店日关账",
  access: "/reconciliation/bill/close",
  closedToActing: true,
  input: z.object({ ...which, version: z.int().min(1) }),
  output: done,
});
/** 撤销关账, by a root account, with a reason. */
export const reopenStoreDay = write({
  path: "/api/reconciliation/store-days/reopen",
  title: "撤销门店日关账",
  access: "/reconciliation/bill/reopen",
  closedToActing: true,
  input: z.object({ ...which, version: z.int().min(1), reason: line(200, 2, "请填写原因") }),
  output: done,
});
