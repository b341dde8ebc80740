import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { sha256 } from "@zhangfang/server/crypto.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, mustChange } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, during, is } from "@zhangfang/server/lists/conditions.ts";
import { exportColumn, type ExportSource, fileOf } from "@zhangfang/server/lists/export-source.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import type { AudienceFilter } from "../../../members/contract/index.ts";
import { audienceOf, membersOfSheet, withMembers } from "../../../members/server/index.ts";
import {
  countPointAudience,
  createPointTask,
  getPointTask,
  listPointTaskRows,
  listPointTasks,
  MOST_TASK_ROWS,
  steerPointTask,
  taskRowStatus,
} from "../../contract/index.ts";
import { byHand, lockByHand } from "../adjust/adjust-points.ts";
import { ownMerchant } from "../rule/edit-rule.ts";
import { secondAboveOn } from "../rule/rule-on.ts";
import { runPointTask } from "./run-task.ts";

type Row = RowOf<typeof listPointTasks>;
const COLUMNS = sql`t.id, t.name, t.reason, t.status, t.paused_why as "pausedWhy", t.owner_name as "ownerName", t.created_at as "createdAt",
  coalesce(n.waiting, 0)::int as waiting, coalesce(n.sent, 0)::int as sent, coalesce(n.failed, 0)::int as failed,
  coalesce(n.points_sent, 0)::bigint as "pointsSent", coalesce(n.points_waiting, 0)::bigint as "pointsWaiting"`;
const COUNTS = sql`left join lateral (select count(*) filter (where r.status = 0) as waiting, count(*) filter (where r.status = 1) as sent,
    count(*) filter (where r.status = 2) as failed, sum(r.points) filter (where r.status = 1) as points_sent,
    sum(r.points) filter (where r.status = 0) as points_waiting
  from point_task_rows r where r.service_provider_id = t.service_provider_id and r.task_id = t.id) n on true`;

/** 批量积分任务. */
export const listPointTasksRoute = implement(listPointTasks, (ctx, input) =>
  listPage<Row>(ctx.tx, input, {
    columns: COLUMNS,
    from: sql`point_tasks t`,
    names: COUNTS,
    where: all([
      inScope(ctx.scope, "t", "merchant"),
      input.keyword && sql`t.name ilike ${likeText(input.keyword)}`,
      is("t.status", input.status),
      is("t.reason", input.reason),
      during(input, "t.created_at"),
    ]),
    order: "t.created_at",
  }),
);
export const getPointTaskRoute = implement(getPointTask, async (ctx, { id }) => {
  const { rows } = await sql<Row>`select ${COLUMNS} from point_tasks t ${COUNTS}
    where t.id = ${id} and ${inScope(ctx.scope, "t", "merchant")}`.execute(ctx.tx);
  if (!rows[0]) throw notFound("任务");
  return rows[0];
});

const rowsInput = z.object({ taskId: z.uuid(), status: listPointTaskRows.input.shape.status });
const rowsListed = (scope: Scope, { taskId, status }: z.output<typeof rowsInput>): Listed => ({
  columns: sql`r.id, r.place, r.member_id as "memberId", r.member_no as "memberNo", r.points, r.status, r.failure`,
  from: sql`point_task_rows r`,
  where: all([inScope(scope, "r", "merchant"), sql`r.task_id = ${taskId}`, is("r.status", status)]),
  order: "r.place",
  type: "bigint",
});
type TaskRow = RowOf<typeof listPointTaskRows>;
/** The frozen list with what became of each row. */
export const listPointTaskRowsRoute = implement(listPointTaskRows, async (ctx, input) => {
  await getTask(ctx, input.taskId);
  const page = await listPage<TaskRow>(ctx.tx, input, rowsListed(ctx.scope, input));
  return { ...page, items: await withMembers(ctx, page.items) };
});
export const taskRowExport: ExportSource<typeof rowsInput> = {
  name: "point-task-rows",
  title: "批量积分名单",
  access: "/member/batchPoints/export",
  input: rowsInput,
  columns: [
    exportColumn("place", "行", 8, "count"),
    exportColumn("memberNo", "会员号", 14),
    exportColumn("memberName", "姓名", 10),
    exportColumn("memberPhone", "手机号", 14),
    exportColumn("points", "积分", 12, "count"),
    exportColumn("status", "结果", 10, "code"),
    exportColumn("failure", "失败原因", 30),
  ],
  always: ["memberName", "memberPhone"],
  ...fileOf(rowsListed, (row: TaskRow) => ({ ...row, status: taskRowStatus.label(row.status) }), undefined, withMembers),
};

async function getTask(ctx: Ctx, id: string) {
  const task = await ctx.tx
    .selectFrom("point_tasks as t")
    .selectAll("t")
    .where("t.id", "=", id)
    .where(inScope(ctx.scope, "t", "merchant"))
    .executeTakeFirst();
  if (!task) throw notFound("任务");
  return task;
}

/** 新建批量积分任务: the list is frozen into rows here, and sent from then on. */
export const createPointTaskRoute = implement(createPointTask, async (ctx, given) => {
  const merchant = ownMerchant(ctx);
  const mark = given.fileHash ?? sha256(JSON.stringify([given.filter, given.points])).toString("hex");
  const before = await ctx.tx
    .selectFrom("point_tasks")
    .select(["name", "created_at"])
    .where("service_provider_id", "=", merchant.service_provider_id)
    .where("merchant_id", "=", merchant.merchant_id)
    .where("mark", "=", mark)
    .orderBy("created_at", "desc")
    .executeTakeFirst();
  if (before && !given.again) throw new Refusal(409, "task.again", `相同的名单已用于任务「${before.name}」，确定要再发一次吗？`);
  const line = await secondAboveOn(ctx.tx, merchant, ctx.now);
  const over = [...(given.rows ?? []).map(({ points }) => points), given.points ?? 0].some((points) => points > line);
  if (over) throw invalid(given.rows ? "rows" : "points", `每人超过 ${line} 积分的，请用「积分调整」由另一人审核`);
  const id = ctx.services.ids.uuid(ctx.now_ms);
  await ctx.tx
    .insertInto("point_tasks")
    .values({
      ...merchant,
      id,
      name: given.name,
      reason: given.reason,
      mark,
      status: 0,
      owner_id: ctx.principal.id,
      owner_name: ctx.principal.name,
      created_at: ctx.now,
    })
    .execute();
  await lockByHand(ctx.tx, merchant);
  const rows = given.rows ? await freezeSheet(ctx, id, given.rows) : await freezeFilter(ctx, id, given.filter ?? {}, given.points ?? 0);
  await mustBeWithin(ctx, id, line, given.rows ? "rows" : "points");
  await ctx.services.jobs.enqueue(ctx.tx, runPointTask, { service_provider_id: merchant.service_provider_id, id });
  ctx.note({
    targetKind: "point-task",
    targetId: id,
    after: { 任务: given.name, 人数: rows },
    provider: merchant.service_provider_id,
    merchant: merchant.merchant_id,
  });
  return { ok: true as const, id, rows };
});

/** What a task gives a member comes, with what they were given by hand that day, to no more than the rule's line. @throws 400 */
async function mustBeWithin(ctx: Ctx, task_id: string, line: number, field: "rows" | "points"): Promise<void> {
  const merchant = ownMerchant(ctx);
  const { rows } = await asPlatform(ctx.tx, () =>
    sql<{ place: number; before: number }>`select r.place::int as place, h.points - r.points as before from point_task_rows r
      join (select h.member_id, sum(h.points)::bigint as points from ${byHand(merchant, ctx.now_ms)} h where h.points > 0 group by 1) h on h.member_id = r.member_id
      where r.service_provider_id = ${merchant.service_provider_id} and r.task_id = ${task_id} and h.points > ${line} order by r.place limit 1`.execute(
      ctx.tx,
    ),
  );
  const [first] = rows;
  if (!first) return;
  const who = field === "rows" ? `第 ${first.place} 行的会员` : "有会员";
  throw invalid(field, `${who}今天已给 ${first.before} 积分，加上这次超过每人 ${line} 积分，请用「积分调整」由另一人审核`);
}

type SheetRows = readonly { readonly memberNo: string; readonly points: number }[];
/** Whom nobody knows stays as a row that failed, so that the sheet's lines and the task's are the same. */
async function freezeSheet(ctx: Ctx, id: string, rows: SheetRows): Promise<number> {
  const { service_provider_id, merchant_id } = ownMerchant(ctx);
  const texts = rows.map(({ memberNo }) => memberNo);
  const lines = await membersOfSheet(ctx.tx, ctx.services, ownMerchant(ctx), texts, "rows");
  await sql`insert into point_task_rows (service_provider_id, task_id, id, merchant_id, place, member_no, member_id, points, status, failure)
    select ${service_provider_id}, ${id}, g.id, ${merchant_id}, g.place, g.no, g.member_id, g.points,
      case when g.member_id is null then 2 else 0 end, case when g.member_id is null then '没有此会员' else '' end
    from unnest(${rows.map(() => ctx.services.ids.uuid(ctx.now_ms))}::uuid[], ${lines.map(({ no }) => no)}::text[],
      ${lines.map(({ member_id }) => member_id)}::uuid[], ${rows.map(({ points }) => points)}::bigint[])
      with ordinality g (id, no, member_id, points, place)`.execute(ctx.tx);
  return rows.length;
}
/** The members that a filter means now. */
const meant = (ctx: Ctx, filter: AudienceFilter): RawBuilder<unknown> => audienceOf(ctx.scope, ownMerchant(ctx).merchant_id, filter);
/** 符合条件的会员数. */
export const countPointAudienceRoute = implement(countPointAudience, async (ctx, given) => {
  const { rows } = await sql<{ members: number }>`select count(*)::int as members from ${meant(ctx, given)}`.execute(ctx.tx);
  return { members: rows[0]?.members ?? 0 };
});
async function freezeFilter(
  ctx: Ctx,
  id: string,
  filter: NonNullable<z.output<typeof createPointTask.input>["filter"]>,
  points: number,
): Promise<number> {
  const { service_provider_id, merchant_id } = ownMerchant(ctx);
  const { rows } = await sql<{
    id: string;
    no: string;
  }>`select m.id, m.no from ${meant(ctx, filter)} order by m.no limit ${MOST_TASK_ROWS + 1}`.execute(ctx.tx);
  if (rows.length === 0) throw invalid("filter", "没有符合条件的会员");
  if (rows.length > MOST_TASK_ROWS) throw invalid("filter", `符合条件的会员超过 ${MOST_TASK_ROWS} 人，请缩小条件`);
  await sql`insert into point_task_rows (service_provider_id, task_id, id, merchant_id, place, member_no, member_id, points)
    select ${service_provider_id}, ${id}, g.id, ${merchant_id}, g.place, g.no, g.member, ${points}
    from unnest(${rows.map(() => ctx.services.ids.uuid(ctx.now_ms))}::uuid[], ${rows.map(({ no }) => no)}::text[],
      ${rows.map((row) => row.id)}::uuid[], ${rows.map((_, at) => at + 1)}::int[]) g (id, no, member, place)`.execute(ctx.tx);
  return rows.length;
}

const STEERED = { pause: [0, 1], resume: [1, 0], retry: [2, 0] } as const;
/** 暂停, 继续, 重试失败. */
export const steerPointTaskRoute = implement(steerPointTask, async (ctx, { id, act }) => {
  const task = await getTask(ctx, id);
  const [from, to] = STEERED[act];
  const key = { service_provider_id: task.service_provider_id, id };
  if (act === "retry") {
    const again = await ctx.tx
      .updateTable("point_task_rows")
      .set({ status: 0, failure: "" })
      .where("service_provider_id", "=", task.service_provider_id)
      .where("task_id", "=", id)
      .where("status", "=", 2)
      .where("member_id", "is not", null)
      .executeTakeFirst();
    if (again.numUpdatedRows === 0n) throw conflict("没有可以重试的失败行");
  }
  mustChange(
    await ctx.tx
      .updateTable("point_tasks")
      .set({ status: to, paused_why: "" })
      .where("service_provider_id", "=", task.service_provider_id)
      .where("id", "=", id)
      .where("status", "=", from)
      .executeTakeFirst(),
    () => conflict("任务的状态已变化，请刷新后查看"),
  );
  if (to === 0) await ctx.services.jobs.enqueue(ctx.tx, runPointTask, key);
  ctx.note({
    targetKind: "point-task",
    targetId: id,
    after: { act },
    provider: task.service_provider_id,
    merchant: task.merchant_id,
  });
  return { ok: true as const };
});
