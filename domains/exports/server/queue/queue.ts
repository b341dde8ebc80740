import { sql } from "kysely";
import { z } from "zod";
import { EXPORT_KEPT_DAYS, EXPORTS_QUEUED, EXPORTS_RUNNING } from "../../contract.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import type { Job } from "@zhangfang/server/jobs/jobs.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** What the job is told. */
export const exportToWrite = z.object({ ownerUserId: z.uuid(), exportId: z.uuid() });
/** The reason of a cancelled export. */
export const CANCELLED = "已取消";
export type WriteJob = Job<typeof exportToWrite>;

/**
 * Lets one transaction at a time look at and change a tenant's queue: without it two would take the last place, or one
 * would finish while the next one finds it still at work, and nobody would wake that one again.
 */
export async function holdQueue(tx: Transaction, provider: string | null | undefined): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`exports:${provider ?? ""}`}, 0))`.execute(tx);
}

/**
 * @param most how many may wait @throws Refusal 429 where the tenant's queue is full. Hold the queue first.
 * @returns how many stand before a new one
 */
export async function placeInQueue(tx: Transaction, provider: string | null | undefined, most = EXPORTS_QUEUED): Promise<number> {
  const { rows } = await sql<{ before: number }>`select app.exports_before(${provider ?? null}::uuid, null) as before`.execute(tx);
  const before = rows[0]?.before ?? 0;
  if (before >= EXPORTS_RUNNING + most) {
    throw new Refusal(
      429,
      "export.queue-full",
      `导出任务已满：${EXPORTS_RUNNING} 个生成中，${most} 个排队中，请等其中一些完成后再试`,
      undefined,
      { "retry-after": "30" },
    );
  }
  return before;
}

export interface Unfinished {
  readonly id: string;
  readonly owner_user_id: string;
  readonly service_provider_id: string | null;
}
/** Fails one that is 生成中, with the reason that its owner reads, and wakes who waits behind it. @returns whether it was still 生成中 */
export async function failExport(
  tx: Transaction,
  services: Services,
  job: WriteJob,
  which: Unfinished,
  failure: string,
  run_id?: string,
): Promise<boolean> {
  const now_ms = services.clock.now_ms();
  const changed = await tx
    .updateTable("export_files")
    .set({ status: 2, failure, finished_at: new Date(now_ms).toISOString(), expires_at: keptUntil(now_ms), lease_until: null })
    .where("owner_user_id", "=", which.owner_user_id)
    .where("id", "=", which.id)
    .where("status", "=", 0)
    .$if(run_id !== undefined, (query) => query.where("run_id", "=", run_id ?? null))
    .executeTakeFirst();
  await wakeNext(tx, services, job, which.service_provider_id);
  return changed.numUpdatedRows === 1n;
}

/** Enqueues those that have come to the front and are not at work. Waking one twice does no harm: a run takes it once. */
export async function wakeNext(tx: Transaction, services: Services, job: WriteJob, provider: string | null): Promise<void> {
  const front = await tx
    .selectFrom("export_files")
    .select(["owner_user_id", "id", "lease_until"])
    .where("status", "=", 0)
    .where(sql<boolean>`service_provider_id is not distinct from ${provider}::uuid`)
    .orderBy("queue_no")
    .limit(EXPORTS_RUNNING)
    .execute();
  for (const { owner_user_id: ownerUserId, id: exportId, lease_until } of front) {
    if (lease_until === null) await services.jobs.enqueue(tx, job, { ownerUserId, exportId });
  }
}

/** When what is finished now will be deleted. */
export const keptUntil = (now_ms: number): string => new Date(now_ms + EXPORT_KEPT_DAYS * 86_400_000).toISOString();
