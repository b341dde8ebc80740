import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import { mustChange, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import { freeCouponStock, holdCouponStock, mustBeAnother, mustMayDecide, restsFrom } from "../../../coupons/server/index.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { addActivityPlaces, decideActivity, steerActivity } from "../../contract/index.ts";
import { piecesOf } from "../rules/activity-rules.ts";
import { decided } from "./check-terms.ts";
import { HEARD_DAYS } from "../rules/activity-rules.ts";
import { type ActivityHead, type ActivityRef, heldActivity, heldHead } from "./find-activity.ts";
import { noteOf } from "./write-activities.ts";

/** Sets the coupons of so many places aside. @throws 409 where so many are not left, or a campaign gives out none */
async function holdPieces(tx: Transaction, activity: ActivityHead, places: number): Promise<void> {
  const { service_provider_id, merchant_id, id: activity_id } = activity;
  for (const [campaign_id, each] of [...piecesOf(activity.terms)].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    await holdCouponStock(tx, { service_provider_id, campaign_id }, places * each, activity.costs.coupons[campaign_id]);
    await sql`insert into activity_stock as s (service_provider_id, activity_id, campaign_id, merchant_id, each, held)
      values (${service_provider_id}, ${activity_id}, ${campaign_id}, ${merchant_id}, ${each}, ${places * each})
      on conflict (service_provider_id, activity_id, campaign_id) do update set held = s.held + excluded.held`.execute(tx);
  }
}

/** 审核活动: what is approved is what was read; its coupons are set aside from here on. */
export const decideActivityRoute = implement(decideActivity, async (ctx, { id, version, approve, refundPassword }) => {
  const activity = await heldHead(ctx, id);
  if (activity.state !== "UNAUDIT") throw decided();
  if (activity.version !== version) throw conflict("活动已被修改，请重新查看后再审核");
  let alone = false;
  if (!approve) mustBeAnother(ctx, activity);
  else {
    alone = await mustMayDecide(ctx, activity, { liability_cents: activity.place_cents * activity.places, refundPassword });
    if (Date.parse(activity.ends_at) <= ctx.now_ms) throw conflict("活动时间已过，请撤回后重新提交");
    await holdPieces(ctx.tx, activity, activity.places);
  }
  const by = askerOf(ctx);
  const state = approve ? "RUNNING" : "STOPED";
  const changed = await ctx.tx
    .updateTable("activities")
    .set({
      state,
      alone,
      decided_by: by.id,
      decided_by_name: by.name,
      decided_at: ctx.now,
      ...(state === "STOPED" && { stopped_at: ctx.now }),
    })
    .where("service_provider_id", "=", activity.service_provider_id)
    .where("id", "=", id)
    .where("state", "=", "UNAUDIT")
    .where("version", "=", version)
    .executeTakeFirst();
  mustChange(changed, decided);
  noteOf(ctx, activity, { state, alone, version }, { state: activity.state });
  return { ok: true as const };
});

/** Ends an activity whose budget is held: what nobody was granted is free again; what is owed is given all the same. */
async function stop(tx: Transaction, { service_provider_id, id, places, taken, terms }: ActivityHead, now: string): Promise<void> {
  const changed = await tx
    .updateTable("activities")
    .set({ state: "STOPED", stopped_at: now })
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("state", "in", ["RUNNING", "PAUSED"])
    .executeTakeFirst();
  mustChange(changed, decided);
  for (const [campaign_id, each] of piecesOf(terms))
    await freePieces(tx, { service_provider_id, id }, campaign_id, (places - taken) * each);
}
/** Pieces that an activity set aside go back to their campaign. */
export async function freePieces(
  tx: Transaction,
  { service_provider_id, id }: ActivityRef,
  campaign_id: string,
  count: number,
): Promise<void> {
  if (count === 0) return;
  const freed = await sql`update activity_stock s set held = s.held - ${count} where s.service_provider_id = ${service_provider_id}
    and s.activity_id = ${id} and s.campaign_id = ${campaign_id} and s.held >= ${count}`.execute(tx);
  mustChange({ numUpdatedRows: freed.numAffectedRows ?? 0n }, () => new Error("an activity holds fewer pieces than it gives back"));
  await freeCouponStock(tx, { service_provider_id, campaign_id }, count);
}

const STEER = { pause: ["RUNNING", "PAUSED"], resume: ["PAUSED", "RUNNING"] } as const;
/** 暂停, 恢复, 结束: what is owed is given all the same. */
export const steerActivityRoute = implement(steerActivity, async (ctx, { id, act }) => {
  const activity = await heldHead(ctx, id);
  if (act === "stop") {
    if (activity.state !== "RUNNING" && activity.state !== "PAUSED") throw decided();
    await stop(ctx.tx, activity, ctx.now);
  } else {
    const [from, to] = STEER[act];
    if (act === "resume" && Date.parse(activity.ends_at) <= ctx.now_ms) throw conflict("活动时间已过，不能恢复");
    const changed = await ctx.tx
      .updateTable("activities")
      .set({ state: to, pauses: restsFrom(act, ctx.now) })
      .where("service_provider_id", "=", activity.service_provider_id)
      .where("id", "=", id)
      .where("state", "=", from)
      .executeTakeFirst();
    mustChange(changed, decided);
  }
  noteOf(ctx, activity, { act }, { state: activity.state });
  return { ok: true as const };
});

/** 加名额: more only, and where there are as many as were seen. Whoever made it adds alone only in little, as they approve it. */
export const addActivityPlacesRoute = implement(addActivityPlaces, async (ctx, { id, seen, places, refundPassword }) => {
  const activity = await heldHead(ctx, id);
  if (activity.state !== "RUNNING" && activity.state !== "PAUSED") throw conflict("只有进行中或已暂停的活动可以加名额");
  if (places <= seen) throw invalid("places", "只能增加，须大于现有名额");
  if (activity.places !== seen) throw conflict("名额已被别人修改，请刷新后再加");
  const more = (places - seen) * activity.place_cents;
  const alone = await mustMayDecide(ctx, activity, { liability_cents: activity.place_cents * places, refundPassword });
  await holdPieces(ctx.tx, activity, places - seen);
  const added = await sql`update activity_budgets b set places = ${places}, budget_cents = b.budget_cents + ${more}
    where b.service_provider_id = ${activity.service_provider_id} and b.activity_id = ${id} and b.places = ${seen}`.execute(ctx.tx);
  mustChange({ numUpdatedRows: added.numAffectedRows ?? 0n }, () => conflict("名额已被别人修改，请刷新后再加"));
  // Another's yes to more is one to the whole: what its maker ran alone is theirs no longer.
  const by = askerOf(ctx);
  if (!alone)
    await ctx.tx
      .updateTable("activities")
      .set({ alone: false, decided_by: by.id, decided_by_name: by.name, decided_at: ctx.now })
      .where("service_provider_id", "=", activity.service_provider_id)
      .where("id", "=", id)
      .where("alone", "=", true)
      .execute();
  noteOf(ctx, activity, { seen, places });
  return { ok: true as const };
});

/**
 * Each minute: an activity past its end grants nothing more; 支付有礼 only days later, for what was paid in time may be heard of as late as from
 * the channel's bill, which comes on the next morning and is looked into on the next working day. One that rests grants nothing by then either.
 */
export const endActivities = lookAfter<ActivityRef>({
  name: "end-activities",
  due: async (tx, now) =>
    (
      await sql<ActivityRef>`select a.service_provider_id, a.id from activities a where a.state in ('RUNNING', 'PAUSED') and a.ends_at <= ${now}
          and (a.kind <> 'paid' or a.state = 'PAUSED' or a.ends_at <= ${now}::timestamptz - interval '1 day' * ${sql.lit(HEARD_DAYS)}) order by a.ends_at limit 500`.execute(
        tx,
      )
    ).rows,
  one: (services, ref) =>
    withScope(services.pool, platformScope("an activity that ends"), async (tx) => {
      const activity = await heldActivity(tx, ref);
      const now = new Date(services.clock.now_ms()).toISOString();
      if (activity && (activity.state === "RUNNING" || activity.state === "PAUSED") && activity.ends_at <= now)
        await stop(tx, activity, now);
    }),
});
