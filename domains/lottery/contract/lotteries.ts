import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, day, done, flag, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { lotteryState, prizeKind } from "./codes.ts";
import { lotteryTerms } from "./terms.ts";

const seen = ["/activity/shake", "/activity/shake/details"] as const;
const edit = "/activity/shake/edit";

/** What the list is narrowed by, also for its file. */
export const lotteryFilters = { keyword: line(32).optional(), state: oneOf(lotteryState).optional() };
const row = z.object({
  id,
  no: z.string(),
  name: z.string(),
  state: oneOf(lotteryState),
  /** The prizes in a few words. */
  worth: z.string(),
  firstDay: day,
  lastDay: day,
  /** How often was drawn, and won. */
  draws: z.int(),
  wins: z.int(),
  /** The most that it may cost, what is owed of that, and what was given. */
  budgetCents: cents,
  heldCents: cents,
  spentCents: cents,
  madeBy: z.string(),
  createdAt: instant,
});
/** 摇一摇活动. */
export const listLotteries = read({
  path: "/api/lotteries",
  title: "摇一摇活动",
  access: seen,
  input: listInput(lotteryFilters, ["-createdAt"]),
  output: listOutput(row),
});
export const summariseLotteries = read({
  path: "/api/lotteries/summary",
  title: "摇一摇合计",
  access: seen,
  input: z.object(lotteryFilters),
  output: z.object({
    count: z.int(),
    byState: z.record(z.string(), z.int()),
    draws: z.int(),
    wins: z.int(),
    spentCents: cents,
  }),
});
/** A prize as it stands. */
const prizeShown = z.object({
  place: z.int(),
  name: z.string(),
  kind: oneOf(prizeKind),
  words: z.string(),
  valueCents: cents,
  chance: z.int(),
  stock: z.int(),
  drawn: z.int(),
  /** Of those: given or handed over; not given. */
  given: z.int(),
  failed: z.int(),
});
export const getLottery = read({
  path: "/api/lotteries/one",
  title: "摇一摇详情",
  access: seen,
  input: z.object({ id }),
  output: row.extend({
    version: z.int(),
    terms: lotteryTerms,
    said: z.array(z.string()),
    prizes: z.array(prizeShown),
    /** How many people drew. */
    people: z.int(),
    /** Goods that nobody has come for yet. */
    waiting: z.int(),
    /** The begin of the chain of seeds, in hex; null before the approval. */
    seed0: z.string().nullable(),
    /** Where everybody rechecks it. */
    proofUrl: z.string(),
    decidedBy: z.string().nullable(),
    decidedAt: instant.nullable(),
    stoppedAt: instant.nullable(),
    mayDecide: z.boolean(),
    mayDecideAlone: z.boolean(),
    names: z.object({ stores: z.record(z.string(), z.string()) }),
  }),
});

const facts = { name: line(20, 1, "请填写活动名称"), firstDay: day, lastDay: day, terms: lotteryTerms };
/** 最多花 of rules that are being written, with what they say and the law's ticks. Nothing is kept. */
export const priceLottery = write({
  path: "/api/lotteries/price",
  title: "摇一摇成本",
  access: edit,
  rate: "poll",
  input: z.object({ firstDay: day, lastDay: day, terms: lotteryTerms }),
  output: z.object({
    /** Of one piece of each prize: what it is worth, and what it costs at most. */
    values: z.array(cents),
    costs: z.array(cents),
    budgetCents: cents,
    said: z.array(z.string()),
    law: z.array(z.object({ ok: z.boolean(), text: z.string(), field: z.string() })),
    staff: z.int(),
  }),
});
/** 新建: it waits for another person's yes. */
export const addLottery = write({
  path: "/api/lotteries/add",
  title: "新建摇一摇",
  access: edit,
  idempotent: "requestId",
  input: z.object({ requestId: id, ...facts }),
  output: z.object({ id, no: z.string() }),
});
/** 修改 while it waits: a new version of its rules. After the approval there is none but more pieces. */
export const updateLottery = write({
  path: "/api/lotteries/update",
  title: "修改摇一摇",
  access: edit,
  input: z.object({ id, version: z.int(), ...facts }),
  output: done,
});
export const withdrawLottery = write({
  path: "/api/lotteries/withdraw",
  title: "撤回摇一摇",
  access: edit,
  input: z.object({ id }),
  output: done,
});
/** 审核: by another than who made it. Its coupons are set aside and its chain of seeds begins. */
export const decideLottery = write({
  path: "/api/lotteries/decide",
  title: "审核摇一摇",
  access: "/activity/shake/audit",
  input: z.object({ id, version: z.int(), approve: flag, refundPassword: z.string().max(64).optional() }),
  output: done,
});
export const steerLottery = write({
  path: "/api/lotteries/steer",
  title: "暂停、恢复或结束摇一摇",
  access: "/activity/shake/steer",
  input: z.object({ id, act: z.enum(["pause", "resume", "stop"]) }),
  output: done,
});
/** 加奖: more of one prize, where there are still as many as were seen. */
export const raiseLotteryStock = write({
  path: "/api/lotteries/raise",
  title: "增加摇一摇奖品",
  access: "/activity/shake/raise",
  input: z.object({
    id,
    place: z.int(),
    seen: z.int(),
    stock: z.int("数量须为整数").min(1, "数量至少为 1").max(1_000_000, "数量最多 1,000,000"),
    refundPassword: z.string().max(64).optional(),
  }),
  output: done,
});

/** 员工名单: whose phones can't draw, in any lottery of the merchant. */
export const listLotteryStaff = read({
  path: "/api/lotteries/staff",
  title: "员工名单",
  access: seen,
  input: z.object({}),
  output: z.object({
    items: z.array(z.object({ id, name: z.string(), phoneTail: z.string(), byName: z.string(), at: instant })),
  }),
});
export const addLotteryStaff = write({
  path: "/api/lotteries/staff/add",
  title: "加入员工名单",
  access: "/activity/shake/staff",
  input: z.object({
    name: line(20, 1, "请填写姓名"),
    phone: z
      .string()
      .trim()
      .regex(/^1[3-9]\d{9}$/, "请输入 11 位手机号"),
  }),
  output: z.object({ id }),
});
export const removeLotteryStaff = write({
  path: "/api/lotteries/staff/remove",
  title: "移出员工名单",
  access: "/activity/shake/staff",
  input: z.object({ id }),
  output: done,
});
