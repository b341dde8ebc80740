import { implement, type Route } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { cancelExport as contract } from "../contract.ts";
import { ownExport } from "./own-export.ts";
import { CANCELLED, failExport, holdQueue, type WriteJob } from "./queue/queue.ts";

/** One that waits ends here; one at work is told, and ends at its next sign of life. */
export function cancelExport(job: WriteJob): Route {
  return implement(contract, async (ctx, { id }) => {
    // The queue before the row, as everybody does who changes both.
    await holdQueue(ctx.tx, ctx.scope.provider);
    const row = await ownExport(ctx, id);
    if (row.status !== 0) throw row.status === 3 ? notFound("导出记录") : conflict("导出已经结束，无法取消");
    ctx.note({ targetKind: "export_file", targetId: id });
    if (row.lease_until === null) await failExport(ctx.tx, ctx.services, job, row, CANCELLED);
    else
      await ctx.tx
        .updateTable("export_files")
        .set({ cancel_asked: true })
        .where("owner_user_id", "=", row.owner_user_id)
        .where("id", "=", id)
        .execute();
    return { ok: true as const };
  });
}
