import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { bumpVersions } from "../../../level-config/server/index.ts";

/** Has the devices look again that show any of the materials: what may play on them has changed. */
export async function wakeDevices(tx: Transaction, materialIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ item_id: string }>`
    select distinct t.item_id from ad_items i join ads a on a.owner_id = i.owner_id and a.id = i.ad_id and a.status = 1 and a.removed_at is null
      join ad_targets t on t.owner_id = a.owner_id and t.ad_id = a.id
    where i.material_id = any(${`{${materialIds.join(",")}}`}::uuid[])`.execute(tx);
  if (rows.length > 0)
    await bumpVersions(
      tx,
      "ad",
      rows.map(({ item_id }) => item_id),
    );
}
