import { sql } from "kysely";
import { implement, type Ctx, type Route } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import type { ImportSource } from "@zhangfang/server/lists/import-source.ts";
import { readCursor, writeCursor } from "@zhangfang/server/lists/keyset.ts";
import { checkLines, IMPORT_ROW_CAP, LINES_AT_ONCE, listImportRows, recheckLines } from "../contract.ts";
import { cellsOf, judge, keepLines, type Line } from "./check-rows.ts";
import { countLines, holdImport, type Import, mustRest, readImport } from "./own-import.ts";
import { openSource, type Sources } from "./sources.ts";

/** The dry run of some lines. */
export function checkLinesRoute(sources: Sources): Route {
  return implement(checkLines, async (ctx, { id, lines: given }) => {
    const found = await holdImport(ctx.tx, ctx, id);
    mustRest(ctx, found);
    const source = openSource(sources, found.source, ctx.principal);
    const columns = source.columns(ctx.scope);
    const lines = [...new Map(given.map(({ line, cells }) => [line, { line, cells: cellsOf(columns, cells) }])).values()];
    await keepLines(ctx.tx, found, source, lines, await judge(ctx.tx, ctx.services, ctx.principal, source, found, lines));
    const counts = await countLines(ctx.tx, found.owner_user_id, id);
    if (counts.total > IMPORT_ROW_CAP) throw new Refusal(400, "import.too-long", `一次最多导入 ${IMPORT_ROW_CAP} 行，请拆成几个文件`);
    ctx.note({ targetKind: "import", targetId: id, after: { lines: lines.length } });
    return { counts };
  });
}

/** The dry run of everything that has something wrong. */
export function recheckLinesRoute(sources: Sources): Route {
  return implement(recheckLines, async (ctx, { id }) => {
    const found = await holdImport(ctx.tx, ctx, id);
    mustRest(ctx, found);
    await recheck(ctx, openSource(sources, found.source, ctx.principal), found);
    ctx.note({ targetKind: "import", targetId: id });
    return { counts: await countLines(ctx.tx, found.owner_user_id, id) };
  });
}
async function recheck(ctx: Ctx, source: ImportSource, found: Import): Promise<void> {
  let last = 0;
  for (;;) {
    const lines = await badLines(ctx.tx, found, last, LINES_AT_ONCE);
    if (lines.length === 0) return;
    await keepLines(ctx.tx, found, source, lines, await judge(ctx.tx, ctx.services, ctx.principal, source, found, lines));
    last = lines.at(-1)!.line;
  }
}
/** Lines with something wrong, after a line. */
export async function badLines(tx: Transaction, which: { owner_user_id: string; id: string }, after: number, most: number) {
  const { rows } = await sql<Line & { errors: Record<string, string> }>`
    select line, cells, errors from import_rows
    where owner_user_id = ${which.owner_user_id} and import_id = ${which.id} and status = 0 and line > ${after}
    order by line limit ${sql.lit(most)}`.execute(tx);
  return rows;
}

/** The lines in the order of the sheet. */
export const listImportRowsRoute = implement(listImportRows, async (ctx, { importId, status, cursor, pageSize, withTotal }) => {
  await readImport(ctx, importId);
  const mine = ctx.tx
    .selectFrom("import_rows")
    .where("owner_user_id", "=", ctx.principal.id)
    .where("import_id", "=", importId)
    .$if(status !== undefined, (query) => query.where("status", "=", status as number));
  const rows = await mine
    .select(["line", "title", "cells", "status", "errors", "made_id as madeId"])
    .$if(cursor !== undefined, (query) => query.where("line", ">", Number(readCursor(cursor!).value)))
    .orderBy("line")
    .limit(pageSize + 1)
    .execute();
  const items = rows.slice(0, pageSize) as never[];
  const last = rows[pageSize - 1];
  const next = rows.length > pageSize && last ? writeCursor({ value: last.line, id: importId }) : null;
  if (!withTotal) return { items, next };
  const { count } = await mine.select((eb) => eb.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  return { items, next, total: { count, more: false } };
});
