import { sql } from "kysely";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { openFiles } from "@zhangfang/server/files/files.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";

const KEPT_DAYS = 180;
const PURGE = platformScope("purge pictures of dossiers");
/** Nothing of its merchant's is on its way, or was within the time that pictures are kept. */
const over = (now: string) => {
  const before = sql`${now}::timestamptz - ${`${KEPT_DAYS} days`}::interval`;
  return sql`f.gone_at is null and f.created_at < ${before}
    and exists (select from applyments a where a.service_provider_id = f.service_provider_id and a.merchant_id = f.merchant_id)
    and not exists (select from applyments a where a.service_provider_id = f.service_provider_id and a.merchant_id = f.merchant_id
      and (a.state not in ('FINISHED', 'CANCELED') or a.state_at > ${before}))`;
};
interface FileRef {
  readonly service_provider_id: string;
  readonly id: string;
}

/** Pictures of merchants whose applications are all over go half a year after the last one; the row stays and says when. */
export const purgeApplymentFiles = lookAfter<FileRef>({
  name: "purge-applyment-files",
  every: 3_600,
  due: async (tx, now) =>
    (
      await sql<FileRef>`select f.service_provider_id, f.id from applyment_files f where ${over(now)} order by f.created_at limit 200`.execute(
        tx,
      )
    ).rows,
  one: async (services, { service_provider_id, id }) => {
    const now = new Date(services.clock.now_ms()).toISOString();
    await withScope(services.pool, PURGE, async (tx) => {
      const gone =
        await sql`update applyment_files f set gone_at = ${now} where f.service_provider_id = ${service_provider_id} and f.id = ${id} and ${over(now)}`.execute(
          tx,
        );
      // Removed before it is committed: what fails is taken up again.
      if (gone.numAffectedRows === 1n) await openFiles(services.config).remove(id);
    });
  },
});
