import type { Selectable } from "kysely";
import { sql } from "kysely";
import type { DB, Transaction } from "@zhangfang/server/database/db.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { mustSeeWhole } from "../rows.ts";

export type DifferenceRow = Selectable<DB["recon_differences"]>;

/**
 * Differences that somebody is about to decide on, held in one order; all of them, or none. Their days are held first, as the
 * match does it, so that both wait for each other at one place only.
 * @throws 404 where the caller does not see one, 409 where a day is closed or one is not `status` any more
 */
export async function holdDifferences(
  tx: Transaction,
  scope: Scope,
  given: readonly string[],
  status: readonly DifferenceRow["status"][],
): Promise<DifferenceRow[]> {
  mustSeeWhole(scope);
  const ids = [...new Set(given)];
  const days = await sql<{ day: string; status: string }>`
    select y.day, y.status from recon_days y where (y.service_provider_id, y.id) in (
      select d.service_provider_id, d.day_id from recon_differences d where d.id = any(${ids}::uuid[]) and ${inScope(scope, "d", "merchant")})
    order by y.service_provider_id, y.merchant_id, y.source, y.day for update of y`.execute(tx);
  const { rows } = await sql<DifferenceRow>`
    select d.* from recon_differences d where d.id = any(${ids}::uuid[]) and ${inScope(scope, "d", "merchant")} order by d.id for update of d`.execute(
    tx,
  );
  if (rows.length !== ids.length) throw notFound("对账差异");
  const closed = days.rows.find((day) => day.status === "closed");
  if (closed) throw conflict(`${closed.day} 已关账，请先撤销关账`, "day-closed");
  if (rows.some((row) => !status.includes(row.status))) throw conflict("其中有的已被别人处理，请刷新后再选");
  return rows;
}
