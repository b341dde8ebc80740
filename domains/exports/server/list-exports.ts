import { sql } from "kysely";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { implement, type Principal, type Route } from "@zhangfang/server/calls/call.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { exportFormat, exportStatus, listExports as contract, type ExportFormat, type ExportStatus } from "../contract.ts";
import { mayExport } from "./may-export.ts";
import type { Sources } from "./sources.ts";

/** The caller's own exports, newest first, each with what may be done with it now. */
export function listExports(sources: Sources): Route {
  return implement(contract, async (ctx, input) => {
    const { items, ...rest } = await listPage<Stored>(ctx.tx, input, {
      columns: sql`f.*, f.created_at as "createdAt", case when f.status = 0 then app.exports_before(f.service_provider_id, f.queue_no) end as before`,
      from: sql`export_files f`,
      where: all([
        sql`f.owner_user_id = ${ctx.principal.id}`,
        is("f.status", input.status),
        input.keyword && sql`strpos(lower(f.name), lower(${input.keyword})) > 0`,
      ]),
      order: "f.created_at",
    });
    return { items: items.map((row) => rowOf(row, sources, ctx.principal)), ...rest };
  });
}

interface Stored {
  readonly id: string;
  readonly name: string;
  readonly source: string;
  readonly filter: unknown;
  readonly format: string;
  readonly status: number;
  readonly rows_done: number;
  readonly rows_total: number | null;
  readonly cancel_asked: boolean;
  readonly size_bytes: number | null;
  readonly failure: string | null;
  readonly attempt: number;
  readonly createdAt: string;
  readonly finished_at: string | null;
  readonly expires_at: string;
  readonly before: number | null;
}
function rowOf(row: Stored, sources: Sources, principal: Principal) {
  const source = sources.get(row.source);
  const open = source !== undefined && mayExport(principal, source.access);
  const percent = row.rows_total === null || row.rows_total === 0 ? 0 : Math.min(100, Math.floor((row.rows_done * 100) / row.rows_total));
  return {
    id: row.id,
    name: row.name,
    source: row.source,
    sourceTitle: source?.title ?? row.source,
    filter: row.filter as Record<string, unknown>,
    format: exportFormat.values.find((format) => format === row.format) as ExportFormat,
    status: exportStatus.values.find((status) => status === row.status) as ExportStatus,
    rowsDone: row.rows_done,
    rowsTotal: row.rows_total,
    percent: row.status === 0 ? percent : null,
    waitingBefore: row.before,
    cancelling: row.status === 0 && row.cancel_asked,
    sizeBytes: row.size_bytes,
    failure: row.failure,
    attempt: row.attempt,
    createdAt: row.createdAt,
    finishedAt: row.finished_at,
    expiresAt: row.expires_at,
    can: {
      download: row.status === 1 && open,
      cancel: row.status === 0 && !row.cancel_asked,
      retry: row.status === 2 && open,
      remove: row.status === 1 || row.status === 2,
    },
  };
}
