import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { day, id, instant, oneOf } from "@zhangfang/contract/fields.ts";
import { activityKind, giftStatus } from "../../activities/contract/index.ts";
import { device, merchant } from "./session.ts";

/** 活动: what runs for this member, their progress, and what they got. */
export const listOwnActivities = read({
  path: "/api/customer/:merchant/activities",
  title: "会员页活动",
  access: "member",
  rate: "poll",
  input: z.object({ merchant }),
  output: z.object({
    items: z.array(
      z.object({
        activityId: id,
        kind: oneOf(activityKind),
        name: z.string(),
        /** The gift in a few words. */
        worth: z.string(),
        /** The rules, sentence by sentence. */
        said: z.array(z.string()),
        firstDay: day,
        lastDay: day,
        running: z.boolean(),
        /** Where this member stands; empty where nothing has happened. */
        progress: z.string(),
        prizes: z.array(
          z.object({
            words: z.string(),
            status: oneOf(giftStatus),
            said: z.string(),
            reason: z.string(),
            couponId: id.nullable(),
            at: instant,
          }),
        ),
      }),
    ),
  }),
});
/** 我的邀请码 of a 推荐有礼, and what came of it. */
export const openInvitationCode = write({
  path: "/api/customer/:merchant/invitation",
  title: "会员页邀请码",
  access: "member",
  input: z.object({ merchant, activityId: id, device }),
  output: z.object({
    name: z.string(),
    worth: z.string(),
    url: z.string(),
    qr: z.object({ path: z.string(), cells: z.int() }),
    /** Friends who have not ordered or whose order is not sure yet, who count, and who do not. */
    waiting: z.int(),
    done: z.int(),
    not: z.int(),
  }),
});
/** 扫活动码: a store's code that this member opened. What it gives comes right after. */
export const openActivityCode = write({
  path: "/api/customer/:merchant/scan",
  title: "会员页扫活动码",
  access: "member",
  input: z.object({ merchant, code: z.string().regex(/^[\w-]{59}$/, "活动码有误"), device }),
  output: z.object({
    activityId: id,
    name: z.string(),
    worth: z.string(),
    outcome: z.enum(["owed", "review", "refused", "known", "over"]),
    once: z.enum(["life", "day"]),
  }),
});
/** 关注礼: the address that the official account sent to a new follower, opened by a member who is that follower from now on. */
export const openFanLink = write({
  path: "/api/customer/:merchant/fan",
  title: "会员页领关注礼",
  access: "member",
  input: z.object({ merchant, code: z.string().regex(/^[\w-]{38}$/, "领取链接有误") }),
  output: z.object({
    accountName: z.string(),
    items: z.array(
      z.object({
        name: z.string(),
        worth: z.string(),
        outcome: z.enum(["offered", "owed", "review", "refused", "known", "over"]),
      }),
    ),
  }),
});
