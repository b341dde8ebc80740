import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";

/**
 * For a job that tells somebody who waits that it is done: from its commit on they read on no standby that has not seen it. Call it last.
 * @example await leaveInSessions(tx, services, found.owner_user_id)
 */
export async function leaveInSessions(tx: Transaction, services: Services, user_id: string): Promise<void> {
  if (!services.standbys) return;
  const now = new Date(services.clock.now_ms()).toISOString();
  // In one order, so that two jobs of one person don't wait for each other.
  await sql`update sessions set wrote = pg_current_xact_id() where id in (
    select id from sessions where user_id = ${user_id} and ended_at is null and expires_at > ${now} order by id for no key update)`.execute(
    tx,
  );
}
