import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";

/**
 * What should not be: a follower's quota that is not what batches took of it, a batch that reached nobody and keeps quota, a note that ended
 * while a batch of it is open, one that did not begin an hour after its time, a batch of which nothing is known for a day, one that failed
 * here and was sent there.
 */
export async function verifyNotes(tx: Transaction, now_ms: number): Promise<readonly unknown[]> {
  const now = new Date(now_ms).toISOString();
  const { rows } = await sql`
    select 'quota' as breach, q.fan_id as id, q.service_provider_id from wx_fan_quota q
      left join (select n.service_provider_id, n.fan_id, b.period, count(*) as taken from wx_note_fans n
          join wx_note_batches b on b.service_provider_id = n.service_provider_id and b.id = n.batch_id where b.period is not null group by 1, 2, 3) t
        on t.service_provider_id = q.service_provider_id and t.fan_id = q.fan_id and t.period = q.period
      where q.used <> coalesce(t.taken, 0)
    union all
    select 'kept', b.id, b.service_provider_id from wx_note_batches b where b.state in ('failed', 'void') and b.period is not null
    union all
    select 'open', n.id, n.service_provider_id from wx_notes n where n.state in ('sent', 'partly', 'failed', 'cancelled') and exists (
      select from wx_note_batches b where b.service_provider_id = n.service_provider_id and b.note_id = n.id and not b.replaced
        and b.state in ('waiting', 'asked', 'accepted'))
    union all
    select 'late', n.id, n.service_provider_id from wx_notes n where n.state = 'ready'
      and greatest(n.starts_at, n.decided_at) < ${now}::timestamptz - interval '1 hour'
    union all
    select 'unknown', b.id, b.service_provider_id from wx_note_batches b where b.state = 'accepted' and b.accepted_at < ${now}::timestamptz - interval '1 day'
      or b.state = 'asked' and b.unsure_since < ${now}::timestamptz - interval '1 day'
    union all
    select 'sent-after-all', b.id, b.service_provider_id from wx_note_batches b
      join wx_mass_results r on r.service_provider_id = b.service_provider_id and r.app_row = b.app_row and r.msg_id = b.msg_id
      where b.state in ('failed', 'void') and r.sent > 0
    limit 100`.execute(tx);
  return rows;
}
