import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";

interface Breach {
  readonly what: string;
  readonly id: string;
}
/**
 * Reads pushes against the facts (platforms.md 8): bytes are as they were hashed (22); an event of an order or a refund has its fact, and
 * each fact since an address listens for all merchants has its event (23); every event goes to somebody, no try is open for an hour.
 */
export async function verifyPushes(tx: Transaction, now_ms: number): Promise<readonly Breach[]> {
  const hour = new Date(now_ms - 3_600_000).toISOString();
  // Events are kept for 90 days; the channel's clock is not ours.
  const kept = new Date(now_ms - 80 * 86_400_000).toISOString();
  const { rows } = await sql<Breach>`
    select 'bytes of an event changed' as what, v.id from push_events v
      where v.body is not null and (v.sha256 <> sha256(convert_to(v.body, 'UTF8')) or v.bytes <> octet_length(v.body))
    union all select 'an event of a payment that is none', v.id from push_events v
      where v.type = 'order.paid' and not exists (select 1 from pay_orders o where o.service_provider_id = v.service_provider_id and o.id = v.object_id
        and o.status in (2, 3))
    union all select 'an event of a refund that is none', v.id from push_events v
      where v.type = 'refund.succeeded' and not exists (select 1 from refunds r where r.service_provider_id = v.service_provider_id and r.id = v.object_id
        and r.status = 2)
    union all select 'a payment without its event', o.id from push_endpoints e
      join pay_orders o on o.service_provider_id = e.service_provider_id and o.paid_at > e.updated_at + interval '10 minutes' and o.paid_at > ${kept}::timestamptz and o.status in (2, 3)
      where e.state <> 'removed' and e.merchant_ids is null and 'order.paid' = any(e.events)
        and not exists (select 1 from push_events v where v.service_provider_id = o.service_provider_id and v.object_id = o.id and v.type = 'order.paid')
    union all select 'a refund without its event', r.id from push_endpoints e
      join refunds r on r.service_provider_id = e.service_provider_id and r.finished_at > e.updated_at + interval '10 minutes' and r.finished_at > ${kept}::timestamptz and r.status = 2
      where e.state <> 'removed' and e.merchant_ids is null and 'refund.succeeded' = any(e.events)
        and not exists (select 1 from push_events v where v.service_provider_id = r.service_provider_id and v.object_id = r.id and v.type = 'refund.succeeded')
    union all select 'an event for nobody', v.id from push_events v
      where not exists (select 1 from push_deliveries d where d.service_provider_id = v.service_provider_id and d.event_id = v.id)
    union all select 'a try without an end', a.delivery_id from push_attempts a join push_deliveries d on d.service_provider_id = a.service_provider_id
      and d.id = a.delivery_id where a.outcome is null and a.started_at < ${hour}::timestamptz and d.settled_at is not null
    limit 100`.execute(tx);
  return rows;
}
