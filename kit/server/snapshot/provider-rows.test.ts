import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withClient } from "../snapshot.ts";
import { copyDatabase, type TestDatabase } from "../testing/test-cluster.ts";
import { LEFT_OUT, NAMES, REACH, reachOf } from "./provider-rows.ts";
import { nameOf, reachedParts } from "./provider-sums.ts";

let database: TestDatabase;
beforeAll(async () => void (database = await copyDatabase()));
afterAll(() => database.drop());

interface Table {
  readonly name: string;
  readonly columns: string[];
  /** Whether every row of it says whose it is. */
  readonly sure: boolean;
}
const TABLES = `select c.relname::text as name, array_agg(a.attname::text) as columns,
    coalesce(bool_or(a.attname = 'service_provider_id' and a.attnotnull and a.attgenerated = ''), false) as sure
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition group by 1`;
const tables = () => withClient(database.ownerConnection, async (client: pg.Client) => (await client.query<Table>(TABLES)).rows);
const listed = (name: string) => REACH[name] !== undefined || LEFT_OUT[name] !== undefined;

test("of every table it is decided which rows are a provider's", async () => {
  const all = await tables();
  expect(all.length).toBeGreaterThan(140);
  expect(all.filter(({ name, sure }) => !sure && !listed(name)).map(({ name }) => name)).toEqual([]);
  // A new one that nobody decided of ends the save; it is never left out in silence.
  for (const { name, columns } of all) reachOf(name, columns, "''");
  expect(() => reachOf("newcomer", ["id"], "''")).toThrow("newcomer stands on no list");
});
test("the lists name tables that are there, each in one place", async () => {
  const names = new Set((await tables()).map(({ name }) => name));
  const said = [...Object.keys(REACH), ...Object.keys(LEFT_OUT)];
  expect(said.filter((name, at) => !names.has(name) || said.indexOf(name) !== at)).toEqual([]);
  expect(Object.keys(NAMES).filter((name) => !names.has(name))).toEqual([]);
});
test("a save covers every table that a provider has rows in, also one whose parts lie in another schema", async () => {
  const provider = "00000000-0000-4000-8000-000000000001";
  const covered = await withClient(database.ownerConnection, async (client: pg.Client) => {
    await client.query("select app.ad_plays_days('{2026-11-20}')");
    return new Set((await reachedParts(client, provider)).map(nameOf));
  });
  const reached = (await tables()).filter(({ name, columns }) => reachOf(name, columns, "''") !== undefined).map(({ name }) => name);
  expect(reached).toContain("ad_plays");
  expect(reached.filter((name) => !covered.has(name))).toEqual([]);
});
test("what is unique beyond a provider is told by its name", async () => {
  const wide = await withClient(
    database.ownerConnection,
    async (client: pg.Client) =>
      (
        await client.query<{ name: string }>(`select distinct t.relname::text as name from pg_index x join pg_class t on t.oid = x.indrelid
          left join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0]
          where x.indisunique and t.relnamespace = 'public'::regnamespace
            and (a.attname is null or a.attname not in ('id', 'service_provider_id', 'owner_id', 'owner_user_id', 'tenant', 'root_login', 'root_user_id', 'ad_id', 'namespace', 'audit_id'))`)
      ).rows,
  );
  expect(
    wide
      .map(({ name }) => name)
      .filter((name) => LEFT_OUT[name] === undefined && REACH[name] !== undefined)
      .toSorted(),
  ).toEqual(Object.keys(NAMES).toSorted());
});
