import { implement } from "@zhangfang/server/calls/call.ts";
import { ownActivities } from "../../../activities/server/index.ts";
import { listOwnActivities } from "../../contract/index.ts";
import { selfOf } from "../session/member-session.ts";

/** 会员页活动. */
export const listOwnActivitiesRoute = implement(listOwnActivities, async (ctx) => ({
  items: (await ownActivities(ctx.tx, ctx.services, selfOf(ctx))) as never,
}));
