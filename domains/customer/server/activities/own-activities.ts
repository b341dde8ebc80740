import { implement } from "@zhangfang/server/calls/call.ts";
import { openInvitation, openScan, ownActivities } from "../../../activities/server/index.ts";
import { openFan } from "../../../wechat/server/index.ts";
import { listOwnActivities, openActivityCode, openFanLink, openInvitationCode } from "../../contract/index.ts";
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
/** 会员页领关注礼. */
export const openFanLinkRoute = implement(openFanLink, async (ctx, { code }) => {
  const { accountName, welcomes } = await openFan(ctx.tx, ctx.services, selfOf(ctx), code);
  ctx.note({ targetKind: "activity", targetId: "", after: { fan: accountName, outcomes: welcomes.map(({ outcome }) => outcome) } });
  return { accountName, items: [...welcomes] };
});
