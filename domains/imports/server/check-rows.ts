import { sql } from "kysely";
import { issueWords } from "@zhangfang/contract/issue-words.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { checkInput } from "@zhangfang/server/calls/edge.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import type { Principal } from "@zhangfang/server/calls/call.ts";
import type { ImportColumn, ImportSource, Verdict } from "@zhangfang/server/lists/import-source.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** A line of the sheet as it came: cells by column key, empty ones left out. */
export interface Line {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}
export interface Which {
  readonly owner_user_id: string;
  readonly id: string;
}

/** The cells that the columns know, trimmed, without the empty ones. @throws 400 for what is no object of texts */
export function cellsOf(columns: readonly ImportColumn[], text: string): Record<string, string> {
  let given: unknown;
  try {
    given = checkInput(JSON.parse(text));
  } catch (error) {
    if (error instanceof Refusal) throw error;
  }
  if (given === null || typeof given !== "object" || Array.isArray(given)) throw new Refusal(400, "invalid", "导入内容格式不正确");
  const cells: Record<string, string> = {};
  for (const { key } of columns) {
    const cell: unknown = (given as Record<string, unknown>)[key];
    if (cell === undefined) continue;
    if (typeof cell !== "string") throw new Refusal(400, "invalid", "导入内容格式不正确");
    if (cell.trim() !== "") cells[key] = cell.trim().slice(0, 500);
  }
  return cells;
}

/**
 * What each line comes to: its cells by the source's schema, then the sheet's own rule that nothing stands in it twice,
 * then what the source finds in the database.
 */
export async function judge(
  tx: Transaction,
  services: Services,
  who: Principal,
  source: ImportSource,
  which: Which,
  lines: readonly Line[],
): Promise<Verdict<unknown>[]> {
  const columns = source.columns(who.scope);
  const twins = await findTwins(tx, which, columns, lines);
  const read = lines.map(({ line, cells }): Verdict<unknown> => {
    const parsed = source.row.safeParse(cells, { error: issueWords });
    const errors: Record<string, string> = { ...twins.get(line) };
    for (const issue of parsed.error?.issues ?? []) errors[String(issue.path[0] ?? columns[0]?.key)] ??= issue.message;
    return Object.keys(errors).length > 0 ? { errors } : { value: parsed.data };
  });
  const right = read.flatMap((verdict, at) => ("value" in verdict ? [at] : []));
  if (right.length === 0) return read;
  const found = await source.check(
    tx,
    who.scope,
    right.map((at) => (read[at] as { value: unknown }).value),
    who.actorId ?? who.id,
    services,
  );
  for (const [place, at] of right.entries()) read[at] = found[place]!;
  return read;
}

/** Lines that have in a unique column what an earlier line has; the first one keeps it. */
async function findTwins(tx: Transaction, which: Which, columns: readonly ImportColumn[], lines: readonly Line[]) {
  const twins = new Map<number, Record<string, string>>();
  for (const { key, label } of columns.filter(({ unique }) => unique)) {
    const given = lines.flatMap(({ line, cells }) => (cells[key] === undefined ? [] : [{ line, text: cells[key].toLowerCase() }]));
    const { rows } = await sql<{ text: string; line: number }>`
      select lower(cells ->> ${key}) as text, min(line) as line from import_rows
      where owner_user_id = ${which.owner_user_id} and import_id = ${which.id} and status in (0, 1)
        and lower(cells ->> ${key}) = any(${given.map(({ text }) => text)}::text[])
        and line <> all(${given.map(({ line }) => line)}::int[])
      group by 1`.execute(tx);
    const first = new Map(rows.map(({ text, line }) => [text, line]));
    for (const { line, text } of given.toSorted((one, other) => one.line - other.line)) {
      const before = first.get(text);
      if (before === undefined || before > line) first.set(text, line);
      else twins.set(line, { ...twins.get(line), [key]: `${label}与第 ${before} 行重复` });
    }
  }
  return twins;
}

/** Keeps lines with what was found. What was made of a line stays as it is. */
export async function keepLines(
  tx: Transaction,
  which: Which,
  source: ImportSource,
  lines: readonly Line[],
  verdicts: readonly Verdict<unknown>[],
): Promise<void> {
  const rows = lines.map(({ line, cells }, at) => {
    const verdict = verdicts[at]!;
    return {
      line,
      title: cells[source.titleKey] ?? "",
      cells,
      status: "errors" in verdict ? 0 : "value" in verdict ? 1 : 3,
      errors: "errors" in verdict ? verdict.errors : {},
    };
  });
  await sql`
    insert into import_rows (owner_user_id, import_id, line, title, cells, status, errors)
      select ${which.owner_user_id}, ${which.id}, r.line, r.title, r.cells, r.status, r.errors
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(line int, title text, cells jsonb, status smallint, errors jsonb)
    on conflict (owner_user_id, import_id, line) do update
      set title = excluded.title, cells = excluded.cells, status = excluded.status, errors = excluded.errors
      where import_rows.status <> 2`.execute(tx);
}
