import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, day, done, flag, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { activityKind, activityState } from "./codes.ts";
import { activityTerms } from "./terms.ts";

const lists = [
  "/activity/centre",
  "/activity/new",
  "/activity/birthday",
  "/activity/scan",
  "/activity/recommend",
  "/wxCRM/fansCoupon",
] as const;
const edit = "/activity/centre/edit";

/** What the list is narrowed by, also for its file. */
export const activityFilters = {
  keyword: line(32).optional(),
  kind: oneOf(activityKind).optional(),
  state: oneOf(activityState).optional(),
};
const row = z.object({
  id,
  no: z.string(),
  kind: oneOf(activityKind),
  name: z.string(),
  state: oneOf(activityState),
  /** The gift in a few words. */
  worth: z.string(),
  firstDay: day,
  lastDay: day,
  places: z.int(),
  /** Places that are given or owed. */
  taken: z.int(),
  /** The most that it may cost, what is owed of that, and what was given. */
  budgetCents: cents,
  heldCents: cents,
  spentCents: cents,
  /** Grants that wait for the merchant's yes. */
  review: z.int(),
  madeBy: z.string(),
  createdAt: instant,
});
/** 活动中心, and the list of each kind. */
export const listActivities = read({
  path: "/api/activities",
  title: "活动",
  access: lists,
  input: listInput(activityFilters, ["-createdAt"]),
  output: listOutput(row),
});
export const summariseActivities = read({
  path: "/api/activities/summary",
  title: "活动合计",
  access: lists,
  input: z.object(activityFilters),
  output: z.object({
    count: z.int(),
    /** How many stand where, whatever state the list shows. */
    byState: z.record(z.string(), z.int()),
    given: z.int(),
    spentCents: cents,
    review: z.int(),
  }),
});
export const getActivity = read({
  path: "/api/activities/one",
  title: "活动详情",
  access: lists,
  input: z.object({ id }),
  output: row.extend({
    version: z.int(),
    terms: activityTerms,
    /** The rules, sentence by sentence. */
    said: z.array(z.string()),
    placeCents: cents,
    decidedBy: z.string().nullable(),
    decidedAt: instant.nullable(),
    stoppedAt: instant.nullable(),
    mayDecide: z.boolean(),
    mayDecideAlone: z.boolean(),
    /** Who waits, got it, failed, or was refused, and why. */
    results: z.object({
      reached: z.int(),
      owed: z.int(),
      given: z.int(),
      failed: z.int(),
      refused: z.array(z.object({ why: z.string(), count: z.int() })),
      /** Members who got something and came again within thirty days, with what they paid. */
      buyers: z.int(),
      orders: z.int(),
      salesCents: cents,
    }),
    /** Names of what its terms name. */
    names: z.object({ coupons: z.record(z.string(), z.string()), stores: z.record(z.string(), z.string()) }),
  }),
});

/** 活动码 of a 扫码有礼: an address for each of its stores, to hang up there. */
export const getActivityCodes = read({
  path: "/api/activities/codes",
  title: "活动码",
  access: lists,
  input: z.object({ id }),
  output: z.object({ items: z.array(z.object({ storeId: id, storeName: z.string(), url: z.string() })) }),
});

/** What an activity is made of. */
const facts = { name: line(20, 1, "请填写活动名称"), firstDay: day, lastDay: day, terms: activityTerms };
/** 最高成本 of terms that are being written. Nothing is kept. */
export const priceActivity = write({
  path: "/api/activities/price",
  title: "活动成本",
  access: edit,
  rate: "poll",
  input: z.object({ kind: oneOf(activityKind), firstDay: day, lastDay: day, terms: activityTerms }),
  output: z.object({ placeCents: cents, budgetCents: cents, said: z.array(z.string()) }),
});
/** 新建: it waits for another person's yes. */
export const addActivity = write({
  path: "/api/activities/add",
  title: "新建活动",
  access: edit,
  idempotent: "requestId",
  input: z.object({ requestId: id, kind: oneOf(activityKind), ...facts }),
  output: z.object({ id, no: z.string() }),
});
/** 修改 while it waits: a new version of its terms. */
export const updateActivity = write({
  path: "/api/activities/update",
  title: "修改活动",
  access: edit,
  input: z.object({ id, version: z.int(), ...facts }),
  output: done,
});
/** 撤回: by who made it, while it waits. */
export const withdrawActivity = write({
  path: "/api/activities/withdraw",
  title: "撤回活动",
  access: edit,
  input: z.object({ id }),
  output: done,
});
/** 审核: by another than who made it. Its coupons are set aside from then on. */
export const decideActivity = write({
  path: "/api/activities/decide",
  title: "审核活动",
  access: "/activity/centre/audit",
  input: z.object({ id, version: z.int(), approve: flag, refundPassword: z.string().max(64).optional() }),
  output: done,
});
export const steerActivity = write({
  path: "/api/activities/steer",
  title: "暂停、恢复或结束活动",
  access: "/activity/centre/steer",
  input: z.object({ id, act: z.enum(["pause", "resume", "stop"]) }),
  output: done,
});
/** 加名额: where there are still as many as were seen; its budget and its coupons grow with it. */
export const addActivityPlaces = write({
  path: "/api/activities/places",
  title: "增加活动名额",
  access: "/activity/centre/places",
  input: z.object({
    id,
    seen: z.int(),
    places: z.int("名额须为整数").min(1, "名额至少为 1").max(1_000_000, "名额最多 1,000,000"),
    refundPassword: z.string().max(64).optional(),
  }),
  output: done,
});
