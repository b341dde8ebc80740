import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { ExportSource } from "@zhangfang/server/lists/export-source.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { absentUser } from "../../../accounts/server/index.ts";
import { EXPORTS_RUNNING } from "../../contract.ts";
import { LEASE_MS } from "./keep-alive.ts";
import { mayExport } from "../may-export.ts";
import { CANCELLED, failExport, holdQueue, type WriteJob } from "./queue.ts";
import type { Sources } from "../sources.ts";

/** Runs of one export that may die before it is given up. */
const RUNS = 5;

const selectExport = (tx: Transaction, ownerUserId: string, exportId: string) =>
  tx.selectFrom("export_files").selectAll().where("owner_user_id", "=", ownerUserId).where("id", "=", exportId).where("status", "=", 0);
type Row = NonNullable<Awaited<ReturnType<ReturnType<typeof selectExport>["executeTakeFirst"]>>>;

/** An export that this run holds. */
export interface Taken {
  /** As it was before: its run_id is that of a run that died. */
  readonly row: Row;
  readonly run_id: string;
  readonly source: ExportSource;
}

/**
 * Takes an export for a run: when it has come to the front of its tenant's queue, nobody is at work on it, and its owner
 * may still do what they asked for. Otherwise it stays, or fails with the reason.
 */
export async function takeExport(
  tx: Transaction,
  services: Services,
  job: WriteJob,
  sources: Sources,
  which: { ownerUserId: string; exportId: string },
): Promise<Taken | undefined> {
  const asked = await selectExport(tx, which.ownerUserId, which.exportId).executeTakeFirst();
  if (!asked) return undefined;
  await holdQueue(tx, asked.service_provider_id);
  const now_ms = services.clock.now_ms();
  const row = await selectExport(tx, which.ownerUserId, which.exportId)
    .select(sql<number>`app.exports_before(service_provider_id, queue_no)`.as("before"))
    .forUpdate()
    .executeTakeFirst();
  if (!row || (row.lease_until !== null && Date.parse(row.lease_until) > now_ms)) return undefined;
  if (row.before >= EXPORTS_RUNNING) return undefined;
  const refusal = row.cancel_asked ? CANCELLED : row.runs >= RUNS ? "多次中断，请重试" : undefined;
  const source = sources.get(row.source);
  const failure = refusal ?? (await refusalNow(tx, row, source));
  if (failure !== undefined || !source) {
    await failExport(tx, services, job, row, failure ?? "");
    return undefined;
  }
  const run_id = services.ids.uuid(now_ms);
  await tx
    .updateTable("export_files")
    .set({ run_id, runs: row.runs + 1, rows_done: 0, rows_total: null, lease_until: new Date(now_ms + LEASE_MS).toISOString() })
    .where("owner_user_id", "=", row.owner_user_id)
    .where("id", "=", row.id)
    .execute();
  return { row, run_id, source };
}

/** Why its owner may not have it any more. */
async function refusalNow(tx: Transaction, row: Row, source: ExportSource | undefined): Promise<string | undefined> {
  if (!source) return "此列表已不支持导出";
  const maker = await absentUser(tx, row.owner_user_id);
  if (!maker) return "账号已停用";
  if (!mayExport(maker, source.access)) return "账号已没有此列表的权限";
  if (maker.scope.text !== row.scope) return "账号的可见范围已变化，请重试";
  return undefined;
}
