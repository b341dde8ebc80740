import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Unfinished } from "./queue.ts";

/** How long a run is believed to live after its last sign. */
export const LEASE_MS = 30_000;
/** How often it gives one, and saves how far it is. */
const BEAT_MS = 500;

/** A run at work: counts its rows, saves them about twice a second, and learns when it has to stop. */
export interface Run {
  total(rows_total: number): void;
  wrote(rows: number): void;
  /** What was written is thrown away, and is written from the start. */
  again(): void;
  rows(): number;
  /** @throws where it has to stop */
  check(): void;
  stopped(): "cancelled" | "lost" | undefined;
  /** No further sign of life; waits for the one on its way. */
  end(): Promise<void>;
}

/**
 * Keeps a run's lease. A sign of life is one guarded UPDATE: where it changes nothing, the run has lost the export to
 * somebody else, and where it answers that cancelling was asked for, the run ends itself.
 */
export function keepAlive(services: Services, { owner_user_id, id }: Unfinished, run_id: string): Run {
  let rows_done = 0;
  let rows_total: number | null = null;
  let stopped: "cancelled" | "lost" | undefined;
  let beating: Promise<void> | undefined;
  const beat = async (): Promise<void> => {
    const row = await withScope(services.pool, platformScope("export-progress"), (tx) =>
      tx
        .updateTable("export_files")
        .set({ rows_done, rows_total, lease_until: new Date(services.clock.now_ms() + LEASE_MS).toISOString() })
        .where("owner_user_id", "=", owner_user_id)
        .where("id", "=", id)
        .where("run_id", "=", run_id)
        .where("status", "=", 0)
        .returning("cancel_asked")
        .executeTakeFirst(),
    );
    if (!row) stopped = "lost";
    else if (row.cancel_asked) stopped = "cancelled";
  };
  const timer = setInterval(() => {
    // A beat that fails (no connection free) is made up for by the next one; the lease outlives many of them.
    beating ??= beat()
      .catch((error: unknown) => services.log.warn({ err: error, export: id }, "export progress not saved"))
      .finally(() => (beating = undefined));
  }, BEAT_MS);
  return {
    total: (rows) => void (rows_total = rows),
    wrote: (rows) => void (rows_done += rows),
    again: () => void ([rows_done, rows_total] = [0, null]),
    rows: () => rows_done,
    check() {
      if (stopped) throw new Error(stopped);
    },
    stopped: () => stopped,
    async end() {
      clearInterval(timer);
      await beating;
    },
  };
}
