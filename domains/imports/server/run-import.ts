import { sql } from "kysely";
import { z } from "zod";
import { authorOf, implement, type Principal, type Route } from "@zhangfang/server/calls/call.ts";
import { mustChange, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { conflict, Refusal, refusalOf } from "@zhangfang/server/calls/errors.ts";
import type { ImportSource } from "@zhangfang/server/lists/import-source.ts";
import { job, type Job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { absentUser, leaveInSessions } from "../../accounts/server/index.ts";
import { tellUser } from "../../messages/server/index.ts";
import { runImport, stopImport } from "../contract.ts";
import { judge } from "./check-rows.ts";
import { countLines, holdImport, type Import, mustRest } from "./own-import.ts";
import { opensAt, openSource, type Sources } from "./sources.ts";

/** How long one turn of the job works before the next one goes on: well within the queue's lease, so that a dead one is soon replaced. */
const TURN_MS = 30_000;
const toRun = z.object({ ownerUserId: z.uuid(), importId: z.uuid() });
export type ImportJob = Job<typeof toRun>;

/** Sends the job on its way. */
export function runImportRoute(sources: Sources, work: ImportJob): Route {
  return implement(runImport, async (ctx, { id }) => {
    const found = await holdImport(ctx.tx, ctx, id);
    mustRest(ctx, found);
    openSource(sources, found.source, ctx.principal);
    const { ready } = await countLines(ctx.tx, found.owner_user_id, id);
    if (ready === 0) throw conflict("没有可导入的行");
    await setStatus(ctx.tx, found, 1, { finished_at: null, failure: null, tried_at: ctx.now, asked_from: ctx.incoming.ip });
    await ctx.services.jobs.enqueue(ctx.tx, work, { ownerUserId: found.owner_user_id, importId: id });
    ctx.note({ targetKind: "import", targetId: id, after: { source: found.source, ready } });
    return { ok: true as const };
  });
}
/** The job sees it before the next line. */
export const stopImportRoute = implement(stopImport, async (ctx, { id }) => {
  const found = await holdImport(ctx.tx, ctx, id);
  if (found.status !== 1) throw conflict("导入已经结束");
  await setStatus(ctx.tx, found, 3, { finished_at: ctx.now });
  ctx.note({ targetKind: "import", targetId: id });
  return { ok: true as const };
});
async function setStatus(tx: Transaction, which: Import, status: number, more: Partial<Import>): Promise<void> {
  mustChange(
    await tx
      .updateTable("imports")
      .set({ ...more, status })
      .where("owner_user_id", "=", which.owner_user_id)
      .where("id", "=", which.id)
      .where("status", "=", which.status)
      .executeTakeFirst(),
    () => conflict("导入的状态已变化，请刷新后查看"),
  );
}

/**
 * Makes the lines that can be made, each with its own mark in one transaction: whatever stops it, going on makes nothing
 * twice. Before each line it looks whether it may go on: the owner may have stopped it, or may not do this any more.
 */
export function workOffImportJob(sources: Sources): ImportJob {
  const self: ImportJob = job({
    name: "work-off-import",
    data: toRun,
    concurrency: 2,
    retryLimit: 5,
    async run(services, which) {
      const until_ms = services.clock.now_ms() + TURN_MS;
      await withScope(services.pool, platformScope("take-up-import"), (tx) =>
        tx
          .updateTable("imports")
          .set({ tried_at: new Date(services.clock.now_ms()).toISOString() })
          .where("owner_user_id", "=", which.ownerUserId)
          .where("id", "=", which.importId)
          .where("status", "=", 1)
          .execute(),
      );
      for (let line = 0; services.clock.now_ms() < until_ms;) {
        const next = await withScope(services.pool, platformScope("take-import-line"), (tx) =>
          takeLine(services, sources, tx, which, line),
        );
        if (!next) return;
        line = next.line;
        await makeLine(services, next);
      }
      await withScope(services.pool, platformScope("go-on-importing"), (tx) => services.jobs.enqueue(tx, self, which));
    },
  });
  return self;
}
interface Next {
  readonly found: Import;
  readonly source: ImportSource;
  readonly owner: Principal;
  readonly line: number;
}
type Ids = z.output<typeof toRun>;
const importOf = (tx: Transaction, { ownerUserId, importId }: Ids) =>
  tx.selectFrom("imports").selectAll().where("owner_user_id", "=", ownerUserId).where("id", "=", importId).where("status", "=", 1);

/** The next line that can be made; undefined when the import is over, which it then says. */
async function takeLine(services: Services, sources: Sources, tx: Transaction, which: Ids, after: number): Promise<Next | undefined> {
  const found = await importOf(tx, which).executeTakeFirst();
  if (!found) return undefined;
  const end = (status: 2 | 3, failure: string | null): Promise<void> =>
    setStatus(tx, found, status, { failure, finished_at: new Date(services.clock.now_ms()).toISOString() });
  const owner = await absentUser(tx, found.owner_user_id);
  const source = sources.get(found.source);
  const refusal = !owner
    ? "账号已停用"
    : owner.scope.text !== found.scope
      ? "账号的可见范围已变化，请重新上传"
      : !source || !owner.holds([source.access])
        ? "账号已没有导入的权限"
        : undefined;
  if (refusal !== undefined || !owner || !source) {
    await end(3, refusal ?? null);
    // Whoever may not do it any more has nothing to open; who was switched off reads it when they are back.
    await tellUser(tx, found.owner_user_id, {
      kind: "import",
      title: `「${found.file_name}」没有导入完`,
      body: refusal ?? "",
      href: source ? opensAt(sources, found.source, found.id) : "/",
      item: "/",
      at: new Date(services.clock.now_ms()).toISOString(),
    });
    await leaveInSessions(tx, services, found.owner_user_id);
    return undefined;
  }
  const { rows } = await sql<{ line: number }>`
    select line from import_rows where owner_user_id = ${found.owner_user_id} and import_id = ${found.id} and status = 1 and line > ${after}
    order by line limit 1`.execute(tx);
  if (rows[0]) return { found, source, owner, line: rows[0].line };
  await end(2, null);
  const { made, bad } = await countLines(tx, found.owner_user_id, found.id);
  await tellUser(tx, found.owner_user_id, {
    kind: "import",
    title: `「${found.file_name}」导入完成`,
    body: `已导入 ${made} ${source.unit}${source.title}${bad > 0 ? `，有误 ${bad} 行` : ""}`,
    href: opensAt(sources, found.source, found.id),
    item: source.access,
    at: new Date(services.clock.now_ms()).toISOString(),
  });
  // They see the end, and look for what was made.
  await leaveInSessions(tx, services, found.owner_user_id);
  return undefined;
}

/** One line: looked at again, made and marked, or marked with what is wrong. */
async function makeLine(services: Services, next: Next): Promise<void> {
  const { found, source, owner, line } = next;
  const author = authorOf(services, owner, runImport, { ip: found.asked_from ?? "", traceId: found.id });
  let wrong: Readonly<Record<string, string>>;
  try {
    return await withScope(services.pool, owner.scope, async (tx) => {
      const held = await sql<{ cells: Record<string, string> }>`
        select r.cells from import_rows r join imports i on i.owner_user_id = r.owner_user_id and i.id = r.import_id and i.status = 1
        where r.owner_user_id = ${found.owner_user_id} and r.import_id = ${found.id} and r.line = ${line} and r.status = 1
        for update of r for share of i`.execute(tx);
      const cells = held.rows[0]?.cells;
      if (!cells) return;
      const [verdict] = await judge(tx, services, owner, source, found, [{ line, cells }]);
      if (!verdict || !("value" in verdict))
        return mark(tx, next, verdict && "errors" in verdict ? { errors: verdict.errors } : { there: true });
      await mark(tx, next, { made: await source.create(author, tx, verdict.value) });
    });
  } catch (error) {
    const refusal = refusalOf(error);
    // A fault of ours or of the moment: the queue tries again from this line.
    if (!refusal || refusal.status >= 500) throw error;
    wrong = blamed(refusal, source);
  }
  await withScope(services.pool, owner.scope, (tx) => mark(tx, next, { errors: wrong }));
}
function blamed(refusal: Refusal, source: ImportSource): Readonly<Record<string, string>> {
  return refusal.fields && Object.keys(refusal.fields).length > 0 ? refusal.fields : { [source.titleKey]: refusal.message };
}
type Outcome = { readonly made: string } | { readonly there: true } | { readonly errors: Readonly<Record<string, string>> };
async function mark(tx: Transaction, { found, line }: Next, outcome: Outcome): Promise<void> {
  mustChange(
    await tx
      .updateTable("import_rows")
      .set(
        "made" in outcome
          ? { status: 2, made_id: outcome.made, cells: "{}" }
          : "there" in outcome
            ? { status: 3 }
            : { status: 0, errors: JSON.stringify(outcome.errors) },
      )
      .where("owner_user_id", "=", found.owner_user_id)
      .where("import_id", "=", found.id)
      .where("line", "=", line)
      .where("status", "=", 1)
      .executeTakeFirst(),
    () => conflict("这一行已变化"),
  );
}
