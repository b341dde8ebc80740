import { implement, type Route } from "@zhangfang/server/calls/call.ts";
import type { Ctx } from "@zhangfang/server/calls/ctx.ts";
import { forbidden, invalid } from "@zhangfang/server/calls/errors.ts";
import { getSheetColumns, saveSheetColumns } from "../contract.ts";
import { openSource, type Sources } from "./sources.ts";

/** Whose sheets the caller may read so: those of a whole merchant. @throws 400 for a source or sheet that is not read so, 403 */
function readSo(sources: Sources, { principal, scope }: Ctx, name: string, sheet_of: string) {
  const { ownSheets } = openSource(sources, name, principal);
  if (!ownSheets?.of.includes(sheet_of)) throw invalid("of", "没有这样的表");
  const { provider, merchant, stores } = scope;
  if (provider === undefined || merchant === undefined || stores !== undefined) throw forbidden();
  return { service_provider_id: provider, merchant_id: merchant, source: name, sheet_of };
}

/** 列对应: how the merchant's last sheet of somebody was read; empty where there was none yet. */
export function getSheetColumnsRoute(sources: Sources): Route {
  return implement(getSheetColumns, async (ctx, { source, of }) => {
    const which = readSo(sources, ctx, source, of);
    const row = await ctx.tx
      .selectFrom("import_columns")
      .select("headings")
      .where("service_provider_id", "=", which.service_provider_id)
      .where("merchant_id", "=", which.merchant_id)
      .where("source", "=", which.source)
      .where("sheet_of", "=", of)
      .executeTakeFirst();
    return { headings: (row?.headings ?? {}) as Record<string, string> };
  });
}
export function saveSheetColumnsRoute(sources: Sources): Route {
  return implement(saveSheetColumns, async (ctx, { source, of, headings }) => {
    const said = { headings: JSON.stringify(headings), by_name: ctx.principal.name, updated_at: ctx.now };
    await ctx.tx
      .insertInto("import_columns")
      .values({ ...readSo(sources, ctx, source, of), ...said })
      .onConflict((known) => known.columns(["service_provider_id", "merchant_id", "source", "sheet_of"]).doUpdateSet(said))
      .execute();
    ctx.note({ targetKind: "import-columns", after: { source, of, headings } });
    return { ok: true as const };
  });
}
