import { sql } from "kysely";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { voidUnused } from "../../../coupons/server/index.ts";
import { clawPoints } from "../../../value-book/server/index.ts";
import { refusedWhy, type RefusedWhy } from "../../contract/index.ts";
import { freePieces } from "../manage/decide-activities.ts";
import { type ActivityHead, heldActivity } from "../manage/find-activity.ts";
import { costOf, piecesOf } from "../rules/activity-rules.ts";

/** What of a gift goes back with an order, and what stays. */
export interface TakenBack {
  readonly coupons: number;
  readonly used: number;
  readonly points: number;
  readonly owed: number;
}
interface Which {
  readonly service_provider_id: string;
  readonly activity_id: string;
  readonly grant_id: string;
  readonly order_id: string;
}
interface Thing {
  readonly id: string;
  readonly kind: string;
  readonly status: number;
  readonly amount: number;
  readonly cost_cents: number;
  readonly campaign_id: string | null;
  readonly coupon_id: string | null;
}
interface Found {
  readonly merchant_id: string;
  readonly member_id: string;
  readonly store_id: string;
  readonly status: string;
  readonly cost_cents: number;
}

/**
 * A grant that is not given after all: its place and its cost are free, and of an activity that is over its coupons go back. Whoever calls holds
 * the budget, and has moved the grant.
 */
export async function freeGrant(tx: Transaction, activity: ActivityHead, grant_id: string, cost_cents: number): Promise<void> {
  const { service_provider_id, id: activity_id } = activity;
  await sql`update activity_gifts x set status = 3 where x.service_provider_id = ${service_provider_id} and x.grant_id = ${grant_id} and x.status = 0`.execute(
    tx,
  );
  const freed = await sql`update activity_budgets b set taken = b.taken - 1, held_cents = b.held_cents - ${cost_cents}
    where b.service_provider_id = ${service_provider_id} and b.activity_id = ${activity_id} and b.taken > 0 and b.held_cents >= ${cost_cents}`.execute(
    tx,
  );
  mustChange({ numUpdatedRows: freed.numAffectedRows ?? 0n }, () => new Error("a budget holds less than is owed of it"));
  // Of an activity that goes on the place is the next one's.
  if (activity.state === "STOPED")
    for (const [campaign_id, each] of piecesOf(activity.terms))
      await freePieces(tx, { service_provider_id, id: activity_id }, campaign_id, each);
}
/** That a grant `g` has gifts which would go back with its order. */
export const TO_TAKE = sql<boolean>`exists (select from activity_gifts x
  left join coupons c on c.service_provider_id = x.service_provider_id and c.id = x.coupon_id
  where x.service_provider_id = g.service_provider_id and x.grant_id = g.id
    and (x.status in (0, 2) or x.status = 1 and (x.kind = 'points' or c.state = 'SENDED')))`;
/** How a grant stands that is given no more, and why. */
export const refusedFor = (why: RefusedWhy, now: string) => ({
  status: "refused",
  why,
  reason: refusedWhy.label(why),
  settled_at: now,
  cost_cents: 0,
});

/**
 * The order that a grant was for went back: what is owed is not given any more; of what was given unused coupons are void, points are taken back
 * as those that an order earned are, and what was used stays. Its cost is free again, its place is not.
 */
export async function takeBack(
  tx: Transaction,
  services: Services,
  { service_provider_id, activity_id, grant_id, order_id }: Which,
): Promise<void> {
  const activity = await heldActivity(tx, { service_provider_id, id: activity_id });
  const { rows } = await sql<Found>`select g.merchant_id, coalesce(m.merged_into, m.id) as member_id, g.store_id, g.status, g.cost_cents
    from activity_grants g join members m on m.service_provider_id = g.service_provider_id and m.id = g.member_id
    where g.service_provider_id = ${service_provider_id} and g.id = ${grant_id} and g.status <> 'refused'`.execute(tx);
  const [grant] = rows;
  if (!activity || !grant) return;
  const now_ms = services.clock.now_ms();
  const move = (to: object) =>
    tx
      .updateTable("activity_grants")
      .set(to)
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", grant_id)
      .where("status", "=", grant.status)
      .executeTakeFirst()
      .then((moved) => mustChange(moved, () => new Error("a grant of a held budget moved")));
  const { rows: all } =
    await sql<Thing>`select x.id, x.kind, x.status, x.amount, x.cost_cents, x.campaign_id, x.coupon_id from activity_gifts x
    where x.service_provider_id = ${service_provider_id} and x.grant_id = ${grant_id} order by x.place`.execute(tx);
  const things = all.filter(({ status }) => status === 1);
  const waits = grant.status === "owed" || grant.status === "review";
  if (waits && things.length === 0) {
    await move(refusedFor("refund", new Date(now_ms).toISOString()));
    return freeGrant(tx, activity, grant_id, grant.cost_cents);
  }
  if (waits) await stopAgain(tx, activity, grant, all);
  const merchant = { service_provider_id, merchant_id: grant.merchant_id };
  const voided = await voidUnused(
    tx,
    services,
    merchant,
    things.flatMap(({ coupon_id }) => coupon_id ?? []),
  );
  const points = things.filter(({ kind }) => kind === "points");
  for (const { id, amount } of points)
    await clawPoints(
      tx,
      { ids: services.ids, now_ms },
      { ...merchant, member_id: grant.member_id },
      { id: order_id, store_id: grant.store_id },
      { cause_id: id, points: amount },
    );
  const back = things.filter(({ id, coupon_id }) => points.some((one) => one.id === id) || (coupon_id !== null && voided.has(coupon_id)));
  await sql`update activity_gifts x set status = case when x.status = 1 then 4 else 3 end where x.service_provider_id = ${service_provider_id}
    and x.grant_id = ${grant_id} and (x.status in (0, 2) or x.id = any(${back.map(({ id }) => id)}::uuid[]))`.execute(tx);
  const less = costOf(back);
  // With what an earlier refund took.
  const taken = back.length + all.filter(({ status }) => status === 4).length;
  const stay = things.length - back.length;
  await move({
    ...(waits && { status: "given", settled_at: new Date(now_ms).toISOString() }),
    cost_cents: costOf(things) - less,
    reason: `订单退款，收回 ${taken} 件${stay > 0 ? `，用掉或过期的 ${stay} 件不收回` : ""}`,
  });
  const booked =
    await sql`update activity_budgets b set spent_cents = b.spent_cents - ${less} where b.service_provider_id = ${service_provider_id}
    and b.activity_id = ${activity_id} and b.spent_cents >= ${less}`.execute(tx);
  mustChange({ numUpdatedRows: booked.numAffectedRows ?? 0n }, () => new Error("a budget spent less than goes back of it"));
}
/** 再发一次 is called off: only what it set aside is free again; what was given before is spent as it was. */
async function stopAgain(tx: Transaction, activity: ActivityHead, { cost_cents }: Found, all: readonly Thing[]): Promise<void> {
  const { service_provider_id, id: activity_id } = activity;
  const given = costOf(all.filter(({ status }) => status === 1));
  const booked = await sql`update activity_budgets b set held_cents = b.held_cents - ${cost_cents}, spent_cents = b.spent_cents + ${given}
    where b.service_provider_id = ${service_provider_id} and b.activity_id = ${activity_id} and b.held_cents >= ${cost_cents}`.execute(tx);
  mustChange({ numUpdatedRows: booked.numAffectedRows ?? 0n }, () => new Error("a budget holds less than is owed of it"));
  const pieces = Map.groupBy(
    all.flatMap(({ status, campaign_id }) => (status === 0 && campaign_id !== null ? [campaign_id] : [])),
    (campaign_id) => campaign_id,
  );
  for (const [campaign_id, owed] of [...pieces].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    await freePieces(tx, { service_provider_id, id: activity_id }, campaign_id, owed.length);
}
