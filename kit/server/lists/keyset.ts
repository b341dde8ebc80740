import { sql, type RawBuilder } from "kysely";
import type { Transaction } from "../database/db.ts";
import { invalid } from "../calls/errors.ts";

/** Beyond it a list says "more than": nobody counts further by eye, and counting costs more than the page. */
export const MOST_COUNTED = 10_000;

/** Where the next page begins: the sort value and the id of the last row. */
export interface Cursor {
  readonly value: string | number;
  readonly id: string;
}
/**
 * How many rows a page that is jumped to leaves out, where the cursor says so (`.120`). It is bounded as the count is: an offset is read
 * through, and beyond that nobody knows how many pages there are.
 * @throws a 400 at `cursor` beyond it
 */
export function skipped(cursor: string | undefined): number | undefined {
  const [, rows] = /^\.(\d{1,9})$/.exec(cursor ?? "") ?? [];
  if (rows === undefined) return undefined;
  if (Number(rows) > MOST_COUNTED) throw invalid("cursor", `最多跳到第 ${MOST_COUNTED.toLocaleString("en-US")} 条，请缩小筛选范围`);
  return Number(rows);
}
/** The types of the columns that lists are in the order of. */
export type ColumnType = "timestamptz" | "bigint" | "text" | "date";
/** The cursor as opaque text. */
export const writeCursor = (cursor: Cursor): string => Buffer.from(JSON.stringify([cursor.value, cursor.id])).toString("base64url");
/** Reads it back. @throws a 400 at `cursor` for anything else */
export function readCursor(text: string): Cursor {
  try {
    const [value, id] = JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as [unknown, unknown];
    if ((typeof value === "string" || Number.isSafeInteger(value)) && typeof id === "string" && /^[0-9a-f-]{36}$/.test(id))
      return { value: value as string | number, id };
  } catch {
    // Falls through to the refusal.
  }
  throw invalid("cursor", "翻页位置无效，请回到第一页");
}
/**
 * The row-value condition of a keyset page: `(column, id) < (value, id)` for descending.
 * @param type of the sort column, because a cursor comes back as text
 */
export function after(
  cursor: string | undefined,
  column: string,
  idColumn: string,
  type: ColumnType,
  descending: boolean,
): RawBuilder<boolean> {
  if (cursor === undefined || cursor === "") return sql<boolean>`true`;
  const { value, id } = readCursor(cursor);
  if ((type === "timestamptz" || type === "date") && Number.isNaN(Date.parse(String(value))))
    throw invalid("cursor", "翻页位置无效，请回到第一页");
  return sql<boolean>`(${sql.ref(column)}, ${sql.ref(idColumn)}) ${sql.raw(descending ? "<" : ">")} (${String(value)}::${sql.raw(type)}, ${id}::uuid)`;
}
/**
 * Cuts a page from `pageSize + 1` rows.
 * @example return page(rows, input.pageSize, (row) => ({ value: row.createdAt, id: row.id }));
 */
export function page<R>(rows: readonly R[], pageSize: number, cursorOf: (row: R) => Cursor): { items: R[]; next: string | null } {
  const items = rows.slice(0, pageSize);
  const last = items.at(-1);
  return { items, next: rows.length > pageSize && last !== undefined ? writeCursor(cursorOf(last)) : null };
}
/**
 * How many rows there are, exactly up to `most`; Infinity counts to the end.
 * @param rows what stands behind `from`
 * @example total: await countRows(ctx.tx, sql`stores s where ${where}`)
 */
export async function countRows(
  tx: Transaction,
  rows: RawBuilder<unknown>,
  most = MOST_COUNTED,
): Promise<{ count: number; more: boolean }> {
  const counted = await sql<{
    n: number;
  }>`select count(*)::int as n from (select 1 from ${rows} limit ${most === Infinity ? sql`all` : sql.lit(most + 1)}) as x`.execute(tx);
  return totalOf(counted.rows[0]?.n ?? 0, most);
}
/** The same of a number that is known already. */
export const totalOf = (count: number, most = MOST_COUNTED): { count: number; more: boolean } => ({
  count: Math.min(count, most),
  more: count > most,
});
/** How many rows there are, however many; for files. @param rows as for `countRows` */
export const countAll = async (tx: Transaction, rows: RawBuilder<unknown>): Promise<number> => (await countRows(tx, rows, Infinity)).count;
