import { sql } from "kysely";
import { type Breach, breachesOf, type Rules } from "@zhangfang/server/book.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";

/** Checks what was earned, sent and cleared against the book and the rules, as far as the transaction's scope shows it. @returns nothing where all is well */
export const verifyPoints = (tx: Transaction): Promise<Breach[]> => breachesOf(tx, RULES);

/** What an entry moved on one of the merchant's flows. */
const moved = (
  kind: string,
  cause: string,
) => sql`select e.service_provider_id, e.cause_id, e.order_id, sum(p.amount) as n from value_entries e
  join value_postings p on p.service_provider_id = e.service_provider_id and p.entry_id = e.id
  join value_accounts a on a.service_provider_id = p.service_provider_id and a.id = p.account_id and a.kind = ${sql.lit(kind)}
  where e.cause = ${sql.lit(cause)} group by 1, 2, 3`;
// Of a recharge's order, and no refund of it; whoever has the lot by then.
const offline = sql`select c.service_provider_id, c.id, r.order_id, c.pays_cents, c.points from card_refunds c
  cross join lateral (with recursive up (id, from_lot) as (
      select l.id, l.from_lot from value_lots l where l.service_provider_id = c.service_provider_id and l.id = c.lot_id
      union all select p.id, p.from_lot from value_lots p join up on p.id = up.from_lot where p.service_provider_id = c.service_provider_id)
    select x.order_id from up join recharges x on x.service_provider_id = c.service_provider_id and x.lot_id = up.id) r
  where c.way = 1 and c.status = 2 and r.order_id is not null`;
const backs = sql`select r.service_provider_id, r.order_id, sum(r.amount_cents + case when o.purpose = 0 then r.principal_cents else 0 end) as cents
  from (select service_provider_id, order_id, amount_cents, principal_cents from refunds where status = 2
    union all select c.service_provider_id, order_id, pays_cents, 0 from (${offline}) c) r
  join pay_orders o on o.service_provider_id = r.service_provider_id and o.id = r.order_id group by 1, 2`;

const RULES: Rules = {
  "what an order earned stands in the book": sql`select g.order_id from point_earnings g
    left join (${moved("points-issued", "points-earned")}) e on e.service_provider_id = g.service_provider_id and e.cause_id = g.order_id
    where g.earned <> coalesce(-e.n, 0)`,
  "what is earned in the book an order earned": sql`select e.cause_id from (${moved("points-issued", "points-earned")}) e
    left join point_earnings g on g.service_provider_id = e.service_provider_id and g.order_id = e.cause_id where g.order_id is null and e.order_id is not null`,
  // A card refund takes back what its recharge gave, under its own number; one that was paid offline what it earned beside it.
  "what an order does not keep was taken back": sql`select g.order_id from point_earnings g
    left join (select x.service_provider_id, x.order_id, sum(x.n) as n from (
        select r.service_provider_id, r.order_id, c.n from (${moved("points-issued", "points-claw")}) c
          join refunds r on r.service_provider_id = c.service_provider_id and r.id = c.cause_id
        union all select r.service_provider_id, r.order_id, c.n - r.points from (${moved("points-issued", "points-claw")}) c
          join (${offline}) r on r.service_provider_id = c.service_provider_id and r.id = c.cause_id) x group by 1, 2) e
      on e.service_provider_id = g.service_provider_id and e.order_id = g.order_id
    where g.earned - g.kept <> coalesce(e.n, 0)`,
  // 10: of what is wholly back nothing is kept; 9's share of what is in part. What waits for its job is not asked.
  "an order keeps its share of what is left of its base": sql`select g.order_id from point_earnings g
    left join (${backs}) b on b.service_provider_id = g.service_provider_id and b.order_id = g.order_id
    where g.base_cents > 0 and g.kept < floor(g.earned::numeric * greatest(0, g.base_cents - coalesce(b.cents, 0)) / g.base_cents)`,
  "no day keeps more than its cap": sql`select g.member_id from point_earnings g
    join point_rules r on r.service_provider_id = g.service_provider_id and r.id = g.rule_id
    where r.rule #>> '{earn,dayCap}' is not null
    group by g.service_provider_id, g.member_id, g.paid_on having sum(g.kept) > max((r.rule #>> '{earn,dayCap}')::bigint)`,
  "a recharge or what it pays for earns, never both": sql`select g.order_id from point_earnings g
    join point_rules r on r.service_provider_id = g.service_provider_id and r.id = g.rule_id
    join pay_orders o on o.service_provider_id = g.service_provider_id and o.id = g.order_id
    where o.purpose <> case when (r.rule #>> '{earn,onRecharge}')::boolean then 1 else 0 end`,
  "what is outstanding is what flowed": sql`select f.merchant_id from (select p.service_provider_id, p.merchant_id,
      sum(p.amount) filter (where a.kind in ('points-issued', 'points-opening', 'points-used', 'points-cleared', 'points-adjusted')) as flowed,
      sum(p.amount) filter (where a.kind in ('points', 'points-pending', 'points-held', 'points-debt')) as held
    from value_postings p join value_accounts a on a.service_provider_id = p.service_provider_id and a.id = p.account_id group by 1, 2) f
    where coalesce(f.flowed, 0) + coalesce(f.held, 0) <> 0`,
  "a task's rows that were sent are its entries": sql`select coalesce(r.id, e.cause_id) from (select * from point_task_rows where status = 1) r
    full join (${moved("points-adjusted", "points-task")}) e on e.service_provider_id = r.service_provider_id and e.cause_id = r.id
    where coalesce(r.points, 0) <> coalesce(-e.n, 0)`,
  "what was adjusted stands in the book": sql`select coalesce(j.id, e.cause_id) from (select * from point_adjustments where status = 1) j
    full join (${moved("points-adjusted", "points-adjust")}) e on e.service_provider_id = j.service_provider_id and e.cause_id = j.id
    where coalesce(j.done_points, 0) <> coalesce(-e.n, 0)`,
  "no more is cleared than was told": sql`select r.lot_id from point_clear_rows r
    join (${moved("points-cleared", "points-clear")}) e on e.service_provider_id = r.service_provider_id and e.cause_id = r.lot_id
    join point_clears c on c.service_provider_id = r.service_provider_id and c.id = r.clear_id
    where c.status in (1, 2) and e.n > r.points`,
};
