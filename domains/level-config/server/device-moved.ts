import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { bumpVersions } from "./watch-versions.ts";

/**
 * A device itself changed: it looks again, if it waits.
 * @param leaves it leaves its store: what it had of its own goes
 */
export async function deviceMoved(tx: Transaction, device: string, leaves = false): Promise<void> {
  if (leaves) await sql`delete from config_overrides where item_id = ${device}`.execute(tx);
  for (const namespace of ["device", "ad"] as const) await bumpVersions(tx, namespace, [device]);
}
