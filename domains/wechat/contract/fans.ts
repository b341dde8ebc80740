import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { day, done, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { fanEvent, fanState, fanSyncStatus, followWay } from "./codes.ts";
import { source } from "./figures.ts";

const sync = z.object({
  status: oneOf(fanSyncStatus),
  /** How many WeChat says there are, and how many were read of them. */
  total: z.int(),
  listed: z.int(),
  /** How many of those WeChat has to be asked about, and how many were. */
  unknown: z.int(),
  asked: z.int(),
  /** The list was read whole and is being taken, to its end. */
  taking: z.boolean(),
  /** What it changed: newly heard of, come back, gone. */
  added: z.int(),
  returned: z.int(),
  gone: z.int(),
  why: z.string(),
  byName: z.string(),
  startedAt: instant,
  endedAt: instant.nullable(),
});
export type FanSync = z.output<typeof sync>;
/** 同步粉丝: WeChat's whole list is read and takes hold at once, or not at all. One at a time for an account. */
export const startFanSync = write({
  path: "/api/wx-fans/sync",
  title: "同步粉丝",
  access: "/wxCRM/fans/sync",
  input: z.object({ id }),
  output: done,
});
/** The last sync of an account, and how far it is. */
export const getFanSync = read({
  path: "/api/wx-fans/sync",
  title: "同步粉丝的进度",
  access: "/wxCRM/fans",
  rate: "poll",
  input: z.object({ id }),
  output: z.object({ sync: sync.nullable() }),
});

export const fanFilters = {
  /** The number that the list shows, or that of their member. */
  keyword: line(32).optional(),
  state: oneOf(fanState).optional(),
  appRow: id.optional(),
  merchantId: id.optional(),
  /** The last source: of a store, a code, a way. */
  storeId: id.optional(),
  channelId: id.optional(),
  way: oneOf(followWay).optional(),
  member: z.enum(["yes", "no"]).optional(),
  /** Of the last follow. */
  from: day.optional(),
  to: day.optional(),
};
const row = source.extend({
  id,
  /** Eight signs of its id, to speak of them. */
  no: z.string(),
  appName: z.string(),
  merchantName: z.string(),
  /** The source of the first follow; the others are of the last. */
  first: source,
  storeName: z.string().nullable(),
  /** Null: before anybody listened. */
  firstFollow: instant.nullable(),
  lastFollow: instant.nullable(),
  leftAt: instant.nullable(),
  state: oneOf(fanState),
  memberId: id.nullable(),
  memberNo: z.string().nullable(),
  knownAt: instant,
});
/** 微信粉丝: who follows or did. Neither name nor picture: WeChat gives none. */
export const listFans = read({
  path: "/api/wx-fans",
  title: "微信粉丝",
  access: "/wxCRM/fans",
  input: listInput(fanFilters, ["-knownAt"]),
  output: listOutput(row),
});
export const getFan = read({
  path: "/api/wx-fans/:id",
  title: "微信粉丝详情",
  access: "/wxCRM/fans",
  input: z.object({ id }),
  output: row,
});
/** What was heard of a follower, the newest first. */
export const getFanEvents = read({
  path: "/api/wx-fans/events",
  title: "粉丝的经过",
  access: "/wxCRM/fans",
  input: z.object({ id }),
  output: z.object({
    items: z.array(source.extend({ id, event: oneOf(fanEvent), at: instant })),
    /** There are older ones. */
    more: z.boolean(),
  }),
});
