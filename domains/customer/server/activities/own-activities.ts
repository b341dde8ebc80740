import { implement } from "@zhangfang/server/calls/call.ts";
import { openInvitation, openScan, ownActivities } from "../../../activities/server/index.ts";
import { listOwnActivities, openActivityCode, openInvitationCode } from "../../contract/index.ts";
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
/** 会员页邀请码. */
export const openInvitationCodeRoute = implement(openInvitationCode, async (ctx, { activityId, device }) => {
  const opened = await openInvitation(ctx.tx, ctx.services, selfOf(ctx), { activity_id: activityId, device });
  ctx.note({ targetKind: "activity", targetId: activityId, after: { code: "shown" } });
  return opened;
});
