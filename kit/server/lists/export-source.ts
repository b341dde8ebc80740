import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import type { Endpoint } from "@zhangfang/contract/endpoint.ts";
import { clientOf, type Transaction } from "../database/db.ts";
import { countAll } from "./keyset.ts";
import { inOrderOf, listPage, type Asked, type Listed } from "./list-page.ts";
import type { Scope } from "../database/scope.ts";
import type { Services } from "../services.ts";

/**
 * A column of an export. What a cell holds goes by its kind:
 * - `text`: text, also numbers that are not to be calculated with;
 * - `money`: whole cents; `count`: a whole number;
 * - `time`: ISO in UTC, written as Asia/Shanghai;
 * - `code`: the label of a code, ready to read.
 */
export interface ExportColumn {
  readonly key: string;
  readonly label: string;
  readonly kind: "text" | "money" | "time" | "code" | "count";
  /** In characters. */
  readonly width: number;
}
/** A column in one line. @param width in characters @example exportColumn("paidCents", "实收", 12, "money") */
export const exportColumn = (key: string, label: string, width: number, kind: ExportColumn["kind"] = "text"): ExportColumn => ({
  key,
  label,
  kind,
  width,
});
/** The moment of a file's snapshot, in milliseconds, for what is a question of now: who is online, what plays. */
export async function snapshotMoment(tx: Transaction): Promise<number> {
  const { rows } = await sql<{ at: string }>`select now() as at`.execute(tx);
  return Date.parse(rows[0]?.at ?? "");
}
/** One row by column key; null is an empty cell. */
export type ExportRow = Readonly<Record<string, string | number | null>>;

const BATCH = 250;
/**
 * The rows of a query of any length, through a cursor of the transaction, in small batches: a large one outlives the young objects and stays as garbage.
 * @param cells a found row as it stands in the file, codes as their labels
 */
export async function* exportRows<R extends object>(
  tx: Transaction,
  query: RawBuilder<R>,
  cells: (row: R) => ExportRow,
): AsyncGenerator<ExportRow[]> {
  const client = clientOf(tx);
  const compiled = query.compile(tx);
  await client.query(`declare rows_of_export no scroll cursor for ${compiled.sql}`, [...compiled.parameters]);
  for (;;) {
    const { rows } = await client.query<R>(`fetch ${BATCH} from rows_of_export`);
    if (rows.length === 0) break;
    yield rows.map(cells);
  }
  await client.query("close rows_of_export");
}

/**
 * A list that can be written to a file. Filter and SQL are those of the list on the screen, so that the two cannot differ.
 * `rows` reads through a cursor of the transaction, which has to be one repeatable-read snapshot and to stay open to the end.
 * @example for await (const batch of source.rows(tx, scope, filter)) writer.add(batch);
 */
export interface ExportSource<I extends z.ZodType = z.ZodType> {
  /** Kept in export_files.source. */
  readonly name: string;
  readonly title: string;
  readonly access: Endpoint["access"];
  /** The filter, as the list's screen holds it. */
  readonly input: I;
  readonly columns: readonly ExportColumn[];
  /** Columns that stand in every file, whatever was chosen: those that an import of the same sheet reads. */
  readonly always?: readonly string[];
  /** @param services for sources whose rows are sealed; those that need none leave it out */
  count(tx: Transaction, scope: Scope, filter: z.output<I>, services?: Services): Promise<number>;
  rows(tx: Transaction, scope: Scope, filter: z.output<I>, services?: Services): AsyncIterable<readonly ExportRow[]>;
}

const PAGE = 500;
/**
 * Count and rows of a file: the statement of its list, whole, what came last first.
 * @param cells as for `exportRows`
 * @param sort the list's own, for one whose names are joined when a page is cut: all at once they would be looked up for every row
 * @param beside what is looked up for a batch of rows at once, by a door of another room
 * @example export const tillExport: ExportSource<typeof input> = { name, title, access, input, columns, ...fileOf(tillsListed, cellsOf) };
 */
export const fileOf = <F, R extends { readonly id: string }>(
  listed: (scope: Scope, filter: F, tx: Transaction, services?: Services) => Listed | Promise<Listed>,
  cells: (row: R, services?: Services) => ExportRow,
  sort?: Asked<R>["sort"],
  beside?: (place: { tx: Transaction; scope: Scope; services: Services | undefined }, rows: readonly R[]) => Promise<R[]>,
) => ({
  async count(tx: Transaction, scope: Scope, filter: F, services?: Services): Promise<number> {
    const { from, counted = from, where } = await listed(scope, filter, tx, services);
    return countAll(tx, sql`${counted} where ${where}`);
  },
  async *rows(tx: Transaction, scope: Scope, filter: F, services?: Services): AsyncGenerator<ExportRow[]> {
    const list = await listed(scope, filter, tx, services);
    const { columns, from, where, order } = list;
    const told = async (found: readonly R[]): Promise<ExportRow[]> =>
      (beside ? await beside({ tx, scope, services }, found) : found).map((row) => cells(row, services));
    if (!sort) {
      const query = sql<R>`select ${columns} from ${from} where ${where} ${inOrderOf(order, true)}`;
      for await (const found of exportRows(tx, query, (row) => row as never)) yield await told(found as never);
      return;
    }
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { items, next } = await listPage<R>(tx, { cursor, pageSize: PAGE, sort }, list);
      if (items.length > 0) yield await told(items);
      cursor = next;
    }
  },
});
