import { sql } from "kysely";
import { breachesOf, type Breach, type Rules } from "@zhangfang/server/book.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { valueSums } from "../../value-book/server/index.ts";

/** Checks recharges, card refunds and sums against orders and the book (membership.md 11). @returns nothing where all is well */
export const verifyStored = (tx: Transaction): Promise<Breach[]> => breachesOf(tx, RULES);

const drawn = sql`select service_provider_id, order_id, sum(principal_cents) as principal, sum(gift_cents) as gift
  from value_draws where status <> 1 group by 1, 2`;
const posted = (kind: string) => sql`select p.service_provider_id, p.merchant_id, sum(p.amount) as n from value_postings p
  join value_accounts a on a.service_provider_id = p.service_provider_id and a.id = p.account_id where a.kind = ${sql.lit(kind)} group by 1, 2`;
// Times cards go back to the same account.
const cardsBack = sql`select e.service_provider_id, e.merchant_id, sum(p.amount) as n from value_entries e
  join value_postings p on p.service_provider_id = e.service_provider_id and p.entry_id = e.id
  join value_accounts a on a.service_provider_id = p.service_provider_id and a.id = p.account_id where e.cause = 'card-refund' and a.kind = 'returned' group by 1, 2`;

const RULES: Rules = {
  "what an order says of stored value is what it drew": sql`select o.order_no from pay_orders o
    join (${drawn}) d on d.service_provider_id = o.service_provider_id and d.order_id = o.id
    where o.principal_cents <> d.principal or o.gift_cents <> d.gift`,
  "a paid recharge has its lot, and an unpaid one none": sql`select r.id from recharges r
    left join value_lots l on l.service_provider_id = r.service_provider_id and l.id = r.lot_id
    where (r.status = 2) <> (l.id is not null) or (r.status = 2 and (l.principal_cents <> r.principal_cents or l.gift_cents <> r.gift_cents or l.mode <> r.mode))`,
  "a recharge and its order say the same": sql`select r.id from recharges r join pay_orders o on o.service_provider_id = r.service_provider_id and o.id = r.order_id
    where o.purpose <> 1 or o.gross_cents <> r.principal_cents or (o.status in (2, 3)) <> (r.status in (2, 5)) or (o.status = 1) <> (r.status = 1)
      or o.profit_sharing`,
  "what was sold at channels is what recharges were paid": sql`select coalesce(a.merchant_id, b.merchant_id) from (
      select service_provider_id, merchant_id, sum(gross_cents) as n from pay_orders where purpose = 1 and status in (2, 3) group by 1, 2) a
    full join (select service_provider_id, merchant_id, sum(principal_cents) as n from recharges where way = 0 and status in (2, 5) group by 1, 2) b
      on b.service_provider_id = a.service_provider_id and b.merchant_id = a.merchant_id where a.n is distinct from b.n`,
  "what card refunds paid is what the book says went back": sql`select coalesce(a.merchant_id, b.merchant_id) from (${cardsBack}) a
    full join (select service_provider_id, merchant_id, sum(pays_cents) as n from card_refunds where status = 2 group by 1, 2 having sum(pays_cents) <> 0) b
      on b.service_provider_id = a.service_provider_id and b.merchant_id = a.merchant_id where coalesce(a.n, 0) <> coalesce(b.n, 0)`,
  "a card refund on its order is that order's refund": sql`select c.id from card_refunds c
    left join refunds r on r.service_provider_id = c.service_provider_id and r.id = c.refund_id
    where c.way = 0 and c.pays_cents > 0 and c.status in (1, 2) and (r.id is null or r.value_cents <> c.pays_cents or r.order_id <> c.order_id or (c.status = 2 and r.status <> 2))`,
  "what no recharge of ours brought is paid back offline": sql`select c.id from card_refunds c
    left join recharges r on r.service_provider_id = c.service_provider_id and r.lot_id = c.lot_id
    where c.status in (0, 1, 2) and c.way = 0 and r.order_id is distinct from c.order_id`,
  "card refunds take back no more points than their recharge gave, whoever has its lots": sql`select r.id from card_refunds c
    cross join lateral (with recursive up (id, from_lot) as (
        select l.id, l.from_lot from value_lots l where l.service_provider_id = c.service_provider_id and l.id = c.lot_id
        union all select p.id, p.from_lot from value_lots p join up on p.id = up.from_lot where p.service_provider_id = c.service_provider_id)
      select x.id, x.points from up join recharges x on x.service_provider_id = c.service_provider_id and x.lot_id = up.id) r
    where c.status = 2 group by r.id, r.points having sum(c.points) > r.points`,
  "a card refund that waits holds its lot": sql`select c.id from card_refunds c join value_lots l on l.service_provider_id = c.service_provider_id and l.id = c.lot_id
    where c.status in (0, 1) and (l.held_principal_cents <> c.held_principal_cents or l.held_gift_cents <> c.held_gift_cents)`,
  "a lot that is held has a card refund that waits": sql`select l.id from value_lots l where l.held_principal_cents + l.held_gift_cents > 0
    and not exists (select from card_refunds c where c.service_provider_id = l.service_provider_id and c.lot_id = l.id and c.status in (0, 1))
    and not exists (select from transfer_offers o, jsonb_to_recordset(o.parts) as p(lot_id uuid)
      where o.service_provider_id = l.service_provider_id and o.member_id = l.member_id and o.status = 0 and p.lot_id = l.id)`,
  "a transfer that waits holds its parts": sql`select o.id from transfer_offers o, jsonb_to_recordset(o.parts) as p(lot_id uuid, principal_cents bigint, gift_cents bigint)
    join value_lots l on l.id = p.lot_id where o.status = 0 and l.service_provider_id = o.service_provider_id
      and (l.member_id <> o.member_id or l.held_principal_cents <> p.principal_cents or l.held_gift_cents <> p.gift_cents)`,
  "what a transfer says is the sum of its parts": sql`select o.id from transfer_offers o cross join lateral (
      select sum(principal_cents) as principal, sum(gift_cents) as gift from jsonb_to_recordset(o.parts) as p(principal_cents bigint, gift_cents bigint)) p
    where o.principal_cents is distinct from p.principal or o.gift_cents is distinct from p.gift`,
  "what moves between members nets to nothing": sql`select merchant_id from (${posted("transferred")}) t where n <> 0`,
  "what is owed by selling store is what its lots have left": sql`select coalesce(a.sold_store_id, b.sold_store_id) from (
      select service_provider_id, sold_store_id, sum(principal_cents) as n from (${valueSums}) d group by 1, 2) a
    full join (select l.service_provider_id, l.sold_store_id, sum(l.principal_left_cents + l.held_principal_cents) as n from value_lots l group by 1, 2) b
      on b.service_provider_id = a.service_provider_id and b.sold_store_id = a.sold_store_id
    left join (select l.service_provider_id, l.sold_store_id, sum(d.principal_cents) as n from value_draws d
        join value_lots l on l.service_provider_id = d.service_provider_id and l.id = d.lot_id where d.status = 0 group by 1, 2) h
      on h.service_provider_id = b.service_provider_id and h.sold_store_id = b.sold_store_id
    where coalesce(a.n, 0) <> coalesce(b.n, 0) + coalesce(h.n, 0)`,
};
