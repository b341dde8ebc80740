import { sql } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";

/** Writes down what ads are while they are enabled, before they change: devices show it for days yet, and tell of it later. */
export async function keepPast({ tx, now }: Pick<Ctx, "tx" | "now">, ids: readonly string[]): Promise<void> {
  await sql`insert into ads_past (id, owner_id, ad_id, since, until, starts_on, ends_on, weekdays, periods, models, regions, targets, materials)
    select gen_random_uuid(), a.owner_id, a.id, a.enabled_at, ${now}::timestamptz, a.starts_on, a.ends_on, a.weekdays, a.periods, a.models, a.regions,
      coalesce((select jsonb_agg(jsonb_build_object('item_type', t.item_type, 'item_id', t.item_id)) from ad_targets t where t.ad_id = a.id), '[]'),
      array(select i.material_id from ad_items i where i.ad_id = a.id)
    from ads a where a.id = any(${`{${ids.join(",")}}`}::uuid[]) and a.status = 1`.execute(tx);
}
