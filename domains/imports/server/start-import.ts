import { implement, type Route } from "@zhangfang/server/calls/call.ts";
import { getImport, getImportSource, IMPORT_KEPT_DAYS, startImport } from "../contract.ts";
import { readImport, shownImport } from "./own-import.ts";
import { openSource, type Sources } from "./sources.ts";

const RECENT = 5;

/** What a sheet may hold, and what was imported lately. */
export function getSourceRoute(sources: Sources): Route {
  return implement(getImportSource, async (ctx, { source: name }) => {
    const source = openSource(sources, name, ctx.principal);
    const recent = await ctx.tx
      .selectFrom("imports")
      .selectAll()
      .where("owner_user_id", "=", ctx.principal.id)
      .where("source", "=", name)
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(RECENT)
      .execute();
    return {
      title: source.title,
      unit: source.unit,
      passwords: source.accountsOf !== undefined,
      ownSheets: source.ownSheets ? { column: source.ownSheets.column, of: [...source.ownSheets.of] } : null,
      columns: source.columns(ctx.scope).map(({ key, label, also = [], required = false, identifies = false, example, help = null }) => ({
        key,
        label,
        also: [...also],
        required,
        identifies,
        example,
        help,
      })),
      recent: await Promise.all(recent.map((row) => shownImport(ctx.tx, row))),
    };
  });
}
export function startImportRoute(sources: Sources): Route {
  return implement(startImport, async (ctx, { source: name, fileName }) => {
    const source = openSource(sources, name, ctx.principal);
    const id = ctx.services.ids.uuid(ctx.now_ms);
    await ctx.tx
      .insertInto("imports")
      .values({
        owner_user_id: ctx.principal.id,
        id,
        scope: ctx.scope.text,
        source: source.name,
        file_name: fileName,
        created_at: ctx.now,
        expires_at: new Date(ctx.now_ms + IMPORT_KEPT_DAYS * 86_400_000).toISOString(),
      })
      .execute();
    ctx.note({ targetKind: "import", targetId: id, after: { source: name, fileName } });
    return { id };
  });
}
export const getImportRoute = implement(getImport, async (ctx, { id }) => shownImport(ctx.tx, await readImport(ctx, id)));
