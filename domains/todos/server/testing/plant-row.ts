import type pg from "pg";

/** What stands in a column that has to be filled and says nothing to a test, by its type. */
const FILLING: Readonly<Record<string, string>> = {
  uuid: "gen_random_uuid()",
  // Ten digits: a number of anything, and no other row's.
  text: "lpad(floor(random() * 1e10)::bigint::text, 10, '0')",
  "timestamp with time zone": "now()",
  date: "'2026-11-01'",
  boolean: "false",
  jsonb: "'{}'",
  bytea: "'\\x00'",
  ARRAY: "'{}'",
};

/**
 * A row as it stands in the table, past triggers and foreign keys: what a count reads, without the day that would make it.
 * @returns the row's own columns, to find it again
 * @example await plantRow(pool, "refunds", { ...place, status: 3 });
 */
export async function plantRow(pool: pg.Pool, table: string, given: Readonly<Record<string, unknown>>): Promise<string> {
  const { rows } = await pool.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns where table_schema = 'public' and table_name = $1
      and is_nullable = 'NO' and column_default is null and is_generated = 'NEVER' and is_identity = 'NO'`,
    [table],
  );
  const filled = rows.filter(({ name }) => !(name in given)).map(({ name, type }) => [name, FILLING[type] ?? "1"] as const);
  const names = [...Object.keys(given), ...filled.map(([name]) => name)];
  const values = [...Object.values(given).map((_value, index) => `$${index + 1}`), ...filled.map(([, text]) => text)];
  return past(pool, async (client) => {
    const made = await client.query<{ at: string }>(
      `insert into ${table} (${names.join(", ")}) values (${values.join(", ")}) returning ctid::text as at`,
      Object.values(given),
    );
    return made.rows[0]!.at;
  });
}
/** Changes what was planted; afterwards it stands elsewhere. */
export async function changeRow(pool: pg.Pool, table: string, at: string, to: Readonly<Record<string, unknown>>): Promise<void> {
  const sets = Object.keys(to).map((name, index) => `${name} = $${index + 2}`);
  await past(pool, (client) => client.query(`update ${table} set ${sets.join(", ")} where ctid = $1::tid`, [at, ...Object.values(to)]));
}
async function past<T>(pool: pg.Pool, fn: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("set session_replication_role = replica");
    return await fn(client);
  } finally {
    await client.query("reset session_replication_role");
    client.release();
  }
}
