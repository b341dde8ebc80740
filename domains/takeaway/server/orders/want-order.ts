import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** Orders of one account that wait to be asked for: more is no business that it does, and the platform tells again. */
const MOST_WAITING = 2_000;
/** Under whose keys an order is asked for. */
export interface AccountAsked {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly account_id: string;
}

/**
 * Writes down that an order is to be asked for (`told_at` is when it was first heard of and never changes): at once, but not within half a minute of the last time, nor within ten of the platform having
 * said that there is none. What was told while it is asked about makes it asked about again.
 * @returns whether it stands there; false where the account has as many waiting as it may
 */
export async function wantOrder(
  tx: Transaction,
  { clock, ids }: Pick<Services, "clock" | "ids">,
  about: AccountAsked,
  platform_order_id: string,
): Promise<boolean> {
  const { service_provider_id, account_id } = about;
  const now_ms = clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const known = await sql`update takeaway_fetches set wanted_at = greatest(${now}::timestamptz, wanted_at + interval '1 millisecond'),
      next_at = greatest(${now}::timestamptz, asked_at + case outcome when 'none' then interval '10 minutes' else interval '30 seconds' end),
      tries = case outcome when 'ok' then 0 else tries end
    where service_provider_id = ${service_provider_id} and account_id = ${account_id} and platform_order_id = ${platform_order_id}
    returning id`.execute(tx);
  if (known.rows.length > 0) return true;
  const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from (select 1 from takeaway_fetches f
    where f.service_provider_id = ${service_provider_id} and f.account_id = ${account_id} and f.next_at is not null limit ${MOST_WAITING}) w`.execute(
    tx,
  );
  if (rows[0]!.waiting >= MOST_WAITING) return false;
  await tx
    .insertInto("takeaway_fetches")
    .values({ ...about, platform_order_id, id: ids.uuid(now_ms), told_at: now, wanted_at: now, next_at: now })
    // Somebody else wrote it down just now.
    .onConflict((twice) => twice.columns(["service_provider_id", "account_id", "platform_order_id"]).doNothing())
    .execute();
  return true;
}
