import pg from "pg";
import type { BookSum, RowSum, TablePart } from "./archive.ts";
import { NAMES, reachOf } from "./provider-rows.ts";
import { tablesOf } from "./tables.ts";

/** A table, or a part of one, with the condition that picks a provider's rows. */
export interface ReachedPart extends TablePart {
  readonly reach: string;
}
/** The table that a part of it belongs to, without its schema. */
export const nameOf = ({ table, partition }: TablePart): string =>
  (partition?.of ?? table).replace(/^"?public"?\./, "").replaceAll('"', "");

/** Every table that holds rows of providers, names that are unique in an installation before all others. @throws for one that is on no list */
export async function reachedParts(client: pg.Client, provider: string): Promise<ReachedPart[]> {
  // A part of a table may lie in another schema: the days of ad_plays do.
  const tables = (await tablesOf(client)).filter(({ table, partition }) => /^"?public"?\./.test(partition?.of ?? table));
  const parts = tables.flatMap((part) => {
    const reach = reachOf(nameOf(part), part.columns, `${pg.escapeLiteral(provider)}::uuid`);
    return reach === undefined ? [] : [{ ...part, reach }];
  });
  const first = ({ table }: TablePart) => (NAMES[nameOf({ table, columns: [] })] === undefined ? 1 : 0);
  return parts.toSorted((a, b) => first(a) - first(b));
}

/** Values as text are the same at every server. */
export async function plainText(client: pg.Client): Promise<void> {
  await client.query(
    "set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local bytea_output = 'hex'; set local extra_float_digits = 1",
  );
}

/** What each table's rows come to, whatever order they lie in. */
export async function sumsOf(client: pg.Client, parts: readonly ReachedPart[]): Promise<Record<string, RowSum>> {
  const sums: Record<string, RowSum> = {};
  for (const { table, columns, reach } of parts) {
    const row = columns.map((column) => pg.escapeIdentifier(column)).join(", ");
    const { rows } = await client.query<RowSum>(`select count(*)::int as rows,
        coalesce(sum(('x' || left(encode(sha256(convert_to(row(${row})::text, 'UTF8')), 'hex'), 15))::bit(60)::bigint::numeric), 0)::text as sum
      from only ${table} where ${reach}`);
    sums[table] = rows[0]!;
  }
  return sums;
}

/** What each double-entry book says of a provider. */
export async function booksOf(client: pg.Client, provider: string): Promise<Record<string, BookSum>> {
  const { rows: books } = await client.query<{ book: string; amount: string }>(`
    select distinct k.book, (select a.attname from pg_attribute a where a.attrelid = (k.book || '_postings')::regclass
      and a.attname in ('amount', 'amount_cents') and not a.attisdropped) as amount from app.book_kinds k order by 1`);
  const said: Record<string, BookSum> = {};
  for (const { book, amount } of books) {
    const { rows } = await client.query<BookSum>(
      `select (select count(*) from ${book}_entries e where e.service_provider_id = $1)::int as entries,
        (select coalesce(max(e.seq), 0) from ${book}_entries e where e.service_provider_id = $1)::float8 as head,
        (select coalesce(jsonb_object_agg(k.kind, k.sum order by k.kind), '{}') from (select a.kind, sum(p.${amount})::text as sum from ${book}_postings p
          join ${book}_accounts a on a.service_provider_id = p.service_provider_id and a.id = p.account_id
          where p.service_provider_id = $1 group by a.kind) k) as kinds`,
      [provider],
    );
    said[book] = rows[0]!;
  }
  return said;
}
