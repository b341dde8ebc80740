import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { holdCouponStock } from "../../../coupons/server/index.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { giveAgain } from "../../contract/index.ts";
import { heldActivity } from "../manage/find-activity.ts";
import { noteOf } from "../manage/write-activities.ts";
import { giveGrant } from "./give-grant.ts";

interface Found {
  readonly service_provider_id: string;
  readonly activity_id: string;
  readonly cost_cents: number;
}
/** 再发一次: what failed is owed once more, its cost and its pieces set aside again; what was given stays given. */
export const giveAgainRoute = implement(giveAgain, async (ctx, { id }) => {
  const { tx, scope, services } = ctx;
  const found = async () =>
    (
      await sql<Found>`select g.service_provider_id, g.activity_id, g.cost_cents from activity_grants g
        where g.id = ${id} and ${inScope(scope, "g", "merchant")}`.execute(tx)
    ).rows[0];
  const first = await found();
  if (!first) throw notFound("领取记录");
  const { service_provider_id, activity_id } = first;
  const activity = await heldActivity(tx, { service_provider_id, id: activity_id });
  // What it cost is read after the wait: somebody may have tried it again meanwhile.
  const grant = await found();
  if (!activity || !grant) throw notFound("活动");
  const { rows: things } = await sql<{ campaign_id: string | null; n: number; cost: number }>`with again as (
      update activity_gifts x set status = 0, reason = '' from activity_grants g where g.service_provider_id = x.service_provider_id and g.id = x.grant_id
        and g.status = 'failed' and x.service_provider_id = ${service_provider_id} and x.grant_id = ${id} and x.status = 2
      returning x.campaign_id, x.cost_cents)
    select a.campaign_id, count(*)::int as n, sum(a.cost_cents)::bigint as cost from again a group by 1 order by 1`.execute(tx);
  if (things.length === 0) throw conflict("这条领取没有要再发的，请刷新后查看");
  const more = things.reduce((sum, { cost }) => sum + cost, 0);
  const owed = await tx
    .updateTable("activity_grants")
    .set({ status: "owed", reason: "", settled_at: null, cost_cents: grant.cost_cents + more, by_name: askerOf(ctx).name })
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("status", "=", "failed")
    .executeTakeFirst();
  mustChange(owed, () => conflict("这条领取没有要再发的，请刷新后查看"));
  const budget =
    await sql`update activity_budgets b set held_cents = b.held_cents + ${grant.cost_cents + more}, spent_cents = b.spent_cents - ${grant.cost_cents}
    where b.service_provider_id = ${service_provider_id} and b.activity_id = ${activity_id} and b.spent_cents >= ${grant.cost_cents}
      and b.spent_cents + b.held_cents + ${more} <= b.budget_cents`.execute(tx);
  mustChange({ numUpdatedRows: budget.numAffectedRows ?? 0n }, () => new Error("a failed place costs more than its activity has"));
  for (const { campaign_id, n } of things) {
    if (campaign_id === null) continue;
    // At what it was reckoned to cost: of an activity that is over its terms may be better by now.
    await holdCouponStock(tx, { service_provider_id, campaign_id }, n, activity.costs.coupons[campaign_id]).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === "coupon.changed") throw conflict("券改过条款，成本与发放时不同，不能再发", error.code);
      throw error;
    });
    const held = await sql`update activity_stock s set held = s.held + ${n} where s.service_provider_id = ${service_provider_id}
      and s.activity_id = ${activity_id} and s.campaign_id = ${campaign_id}`.execute(tx);
    mustChange({ numUpdatedRows: held.numAffectedRows ?? 0n }, () => new Error("an activity gives a coupon that it never held"));
  }
  await services.jobs.enqueue(tx, giveGrant, { service_provider_id, grant_id: id });
  noteOf(ctx, activity, { grant: id, again: true });
  return { ok: true as const };
});
