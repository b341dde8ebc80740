import { sql } from "kysely";
import type { Rules } from "@zhangfang/server/book.ts";

/** The rules of the book about shares and their returns; each finds what breaks it. */
export const SHARE_RULES: Rules = {
  "no order shares more than it has": sql`select order_no from pay_orders where share_returned_cents + share_returning_cents > shared_cents
    or (sharing_cents + shared_cents > 0 and sharing_cents + shared_cents - share_returned_cents - share_returning_cents - share_borne_cents
      > paid_cents - fee_cents - refunded_cents - refunding_cents + refunded_fee_cents + refunding_fee_cents)`,
  "an order's shares are what it says": sql`select o.order_no from pay_orders o
    left join (select service_provider_id, order_id, sum(amount_cents) filter (where status = 1) as sharing, sum(shared_cents) as shared, sum(returned_cents) as back
      from sharing_orders group by 1, 2) s on s.service_provider_id = o.service_provider_id and s.order_id = o.id
    left join (select service_provider_id, order_id, sum(amount_cents) filter (where status in (0, 1)) as returning, sum(amount_cents) filter (where status = 2) as returned,
      sum(amount_cents) filter (where status = 5) as borne from sharing_returns group by 1, 2) r on r.service_provider_id = o.service_provider_id and r.order_id = o.id
    where (o.sharing_cents, o.shared_cents, o.share_returned_cents, o.share_returning_cents, o.share_returned_cents)
      <> (coalesce(s.sharing, 0), coalesce(s.shared, 0), coalesce(s.back, 0), coalesce(r.returning, 0), coalesce(r.returned, 0))
      or o.share_borne_cents < coalesce(r.borne, 0)`,
  "each receiver's part is what its share and returns say": sql`select s.share_no from sharing_orders s join (
      select l.service_provider_id, l.sharing_id, sum(l.amount_cents) filter (where l.try = s.channel_try and s.kind = 'share') as amount,
        sum(l.amount_cents) filter (where l.result = 'success') as shared, sum(l.returned_cents) as returned,
        bool_or((l.returning_cents, l.returned_cents, l.borne_cents) <> (select coalesce(sum(amount_cents) filter (where r.status in (0, 1)), 0), coalesce(sum(amount_cents) filter (where r.status = 2), 0),
          coalesce(sum(amount_cents) filter (where r.status = 5), 0) from sharing_returns r where r.service_provider_id = l.service_provider_id and r.line_id = l.id)) as torn
      from sharing_lines l join sharing_orders s on s.service_provider_id = l.service_provider_id and s.id = l.sharing_id group by 1, 2) l
      on l.service_provider_id = s.service_provider_id and l.sharing_id = s.id
    where s.kind = 'share' and (s.amount_cents, s.shared_cents, s.returned_cents) <> (coalesce(l.amount, 0), coalesce(l.shared, 0), coalesce(l.returned, 0)) or l.torn`,
  "each share stands in the book as it ended": sql`select s.share_no from sharing_orders s left join (
      select service_provider_id, share_id, sum(shared_cents) as shared, sum(p.cents) as open
      from ledger_entries e join lateral (select sum(amount_cents) as cents from ledger_postings x join ledger_accounts a on a.service_provider_id = x.service_provider_id and a.id = x.account_id
        where x.service_provider_id = e.service_provider_id and x.entry_id = e.id and a.kind = 'sharing') p on true
      where share_id is not null group by 1, 2) e on e.service_provider_id = s.service_provider_id and e.share_id = s.id
    where coalesce(e.shared, 0) <> s.shared_cents or coalesce(e.open, 0) <> case when s.status = 1 then s.amount_cents else 0 end`,
  "each return stands in the book as it ended": sql`select r.return_no from sharing_returns r left join (
      select service_provider_id, share_return_id, sum(share_returned_cents) as returned,
        count(*) filter (where cause = 'share-return-reserve') - count(*) filter (where cause in ('share-return', 'share-return-release')) as open
      from ledger_entries where share_return_id is not null group by 1, 2) e on e.service_provider_id = r.service_provider_id and e.share_return_id = r.id
    where coalesce(e.returned, 0) <> case when r.status = 2 then r.amount_cents else 0 end or coalesce(e.open, 0) <> case when r.status in (0, 1) then 1 else 0 end`,
  "what is set aside for shares is what orders hold": sql`select coalesce(a.merchant_id, o.merchant_id) from
      (select merchant_id, sum(balance_cents) filter (where kind = 'sharing') as sharing, sum(balance_cents) filter (where kind = 'returning') as returning
        from ledger_accounts group by merchant_id) a
      full join (select merchant_id, sum(sharing_cents) as sharing, sum(share_returning_cents) as returning from pay_orders group by merchant_id) o using (merchant_id)
    where coalesce(a.sharing, 0) <> coalesce(o.sharing, 0) or coalesce(a.returning, 0) <> -coalesce(o.returning, 0)`,
};
