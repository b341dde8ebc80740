import { sql, type RawBuilder } from "kysely";
import { bookRules, breachesOf, type Breach, type Rules } from "@zhangfang/server/book.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { CLAIMS } from "./post-entry.ts";
import { recomputeLines, type Span } from "./recompute-lines.ts";

/**
 * Checks the whole book of claims that the transaction's scope shows: entries balance, balances are the sum of their lines,
 * every payment and refund of a posted day that was known by then is shared to the cent, nobody gave back more than they got, the
 * daily figures equal the lines, each withdrawal stands in the book as it ended, and the lines are what the terms make of the fees.
 * @param span whose lines are shared once more: every payment's, or those that one night looks at
 * @returns nothing where all is well
 */
export async function verifyCommissions(tx: Transaction, span: Span = "all"): Promise<Breach[]> {
  return [...(await breachesOf(tx, RULES)), ...(await recomputeLines(tx, span))];
}

/**
 * Whether an entry was there when a posting began: word of a payment or a refund may come after its day was posted, and is then
 * shared by the next one. Ids begin with their moment; whoever was writing at that very minute may not have been seen.
 */
const knownBefore = (column: string): RawBuilder<unknown> =>
  sql`e.id < (lpad(to_hex((extract(epoch from ${sql.ref(column)} - interval '1 minute') * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;

const RULES: Rules = {
  ...bookRules(CLAIMS),
  "what a receiver claims is what its lines say less what was paid": sql`select coalesce(a.receiver_id, l.receiver_id) from
      (select service_provider_id, receiver_id, sum(balance_cents) as cents from commission_accounts where kind in ('available', 'frozen', 'paid') group by 1, 2) a
      full join (select service_provider_id, receiver_id, sum(amount_cents) as cents from commission_lines where receiver not in ('cost', 'provider') group by 1, 2) l
      using (service_provider_id, receiver_id)
    where coalesce(a.cents, 0) + coalesce((select sum(w.fee_cents) from withdrawals w where w.service_provider_id = a.service_provider_id and w.receiver_id = a.receiver_id and w.status = 3), 0) <> coalesce(l.cents, 0)`,
  "each fee is shared to the cent, once": sql`select e.id from ledger_entries e left join
      (select service_provider_id, fact_id, sum(amount_cents) as cents from commission_lines group by 1, 2) l on l.service_provider_id = e.service_provider_id and l.fact_id = e.id
      left join commission_progress p on p.service_provider_id = e.service_provider_id
    where e.cause in ('payment', 'refund') and e.fee_cents + e.refund_fee_cents > 0
      and case when l.cents is null then (e.occurred_at at time zone 'Asia/Shanghai')::date <= p.through and ${knownBefore("p.updated_at")} else l.cents <> e.fee_cents - e.refund_fee_cents end`,
  "no part gave back more than it got": sql`select order_id from commission_lines group by service_provider_id, order_id, receiver
    having sum(amount_cents) < 0 or sum(difference_cents) < 0 or sum(amount_cents - difference_cents) < 0`,
  "daily commissions equal the lines": sql`select coalesce(l.receiver_id, d.receiver_id)::text || ' ' || coalesce(l.day, d.day)::text from
      (select service_provider_id, receiver, receiver_id, day, sum(amount_cents) as net, -coalesce(sum(amount_cents) filter (where fact = 'refund'), 0) as clawed,
        coalesce(sum(difference_cents) filter (where fact = 'payment'), 0) as difference, count(*) filter (where fact = 'payment') as pays from commission_lines group by 1, 2, 3, 4) l
      full join commission_daily d using (service_provider_id, receiver, receiver_id, day)
    where (coalesce(l.net, 0), coalesce(l.clawed, 0), coalesce(l.difference, 0), coalesce(l.pays, 0)) <> (coalesce(d.net_cents, 0), coalesce(d.clawed_cents, 0), coalesce(d.difference_cents, 0), coalesce(d.pay_count, 0))`,
  "each withdrawal stands in the book as it ended": sql`select w.withdrawal_no from withdrawals w left join (
      select service_provider_id, withdrawal_id, array_agg(cause order by seq) as causes from commission_entries where withdrawal_id is not null group by 1, 2) e
      on e.service_provider_id = w.service_provider_id and e.withdrawal_id = w.id
    where e.causes is distinct from (case when w.status in (0, 2) then array['withdrawal-hold'] when w.status in (1, 4, 5) then array['withdrawal-hold', 'withdrawal-release']
      when w.status = 3 then array['withdrawal-hold', 'withdrawal-paid'] else array['withdrawal-hold', 'withdrawal-paid', 'withdrawal-returned'] end)`,
  "what is frozen is what is on its way": sql`select coalesce(a.receiver_id, w.receiver_id) from
      (select service_provider_id, receiver_id, balance_cents from commission_accounts where kind = 'frozen') a
      full join (select service_provider_id, receiver_id, sum(amount_cents) as cents from withdrawals where status in (0, 2) group by 1, 2) w using (service_provider_id, receiver_id)
    where coalesce(a.balance_cents, 0) <> coalesce(w.cents, 0)`,
};
