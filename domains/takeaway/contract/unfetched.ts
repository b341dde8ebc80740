import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, id, instant, line, oneOf } from "@zhangfang/contract/fields.ts";
import { fetchOutcome, takeawayPlatform } from "./codes.ts";

const access = "/dataCentre/takeaway/account";
/** 没取到的订单: what platforms told of and did not answer yet, the latest first; at most 100. */
export const listUnfetched = read({
  path: "/api/takeaway/unfetched",
  title: "没取到的外卖订单",
  access,
  input: z.object({ merchantId: id.optional() }),
  output: z.object({
    rows: z.array(
      z.object({
        id,
        platform: oneOf(takeawayPlatform),
        platformOrderId: z.string(),
        merchantName: z.string(),
        /** How the last asking ended; null before the first. */
        outcome: oneOf(fetchOutcome).nullable(),
        why: z.string(),
        tries: z.int(),
        wantedAt: instant,
        askedAt: instant.nullable(),
        /** Null: it is asked for no more by itself. */
        nextAt: instant.nullable(),
      }),
    ),
    more: z.boolean(),
  }),
});
/** 再取一次: asked for in the next seconds, not within half a minute of the last time. 409 where that is on its way. */
export const fetchAgain = write({
  path: "/api/takeaway/unfetched/again",
  title: "再取一次外卖订单",
  access,
  input: z.object({ id }),
  output: done,
});
/**
 * 不再取: an order that nobody will ever get stands in no day's way any more. Only one that is not asked for any more by itself; with the reason,
 * by a root account. Should the platform tell of it again, it is asked for again. 409 where it came meanwhile or is on its way.
 */
export const giveUpFetch = write({
  path: "/api/takeaway/unfetched/give-up",
  title: "不再取外卖订单",
  access: "/dataCentre/takeaway/giveUp",
  input: z.object({ id, reason: line(100, 2, "请填写原因") }),
  output: done,
});
