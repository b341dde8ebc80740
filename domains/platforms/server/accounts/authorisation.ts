import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";

interface Account {
  readonly service_provider_id: string;
  readonly account_id: string;
}
/**
 * An account's platform said that its authorisation was taken back. It is no proof: the account stays in use, and says so (`ended_at`).
 * @returns whether that is new
 */
export async function authorisationEnded(tx: Transaction, { service_provider_id, account_id }: Account, at: string): Promise<boolean> {
  const done = await sql`update platform_accounts a set ended_at = ${at}
    where a.service_provider_id = ${service_provider_id} and a.id = ${account_id} and a.ended_at is null`.execute(tx);
  return done.numAffectedRows === 1n;
}
/** Its platform answered what it was asked at a moment: an end that was told before is none. */
export const authorisationStands = (tx: Transaction, { service_provider_id, account_id }: Account, asked_at: string): Promise<unknown> =>
  sql`update platform_accounts a set ended_at = null
    where a.service_provider_id = ${service_provider_id} and a.id = ${account_id} and a.ended_at <= ${asked_at}`.execute(tx);
