import { sql } from "kysely";
import { z } from "zod";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import type { Services } from "@zhangfang/server/services.ts";

const LISTS = platformScope("look after the lists of group notes");
/** So many followers come over at once. */
const PART = 20_000;
/** A quota counts for a month; what failed is sent again within ninety days. */
export const AGAIN_DAYS = 90;
const [QUOTA_DAYS, LIST_DAYS] = [62, AGAIN_DAYS + 3];
const AT_ONCE = 5_000;
const LONG = { deadline_ms: 120_000, planEach: true } as const;

interface Which {
  readonly service_provider_id: string;
  readonly id: string;
}
/** The followers of batches that are sent again come over to the new ones, in parts. Those who are not there by `until_ms` come in the next turn. */
export async function takeOver(services: Services, note: Which, until_ms: number): Promise<void> {
  for (let left = true; left && services.clock.now_ms() < until_ms;)
    left = await withScope(services.pool, LISTS, (tx) => takePart(tx, note), LONG);
}
/** @returns whether more may have to come over */
async function takePart(tx: Transaction, { service_provider_id, id }: Which): Promise<boolean> {
  const { rows: notes } = await sql`select 1 from wx_notes n where n.service_provider_id = ${service_provider_id} and n.id = ${id}
    and n.state = 'sending' and not n.paused for no key update`.execute(tx);
  if (notes.length === 0) return false;
  const { rows } = await sql<{ id: string; takes_from: string }>`select b.id, b.takes_from from wx_note_batches b
    where b.service_provider_id = ${service_provider_id} and b.note_id = ${id} and b.takes_from is not null order by b.place limit 1
    for no key update`.execute(tx);
  const [batch] = rows;
  if (!batch) return false;
  const { numAffectedRows = 0n } = await sql`update wx_note_fans n set batch_id = ${batch.id} from (
      select f.fan_id from wx_note_fans f where f.service_provider_id = ${service_provider_id} and f.batch_id = ${batch.takes_from} limit ${PART}) p
    where n.service_provider_id = ${service_provider_id} and n.note_id = ${id} and n.fan_id = p.fan_id`.execute(tx);
  const whole = numAffectedRows < BigInt(PART);
  await sql`update wx_note_batches b set moved = b.moved + ${numAffectedRows}::int, takes_from = case when ${whole} then null else b.takes_from end
    where b.service_provider_id = ${service_provider_id} and b.id = ${batch.id}`.execute(tx);
  return true;
}

/** Each night: quota of months that are over, then the lists of notes that ended three months ago. Its figures, batches and clicks stay. */
export const purgeNoteLists = job({
  name: "purge-note-lists",
  data: z.object({}),
  every: "40 3 * * *",
  concurrency: 1,
  lease_s: 7_200,
  run: async (services) => {
    const today = shanghaiDay(services.clock.now_ms());
    const away = (part: (tx: Transaction) => Promise<{ numAffectedRows?: bigint | undefined }>) =>
      withScope(services.pool, LISTS, part, LONG).then(({ numAffectedRows = 0n }) => numAffectedRows === BigInt(AT_ONCE));
    const quota = (tx: Transaction) =>
      sql`delete from wx_fan_quota q using (select o.service_provider_id, o.fan_id, o.period from wx_fan_quota o where o.period < ${addDays(today, -QUOTA_DAYS)}::date
          order by o.period limit ${AT_ONCE}) o
        where q.service_provider_id = o.service_provider_id and q.fan_id = o.fan_id and q.period = o.period`.execute(tx);
    while (await away(quota));
    for (;;) {
      const note = await withScope(services.pool, LISTS, (tx) => endedNote(tx, addDays(today, -LIST_DAYS)));
      if (!note) return;
      const list = (tx: Transaction) =>
        sql`delete from wx_note_fans n using (select o.fan_id from wx_note_fans o where o.service_provider_id = ${note.service_provider_id}
            and o.note_id = ${note.id} limit ${AT_ONCE}) o
          where n.service_provider_id = ${note.service_provider_id} and n.note_id = ${note.id} and n.fan_id = o.fan_id`.execute(tx);
      while (await away(list));
      await withScope(services.pool, LISTS, (tx) =>
        sql`update wx_notes n set list_gone = true where n.service_provider_id = ${note.service_provider_id} and n.id = ${note.id}`.execute(
          tx,
        ),
      );
    }
  },
});
async function endedNote(tx: Transaction, before: string): Promise<Which | undefined> {
  const { rows } =
    await sql<Which>`select n.service_provider_id, n.id from wx_notes n where not n.list_gone and n.ended_at < ${before}::date
    and n.state in ('sent', 'partly', 'failed', 'cancelled') order by n.ended_at limit 1`.execute(tx);
  return rows[0];
}
