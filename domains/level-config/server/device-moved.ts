import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/db.ts";
import { bumpVersion } from "./watch-versions.ts";

/**
 * Something of a provider's devices changed that is no save: those that wait look again.
 * @param leaves a device that leaves its store: what it had of its own goes
 */
export async function deviceMoved(tx: Transaction, provider: string, leaves?: string): Promise<void> {
  if (leaves !== undefined)
    await sql`delete from config_overrides where service_provider_id = ${provider} and item_id = ${leaves}`.execute(tx);
  for (const namespace of ["device", "ad"] as const) await bumpVersion(tx, namespace, provider);
}
