import { z } from "zod";
import { mustChange, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { refusalOf } from "@zhangfang/server/calls/errors.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job, type Job } from "@zhangfang/server/jobs/jobs.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { absentUser } from "../../../accounts/server/index.ts";
import { createPointTask } from "../../contract/index.ts";
import { giveByHand } from "../adjust/adjust-points.ts";

const which = z.object({ service_provider_id: z.uuid(), id: z.uuid() });
type Which = z.output<typeof which>;
const SCOPE = platformScope("send points of a task");
/** How long one turn works before the next one goes on: well within the queue's lease. */
const TURN_MS = 30_000;

/**
 * Sends the rows of a task one after the other, each in one transaction with its mark and its entry, so that whatever stops it, and
 * however many do it at once, nothing is sent twice. Before each row it looks whether the task goes on, and whether its owner may do this.
 */
export const runPointTask: Job<typeof which> = job({
  name: "run-point-task",
  data: which,
  async run(services, task) {
    const until_ms = services.clock.now_ms() + TURN_MS;
    while (services.clock.now_ms() < until_ms) {
      const next = await withScope(services.pool, SCOPE, (tx) => sendNext(tx, services, task)).catch((error: unknown) => {
        if (error instanceof RowFailed) return error;
        throw error;
      });
      if (next instanceof RowFailed) await withScope(services.pool, SCOPE, (tx) => markFailed(tx, task, next));
      else if (!next) return;
    }
    await withScope(services.pool, SCOPE, (tx) => services.jobs.enqueue(tx, runPointTask, task));
  },
});

class RowFailed extends Error {
  readonly row_id: string;
  constructor(row_id: string, message: string) {
    super(message);
    this.row_id = row_id;
  }
}

/** @returns whether there may be more @throws RowFailed, with everything of the row undone */
async function sendNext(tx: Transaction, services: Services, { service_provider_id, id }: Which): Promise<boolean> {
  const task = await tx
    .selectFrom("point_tasks")
    .select(["owner_id", "merchant_id"])
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("status", "=", 0)
    .forShare()
    .executeTakeFirst();
  if (!task) return false;
  const owner = await absentUser(tx, task.owner_id);
  if (!owner?.holds([createPointTask.access as `/${string}`]) || owner.scope.merchant !== task.merchant_id) {
    await end(tx, { service_provider_id, id }, 1, "创建人的账号已停用或已没有权限，请由有权限的人重新创建");
    return false;
  }
  const row = await tx
    .selectFrom("point_task_rows as r")
    .innerJoin("members as m", (on) => on.onRef("m.service_provider_id", "=", "r.service_provider_id").onRef("m.id", "=", "r.member_id"))
    .select(["r.id", "r.merchant_id", "r.member_id", "r.points", "m.status as member_status"])
    .where("r.service_provider_id", "=", service_provider_id)
    .where("r.task_id", "=", id)
    .where("r.status", "=", 0)
    .orderBy("r.place")
    .limit(1)
    .forUpdate("r")
    .skipLocked()
    .executeTakeFirst();
  // What another worker holds is its own; it ends the task.
  if (!row?.member_id) return finish(tx, { service_provider_id, id });
  if (row.member_status > 3) throw new RowFailed(row.id, "会员已注销或已合并");
  const now_ms = services.clock.now_ms();
  const author = { services, now_ms, now: new Date(now_ms).toISOString() };
  const holder = { service_provider_id, merchant_id: row.merchant_id, member_id: row.member_id };
  await giveByHand(tx, author, holder, { cause: "points-task", cause_id: row.id, points: row.points }).catch((error: unknown) => {
    const refusal = refusalOf(error);
    if (!refusal || refusal.status >= 500) throw error;
    throw new RowFailed(row.id, refusal.message);
  });
  await setRow(tx, service_provider_id, row.id, { status: 1, failure: "" });
  return true;
}
async function setRow(tx: Transaction, service_provider_id: string, id: string, set: { status: 1 | 2; failure: string }): Promise<void> {
  mustChange(
    await tx
      .updateTable("point_task_rows")
      .set(set)
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", id)
      .where("status", "=", 0)
      .executeTakeFirst(),
    () => new Error(`the row ${id} of a task is not waiting any more`),
  );
}
const markFailed = (tx: Transaction, { service_provider_id }: Which, { row_id, message }: RowFailed): Promise<void> =>
  setRow(tx, service_provider_id, row_id, { status: 2, failure: message.slice(0, 100) });

/** The task is done when nobody holds a row of it that waits. */
async function finish(tx: Transaction, which: Which): Promise<false> {
  const waiting = await tx
    .selectFrom("point_task_rows")
    .select("id")
    .where("service_provider_id", "=", which.service_provider_id)
    .where("task_id", "=", which.id)
    .where("status", "=", 0)
    .limit(1)
    .executeTakeFirst();
  if (!waiting) await end(tx, which, 2, "");
  return false;
}
async function end(tx: Transaction, { service_provider_id, id }: Which, status: 1 | 2, paused_why: string): Promise<void> {
  await tx
    .updateTable("point_tasks")
    .set({ status, paused_why })
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("status", "=", 0)
    .execute();
}
