import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, dateRange, done, flag, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { activityKind, grantStatus, refusedWhy } from "./codes.ts";

const access = [
  "/activity/centre",
  "/activity/new",
  "/activity/birthday",
  "/activity/scan",
  "/activity/recommend",
  "/wxCRM/fansCoupon",
] as const;
/** What the list is narrowed by, also for its file. */
export const grantFilters = {
  activityId: id.optional(),
  /** The member's number. */
  keyword: line(32).optional(),
  status: oneOf(grantStatus).optional(),
  why: oneOf(refusedWhy).optional(),
  ...dateRange,
};
/** 领取记录: what somebody got, or why they did not. */
export const listGrants = read({
  path: "/api/activities/grants",
  title: "活动领取记录",
  bearsDelay: true,
  access,
  input: listInput(grantFilters, ["-at"]),
  output: listOutput(
    z.object({
      id,
      activityId: id,
      activityName: z.string(),
      kind: oneOf(activityKind),
      memberId: id,
      memberNo: z.string(),
      storeName: z.string(),
      status: oneOf(grantStatus),
      why: oneOf(refusedWhy).nullable(),
      reason: z.string(),
      /** What it cost, or may. */
      costCents: cents,
      at: instant,
    }),
  ),
});
/** 再发一次: what could not be given, once its reason is gone. What was given is not given again. */
export const giveAgain = write({
  path: "/api/activities/grants/again",
  title: "再发一次活动礼品",
  access: "/activity/centre/review",
  input: z.object({ id }),
  output: done,
});
/** 放行 or 拒绝 of what waits for the merchant's yes. */
export const decideGrant = write({
  path: "/api/activities/grants/decide",
  title: "放行或拒绝领取",
  access: "/activity/centre/review",
  input: z.object({ id, approve: flag }),
  output: done,
});
