import { issueWords } from "@zhangfang/contract/issue-words.ts";
import { withLevelNames } from "@zhangfang/contract/level-names.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { implement, type Route } from "@zhangfang/server/calls/call.ts";
import { forbidden, invalid } from "@zhangfang/server/calls/errors.ts";
import { levelNamesOf } from "../../accounts/server/index.ts";
import { startExport as contract } from "../contract.ts";
import { mayExport } from "./may-export.ts";
import { holdQueue, keptUntil, placeInQueue, type WriteJob } from "./queue/queue.ts";
import { chosenColumns, keysOf, type Sources } from "./sources.ts";

/** Puts an export into the tenant's queue. The filter is checked now, so that a wrong one is told at its form and not a minute later. */
export function startExport(sources: Sources, job: WriteJob): Route {
  return implement(contract, async (ctx, input) => {
    const source = sources.get(input.source);
    if (!source) throw invalid("source", "此列表不支持导出");
    if (!mayExport(ctx.principal, source.access)) throw forbidden();
    const filter = source.input.safeParse(input.filter, { error: issueWords });
    if (!filter.success) throw invalid("filter", filter.error.issues[0]?.message ?? "筛选条件有误");
    const keys = keysOf(source, input.columns);
    if (!chosenColumns(source, keys)) throw invalid("columns", "有不存在或重复的列");

    const provider = ctx.scope.provider ?? null;
    const id = ctx.services.ids.uuid(ctx.now_ms);
    await holdQueue(ctx.tx, provider);
    const waitingBefore = await placeInQueue(ctx.tx, provider);
    const title = withLevelNames(source.title, await levelNamesOf(ctx.tx, provider));
    const name = `${title}_${shanghaiTime(ctx.now_ms).replaceAll(/[-:]/g, "").replace(" ", "_")}.${input.format}`;
    await ctx.tx
      .insertInto("export_files")
      .values({
        id,
        owner_user_id: ctx.principal.id,
        scope: ctx.scope.text,
        service_provider_id: provider,
        name,
        source: source.name,
        filter: JSON.stringify(filter.data),
        columns: JSON.stringify(keys),
        format: input.format,
        queued_at: ctx.now,
        created_at: ctx.now,
        expires_at: keptUntil(ctx.now_ms),
      })
      .execute();
    await ctx.services.jobs.enqueue(ctx.tx, job, { ownerUserId: ctx.principal.id, exportId: id });
    ctx.note({
      targetKind: "export_file",
      targetId: id,
      after: { source: source.name, filter: filter.data, columns: keys, format: input.format },
    });
    return { id, name, waitingBefore };
  });
}
