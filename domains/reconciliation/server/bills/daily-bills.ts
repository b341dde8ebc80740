import { sql } from "kysely";
import { z } from "zod";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { openFiles } from "@zhangfang/server/files/files.ts";
import { job, type Job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { addBill } from "./add-bill.ts";
import { importBill } from "./import-bill.ts";
import { dropRows } from "./load-rows.ts";
import { pieceKey } from "./run.ts";

const SCOPE = platformScope("daily bills");
const AT_ONCE = 200;

/** Every morning after ten: the day before of every merchant with an account at WeChat Pay or Alipay that has not said no. */
export const fetchDailyBills: Job = job({
  name: "fetch-daily-bills",
  data: z.object({}),
  every: "5 10 * * *",
  concurrency: 1,
  lease_s: 1800,
  run: async (services) => {
    const day = addDays(shanghaiDay(services.clock.now_ms()), -1);
    const waiting = await merchantsWithout(services, day);
    for (const merchant of waiting) {
      const { bill_type: type, ...whose } = merchant;
      const ref = { ...whose, day };
      await withScope(services.pool, SCOPE, async (tx) => {
        const id = await addBill(tx, services, ref, { type, origin: "fetch", status: "waiting" });
        await services.jobs.enqueue(tx, importBill, { service_provider_id: ref.service_provider_id, id });
      }).catch((error: unknown) => {
        // Somebody was quicker.
        if (!(error instanceof Refusal)) throw error;
      });
    }
  },
});
async function merchantsWithout(services: Services, day: string) {
  const { rows } = await withScope(services.pool, SCOPE, (tx) =>
    sql<{ service_provider_id: string; merchant_id: string; source: "wechat" | "alipay"; bill_type: "ALL" | "TRADE" }>`
      select c.service_provider_id, c.merchant_id, c.source, c.bill_type from (
          select service_provider_id, merchant_id, 'wechat' as source, 'ALL' as bill_type from channel_settings where channel = 0 and state = 'active'
          union all select service_provider_id, merchant_id, 'alipay', 'TRADE' from channel_accounts where channel = 0 and state = 'active') c
        join merchants m on m.service_provider_id = c.service_provider_id and m.id = c.merchant_id and m.state = 'active'
        left join bill_settings s on s.service_provider_id = c.service_provider_id and s.merchant_id = c.merchant_id and s.source = c.source
      where coalesce(s.daily, true)
        and not exists (select 1 from bill_files f where f.service_provider_id = c.service_provider_id and f.merchant_id = c.merchant_id
          and f.source = c.source and f.bill_type = c.bill_type and f.day = ${day}::date and f.status not in ('failed', 'replaced'))
        and not exists (select 1 from recon_days d where d.service_provider_id = c.service_provider_id and d.merchant_id = c.merchant_id
          and d.source = c.source and d.day = ${day}::date and d.status = 'closed')
      order by c.service_provider_id, c.merchant_id, c.source`.execute(tx),
  );
  return rows;
}

/** Every five minutes: runs that died are begun again, uploads that nobody finished end, files that do not count go. */
export const tendBills: Job = job({
  name: "tend-bills",
  data: z.object({}),
  every: "*/5 * * * *",
  concurrency: 1,
  lease_s: 600,
  retryLimit: 0,
  run: async (services) => {
    const now = new Date(services.clock.now_ms()).toISOString();
    await withScope(services.pool, SCOPE, async (tx) => {
      const { rows } = await sql<{ service_provider_id: string; id: string }>`
        select service_provider_id, id from bill_files
        where status in ('waiting', 'fetching', 'loading', 'parsed') and coalesce(beat_at, created_at) < ${now}::timestamptz - interval '5 minutes'
          and coalesce(next_try_at, ${now}::timestamptz) <= ${now}::timestamptz
        order by created_at limit ${sql.lit(AT_ONCE)}`.execute(tx);
      for (const ref of rows) await services.jobs.enqueue(tx, importBill, ref);
      await sql`update bill_files set status = 'failed', failure = '上传没有完成', finished_at = ${now}::timestamptz
        where status = 'uploading' and created_at < ${now}::timestamptz - interval '1 day'`.execute(tx);
    });
    await forget(services, now);
  },
});
/** What does not count is kept for a week, so that somebody can ask why. */
async function forget(services: Services, now: string): Promise<void> {
  const { rows } = await withScope(services.pool, SCOPE, (tx) =>
    sql<{ service_provider_id: string; id: string; piece_count: number }>`
      select service_provider_id, id, piece_count from bill_files
      where not forgotten and status in ('failed', 'same', 'replaced') and finished_at < ${now}::timestamptz - interval '7 days'
      order by finished_at limit ${sql.lit(AT_ONCE)}`.execute(tx),
  );
  const files = openFiles(services.config);
  for (const { piece_count, ...ref } of rows) {
    await dropRows(services, ref);
    // One more than was counted: a piece may have been written whose row was not.
    for (let place = 0; place <= piece_count; place++) await files.remove(pieceKey(ref.id, place));
    await withScope(services.pool, SCOPE, (tx) =>
      tx
        .updateTable("bill_files")
        .set({ forgotten: true })
        .where("service_provider_id", "=", ref.service_provider_id)
        .where("id", "=", ref.id)
        .execute(),
    );
  }
}
