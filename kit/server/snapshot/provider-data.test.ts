import { readFileSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withClient } from "../snapshot.ts";
import { copyDatabase, type TestDatabase } from "../testing/test-cluster.ts";
import { isTold } from "./provider-data.ts";
import { LEFT_OUT } from "./provider-rows.ts";

let database: TestDatabase;
beforeAll(async () => void (database = await copyDatabase()));
afterAll(() => database.drop());

/** What sounds like a secret and goes out: each is none. */
const NONE = [
  "ad_materials.file_key",
  "ad_materials.thumb_key",
  "channel_accounts.public_key",
  "code_faults.key",
  "config_changes.ckey",
  "config_overrides.ckey",
  "export_files.file_key",
  "preferences.key",
  "wx_fan_events.event_key",
];
/** Columns of which those matter whose name or type is like this. */
const columns = async (like: string) =>
  (
    await withClient(database.ownerConnection, async (client: pg.Client) =>
      client.query<{ table: string; name: string; type: string }>(
        `select c.relname::text as table, a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type from pg_class c
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and ${like} order by 1, 2`,
      ),
    )
  ).rows.filter(({ table }) => LEFT_OUT[table] === undefined);

test("of every column that sounds like a secret it is decided whether it goes out with a provider's data", async () => {
  const rows = await columns("a.attname ~ 'sealed|hash|secret|token|pass|totp|recover|key|pin_|seed|nonce|sign|cred|otp'");
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter(({ table, name, type }) => isTold(table, name, type)).map(({ table, name }) => `${table}.${name}`)).toEqual(NONE);
});
test("of every column of words it is decided whether it goes out: a new one stands in provider-data.told.txt, or is left out", async () => {
  const rows = (await columns("format_type(a.atttypid, a.atttypmod) ~ 'text|json|char'")).filter(({ table, name, type }) =>
    isTold(table, name, type),
  );
  const told = Map.groupBy(rows, ({ table }) => table)
    .entries()
    .map(([table, all]) => `${table}: ${all.map(({ name }) => name).join(", ")}`);
  expect([...told]).toEqual(
    readFileSync(new URL("provider-data.told.txt", import.meta.url), "utf8")
      .trimEnd()
      .split("\n"),
  );
  for (const live of [
    "tax_subjects.session_qr",
    "withdrawals.package_info",
    "push_endpoints.url",
    "channel_inbox.body",
    "payout_inbox.body",
  ])
    expect(rows.filter(({ table, name }) => `${table}.${name}` === live)).toEqual([]);
});
