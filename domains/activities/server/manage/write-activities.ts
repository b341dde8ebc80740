import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { isMaker } from "../../../coupons/server/index.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { addActivity, priceActivity, updateActivity, withdrawActivity } from "../../contract/index.ts";
import { checkTerms, decided, spanOf, writeTerms } from "./check-terms.ts";
import { type ActivityHead, heldHead } from "./find-activity.ts";

type Own = Pick<ActivityHead, "id" | "service_provider_id" | "merchant_id">;
/** What is done to an activity, for the audit log. */
export const noteOf = (ctx: Ctx, { id, service_provider_id, merchant_id }: Own, after: object, before?: object) =>
  ctx.note({
    targetKind: "activity",
    targetId: id,
    provider: service_provider_id,
    merchant: merchant_id,
    ...(before && { before }),
    after,
  });
function ownerOf({ scope }: Ctx) {
  const { provider, merchant } = scope;
  if (!provider || !merchant) throw notFound("商户");
  return { service_provider_id: provider, merchant_id: merchant };
}

/** 活动成本: what the form shows before it is sent. */
export const priceActivityRoute = implement(priceActivity, async (ctx, facts) => {
  const { place_cents, said } = await checkTerms(ctx, ownerOf(ctx), facts);
  return { placeCents: place_cents as never, budgetCents: (place_cents * facts.terms.places) as never, said };
});

/** 新建活动: it gives nothing before another person says yes. */
export const addActivityRoute = implement(addActivity, async (ctx, { requestId: _request, ...facts }) => {
  const owner = ownerOf(ctx);
  const checked = await checkTerms(ctx, owner, facts);
  const { id: made_by, name: made_by_name } = askerOf(ctx);
  const [id, no] = [ctx.services.ids.uuid(ctx.now_ms), ctx.services.ids.digits(10)];
  const { kind, name, terms } = facts;
  await ctx.tx
    .insertInto("activities")
    .values({ ...owner, ...spanOf(facts), id, no, kind, name, state: "UNAUDIT", made_by, made_by_name, created_at: ctx.now })
    .execute();
  await writeTerms(ctx.tx, owner, { ...checked, activity_id: id, version: 1, terms, by_name: made_by_name, at: ctx.now });
  await ctx.tx
    .insertInto("activity_budgets")
    .values({ ...owner, activity_id: id, places: terms.places, budget_cents: checked.place_cents * terms.places })
    .execute();
  noteOf(ctx, { id, ...owner }, facts);
  return { id, no };
});

/** Only who made it changes and withdraws it, so that whoever approves it had no hand in it. */
function mustBeMaker(ctx: Ctx, activity: ActivityHead): void {
  if (!isMaker(ctx, activity)) throw new Refusal(403, "second-person", "只有提交人可以修改或撤回");
}

/** 修改活动, while it waits. */
export const updateActivityRoute = implement(updateActivity, async (ctx, { id, version, ...facts }: ParsedOf<typeof updateActivity>) => {
  const activity = await heldHead(ctx, id);
  mustBeMaker(ctx, activity);
  if (activity.state !== "UNAUDIT") throw decided();
  if (activity.version !== version) throw conflict("活动已被修改，请重新打开后再改");
  const checked = await checkTerms(ctx, activity, { ...facts, kind: activity.kind });
  const { name, terms } = facts;
  await writeTerms(ctx.tx, activity, {
    ...checked,
    activity_id: id,
    version: version + 1,
    terms,
    by_name: askerOf(ctx).name,
    at: ctx.now,
  });
  const changed = await ctx.tx
    .updateTable("activities")
    .set({ name, ...spanOf(facts), version: version + 1 })
    .where("service_provider_id", "=", activity.service_provider_id)
    .where("id", "=", id)
    .where("state", "=", "UNAUDIT")
    .where("version", "=", version)
    .executeTakeFirst();
  mustChange(changed, decided);
  const budgeted = await ctx.tx
    .updateTable("activity_budgets")
    .set({ places: terms.places, budget_cents: checked.place_cents * terms.places })
    .where("service_provider_id", "=", activity.service_provider_id)
    .where("activity_id", "=", id)
    .where("taken", "=", 0)
    .executeTakeFirst();
  mustChange(budgeted, decided);
  noteOf(ctx, activity, facts);
  return { ok: true as const };
});

/** 撤回活动. */
export const withdrawActivityRoute = implement(withdrawActivity, async (ctx, { id }) => {
  const activity = await heldHead(ctx, id);
  mustBeMaker(ctx, activity);
  const by = askerOf(ctx);
  const withdrawn = await ctx.tx
    .updateTable("activities")
    .set({ state: "STOPED", stopped_at: ctx.now, decided_by: by.id, decided_by_name: by.name, decided_at: ctx.now })
    .where("service_provider_id", "=", activity.service_provider_id)
    .where("id", "=", id)
    .where("state", "=", "UNAUDIT")
    .executeTakeFirst();
  mustChange(withdrawn, decided);
  noteOf(ctx, activity, { state: "STOPED" });
  return { ok: true as const };
});
