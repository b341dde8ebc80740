import { sql } from "kysely";
import { bookRules, type Breach, breachesOf, type Rules } from "@zhangfang/server/book.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { ALONE_CENTS } from "../contract/index.ts";
import { SUBSIDY } from "./subsidies/post-subsidy.ts";

/** Campaigns, coupons and what orders use of them against each other (marketing.md 12), as far as the transaction's scope shows them. */
export const verifyCoupons = (tx: Transaction): Promise<Breach[]> => breachesOf(tx, RULES);

/** What a month's statement, or an order's entry, is of: the claims that its entries moved. */
const CLAIMS = sql`subsidy_entries e join subsidy_postings q on q.service_provider_id = e.service_provider_id and q.entry_id = e.id
  join subsidy_accounts a on a.service_provider_id = q.service_provider_id and a.id = q.account_id and a.kind = 'claim'`;
const RULES: Rules = {
  ...bookRules(SUBSIDY),
  "1: no more is issued and held than there is": sql`select g.no from coupon_stock s join coupon_campaigns g
      on g.service_provider_id = s.service_provider_id and g.id = s.campaign_id
    where s.issued + s.held > s.total or s.today > coalesce(s.per_day, s.today)`,
  "2: the coupons that are there are those that were issued": sql`select s.campaign_id from coupon_stock s
    where s.issued <> (select count(*) from coupons c where c.service_provider_id = s.service_provider_id and c.campaign_id = s.campaign_id)`,
  "what is out of a campaign is counted as it is": sql`select coalesce(x.campaign_id, y.campaign_id) from (
      select service_provider_id, campaign_id, version, merchant_id, count(*) as n from coupons where state in ('SENDED', 'LOCKED') group by 1, 2, 3, 4) x
    full join (select service_provider_id, campaign_id, version, merchant_id, sum(count) as n from coupon_outs group by 1, 2, 3, 4 having sum(count) <> 0) y
      using (service_provider_id, campaign_id, version, merchant_id) where x.n is distinct from y.n`,
  "3: nobody has more of a campaign than a human may have": sql`select c.no from coupons c join coupon_campaigns g
      on g.service_provider_id = c.service_provider_id and g.id = c.campaign_id where c.nth > g.per_person and c.source not in ('package', 'gift', 'lottery')`,
  "4: one order at a time holds or has a coupon": sql`select u.coupon_id from coupon_uses u where u.state in ('HELD', 'TAKEN')
    group by u.service_provider_id, u.coupon_id having count(*) > 1`,
  "5: what is in use belongs to an open order that holds it": sql`select c.no from coupons c
    left join coupon_uses u on u.service_provider_id = c.service_provider_id and u.coupon_id = c.id and u.order_id = c.order_id and u.state = 'HELD'
    left join pay_orders o on o.service_provider_id = c.service_provider_id and o.id = c.order_id
    where c.state = 'LOCKED' and (u.coupon_id is null or o.status is distinct from 0) and not exists (select from package_coupons x
      join package_gets g on g.service_provider_id = x.service_provider_id and g.id = x.get_id
      where x.service_provider_id = c.service_provider_id and x.coupon_id = c.id and x.returned and g.status = 3 and g.order_id = c.order_id)`,
  "5: what an open order holds is in use by it": sql`select c.no from coupon_uses u
    join coupons c on c.service_provider_id = u.service_provider_id and c.id = u.coupon_id
    where u.state = 'HELD' and (c.state <> 'LOCKED' or c.order_id is distinct from u.order_id)`,
  "6: what is used was taken by one order": sql`select c.no from coupons c
    left join coupon_uses u on u.service_provider_id = c.service_provider_id and u.coupon_id = c.id and u.state = 'TAKEN'
    where (c.state = 'USED' and c.order_id is not null and u.order_id is distinct from c.order_id) or (c.state <> 'USED' and u.coupon_id is not null)`,
  "7: an order's uses are its parts": sql`select coalesce(u.order_id, p.order_id) from (
      select u.service_provider_id, u.order_id, c.no, u.off_cents, u.provider_cents from coupon_uses u
      join coupons c on c.service_provider_id = u.service_provider_id and c.id = u.coupon_id where u.state in ('HELD', 'TAKEN')) u
    full join (select p.service_provider_id, p.order_id, p.ref as no, p.off_cents, p.provider_cents from price_parts p
      join pay_orders o on o.service_provider_id = p.service_provider_id and o.id = p.order_id where p.source = 'coupon' and o.status in (0, 2)) p
      using (service_provider_id, order_id, no)
    where (p.off_cents is distinct from u.off_cents or p.provider_cents is distinct from u.provider_cents) and not exists (select from coupon_uses b join coupons x
      on x.service_provider_id = b.service_provider_id and x.id = b.coupon_id
      where b.service_provider_id = p.service_provider_id and b.order_id = p.order_id and x.no = p.no and b.state in ('BORNE', 'RETURNED'))`,
  "21: no closed order holds a coupon": sql`select u.order_id from coupon_uses u join pay_orders o
      on o.service_provider_id = u.service_provider_id and o.id = u.order_id where u.state = 'HELD' and o.status <> 0`,
  "24: a coupon is used at its own merchant": sql`select c.no from coupon_uses u
    join coupons c on c.service_provider_id = u.service_provider_id and c.id = u.coupon_id
    join pay_orders o on o.service_provider_id = u.service_provider_id and o.id = u.order_id where c.merchant_id <> o.merchant_id`,
  "22: what a sending says it gave are its coupons": sql`select t.id from send_tasks t where (select count(*) from send_rows r
      where r.service_provider_id = t.service_provider_id and r.task_id = t.id and r.status = 1)
    <> (select count(*) from send_rows r join coupons c on c.service_provider_id = r.service_provider_id and c.id = r.coupon_id
      and c.source = 'send' and c.member_id = r.member_id and c.campaign_id = t.campaign_id where r.service_provider_id = t.service_provider_id and r.task_id = t.id)
    + (select count(*) from send_rows r join package_gets g on g.service_provider_id = r.service_provider_id and g.id = r.get_id
      and g.request_id = r.id and g.member_id = r.member_id and g.package_id = t.package_id and g.status = 1
      where r.service_provider_id = t.service_provider_id and r.task_id = t.id)`,
  "a sending's rows are of its own merchant's members, a provider's of those that its campaign covers": sql`select r.id from send_rows r
    join send_tasks t on t.service_provider_id = r.service_provider_id and t.id = r.task_id
    where r.merchant_id is distinct from t.merchant_id and (t.merchant_id is not null or not exists (select from coupon_covers v
      where v.service_provider_id = r.service_provider_id and v.campaign_id = t.campaign_id and v.merchant_id = r.merchant_id))`,
  "a piece is held for whoever waits for one": sql`select g.no from coupon_stock s join coupon_campaigns g
      on g.service_provider_id = s.service_provider_id and g.id = s.campaign_id
    where s.held <> (select count(*) from send_tasks t join send_rows r on r.service_provider_id = t.service_provider_id and r.task_id = t.id
      where t.service_provider_id = s.service_provider_id and t.campaign_id = s.campaign_id and r.status = 0)
    + coalesce((select sum(t.set_aside) from send_tasks t where t.service_provider_id = s.service_provider_id and t.campaign_id = s.campaign_id), 0)
    + coalesce((select sum(i.count * t.set_aside) from package_items i join send_tasks t on t.service_provider_id = i.service_provider_id
      and t.package_id = i.package_id where i.service_provider_id = s.service_provider_id and i.campaign_id = s.campaign_id), 0)
    + coalesce((select sum(i.count) from package_items i join send_tasks t on t.service_provider_id = i.service_provider_id and t.package_id = i.package_id
      join send_rows r on r.service_provider_id = t.service_provider_id and r.task_id = t.id and r.status = 0
      where i.service_provider_id = s.service_provider_id and i.campaign_id = s.campaign_id), 0)
    + coalesce((select sum(a.held) from activity_stock a where a.service_provider_id = s.service_provider_id and a.campaign_id = s.campaign_id), 0)
    + coalesce((select sum(a.held_coupons) from card_activities a where a.service_provider_id = s.service_provider_id and a.coupon_campaign_id = s.campaign_id), 0)
    + (select count(*) from coupon_gifts x where x.service_provider_id = s.service_provider_id and x.campaign_id = s.campaign_id and x.status = 0 and x.held)
    + coalesce((select sum(a.held) from lottery_prizes a where a.service_provider_id = s.service_provider_id and a.campaign_id = s.campaign_id), 0)
      + (select count(*) from package_coupons x join package_gets p on p.service_provider_id = x.service_provider_id and p.id = x.get_id
      where x.service_provider_id = s.service_provider_id and x.campaign_id = s.campaign_id and p.status = 0)`,
  "a package has as many as were received and as are being paid": sql`select p.no from packages p left join lateral (
      select count(*) filter (where g.status in (1, 3, 4)) as issued, count(*) filter (where g.status = 0) as held from package_gets g
      where g.service_provider_id = p.service_provider_id and g.package_id = p.id) g on true where p.issued <> g.issued or p.held <> g.held + (select count(*) from send_tasks t
        join send_rows r on r.service_provider_id = t.service_provider_id and r.task_id = t.id and r.status = 0
        where t.service_provider_id = p.service_provider_id and t.package_id = p.id)
      + coalesce((select sum(t.set_aside) from send_tasks t where t.service_provider_id = p.service_provider_id and t.package_id = p.id), 0)`,
  "nobody has more of a package than a human may have": sql`select g.id from package_gets g
    join packages p on p.service_provider_id = g.service_provider_id and p.id = g.package_id where g.nth > p.per_person`,
  "a package that was received has all of its coupons, and no other any": sql`select g.id from package_gets g
    left join lateral (select count(*) as parts, count(c.id) as given, sum(x.share_cents) as shares from package_coupons x
      left join coupons c on c.service_provider_id = x.service_provider_id and c.id = x.coupon_id and c.source = 'package' and c.source_id = x.id
        and c.campaign_id = x.campaign_id
      where x.service_provider_id = g.service_provider_id and x.get_id = g.id) x on true
    where x.shares <> g.price_cents or x.given <> case when g.status in (1, 3, 4) then x.parts else 0 end
      or x.parts <> (select sum(i.count) from package_items i where i.service_provider_id = g.service_provider_id and i.package_id = g.package_id)`,
  "a package is paid when its order is, and gone when the money is": sql`select o.order_no from pay_orders o
    left join package_gets g on g.service_provider_id = o.service_provider_id and g.order_id = o.id
    where o.purpose = 4 and (g.id is null or (g.status in (1, 3, 4, 5)) <> (o.status in (2, 3)) or (g.status = 2) <> (o.status = 1)
      or (g.status = 4) is distinct from (g.status <> 5 and o.value_refunded_cents > 0))`,
  "what goes back of a package is set aside, and void once it is back": sql`select g.id from package_coupons x
    join package_gets g on g.service_provider_id = x.service_provider_id and g.id = x.get_id
    join coupons c on c.service_provider_id = x.service_provider_id and c.id = x.coupon_id
    where x.returned and c.state is distinct from case g.status when 3 then 'LOCKED' when 4 then 'DEACTIVATED' end`,
  "what goes back of a package is the shares of what nobody used": sql`select g.id from package_gets g
    join pay_orders o on o.service_provider_id = g.service_provider_id and o.id = g.order_id
    join refunds r on r.service_provider_id = g.service_provider_id and r.id = g.refund_id and r.requested_by is not null
    where g.status in (3, 4) and g.refund_cents is distinct from (select (2 * o.paid_cents * coalesce(sum(x.share_cents), 0)::bigint + g.price_cents) / (2 * g.price_cents)
      from package_coupons x where x.service_provider_id = g.service_provider_id and x.get_id = g.id and x.returned)
      -- One that had failed and came after all is for what was unused when it was asked for; coupons were good again until it came.
      and not exists (select from order_events e where e.service_provider_id = r.service_provider_id and e.order_id = r.order_id
        and e.refund_id = r.id and e.kind = 'refund-failed')`,
  "another than who made it approved a package, but a small one": sql`select p.no from packages p
    join package_items i on i.service_provider_id = p.service_provider_id and i.package_id = p.id
    join coupon_campaigns c on c.service_provider_id = i.service_provider_id and c.id = i.campaign_id
    join coupon_terms t on t.service_provider_id = c.service_provider_id and t.campaign_id = c.id
      -- As its coupons were when it was approved: what was made better since is another's yes.
      and t.version = (select max(v.version) from coupon_terms v where v.service_provider_id = c.service_provider_id and v.campaign_id = c.id
        and v.created_at <= p.decided_at)
    where p.state in ('RUNNING', 'PAUSED') and p.decided_by = p.made_by group by p.service_provider_id, p.id
    having not (p.alone and sum(t.value_cents * i.count) * p.total <= ${sql.lit(ALONE_CENTS)})`,
  "25: another than who made it approved a campaign, but a small one": sql`select g.no from coupon_campaigns g join coupon_stock s
      on s.service_provider_id = g.service_provider_id and s.campaign_id = g.id
    join coupon_terms t on t.service_provider_id = g.service_provider_id and t.campaign_id = g.id and t.version = g.version
    where g.state in ('RUNNING', 'PAUSED') and g.decided_by = g.made_by and not (g.alone and t.value_cents * s.total <= ${sql.lit(ALONE_CENTS)})`,
  "a coupon of the provider's belongs to a merchant that it covers": sql`select c.no from coupons c join coupon_campaigns g
      on g.service_provider_id = c.service_provider_id and g.id = c.campaign_id
    where g.merchant_id is distinct from c.merchant_id and (g.merchant_id is not null or not exists (select from coupon_covers v
      where v.service_provider_id = c.service_provider_id and v.campaign_id = c.campaign_id and v.merchant_id = c.merchant_id))`,
  "17: what a merchant claims of an order is the provider's part of it": sql`select coalesce(x.order_id, y.order_id) from (
      select u.service_provider_id, u.order_id, sum(u.provider_cents) as cents from coupon_uses u where u.state in ('TAKEN', 'RETURNED')
      group by 1, 2 having sum(u.provider_cents) > 0) x
    full join (select e.service_provider_id, e.order_id, sum(q.amount_cents) as cents from ${CLAIMS} where e.cause = 'payment' group by 1, 2) y
      using (service_provider_id, order_id) where x.cents is distinct from y.cents`,
  "17: what a refund takes back of it is the provider's part of what it gave back": sql`select coalesce(x.refund_id, y.refund_id) from (
      select b.service_provider_id, b.refund_id, sum(b.provider_cents) as cents from price_backs b
      join refunds r on r.service_provider_id = b.service_provider_id and r.id = b.refund_id and r.status = 2
      where b.source = 'coupon' group by 1, 2 having sum(b.provider_cents) > 0) x
    full join (select e.service_provider_id, e.cause_id as refund_id, -sum(q.amount_cents) as cents from ${CLAIMS} where e.cause = 'refund' group by 1, 2) y
      using (service_provider_id, refund_id) where x.cents is distinct from y.cents`,
  "a statement says what its month moved": sql`select s.id from subsidy_statements s
    where (s.earned_cents - s.back_cents) is distinct from (select coalesce(sum(q.amount_cents), 0) from ${CLAIMS}
      where e.service_provider_id = s.service_provider_id and e.merchant_id = s.merchant_id and e.cause <> 'settled'
        and date_trunc('month', e.occurred_at at time zone 'Asia/Shanghai')::date = s.month)`,
  "a statement carries over what the one before it left": sql`select s.id from subsidy_statements s where s.carried_cents <> coalesce((
    select least(p.due_cents, 0) from subsidy_statements p where p.service_provider_id = s.service_provider_id and p.merchant_id = s.merchant_id
      and p.month < s.month order by p.month desc limit 1), 0)`,
  "what is settled was confirmed": sql`select a.id from subsidy_accounts a where a.kind = 'settled' and a.balance_cents <> (
    select coalesce(sum(s.due_cents), 0) from subsidy_statements s where s.service_provider_id = a.service_provider_id
      and s.merchant_id = a.merchant_id and s.state = 'CONFIRMED')`,
  "each coupon that 商家券 carries has its own code there": sql`select c.no from coupons c join coupon_campaigns g
      on g.service_provider_id = c.service_provider_id and g.id = c.campaign_id and g.carrier = 'busifavor'
    where not exists (select from coupon_copies k where k.service_provider_id = c.service_provider_id and k.coupon_id = c.id)`,
  "what is used here is used at WeChat, or is to be told there": sql`select c.no from coupon_copies k
    join coupons c on c.service_provider_id = k.service_provider_id and c.id = k.coupon_id
    where c.state = 'USED' and k.there = 'SENDED' and k.op is null and k.next_at is null and k.why is null`,
  "a coupon's steps lead to where it is": sql`select c.no from coupons c where c.state is distinct from (select e.to_state from coupon_events e
    where e.service_provider_id = c.service_provider_id and e.coupon_id = c.id order by e.seq desc limit 1)`,
};
