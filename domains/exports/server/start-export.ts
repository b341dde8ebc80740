import { implement, type Route } from "@zhangfang/server/calls/call.ts";
import { startExport as contract } from "../contract.ts";
import type { ExportQueue } from "./queue/queue-export.ts";

/** Puts an export into the tenant's queue. */
export function startExport(queue: ExportQueue): Route {
  return implement(contract, async (ctx, input) => {
    const { note, ...started } = await queue.add(ctx.tx, ctx, input);
    ctx.note(note);
    return started;
  });
}
