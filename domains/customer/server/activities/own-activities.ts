import { implement } from "@zhangfang/server/calls/call.ts";
import { openScan, ownActivities } from "../../../activities/server/index.ts";
import { listOwnActivities, openActivityCode } from "../../contract/index.ts";
import { selfOf } from "../session/member-session.ts";

/** 会员页活动. */
export const listOwnActivitiesRoute = implement(listOwnActivities, async (ctx) => ({
  items: (await ownActivities(ctx.tx, ctx.services, selfOf(ctx))) as never,
}));
/** 会员页扫活动码. */
export const openActivityCodeRoute = implement(openActivityCode, async (ctx, { code, device }) => {
  const opened = await openScan(ctx.tx, ctx.services, selfOf(ctx), { code, device, address: ctx.incoming.ip });
  ctx.note({ targetKind: "activity", targetId: opened.activityId, after: { outcome: opened.outcome } });
  return opened;
});
