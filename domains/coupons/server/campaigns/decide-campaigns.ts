import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { addCouponStock, decideCampaign, steerCampaign } from "../../contract/index.ts";
import { openMirror, touchMirror } from "../carriers/touch-carrier.ts";
import { type CampaignHead, heldHead, mustBeAnother, mustMayDecide, restsFrom } from "./find-campaign.ts";

const noteOf = (ctx: Ctx, { id, service_provider_id, merchant_id, state }: CampaignHead, after: object) =>
  ctx.note({
    targetKind: "coupon_campaign",
    targetId: id,
    provider: service_provider_id,
    ...(merchant_id !== null && { merchant: merchant_id }),
    before: { state },
    after,
  });
const decided = () => conflict("此优惠券已被处理，请刷新后查看");

/** 审核优惠券: what is approved is what was read. */
export const decideCampaignRoute = implement(decideCampaign, async (ctx, { id, version, approve, refundPassword }) => {
  const campaign = await heldHead(ctx, id);
  if (campaign.state !== "UNAUDIT") throw decided();
  if (campaign.version !== version) throw conflict("优惠券已被修改，请重新查看后再审核");
  const by = askerOf(ctx);
  let alone = false;
  if (!approve) mustBeAnother(ctx, campaign);
  else {
    alone = await mustMayDecide(ctx, campaign, { liability_cents: campaign.value_cents * campaign.total, refundPassword });
    if (Date.parse(campaign.ends_at) <= ctx.now_ms) throw conflict("领取时间已过，请撤回后重新提交");
  }
  const state = approve ? "RUNNING" : "STOPED";
  const changed = await ctx.tx
    .updateTable("coupon_campaigns")
    .set({
      state,
      alone,
      decided_by: by.id,
      decided_by_name: by.name,
      decided_at: ctx.now,
      ...(state === "STOPED" && { stopped_at: ctx.now }),
    })
    .where("service_provider_id", "=", campaign.service_provider_id)
    .where("id", "=", id)
    .where("state", "=", "UNAUDIT")
    .where("version", "=", version)
    .executeTakeFirst();
  mustChange(changed, decided);
  if (approve) await openMirror(ctx.tx, campaign, ctx.now);
  noteOf(ctx, campaign, { state, alone, version });
  return { ok: true as const };
});

const STEER = {
  pause: { from: ["RUNNING"], to: "PAUSED" },
  resume: { from: ["PAUSED"], to: "RUNNING" },
  stop: { from: ["RUNNING", "PAUSED"], to: "STOPED" },
} as const;
/** 暂停, 恢复, 停止: what was received stays good. */
export const steerCampaignRoute = implement(steerCampaign, async (ctx, { id, act }) => {
  const campaign = await heldHead(ctx, id);
  const { from, to } = STEER[act];
  if (act === "resume" && Date.parse(campaign.ends_at) <= ctx.now_ms) throw conflict("领取时间已过，不能恢复");
  const changed = await ctx.tx
    .updateTable("coupon_campaigns")
    .set({ state: to, ...(act === "stop" ? { stopped_at: ctx.now } : { pauses: restsFrom(act, ctx.now) }) })
    .where("service_provider_id", "=", campaign.service_provider_id)
    .where("id", "=", id)
    .where("state", "in", from)
    .executeTakeFirst();
  mustChange(changed, decided);
  await touchMirror(ctx.tx, campaign, ctx.now);
  noteOf(ctx, campaign, { state: to });
  return { ok: true as const };
});

/** 加库存: more only, and where the total is the one that was seen. Whoever made the campaign adds alone only in little, as they approve it. */
export const addCouponStockRoute = implement(addCouponStock, async (ctx, { id, seen, total, refundPassword }) => {
  const campaign = await heldHead(ctx, id);
  if (campaign.state !== "RUNNING" && campaign.state !== "PAUSED") throw conflict("只有发放中或已暂停的优惠券可以加库存");
  if (total <= seen) throw invalid("total", "只能增加，须大于现有总量");
  if (campaign.carrier === "favor") throw invalid("total", "微信代金券的批次建好后不能改数量，请另建一张");
  const alone = await mustMayDecide(ctx, campaign, { liability_cents: campaign.value_cents * total, refundPassword });
  const added = await sql`update coupon_stock set total = ${total} where service_provider_id = ${campaign.service_provider_id}
    and campaign_id = ${id} and total = ${seen}`.execute(ctx.tx);
  mustChange({ numUpdatedRows: added.numAffectedRows ?? 0n }, () => conflict("总量已被别人修改，请刷新后再加"));
  // Another's yes to more is one to the whole: what its maker ran alone is theirs no longer.
  const by = askerOf(ctx);
  if (!alone)
    await ctx.tx
      .updateTable("coupon_campaigns")
      .set({ alone: false, decided_by: by.id, decided_by_name: by.name, decided_at: ctx.now })
      .where("service_provider_id", "=", campaign.service_provider_id)
      .where("id", "=", id)
      .where("alone", "=", true)
      .execute();
  await touchMirror(ctx.tx, campaign, ctx.now);
  noteOf(ctx, campaign, { seen, total });
  return { ok: true as const };
});
