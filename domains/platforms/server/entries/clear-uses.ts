import { type RawBuilder, sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";

/** A day of an account whose record of uses is there. */
export interface RecordedDay {
  readonly service_provider_id: string;
  readonly account_id: string;
  readonly day: string;
}
/**
 * Removes the platform's record of a day's uses; its facts stay.
 * @param unless what of a row `b` of platform_bill_days keeps it
 * @returns whether it was there
 */
export async function clearDayUses(
  tx: Transaction,
  { service_provider_id, account_id, day }: RecordedDay,
  { now, unless }: { readonly now: string; readonly unless: RawBuilder<unknown> },
): Promise<boolean> {
  const cleared = await sql`update platform_bill_days b set cleared_at = ${now} where b.service_provider_id = ${service_provider_id}
    and b.account_id = ${account_id} and b.day = ${day}::date and b.uses_taken_at is not null and b.cleared_at is null and not (${unless})`.execute(
    tx,
  );
  if (cleared.numAffectedRows !== 1n) return false;
  await tx
    .deleteFrom("platform_day_uses")
    .where("service_provider_id", "=", service_provider_id)
    .where("account_id", "=", account_id)
    .where("day", "=", day)
    .execute();
  return true;
}
