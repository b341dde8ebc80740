import { sql } from "kysely";
import { bookRules, breachesOf, type Breach, type Rules } from "@zhangfang/server/book.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { valueSums } from "./lots/fold-value.ts";
import { VALUE } from "./post-value.ts";

/** Checks what members hold, as far as the transaction's scope shows it. @returns nothing where all is well */
export const verifyValue = (tx: Transaction): Promise<Breach[]> => breachesOf(tx, RULES);

const balance = (kind: string) => sql`coalesce(sum(balance) filter (where kind = ${sql.lit(kind)}), 0)`;
const accounts = sql`select service_provider_id, merchant_id, owner_id as member_id, ${balance("principal")} as principal, ${balance("gift")} as gift,
    ${balance("principal-held")} as principal_held, ${balance("gift-held")} as gift_held, ${balance("points")} as points,
    ${balance("points-pending")} as pending, ${balance("points-held")} as points_held, ${balance("points-debt")} as debt
  from value_accounts where balance is not null group by 1, 2, 3`;
const MEMBER = sql`service_provider_id, merchant_id, member_id`;
const lots = sql`select ${MEMBER}, sum(principal_left_cents) as principal, sum(gift_left_cents) as gift from value_lots group by 1, 2, 3`;
const held = sql`select ${MEMBER}, sum(principal_cents) as principal, sum(gift_cents) as gift from (
    select service_provider_id, merchant_id, member_id, principal_cents, gift_cents from value_draws where status = 0
    union all select service_provider_id, merchant_id, member_id, held_principal_cents, held_gift_cents from value_lots where held_principal_cents + held_gift_cents > 0) h group by 1, 2, 3`;
const points = sql`select ${MEMBER}, coalesce(sum(left_points) filter (where not pending), 0) as points, coalesce(sum(left_points) filter (where pending), 0) as pending
  from point_lots group by 1, 2, 3`;
const pointsHeld = sql`select ${MEMBER}, sum(points) as points from point_draws where status = 0 group by 1, 2, 3`;
/** What flowed to an account of the merchant by the book, against what the draws say. */
const flow = (kind: string, spent: ReturnType<typeof sql>) => sql`select coalesce(b.merchant_id, d.merchant_id) from (
    select p.service_provider_id, p.merchant_id, sum(p.amount) as n from value_postings p
      join value_accounts a on a.service_provider_id = p.service_provider_id and a.id = p.account_id where a.kind = ${sql.lit(kind)} group by 1, 2) b
  full join (${spent}) d on d.service_provider_id = b.service_provider_id and d.merchant_id = b.merchant_id where coalesce(b.n, 0) <> coalesce(d.n, 0)`;

const RULES: Rules = {
  ...bookRules(VALUE),
  "what is left of lots is what the member holds": sql`select coalesce(a.member_id, l.member_id) from (${accounts}) a full join (${lots}) l using (${MEMBER})
    where coalesce(a.principal, 0) <> coalesce(l.principal, 0) or coalesce(a.gift, 0) <> coalesce(l.gift, 0)`,
  "what is left of point lots is what the member holds": sql`select coalesce(a.member_id, l.member_id) from (${accounts}) a full join (${points}) l using (${MEMBER})
    where coalesce(a.points, 0) <> coalesce(l.points, 0) or coalesce(a.pending, 0) <> coalesce(l.pending, 0)`,
  "what orders and card refunds set aside is what is held of stored value": sql`select coalesce(a.member_id, h.member_id) from (${accounts}) a full join (${held}) h using (${MEMBER})
    where coalesce(a.principal_held, 0) <> coalesce(h.principal, 0) or coalesce(a.gift_held, 0) <> coalesce(h.gift, 0)`,
  "what orders set aside is what is held of points": sql`select coalesce(a.member_id, h.member_id) from (${accounts}) a full join (${pointsHeld}) h using (${MEMBER})
    where coalesce(a.points_held, 0) <> coalesce(h.points, 0)`,
  "a lot lacks what was drawn of it": sql`select l.id from value_lots l left join lateral (
      select coalesce(sum(principal_cents - returned_principal_cents), 0) as principal, coalesce(sum(gift_cents - returned_gift_cents), 0) as gift
      from value_draws d where d.service_provider_id = l.service_provider_id and d.lot_id = l.id and d.status <> 1) d on true
    where l.principal_cents - l.principal_left_cents - l.held_principal_cents - l.cut_principal_cents <> d.principal
      or l.gift_cents - l.gift_left_cents - l.held_gift_cents - l.cut_gift_cents <> d.gift`,
  "what moved of a lot is what it was sold with less what is there of it": sql`select l.id from value_lots l left join lateral (
      select coalesce(sum(principal_cents), 0) as principal, coalesce(sum(gift_cents), 0) as gift
      from value_moves m where m.service_provider_id = l.service_provider_id and m.lot_id = l.id) m on true
    left join lateral (select coalesce(sum(principal_cents), 0) as principal, coalesce(sum(gift_cents), 0) as gift
      from value_draws d where d.service_provider_id = l.service_provider_id and d.lot_id = l.id and d.status = 0) h on true
    where m.principal <> l.principal_left_cents + l.held_principal_cents + h.principal or m.gift <> l.gift_left_cents + l.held_gift_cents + h.gift`,
  "the sums of days are what members hold": sql`select coalesce(a.merchant_id, d.merchant_id) from (
      select service_provider_id, merchant_id, sum(principal + principal_held) as principal, sum(gift + gift_held) as gift from (${accounts}) a group by 1, 2) a
    full join (select service_provider_id, merchant_id, sum(principal_cents) as principal, sum(gift_cents) as gift from (${valueSums}) d group by 1, 2) d
      on d.service_provider_id = a.service_provider_id and d.merchant_id = a.merchant_id
    where coalesce(a.principal, 0) <> coalesce(d.principal, 0) or coalesce(a.gift, 0) <> coalesce(d.gift, 0)`,
  "the sums of months are those of their days": sql`select coalesce(d.merchant_id, m.merchant_id) from (
      select service_provider_id, merchant_id, date_trunc('month', day)::date as month, sold_store_id, sold_month, cause, sum(principal_cents) as principal, sum(gift_cents) as gift
      from value_daily group by 1, 2, 3, 4, 5, 6) d full join value_months m using (service_provider_id, merchant_id, month, sold_store_id, sold_month, cause)
    where coalesce(d.principal, 0) <> coalesce(m.principal_cents, 0) or coalesce(d.gift, 0) <> coalesce(m.gift_cents, 0)`,
  "principal spent by the days is what was earned": flow(
    "earned",
    sql`select service_provider_id, merchant_id, -sum(principal_cents) as n from (${valueSums}) d where cause in ('stored-take', 'stored-back') group by 1, 2`,
  ),
  "who owes points has none": sql`select member_id from (${accounts}) a where debt < 0 and points + pending > 0`,
  "who was merged or has left holds nothing": sql`select m.no from value_accounts a join members m on m.service_provider_id = a.service_provider_id and m.id = a.owner_id
    where m.status in (4, 5) and a.balance <> 0`,
  "nothing of value is left with who was merged": sql`select l.id from (select service_provider_id, id, member_id from value_lots
      union all select service_provider_id, id, member_id from point_lots) l
    join members m on m.service_provider_id = l.service_provider_id and m.id = l.member_id where m.status = 5`,
  "nothing comes to who has left": sql`select e.id from members m join value_accounts a on a.service_provider_id = m.service_provider_id and a.owner_id = m.id
    join value_postings p on p.service_provider_id = a.service_provider_id and p.account_id = a.id
    join value_entries e on e.service_provider_id = p.service_provider_id and e.id = p.entry_id
    where m.status = 4 and e.occurred_at > m.closed_at`,
  "an open order holds its value, a paid one spent it": sql`select o.order_no from (
      select service_provider_id, order_id, status from value_draws union all select service_provider_id, order_id, status from point_draws) d
    join pay_orders o on o.service_provider_id = d.service_provider_id and o.id = d.order_id
    where (d.status = 0 and o.status <> 0) or (d.status = 2 and o.status not in (2, 3))`,
  "principal that was earned is what orders took": flow(
    "earned",
    sql`select service_provider_id, merchant_id, sum(principal_cents - returned_principal_cents) as n from value_draws where status = 2 group by 1, 2`,
  ),
  "gifts that were used are what orders took": flow(
    "gift-used",
    sql`select service_provider_id, merchant_id, sum(gift_cents - returned_gift_cents) as n from value_draws where status = 2 group by 1, 2`,
  ),
  "points that were used are what orders took": flow(
    "points-used",
    sql`select service_provider_id, merchant_id, sum(points - returned_points) as n from point_draws where status = 2 group by 1, 2`,
  ),
};
