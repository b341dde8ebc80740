import { sql } from "kysely";
import { z } from "zod";
import { asPlatform, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job, type Job } from "@zhangfang/server/jobs/jobs.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Settlement } from "../../../orders/server/index.ts";
import { grant } from "../grants/grant.ts";
import { type TakenBack, takeBack } from "../grants/take-back.ts";

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
  const { service_provider_id, merchant_id, id: order_id } = order;
  const { rows } = await asPlatform(tx, () =>
    kind === "payment"
      ? sql`select 1 from activities a where a.service_provider_id = ${service_provider_id} and a.merchant_id = ${merchant_id} and a.kind = 'paid'
          and a.state = 'RUNNING' limit 1`.execute(tx)
      : sql`select 1 from activity_grants g where g.service_provider_id = ${service_provider_id} and g.occasion = ${order_id}
          and length(g.occasion) = 36 limit 1`.execute(tx),
  );
  if (rows.length > 0)
    await services.jobs.enqueue(tx, kind === "payment" ? grantPaidOrder : takeBackPaidGifts, { service_provider_id, order_id });
}

interface Due {
  readonly activity_id: string;
  readonly store_id: string;
  readonly member_id: string;
}
/** The activities that give something for an order, to whom it is theirs now. */
async function dueOf(tx: Transaction, { service_provider_id, order_id }: Which): Promise<Due[]> {
  const { rows } = await sql<Due>`select a.id as activity_id, o.store_id, coalesce(m.merged_into, m.id) as member_id from pay_orders o
    join members m on m.service_provider_id = o.service_provider_id and m.id = o.member_id
    join activities a on a.service_provider_id = o.service_provider_id and a.merchant_id = o.merchant_id and a.kind = 'paid' and a.state = 'RUNNING'
      and greatest(a.begins_at, a.decided_at) <= o.paid_at and a.ends_at > o.paid_at
    join activity_terms t on t.service_provider_id = a.service_provider_id and t.activity_id = a.id and t.version = a.version
    where o.service_provider_id = ${service_provider_id} and o.id = ${order_id} and o.purpose = 0 and ${LEFT} >= ${LEAST}
      and (t.terms -> 'storeIds' = '[]'::jsonb or t.terms -> 'storeIds' ? o.store_id::text) order by a.id`.execute(tx);
  return rows;
}
/** Grants what a paid order gives, once for the order. */
export const grantPaidOrder: Job<typeof which> = job({
  name: "grant-paid-order",
  data: which,
  run: async (services, order) => {
    const { service_provider_id, order_id } = order;
    const due = await withScope(services.pool, SCOPE, (tx) => dueOf(tx, order), { readOnly: true });
    // One transaction each: what stands against one of them is nothing to the next.
    for (const { activity_id } of due)
      await withScope(services.pool, SCOPE, async (tx) => {
        // Behind the order, as a refund that is settled is: what goes back of it is seen here, or sees this grant.
        await sql`select 1 from pay_orders o where o.service_provider_id = ${service_provider_id} and o.id = ${order_id} for share`.execute(
          tx,
        );
        const still = (await dueOf(tx, order)).find((one) => one.activity_id === activity_id);
        if (still) await grant(tx, services, { service_provider_id, ...still, occasion: order_id, marks: [] });
      });
  },
});

const GRANTS = sql`activity_grants g
  join activities a on a.service_provider_id = g.service_provider_id and a.id = g.activity_id and a.kind = 'paid'
  join activity_terms t on t.service_provider_id = g.service_provider_id and t.activity_id = g.activity_id and t.version = g.version
  join pay_orders o on o.service_provider_id = g.service_provider_id`;
/** The gifts of an order of which, with so much more back, less is left than they were for. */
async function lostBy(tx: Transaction, { service_provider_id, order_id }: Which, more_cents = 0) {
  const { rows } = await sql<{
    id: string;
    activity_id: string;
    name: string;
  }>`select g.id, g.activity_id, a.name from ${GRANTS} and o.id = ${order_id}
    where g.service_provider_id = ${service_provider_id} and g.occasion = ${order_id} and length(g.occasion) = 36 and g.status <> 'refused'
      and ${LEFT} - ${more_cents}::bigint < ${LEAST} order by g.activity_id`.execute(tx);
  return rows;
}
/** A refund is done: where what is left of the order is not enough for its gifts, those that were not used go back. Once more changes nothing. */
export const takeBackPaidGifts: Job<typeof which> = job({
  name: "take-back-paid-gifts",
  data: which,
  run: async (services, order) => {
    const lost = await withScope(services.pool, SCOPE, (tx) => lostBy(tx, order), { readOnly: true });
    for (const { id, activity_id } of lost)
      await withScope(services.pool, SCOPE, (tx) =>
        takeBack(tx, services, { service_provider_id: order.service_provider_id, activity_id, grant_id: id, order_id: order.order_id }),
      );
  },
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
