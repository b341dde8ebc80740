import { sql } from "kysely";
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
      // In a transaction of its own: two workers that both keep the task shared would wait for each other to change it.
      else if (next !== "more") return withScope(services.pool, SCOPE, (tx) => end(tx, task, next));
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

/** What ended a worker's turn: nothing left that nobody else has, or why the task can't go on. */
interface Ended {
  readonly why: string;
}
/** @throws RowFailed, with everything of the row undone */
async function sendNext(tx: Transaction, services: Services, { service_provider_id, id }: Which): Promise<"more" | Ended> {
  const task = await tx
    .selectFrom("point_tasks")
    .select(["owner_id", "merchant_id"])
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("status", "=", 0)
    .forShare()
    .executeTakeFirst();
  if (!task) return { why: "" };
  const owner = await absentUser(tx, task.owner_id);
  if (!owner?.holds([createPointTask.access as `/${string}`]) || owner.scope.merchant !== task.merchant_id)
    return { why: "创建人的账号已停用或已没有权限，请由有权限的人重新创建" };
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
  if (!row?.member_id) return { why: "" };
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
  return "more";
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

/** The task pauses with its reason; without one it is done, when no row of it waits: what another worker holds is its own, and it ends the task. */
async function end(tx: Transaction, { service_provider_id, id }: Which, { why }: Ended): Promise<void> {
  await sql`update point_tasks t set status = ${why === "" ? 2 : 1}, paused_why = ${why} where t.service_provider_id = ${service_provider_id} and t.id = ${id}
    and t.status = 0 and (${why !== ""} or not exists (select from point_task_rows r where r.service_provider_id = t.service_provider_id
      and r.task_id = t.id and r.status = 0))`.execute(tx);
}
