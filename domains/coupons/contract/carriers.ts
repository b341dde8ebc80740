import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, flag, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { couponCarrier, differenceKind, mirrorState } from "./codes.ts";

/** How a campaign stands at WeChat; nothing where it has no carrier or was not approved yet. */
export const mirror = z.object({
  carrier: oneOf(couponCarrier),
  /** WeChat's number of the batch; nothing until it was made. */
  stockId: z.string().nullable(),
  state: oneOf(mirrorState),
  /** How many the batch there may give out. */
  total: z.int().nullable(),
  /** Codes that are there, and what is still to be told. */
  codes: z.int(),
  waiting: z.int(),
  differences: z.int(),
  /** When both sides were compared last. */
  checkedAt: instant.nullable(),
});
const row = z.object({
  id,
  campaignId: z.string(),
  campaign: z.string(),
  couponId: z.string().nullable(),
  /** The last four of its number. */
  couponTail: z.string(),
  kind: oneOf(differenceKind),
  ours: z.string(),
  theirs: z.string(),
  reason: z.string(),
  since: instant,
  checkedBy: z.string(),
  checkedAt: instant.nullable(),
});
/** 同步差异: what is not the same here and at WeChat, and since when. */
export const listDifferences = read({
  path: "/api/coupons/differences",
  title: "同步差异",
  access: "/merchantTicket/list",
  input: listInput({ campaignId: id.optional(), checked: flag.optional() }, ["-since"]),
  output: listOutput(row),
});
/** 重试: WeChat is told once more, where that may help. */
export const retryDifference = write({
  path: "/api/coupons/differences/retry",
  title: "重试同步",
  access: "/merchantTicket/list/carrier",
  input: z.object({ id }),
  output: done,
});
/** 标记已核对: somebody has looked at it; a change of it is to be looked at again. */
export const checkDifference = write({
  path: "/api/coupons/differences/check",
  title: "标记差异已核对",
  access: "/merchantTicket/list/carrier",
  input: z.object({ id, remark: line(60).default("") }),
  output: done,
});
