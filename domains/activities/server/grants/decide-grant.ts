import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { decideGrant } from "../../contract/index.ts";
import { heldActivity } from "../manage/find-activity.ts";
import { noteOf } from "../manage/write-activities.ts";
import { giveGrant } from "./give-grant.ts";
import { freeGrant, refusedFor } from "./take-back.ts";

/** 放行 or 拒绝: what is let through is given by the job; what is not frees its place. */
export const decideGrantRoute = implement(decideGrant, async (ctx, { id, approve }) => {
  const { tx, scope, services, now } = ctx;
  const { rows } = await sql<{
    service_provider_id: string;
    activity_id: string;
    cost_cents: number;
  }>`select g.service_provider_id, g.activity_id, g.cost_cents
    from activity_grants g where g.id = ${id} and ${inScope(scope, "g", "merchant")}`.execute(tx);
  const [found] = rows;
  if (!found) throw notFound("领取记录");
  const { service_provider_id, activity_id, cost_cents } = found;
  const activity = await heldActivity(tx, { service_provider_id, id: activity_id });
  if (!activity) throw notFound("活动");
  const settled = approve ? { status: "owed" } : refusedFor("shop", now);
  const changed = await tx
    .updateTable("activity_grants")
    .set({ ...settled, by_name: askerOf(ctx).name })
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("status", "=", "review")
    .executeTakeFirst();
  mustChange(changed, () => conflict("这条领取已被处理，请刷新后查看"));
  if (approve) await services.jobs.enqueue(tx, giveGrant, { service_provider_id, grant_id: id });
  else await freeGrant(tx, activity, id, cost_cents);
  noteOf(ctx, activity, { grant: id, approve });
  return { ok: true as const };
});
