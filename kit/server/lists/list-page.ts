import { sql, type RawBuilder } from "kysely";
import { notFound } from "../calls/errors.ts";
import type { Transaction } from "../database/db.ts";
import { after, countRows, page, skipped, type ColumnType } from "./keyset.ts";

/** What a caller asks of a list besides its filter (`listInput` of the contract); the sort names a field of the row. */
export interface Asked<R> {
  readonly cursor?: string | undefined;
  readonly pageSize: number;
  readonly sort: `${"" | "-"}${keyof R & string}`;
  readonly withTotal?: boolean | undefined;
}
/** The statement of a list, for its pages and its file. */
export interface Listed {
  readonly columns: RawBuilder<unknown>;
  readonly from: RawBuilder<unknown>;
  /** Scope and filter. */
  readonly where: RawBuilder<unknown>;
  /** The column of the sort; its table's `id` decides between equals, and an index holds both. */
  readonly order: string;
  /** The type of that column. */
  readonly type?: ColumnType;
  /** What is joined when the page is cut, for the columns alone: names and sums that are dear for each row. */
  readonly names?: RawBuilder<unknown>;
  /** What is counted, where the columns need more tables than the filter does. */
  readonly counted?: RawBuilder<unknown>;
  /** How far is counted; Infinity: to the end. */
  readonly most?: number;
}

/**
 * One page of a list: its rows, where the next page begins, and the total where it is asked for. One statement, and one for the total.
 * @example
 * listPage<RowOf<typeof listTills>>(ctx.tx, input, {
 *   columns: sql`t.id, t.name, t.created_at as "createdAt"`, from: sql`tills t`,
 *   where: all([inScope(ctx.scope, "t", "store"), is("t.store_id", input.storeId)]), order: "t.created_at" });
 */
export async function listPage<R extends { readonly id: string }>(
  tx: Transaction,
  { cursor, pageSize, sort, withTotal }: Asked<R>,
  { columns, from, where, order, type = "timestamptz", names, counted = from, most }: Listed,
): Promise<{ items: R[]; next: string | null; total?: { count: number; more: boolean } }> {
  const descending = sort.startsWith("-");
  const key = (descending ? sort.slice(1) : sort) as keyof R;
  const inOrder = inOrderOf(order, descending);
  const skip = skipped(cursor);
  const begin = skip === undefined ? after(cursor, order, `${aliasOf(order)}.id`, type, descending) : sql`true`;
  const cut = sql`from ${from} where ${where} and ${begin} ${inOrder} limit ${sql.lit(pageSize + 1)} ${skip ? sql`offset ${sql.lit(skip)}` : sql``}`;
  const alias = sql.ref(aliasOf(order));
  const found = names
    ? sql<R>`with ${alias} as (select ${alias}.* ${cut}) select ${columns} from ${alias} ${names} ${inOrder}`
    : sql<R>`select ${columns} ${cut}`;
  const { rows } = await found.execute(tx);
  return {
    ...page(rows, pageSize, (row) => ({ value: row[key] as string | number, id: row.id })),
    ...(withTotal && { total: await countRows(tx, sql`${counted} where ${where}`, most) }),
  };
}
/**
 * The row of a list with this id, wherever it stands there; the list's statement is in scope and without a filter.
 * @param what how it is called where there is none
 * @throws 404
 * @example export const getTillRoute = implement(getTill, ({ tx, scope }, { id }) => oneRow<Row>(tx, "收银台", id, listed(scope, {})));
 */
export async function oneRow<R>(tx: Transaction, what: string, id: string, { columns, from, where, order, names }: Listed): Promise<R> {
  const alias = sql.ref(aliasOf(order));
  const one = sql`from ${from} where ${where} and ${alias}.id = ${id}`;
  const found = names
    ? sql<R>`with ${alias} as (select ${alias}.* ${one}) select ${columns} from ${alias} ${names}`
    : sql<R>`select ${columns} ${one}`;
  const { rows } = await found.execute(tx);
  if (!rows[0]) throw notFound(what);
  return rows[0];
}
const aliasOf = (order: string): string => order.split(".")[0] ?? "";
/** The order of a list. */
export function inOrderOf(order: string, descending: boolean): RawBuilder<unknown> {
  const direction = sql.raw(descending ? "desc" : "asc");
  return sql`order by ${sql.ref(order)} ${direction}, ${sql.ref(`${aliasOf(order)}.id`)} ${direction}`;
}
