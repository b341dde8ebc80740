import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";

/** Writes down where a device has stood, before it leaves: it may tell of its time there later. */
export async function leavePlace(
  tx: Transaction,
  { service_provider_id, id }: { readonly service_provider_id: string; readonly id: string },
  now: string,
): Promise<void> {
  await sql`insert into device_places (service_provider_id, sn, device_id, merchant_id, store_id, since, until)
    select d.service_provider_id, d.sn, d.id, d.merchant_id, d.store_id, d.placed_at, ${now}::timestamptz
    from devices d where d.service_provider_id = ${service_provider_id} and d.id = ${id} on conflict do nothing`.execute(tx);
}
