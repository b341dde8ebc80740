import { issueWords } from "@zhangfang/contract/issue-words.ts";
import { withLevelNames } from "@zhangfang/contract/level-names.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import type { Author } from "@zhangfang/server/calls/call.ts";
import type { AuditNote } from "@zhangfang/server/calls/ctx.ts";
import { forbidden, invalid } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { levelNamesOf } from "../../../accounts/server/index.ts";
import type { ExportFormat } from "../../contract.ts";
import { mayExport } from "../may-export.ts";
import { chosenColumns, keysOf, type Sources } from "../sources.ts";
import { holdQueue, keptUntil, placeInQueue, type WriteJob } from "./queue.ts";

/** What is to be written: a source with its filter and columns. */
export interface Wanted {
  readonly source: string;
  readonly filter: Readonly<Record<string, unknown>>;
  readonly columns: readonly string[];
  readonly format: ExportFormat;
  /** What its owner is told by when it is there: the name of the view that it was made of. */
  readonly told?: string;
  /** Where they are told so by mail too. */
  readonly mail?: string | null;
}
/** So many may wait before what nobody waits for comes later: the rest of the queue is for those who do. */
const MOST_BEFORE_TOLD = 10;
type Who = Pick<Author, "principal">;
/** How other rooms have files written. */
export interface ExportQueue {
  /** Whether somebody may have it now. @throws Refusal 400 at its field, or 403 */
  check(who: Who, wanted: Omit<Wanted, "format">): ReturnType<typeof checked>;
  /** Puts it into the tenant's queue; `note` is what its audit row says. @throws Refusal as `check`, and 429 where the queue is full */
  add(
    tx: Transaction,
    author: Omit<Author, "audit">,
    wanted: Wanted,
  ): Promise<{ id: string; name: string; waitingBefore: number; note: AuditNote }>;
}

/** The filter is checked now, so that a wrong one is told at its form and not a minute later. */
function checked(sources: Sources, { principal }: Who, wanted: Omit<Wanted, "format">) {
  const source = sources.get(wanted.source);
  if (!source) throw invalid("source", "此列表不支持导出");
  if (!mayExport(principal, source.access)) throw forbidden();
  const filter = source.input.safeParse(wanted.filter, { error: issueWords });
  if (!filter.success) throw invalid("filter", filter.error.issues[0]?.message ?? "筛选条件有误");
  const keys = keysOf(source, wanted.columns);
  if (!chosenColumns(source, keys)) throw invalid("columns", "有不存在或重复的列");
  return { source, filter: filter.data as unknown, keys };
}

/** The queue over the lists that can be exported. */
export function exportQueue(sources: Sources, job: WriteJob): ExportQueue {
  return {
    check: (who, wanted) => checked(sources, who, wanted),
    async add(tx, author, wanted) {
      const { source, filter, keys } = checked(sources, author, wanted);
      const { services, principal, scope, now_ms, now } = author;
      const provider = scope.provider ?? null;
      const id = services.ids.uuid(now_ms);
      await holdQueue(tx, provider);
      const waitingBefore = await placeInQueue(tx, provider, wanted.told === undefined ? undefined : MOST_BEFORE_TOLD);
      const title = withLevelNames(source.title, await levelNamesOf(tx, provider));
      const name = `${title}_${shanghaiTime(now_ms).replaceAll(/[-:]/g, "").replace(" ", "_")}.${wanted.format}`;
      await tx
        .insertInto("export_files")
        .values({
          id,
          owner_user_id: principal.id,
          scope: scope.text,
          service_provider_id: provider,
          name,
          source: source.name,
          filter: JSON.stringify(filter),
          columns: JSON.stringify(keys),
          format: wanted.format,
          told: wanted.told ?? null,
          mail: wanted.mail ?? null,
          queued_at: now,
          created_at: now,
          expires_at: keptUntil(now_ms),
        })
        .execute();
      await services.jobs.enqueue(tx, job, { ownerUserId: principal.id, exportId: id });
      const note = {
        targetKind: "export_file",
        targetId: id,
        after: { source: source.name, filter, columns: keys, format: wanted.format },
      };
      return { id, name, waitingBefore, note };
    },
  };
}
