import { sql } from "kysely";
import { implement, type Route } from "@zhangfang/server/calls/call.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { conflict, forbidden } from "@zhangfang/server/calls/errors.ts";
import { retryExport as contract } from "../contract.ts";
import { mayExport } from "./may-export.ts";
import { ownExport } from "./own-export.ts";
import { holdQueue, keptUntil, placeInQueue, type WriteJob } from "./queue/queue.ts";
import type { Sources } from "./sources.ts";

/** A failed export goes to the end of the queue again, with what its owner may see now. */
export function retryExport(sources: Sources, job: WriteJob): Route {
  return implement(contract, async (ctx, { id }) => {
    await holdQueue(ctx.tx, ctx.scope.provider);
    const row = await ownExport(ctx, id);
    const source = sources.get(row.source);
    if (!source || !mayExport(ctx.principal, source.access)) throw forbidden();
    await placeInQueue(ctx.tx, ctx.scope.provider);
    const changed = await ctx.tx
      .updateTable("export_files")
      .set({
        status: 0,
        failure: null,
        cancel_asked: false,
        rows_done: 0,
        rows_total: null,
        finished_at: null,
        run_id: null,
        lease_until: null,
        runs: 0,
      })
      .set({
        attempt: row.attempt + 1,
        scope: ctx.scope.text,
        service_provider_id: ctx.scope.provider ?? null,
        queue_no: sql`nextval('export_queue')`,
        queued_at: ctx.now,
        expires_at: keptUntil(ctx.now_ms),
      })
      .where("owner_user_id", "=", row.owner_user_id)
      .where("id", "=", id)
      .where("status", "=", 2)
      .executeTakeFirst();
    mustChange(changed, () => conflict("只有失败的导出可以重试"));
    await ctx.services.jobs.enqueue(ctx.tx, job, { ownerUserId: row.owner_user_id, exportId: id });
    ctx.note({ targetKind: "export_file", targetId: id });
    return { ok: true as const };
  });
}
