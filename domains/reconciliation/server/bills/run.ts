import { mustChange, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { BillFileStatus } from "../../contract/index.ts";
import type { BillFileRow } from "../rows.ts";

export const SCOPE = platformScope("import a bill");
/** Names a bill. */
export interface BillRef {
  readonly service_provider_id: string;
  readonly id: string;
}
/** Another run has taken the bill over; this one stops without a word. */
export class Superseded extends Error {}

/** One run of the job over one bill: every step says whose it is, so that a run that comes back from the dead changes nothing. */
export interface Run {
  readonly services: Services;
  readonly file: BillFileRow;
  readonly run_id: string;
}
/** Moves the bill, where it is still this run's. @throws Superseded */
export async function step(
  { services, file, run_id }: Run,
  tx: Transaction,
  set: Partial<Omit<BillFileRow, "status">> & { status?: BillFileStatus },
): Promise<void> {
  mustChange(
    await tx
      .updateTable("bill_files")
      .set({ ...set, beat_at: new Date(services.clock.now_ms()).toISOString() } as never)
      .where("service_provider_id", "=", file.service_provider_id)
      .where("id", "=", file.id)
      .where("run_id", "=", run_id)
      .where("finished_at", "is", null)
      .executeTakeFirst(),
    () => new Superseded("another run has this bill"),
  );
}
export const stepAlone = (run: Run, set: Parameters<typeof step>[2]): Promise<void> =>
  withScope(run.services.pool, SCOPE, (tx) => step(run, tx, set));
/** Over, with the reason for whoever brought it. */
export const failBill = (run: Run, failure: string): Promise<void> =>
  stepAlone(run, {
    status: "failed",
    failure: failure.slice(0, 300),
    finished_at: new Date(run.services.clock.now_ms()).toISOString(),
    next_try_at: null,
  });
/** Where a piece of a bill lies. */
export const pieceKey = (id: string, place: number): string => `bill-${id}-${place}`;
