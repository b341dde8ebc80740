import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";

/** What must hold of vouchers and facts (platforms.md 8): a use that succeeded is exactly one fact (ours, or the platform's where its day came first), nothing is taken back more often than used, sums are what their facts say, a platform's store is one store's, and each store that a voucher was brought to sees it. */
export async function verifyPlatforms(tx: Transaction): Promise<readonly unknown[]> {
  const facts = await sql`select 'attempt and facts' as rule, a.service_provider_id, a.id from voucher_verifications a
    where (select count(*) filter (where e.kind = 'verify') from platform_entries e where e.service_provider_id = a.service_provider_id and e.attempt_id = a.id)
        + (select count(*) from platform_entries e where e.service_provider_id = a.service_provider_id and e.merchant_id = a.merchant_id
            and e.platform = a.platform and e.kind = 'external' and e.certificate_id = a.certificate_id and e.verify_id = a.verify_id
            and a.status in (1, 5, 6))
        <> (case when a.status in (1, 5, 6) then 1 else 0 end)
      or (select count(*) filter (where e.kind = 'reverse') from platform_entries e where e.service_provider_id = a.service_provider_id and e.attempt_id = a.id)
        <> (case when a.status = 6 then 1 else 0 end) limit 100`.execute(tx);
  const reversed =
    await sql`select 'reversed more than used' as rule, e.service_provider_id, e.platform, e.certificate_id from platform_entries e
    where e.kind in ('verify', 'external', 'reverse') group by e.service_provider_id, e.merchant_id, e.platform, e.certificate_id
    having count(*) filter (where e.kind = 'reverse') > count(*) filter (where e.kind <> 'reverse') limit 100`.execute(tx);
  const used = await sql`select 'used and its attempts' as rule, v.service_provider_id, v.id from platform_vouchers v
    where v.status = 1 and v.times = 1 and not exists (select from voucher_verifications a where a.service_provider_id = v.service_provider_id
      and a.voucher_id = v.id and a.status in (1, 5)) limit 100`.execute(tx);
  const twice =
    await sql`select 'a use told twice' as rule, e.service_provider_id, e.platform, e.certificate_id, e.verify_id from platform_entries e
    where e.kind in ('verify', 'external') group by e.service_provider_id, e.merchant_id, e.platform, e.certificate_id, e.verify_id
    having count(distinct e.kind) > 1 limit 100`.execute(tx);
  // In a bill (platforms.md 8, 4 and 5): each part is one use of its store, and the other way round.
  const bills = await sql`select 'a voucher and its order' as rule, o.service_provider_id, o.order_no from pay_orders o
    where o.voucher_cents > 0 and o.status in (0, 2, 3)
      and (select coalesce(sum(p.off_cents), 0) from price_parts p join voucher_verifications a on a.service_provider_id = p.service_provider_id
        and a.id::text = p.ref and a.order_id = p.order_id and a.store_id = o.store_id and a.status in (1, 5, 6)
        where p.service_provider_id = o.service_provider_id and p.order_id = o.id and p.source = 'voucher') <> o.voucher_cents
    union all select 'a voucher in no bill', a.service_provider_id, a.id::text from voucher_verifications a
    where a.order_id is not null and not exists (select from price_parts p join pay_orders o on o.service_provider_id = p.service_provider_id and o.id = p.order_id
      where p.service_provider_id = a.service_provider_id and p.order_id = a.order_id and p.source = 'voucher' and p.ref = a.id::text and o.status <> 1)
    limit 100`.execute(tx);
  const given = await sql`select 'given back with a voucher that stands' as rule, a.service_provider_id, a.id from voucher_verifications a
    join pay_orders o on o.service_provider_id = a.service_provider_id and o.id = a.order_id
    where o.status = 3 and a.status in (1, 5) and not exists (select from voucher_backs b join refunds r on r.service_provider_id = b.service_provider_id
      and r.id = b.refund_id and r.status = 2 where b.service_provider_id = a.service_provider_id and b.attempt_id = a.id and b.state in (2, 3))
    union all select 'a refund is over and its voucher is not', b.service_provider_id, b.attempt_id from voucher_backs b
    join refunds r on r.service_provider_id = b.service_provider_id and r.id = b.refund_id where b.state = 0 and r.status <> 0 limit 100`.execute(
    tx,
  );
  const brought =
    await sql`select 'a voucher and the stores of its attempts' as rule, a.service_provider_id, a.voucher_id from voucher_verifications a
    join platform_vouchers v on v.service_provider_id = a.service_provider_id and v.id = a.voucher_id
    where not a.store_id = any(v.brought_to) limit 100`.execute(tx);
  const waiting = await sql`select 'what waits for its bill' as rule, x.service_provider_id, x.id from (
    (select * from vouchers_waiting except select * from voucher_waits) union all (select * from voucher_waits except select * from vouchers_waiting)) x
    limit 100`.execute(tx);
  const sums = await sql`select 'sums of vouchers and their facts' as rule, x from app.unlike_voucher() x`.execute(tx);
  const all = [sums, waiting, bills, given, twice, facts, reversed, used, brought];
  return all.flatMap(({ rows }) => rows as readonly unknown[]);
}
