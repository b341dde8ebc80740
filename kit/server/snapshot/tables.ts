import pg from "pg";
import type { Manifest, TablePart } from "./archive.ts";

const SYSTEM = "n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%'";

/** Every table that holds rows, partitions by themselves, with the columns that are stored and not computed. */
export async function tablesOf(client: pg.Client): Promise<TablePart[]> {
  const { rows } = await client.query<{ schema: string; name: string; columns: string[]; partition: TablePart["partition"] | null }>(`
    select n.nspname as schema, c.relname as name, array_agg(a.attname::text order by a.attnum) as columns,
      (select json_build_object('of', quote_ident(pn.nspname) || '.' || quote_ident(p.relname), 'bound', pg_get_expr(c.relpartbound, c.oid))
       from pg_inherits i join pg_class p on p.oid = i.inhparent join pg_namespace pn on pn.oid = p.relnamespace where i.inhrelid = c.oid and c.relispartition) as partition
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'r' and c.relpersistence <> 't' and ${SYSTEM} and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by 1, 2, c.oid order by 1, 2`);
  return rows.map(({ schema, name, columns, partition }) => ({
    table: `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`,
    columns,
    ...(partition && { partition }),
  }));
}

/** Takes away the numbers of transactions: they are those of the database that was saved, and mean nothing in another. */
export async function forgetTransactions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(`
    select format('update %1$s set %2$I = null where %2$I is not null', a.attrelid::regclass, a.attname) as statement
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where a.atttypid = 'xid8'::regtype and c.relkind = 'r' and not a.attisdropped and ${SYSTEM}`);
  for (const { statement } of rows) await client.query(statement);
}

const DAY = /^"app"\."([a-z_]+)_(\d{4})(\d\d)(\d\d)"$/;
/**
 * Makes the days that a backup has and the migrations don't make, fenced as their table is. Nothing of the backup's own words is run: the
 * name says table and day, and the table is one of here that has days.
 */
export async function makePartitions(client: pg.Client, wanted: readonly TablePart[]): Promise<void> {
  const there = new Set((await tablesOf(client)).map(({ table }) => table));
  const { rows } = await client.query<{ name: string; fenced: boolean }>(
    "select relname::text as name, relrowsecurity as fenced from pg_class where relkind = 'p' and relnamespace = 'public'::regnamespace",
  );
  for (const { table, partition } of wanted) {
    if (!partition || there.has(table)) continue;
    const [, of, year, month, date] = DAY.exec(table) ?? [];
    const whole = rows.find(({ name }) => name === of);
    const day = new Date(`${year}-${month}-${date}T00:00:00Z`);
    // What does not fit is told of, table by table, where the rows are to come in.
    if (!whole || Number.isNaN(day.getTime())) continue;
    const [from, to] = [day, new Date(day.getTime() + 86_400_000)].map((one) => one.toISOString().slice(0, 10));
    await client.query(`create table ${table} (like public.${whole.name} including all)`);
    if (whole.fenced) await client.query(`call app.fence(${pg.escapeLiteral(table)})`);
    await client.query(`alter table public.${whole.name} attach partition ${table} for values from ('${from}') to ('${to}')`);
    there.add(table);
  }
}

/** Where every sequence stands that has been used. */
export async function sequencesOf(client: pg.Client): Promise<Manifest["sequences"]> {
  const { rows } = await client.query<{ schema: string; name: string; value: string | null }>(`
    select schemaname as schema, sequencename as name, last_value::text as value from pg_sequences n where ${SYSTEM.replaceAll("n.nspname", "n.schemaname")} order by 1, 2`);
  return rows.flatMap(({ schema, name, value }) =>
    value === null ? [] : [{ name: `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`, value }],
  );
}

/** Reads a table in the order in which its rows lie, which loading it keeps. */
export function copyOutSql({ table, columns }: TablePart): string {
  return `copy (select ${columnList(columns)} from only ${table}) to stdout`;
}

/** Loads what `copyOutSql` read; the database computes the other columns. */
export function copyInSql({ table, columns }: TablePart): string {
  return `copy ${table} (${columnList(columns)}) from stdin`;
}

function columnList(columns: readonly string[]): string {
  return columns.map((column) => pg.escapeIdentifier(column)).join(", ");
}

/** An owner below superuser stands under row-level security too; the platform's scope sees every row. */
export async function seeEverything(client: pg.Client): Promise<void> {
  // Every reading of a table begins at its first row, so that two readings of the same rows are the same bytes.
  await client.query("set local synchronize_seqscans = off");
  if (!(await isAbove(client))) await client.query("select set_config('app.scope', 'PLATFORM||||||||', true)");
}

/**
 * Lets an owner below superuser load tables that hold even their owner to row-level security.
 * @returns puts them back
 */
export async function liftFences(client: pg.Client): Promise<() => Promise<void>> {
  if (await isAbove(client)) return async () => {};
  const { rows } = await client.query<{ name: string }>(
    "select oid::regclass::text as name from pg_class where relforcerowsecurity order by 1",
  );
  const each = async (words: string) => {
    for (const { name } of rows) await client.query(`alter table ${name} ${words} row level security`);
  };
  await each("no force");
  return () => each("force");
}

/** Whether the connection passes the fences: a superuser, or who may bypass them. */
export async function isAbove(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ above: boolean }>(
    "select rolsuper or rolbypassrls as above from pg_roles where rolname = current_user",
  );
  return rows[0]?.above === true;
}
