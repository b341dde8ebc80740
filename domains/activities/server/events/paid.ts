import { sql } from "kysely";
import { z } from "zod";
import { asPlatform, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job, type Job } from "@zhangfang/server/jobs/jobs.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { MemberFacts } from "../../../members/server/index.ts";
import type { Settlement } from "../../../orders/server/index.ts";
import { grant } from "../grants/grant.ts";
import { HEARD_DAYS } from "../rules/activity-rules.ts";
import { type TakenBack, takeBack, TO_TAKE } from "../grants/take-back.ts";

const which = z.object({ service_provider_id: z.uuid(), order_id: z.uuid() });
type Which = z.output<typeof which>;
const SCOPE = platformScope("gifts of paid orders");

/** What was paid of an order `o`, by money and stored value, and did not go back. */
const LEFT = sql<number>`(o.paid_cents + o.stored_value_cents - o.value_refunded_cents)`;
/** What an activity's terms `t` want of it: something at all. */
const LEAST = sql<number>`greatest(coalesce((t.terms ->> 'minCents')::bigint, 0), 1)`;

/** 支付有礼: a member's order was paid, or some of it went back. Recharges, levels, cards and packages give nothing. */
export async function hearPaid(tx: Transaction, services: Services, { kind, order }: Settlement): Promise<void> {
  if (order.purpose !== 0 || order.member_id === null || kind === "closed") return;
  const { service_provider_id, merchant_id, member_id, id: order_id } = order;
  if (kind === "payment") return hearClaimed(tx, services, { service_provider_id, merchant_id, id: member_id, order_id });
  const { rows } = await asPlatform(tx, () =>
    sql`select 1 from activity_grants g where g.service_provider_id = ${service_provider_id} and g.occasion = ${order_id}
      and length(g.occasion) = 36 limit 1`.execute(tx),
  );
  if (rows.length > 0) await services.jobs.enqueue(tx, takeBackPaidGifts, { service_provider_id, order_id });
}
/** A paid order is a member's: from the till, or because who paid turned out to be one. */
export const hearClaimed: NonNullable<MemberFacts["claimed"]> = async (tx, services, { service_provider_id, merchant_id, order_id }) => {
  const { rows } = await asPlatform(tx, () =>
    sql`select 1 from activities a where a.service_provider_id = ${service_provider_id} and a.merchant_id = ${merchant_id} and a.kind = 'paid'
      and a.state = 'RUNNING' limit 1`.execute(tx),
  );
  if (rows.length > 0) await services.jobs.enqueue(tx, grantPaidOrder, { service_provider_id, order_id });
};
/** Each by itself: what stands against one of them is nothing to the next, and the job comes round for it. */
async function eachAlone<T>(all: readonly T[], one: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of all) await one(item).catch((error: unknown) => void failures.push(error));
  if (failures.length > 0) throw failures[0];
}

interface Due {
  readonly activity_id: string;
  readonly store_id: string;
  readonly member_id: string;
  readonly paid_at: string;
}
/** Orders `o` of members `m` with the activities `a`, by their terms `t`, that give something for them; a condition may follow. */
const DUE = sql`pay_orders o
  join members m on m.service_provider_id = o.service_provider_id and m.id = o.member_id
  join activities a on a.service_provider_id = o.service_provider_id and a.merchant_id = o.merchant_id and a.kind = 'paid' and a.state = 'RUNNING'
    and greatest(a.begins_at, a.decided_at) <= o.paid_at and a.ends_at > o.paid_at and not a.pauses @> o.paid_at
  join activity_terms t on t.service_provider_id = a.service_provider_id and t.activity_id = a.id and t.version = a.version
  where o.purpose = 0 and ${LEFT} >= ${LEAST} and (t.terms -> 'storeIds' = '[]'::jsonb or t.terms -> 'storeIds' ? o.store_id::text)`;
/** The activities that give something for an order, to whom it is theirs now. */
async function dueOf(tx: Transaction, { service_provider_id, order_id }: Which): Promise<Due[]> {
  const { rows } = await sql<Due>`select a.id as activity_id, o.store_id, coalesce(m.merged_into, m.id) as member_id, o.paid_at from ${DUE}
    and o.service_provider_id = ${service_provider_id} and o.id = ${order_id} order by a.id`.execute(tx);
  return rows;
}
/** Grants what a paid order gives, once for the order. */
export const grantPaidOrder: Job<typeof which> = job({ name: "grant-paid-order", data: which, run: grantPaid });
async function grantPaid(services: Services, order: Which): Promise<void> {
  const { service_provider_id, order_id } = order;
  const due = await withScope(services.pool, SCOPE, (tx) => dueOf(tx, order), { readOnly: true });
  await eachAlone(due, ({ activity_id }) =>
    withScope(services.pool, SCOPE, async (tx) => {
      // Behind the order, as a refund that is settled is: what goes back of it is seen here, or sees this grant.
      await sql`select 1 from pay_orders o where o.service_provider_id = ${service_provider_id} and o.id = ${order_id} for share`.execute(
        tx,
      );
      const still = (await dueOf(tx, order)).find((one) => one.activity_id === activity_id);
      // It is its payment that came in time, whenever it is heard of.
      if (still) await grant(tx, services, { service_provider_id, ...still, occasion: order_id, at: still.paid_at, marks: [] });
    }),
  );
}
/**
 * Every ten minutes: orders of the last days, as far back as one is heard of, whose job was lost. Not by whom was confirmed as
 * a member only afterwards. `offset 0`: looked up order by order, for the planner would rather read all grants.
 */
export const lookAfterPaidOrders = lookAfter<Which>({
  name: "look-after-paid-orders",
  every: 600,
  due: async (tx, now) =>
    (
      await sql<Which>`select distinct o.service_provider_id, o.id as order_id from ${DUE}
        and o.created_at > ${now}::timestamptz - interval '1 day' * ${sql.lit(HEARD_DAYS + 1)} and o.paid_at < ${now}::timestamptz - interval '1 minute'
        and (m.phone_confirmed_at is null or m.phone_confirmed_at <= o.paid_at)
        and exists (select from members x where x.service_provider_id = m.service_provider_id and x.id = coalesce(m.merged_into, m.id)
          and x.stage = 1 and x.status = 1 offset 0)
        and not exists (select from activity_grants g where g.service_provider_id = o.service_provider_id and g.occasion = o.id::text
          and length(g.occasion) = 36 and g.activity_id = a.id offset 0)
        limit 500`.execute(tx)
    ).rows,
  one: grantPaid,
});

/** Grants `g` of 支付有礼 that are not refused, with their activity `a`, terms `t` and order `o`. */
const GRANTS = sql`activity_grants g
  join activities a on a.service_provider_id = g.service_provider_id and a.id = g.activity_id and a.kind = 'paid'
  join activity_terms t on t.service_provider_id = g.service_provider_id and t.activity_id = g.activity_id and t.version = g.version
  join pay_orders o on o.service_provider_id = g.service_provider_id and o.id = case when length(g.occasion) = 36 then g.occasion::uuid end
    and g.status <> 'refused'`;
/** Grants for whose order too little is left, and which have something that would go back; a condition may follow. */
export const KEPT = sql`${GRANTS} where ${LEFT} < ${LEAST} and ${TO_TAKE}`;
/** The gifts of an order of which, with so much more back, less is left than they were for. */
async function lostBy(tx: Transaction, { service_provider_id, order_id }: Which, more_cents = 0) {
  const { rows } = await sql<{
    id: string;
    activity_id: string;
    name: string;
  }>`select g.id, g.activity_id, a.name from ${GRANTS}
    where g.service_provider_id = ${service_provider_id} and g.occasion = ${order_id} and length(g.occasion) = 36
      and ${LEFT} - ${more_cents}::bigint < ${LEAST} order by g.activity_id`.execute(tx);
  return rows;
}
/** A refund is done: where what is left of the order is not enough for its gifts, those that were not used go back. Once more changes nothing. */
export const takeBackPaidGifts: Job<typeof which> = job({ name: "take-back-paid-gifts", data: which, run: takeBackLost });
async function takeBackLost(services: Services, order: Which): Promise<void> {
  const lost = await withScope(services.pool, SCOPE, (tx) => lostBy(tx, order), { readOnly: true });
  await eachAlone(lost, ({ id, activity_id }) =>
    withScope(services.pool, SCOPE, (tx) =>
      takeBack(tx, services, { service_provider_id: order.service_provider_id, activity_id, grant_id: id, order_id: order.order_id }),
    ),
  );
}
/** Every ten minutes: orders of which something went back in the last day, and whose job was lost. */
export const lookAfterPaidGifts = lookAfter<Which>({
  name: "look-after-paid-gifts",
  every: 600,
  due: async (tx, now) =>
    (
      await sql<Which>`select distinct r.service_provider_id, r.order_id from service_providers p
        join refunds r on r.service_provider_id = p.id and r.status = 2
          and r.finished_at > ${now}::timestamptz - interval '1 day' and r.finished_at < ${now}::timestamptz - interval '1 minute'
        where exists (select from ${KEPT} and g.service_provider_id = r.service_provider_id and g.occasion = r.order_id::text
          and length(g.occasion) = 36 offset 0) limit 500`.execute(tx)
    ).rows,
  one: takeBackLost,
});

/** What a refund of so much more would take back of an order's gifts, in words, before anybody clicks. */
export async function sayPaidGifts(
  tx: Transaction,
  _services: Services,
  { service_provider_id, id: order_id }: { readonly service_provider_id: string; readonly id: string },
  value_cents: number,
): Promise<string[]> {
  return asPlatform(tx, async () => {
    const said: string[] = [];
    for (const { id, name } of await lostBy(tx, { service_provider_id, order_id }, value_cents)) {
      const { rows } = await sql<TakenBack>`select count(*) filter (where x.kind = 'coupon' and c.state = 'SENDED')::int as coupons,
          count(*) filter (where x.kind = 'coupon' and c.state in ('USED', 'LOCKED'))::int as used,
          coalesce(sum(x.amount) filter (where x.kind = 'points' and x.status = 1), 0)::bigint as points, count(*) filter (where x.status = 0)::int as owed
        from activity_gifts x left join coupons c on c.service_provider_id = x.service_provider_id and c.id = x.coupon_id
        where x.service_provider_id = ${service_provider_id} and x.grant_id = ${id} and x.status in (0, 1)`.execute(tx);
      const words = backWords(rows[0]!);
      if (words !== "") said.push(`「${name}」送的：${words}`);
    }
    return said;
  });
}
/** @example backWords({ coupons: 1, used: 1, points: 100, owed: 0 }) // "收回没用的券 1 张、100 积分；用掉的券 1 张不收回" */
export function backWords({ coupons, used, points, owed }: TakenBack): string {
  const back = [...(coupons > 0 ? [`没用的券 ${coupons} 张`] : []), ...(points > 0 ? [` ${points} 积分`] : [])]
    .join("、")
    .replace("、 ", "、");
  const parts = [
    ...(back === "" ? [] : [`收回${back}`]),
    ...(owed > 0 ? ["还没发的不再发"] : []),
    ...(used > 0 ? [`用掉的券 ${used} 张不收回`] : []),
  ];
  return parts.join("；");
}
