import { sql } from "kysely";
import { withLevelNames } from "@zhangfang/contract/level-names.ts";
import { levelNamesOf } from "../../../accounts/server/index.ts";
import { tellUser } from "../../../messages/server/index.ts";
import { EXPORT_ROW_CAP } from "../../contract.ts";
import { openCsv } from "@zhangfang/server/lists/csv-writer.ts";
import { runTransaction, withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import type { ExportRow } from "@zhangfang/server/lists/export-source.ts";
import { openFiles } from "@zhangfang/server/files/files.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { parseScope, platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { openXlsx } from "@zhangfang/server/lists/xlsx-writer.ts";
import { ZipTooLarge } from "@zhangfang/server/lists/zip-writer.ts";
import { mailUser } from "../mail/mail-user.ts";
import { CANCELLED, exportToWrite, failExport, holdQueue, keptUntil, wakeNext, type WriteJob } from "./queue.ts";
import { keepAlive, type Run } from "./keep-alive.ts";
import { chosenColumns, type Sources } from "../sources.ts";
import { takeExport, type Taken } from "./take-export.ts";

type Sink = Parameters<typeof openCsv>[0];
/** The reason stands in the record and its owner reads it. */
class CannotWrite extends Error {}

/**
 * Writes one export: takes it from the queue, checks again what its owner may do, writes the file from one snapshot of
 * the database in the owner's scope, and says so. A run that dies is taken up again, from the start, when its lease ends.
 */
export function writeExportJob(sources: Sources): WriteJob {
  const self: WriteJob = job({
    name: "write-export",
    data: exportToWrite,
    // The lease of the run itself (keep-alive.ts) tells a dead run within seconds; the queue's own one only bounds a worker.
    lease_s: 3600,
    retryLimit: 3,
    concurrency: 2,
    run: async (services, which) => {
      const found = await withScope(services.pool, platformScope("take-export"), async (tx) => {
        const taken = await takeExport(tx, services, self, sources, which);
        return taken && { taken, wrote: services.standbys ? await transactionOf(tx) : null };
      });
      if (found) await writeTaken(services, self, found.taken, found.wrote);
    },
  });
  return self;
}

/** It comes after everything that its owner had written before they asked. */
async function transactionOf(tx: Transaction): Promise<string> {
  const { rows } = await sql<{ id: string }>`select pg_current_xact_id() as id`.execute(tx);
  return rows[0]!.id;
}

async function writeTaken(services: Services, self: WriteJob, taken: Taken, wrote: string | null): Promise<void> {
  const { row, run_id } = taken;
  const files = openFiles(services.config);
  for (const left of [row.run_id, row.file_key]) if (left) await files.remove(left);
  const run = keepAlive(services, row, run_id);
  try {
    const size_bytes = await writeSomewhere(services, taken, run, wrote);
    await run.end();
    const finished = await finish(services, self, taken, run, size_bytes);
    if (!finished) await files.remove(run_id);
    services.metrics.exports.inc({ format: row.format, outcome: finished ? "done" : "lost" });
  } catch (error) {
    await run.end();
    // Somebody else has it, or it is gone: nothing of this run may be said any more.
    if (run.stopped() === "lost") {
      services.metrics.exports.inc({ format: row.format, outcome: "lost" });
      return;
    }
    const failure = run.stopped() === "cancelled" ? CANCELLED : reasonOf(error);
    if (failure === UNEXPECTED) services.log.error({ err: error, export: row.id, source: row.source }, "export failed");
    await withScope(services.pool, platformScope("fail-export"), async (tx) => {
      await holdQueue(tx, row.service_provider_id);
      if (await failExport(tx, services, self, row, failure, run_id)) await tellOwner(tx, services, row, failure);
    });
    services.metrics.exports.inc({ format: row.format, outcome: failure === CANCELLED ? "cancelled" : "failed" });
  }
}

/** On a standby, where there is one that has seen all that its owner wrote; where that fails, from the start on the primary. */
async function writeSomewhere(services: Services, taken: Taken, run: Run, wrote: string | null): Promise<number> {
  const files = openFiles(services.config);
  const scope = parseScope(taken.row.scope);
  const opening = `set transaction isolation level repeatable read; set local idle_in_transaction_session_timeout = 0; select set_config('app.scope', '${scope.text}', true)`;
  const rows = (tx: Transaction, sink: Sink) => writeRows(tx, services, taken, run, sink);
  const there = (tx: Transaction) => files.write(taken.run_id, (sink) => rows(tx, sink));
  const found = await services.standbys?.read({ who: taken.row.owner_user_id, scope, wrote, opening }, there, { deadline_ms: 0 });
  if (found) return found.answer;
  if (services.standbys) run.again();
  return files.write(taken.run_id, (sink) =>
    runTransaction(services.pool, opening, (tx) => rows(tx, sink), { readOnly: true, deadline_ms: 0 }),
  );
}

/** From one repeatable-read snapshot in the owner's scope, without a deadline: count, then rows as the cursor brings them. */
async function writeRows(tx: Transaction, services: Services, { row, source }: Taken, run: Run, sink: Sink): Promise<void> {
  const filter = source.input.safeParse(row.filter);
  const columns = chosenColumns(source, row.columns as string[]);
  if (!filter.success || !columns) throw new CannotWrite("筛选条件或列已不再支持，请重新导出");
  const scope = parseScope(row.scope);
  const rows_total = await source.count(tx, scope, filter.data, services);
  if (rows_total > EXPORT_ROW_CAP)
    throw new CannotWrite(`符合条件的有 ${rows_total} 行，超过单个文件的上限 ${EXPORT_ROW_CAP} 行，请缩小范围`);
  run.total(rows_total);
  const names = await levelNamesOf(tx, row.service_provider_id);
  const headed = columns.map((column) => ({ ...column, label: withLevelNames(column.label, names) }));
  const writer =
    row.format === "xlsx"
      ? await openXlsx(sink, { sheetName: withLevelNames(source.title, names), columns: headed })
      : await openCsv(sink, headed);
  for await (const batch of source.rows(tx, scope, filter.data, services)) {
    run.check();
    await writer.write(batch.map((given: ExportRow) => columns.map((column) => given[column.key])));
    run.wrote(batch.length);
  }
  run.check();
  await writer.end();
}

/** 生成中 → 可下载, if this run still holds it. */
async function finish(services: Services, self: WriteJob, { row, run_id }: Taken, run: Run, size_bytes: number): Promise<boolean> {
  const now_ms = services.clock.now_ms();
  return withScope(services.pool, platformScope("finish-export"), async (tx) => {
    await holdQueue(tx, row.service_provider_id);
    const changed = await tx
      .updateTable("export_files")
      .set({ status: 1, file_key: run_id, size_bytes, rows_done: run.rows(), rows_total: run.rows(), lease_until: null })
      .set({ finished_at: new Date(now_ms).toISOString(), expires_at: keptUntil(now_ms) })
      .where("owner_user_id", "=", row.owner_user_id)
      .where("id", "=", row.id)
      .where("run_id", "=", run_id)
      .where("status", "=", 0)
      .executeTakeFirst();
    await wakeNext(tx, services, self, row.service_provider_id);
    if (changed.numUpdatedRows !== 1n) return false;
    await tellOwner(tx, services, row);
    return true;
  });
}

/** Whoever subscribed did not wait for it: they are told that it is there, or why it is not. */
async function tellOwner(tx: Transaction, services: Services, row: Taken["row"], failure?: string): Promise<void> {
  if (row.told === null) return;
  const title = failure === undefined ? `「${row.told}」已生成，可以下载` : `「${row.told}」未能生成`;
  const body = failure ?? row.name;
  const once = `export:${row.id}:${row.attempt}`;
  await tellUser(tx, row.owner_user_id, {
    kind: "export",
    title,
    body,
    href: "/dataCentre/exports",
    item: "/dataCentre/exports",
    once,
    at: new Date(services.clock.now_ms()).toISOString(),
  });
  // Whoever cancels it or has it tried again is there.
  if (row.mail === null || row.attempt > 1 || failure === CANCELLED) return;
  const to = { provider: row.service_provider_id, userId: row.owner_user_id, address: row.mail };
  await mailUser(tx, services, { ...to, subject: title, lines: [title, body], once });
}

const UNEXPECTED = "生成失败，请重试；多次失败请联系客服";
function reasonOf(error: unknown): string {
  if (error instanceof CannotWrite) return error.message;
  if (error instanceof ZipTooLarge) return "文件超过 4 GB，请缩小范围";
  if ((error as NodeJS.ErrnoException | null)?.code === "ENOSPC") return "服务器磁盘空间不足，请稍后重试";
  return UNEXPECTED;
}
