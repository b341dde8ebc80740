import { sql } from "kysely";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { openFiles } from "@zhangfang/server/files/files.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";

const KEPT_DAYS = 180;
const PURGE = platformScope("purge pictures of dossiers");
/**
 * Nothing of its merchant's uses it, or did within the time that pictures are kept: an application, a package, the dossier, a link. A merchant
 * that never applied has no application to wait for.
 */
const over = (now: string) => {
  const before = sql`${now}::timestamptz - ${`${KEPT_DAYS} days`}::interval`;
  const none = (what: string, where: ReturnType<typeof sql>) =>
    sql`not exists (select from ${sql.table(what)} x where x.service_provider_id = f.service_provider_id and x.merchant_id = f.merchant_id and (${where}))`;
  return sql`f.gone_at is null and f.created_at < ${before}
    and ${none("applyments", sql`x.state not in ('FINISHED', 'CANCELED') or x.state_at > ${before}`)}
    and ${none("applyment_packages", sql`x.state = 'SUBMITTED' or x.state_at > ${before}`)}
    and ${none("dossiers", sql`x.updated_at > ${before}`)}
    and ${none("applyment_links", sql`x.revoked_at is null and x.expires_at > ${now}`)}`;
};
interface FileRef {
  readonly service_provider_id: string;
  readonly id: string;
}

/** Pictures go half a year after the last use of them, also of merchants that never applied; the row stays and says when. */
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
