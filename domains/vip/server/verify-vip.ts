import { sql } from "kysely";
import { breachesOf, type Breach, type Rules } from "@zhangfang/server/book.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";

/** What members paid for in times, cards, uses and book against each other, one grant a period, and levels against terms (membership.md, laws 19, 22, 23). */
export const verifyVip = (tx: Transaction): Promise<Breach[]> => breachesOf(tx, RULES);

const booked = (kind: string) => sql`(select coalesce(sum(p.amount), 0) from value_postings p
    join value_accounts a on a.service_provider_id = p.service_provider_id and a.id = p.account_id
    join value_entries e on e.service_provider_id = p.service_provider_id and e.id = p.entry_id
  where p.service_provider_id = c.service_provider_id and p.merchant_id = c.merchant_id and a.kind = ${sql.lit(kind)} and e.order_id = c.order_id)`;

const RULES: Rules = {
  "what is owed in times is what is left of the cards": sql`select coalesce(b.member_id, c.member_id) from (
      select service_provider_id, owner_id as member_id, balance as cents from value_accounts where kind = 'times' and balance <> 0) b
    full join (select service_provider_id, member_id, sum(price_cents - earned_cents) as cents from times_cards where status in (1, 2, 3, 4)
      group by 1, 2 having sum(price_cents - earned_cents) <> 0) c using (service_provider_id, member_id)
    where b.cents is distinct from c.cents`,
  "a card is used as often as it was, and not taken back": sql`select c.card_no from times_cards c left join lateral (
      select coalesce(sum(u.times) filter (where u.reversed_at is null), 0) as times,
        coalesce(sum(u.value_cents - coalesce(u.reversed_value_cents, 0)), 0) as cents
      from times_uses u where u.service_provider_id = c.service_provider_id and u.card_id = c.id) u on true
    where c.times + c.gift_times - c.left_times <> u.times or c.earned_cents <> u.cents`,
  "what a card earned, returned and lost is its price": sql`select c.card_no from times_cards c where c.paid_at is not null and (
      ${booked("times-sold")} <> -c.price_cents or ${booked("times-earned")} <> c.earned_cents
      or (c.status = 5 and (${booked("returned")} <> c.refund_cents or ${booked("times-earned")} + ${booked("returned")} + ${booked("forfeited")} <> c.price_cents)))`,
  "a card and a term are paid when their order is": sql`select o.order_no from pay_orders o join (
      select service_provider_id, order_id, paid_at is not null as paid, status in (4) as gone from vip_terms
      union all select service_provider_id, order_id, paid_at is not null, status in (5) from times_cards) x
      on x.service_provider_id = o.service_provider_id and x.order_id = o.id
    where x.paid <> (o.status in (2, 3)) or x.gone <> (o.value_refunded_cents > 0 or o.status = 3)`,
  "what is sold beforehand has a term or a card": sql`select o.order_no from pay_orders o where (o.purpose = 2 and not exists (select 1 from vip_terms t
      where t.service_provider_id = o.service_provider_id and t.order_id = o.id)) or (o.purpose = 3 and not exists (select 1 from times_cards c
      where c.service_provider_id = o.service_provider_id and c.order_id = o.id))`,
  "terms of one level do not overlap": sql`select a.id from vip_terms a join vip_terms b on b.service_provider_id = a.service_provider_id
      and b.member_id = a.member_id and b.rank = a.rank and b.id > a.id and b.status in (1, 5) and b.first_day <= a.last_day and a.first_day <= b.last_day
    where a.status in (1, 5)`,
  "a gift of a right is in the book, once": sql`select g.id from right_grants g where 1 <> (select count(*) from value_entries e
      where e.service_provider_id = g.service_provider_id and e.cause_id = g.id and e.cause in ('points-given', 'birthday', 'gift')
      and (e.cause = 'points-given') = (g.kind = 'birthday-points'))
    and g.kind not in ('birthday-coupons', 'monthly-coupons')`,
  "coupons of a right are owed, as many as it says": sql`select g.id from right_grants g where g.kind in ('birthday-coupons', 'monthly-coupons')
    and g.value <> (select count(*) from coupon_gifts x where x.service_provider_id = g.service_provider_id and x.cause = 'right' and x.cause_id = g.id)`,
  "the level that is written is the highest of the earned one and the terms": sql`select v.member_id from vip_members v where v.rank <> greatest(v.earned_rank,
      coalesce((select max((t ->> 'rank')::int) from jsonb_array_elements(v.terms) t
        where (v.followed_at at time zone 'Asia/Shanghai')::date between (t ->> 'from')::date and (t ->> 'to')::date), 0))`,
  "the terms that are written are the terms": sql`select v.member_id from vip_members v where exists (
      select from jsonb_array_elements(v.terms) w where not exists (select from vip_terms t where t.service_provider_id = v.service_provider_id
        and t.merchant_id = v.merchant_id and t.rank = (w ->> 'rank')::int and t.first_day = (w ->> 'from')::date and t.last_day = (w ->> 'to')::date
        and t.status in (1, 5)))
    or exists (select from vip_terms t where t.service_provider_id = v.service_provider_id and t.member_id = v.member_id and t.status = 1
      and not exists (select from jsonb_array_elements(v.terms) w where t.rank = (w ->> 'rank')::int and t.first_day = (w ->> 'from')::date
        and t.last_day = (w ->> 'to')::date))`,
};
