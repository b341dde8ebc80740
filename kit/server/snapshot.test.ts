import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { prepareJobs } from "./jobs/jobs.ts";
import { migrate } from "./database/migrate.ts";
import { replaceBySnapshot, restoreSnapshot, type SnapshotPlace, verifySnapshot, writeSnapshot } from "./snapshot.ts";
import { StartError } from "./start-error.ts";
import { copyDatabase, type TestDatabase } from "./testing/test-cluster.ts";

const KEY = "sixteen characters at least";
const ABOUT = { created_at: "2026-11-20T04:00:00.000Z", secret_mark: "mark" };
// What a text form gets wrong easily, a computed column, a circle of references, and a trigger that would refuse.
const OWN_TABLES = `
  create table odd ("order" int generated always as identity primary key, note text, raw bytea, day date, amount bigint, twice bigint generated always as (amount * 2) stored, other int references odd);
  create table nothing_in_it (id int);
  create function refuse_all() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;`;
const ROWS = `
  insert into odd (note, raw, day, amount, other) values
    (null, '\\x00ff0a5c', '2026-02-28', 9000000000000, 2), (E'第一行\\n第二行\\t制表\\\\.', null, null, -1, 1), ('', '', 'infinity', 0, null), (repeat('长', 100000), null, '1970-01-01', 1, 3);
  create trigger refuse before insert on odd for each row execute function refuse_all();`;

const folder = mkdtempSync(join(tmpdir(), "zf-snapshot-"));
const made: string[] = [];
let source: TestDatabase;
let place: SnapshotPlace;

beforeAll(async () => {
  source = await copyDatabase();
  await run(source.ownerConnection, OWN_TABLES + ROWS);
  const files_dir = join(folder, "files");
  mkdirSync(join(files_dir, "ab"), { recursive: true });
  writeFileSync(join(files_dir, "ab/export-1"), Buffer.alloc(200_000, "订单"));
  writeFileSync(join(files_dir, "ab/unfinished.part"), "half");
  place = { owner: source.ownerConnection, files_dir };
});
afterAll(async () => {
  await source.drop();
  for (const name of made) await run(inject("testCluster"), `drop database ${name} with (force)`);
  rmSync(folder, { recursive: true });
});

async function run(connection: pg.ClientConfig, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}

/** A place with an empty database and no files. */
async function emptyPlace(owner?: string): Promise<SnapshotPlace> {
  const name = `empty_${crypto.randomUUID().replaceAll("-", "")}`;
  made.push(name);
  await run(inject("testCluster"), `create database ${name} template template0 ${owner ? `owner ${owner}` : ""}`);
  const connection = { ...inject("testCluster"), database: name };
  return { owner: owner ? { ...connection, user: owner } : connection, files_dir: join(folder, name) };
}

async function prepare(owner: pg.ClientConfig, migrations: readonly { name: string; sha256: string }[]): Promise<void> {
  await migrate(owner, "test", migrations);
  await prepareJobs(owner, []);
  await run(owner, `${OWN_TABLES} create trigger refuse before insert on odd for each row execute function refuse_all();`);
}

test.each([
  ["plain", undefined],
  ["encrypted", KEY],
])("what is restored is what was backed up, to the byte: %s", async (name, key) => {
  const file = { path: join(folder, `${name}.backup`), key };
  const manifest = await writeSnapshot(place, file, ABOUT);
  expect(manifest.parts.find((part) => "table" in part && part.table === '"public"."odd"')).toMatchObject({
    rows: 4,
    columns: ["order", "note", "raw", "day", "amount", "other"],
  });
  expect(manifest.parts.flatMap((part) => ("file" in part ? [part.file] : []))).toEqual(["ab/export-1"]);
  expect(manifest.migrations.length).toBeGreaterThan(3);
  expect(key !== undefined).toBe(!readFileSync(file.path).includes("gzip") && readFileSync(file.path).subarray(0, 40).includes("aes"));

  const target = await emptyPlace();
  await restoreSnapshot(target, file, prepare);
  const again = await writeSnapshot(target, { path: join(folder, `${name}-again.backup`) }, ABOUT);
  expect(again.parts).toEqual(manifest.parts);
  expect(again.sequences).toEqual(manifest.sequences);
  expect(readFileSync(join(target.files_dir, "ab/export-1"))).toEqual(readFileSync(join(place.files_dir, "ab/export-1")));
  const { rows } = await run(
    target.owner,
    `alter table odd disable trigger all; insert into odd (amount) values (21) returning "order", twice::int`,
  ).then((results) => (results as unknown as pg.QueryResult[])[1] ?? { rows: [] });
  expect(rows).toEqual([{ order: 5, twice: 42 }]);
});

test("days that have a partition of their own come back with it, fenced", async () => {
  const { ownerConnection: owner, drop } = await copyDatabase();
  const ids = Array.from({ length: 6 }, () => crypto.randomUUID());
  await run(owner, "select app.ad_plays_days('{2026-11-19,2026-11-20}')");
  const row = (day: string) =>
    `('${day}', '${ids[0]}', gen_random_uuid(), '${ids[1]}', '${ids[2]}', '${ids[3]}', '${ids[4]}', '${ids[5]}', '${day}T04:00Z', 8000, true, now())`;
  await run(owner, `insert into ad_plays values ${row("2026-11-19")}, ${row("2026-11-20")}, ${row("2026-11-20")}`);
  const file = { path: join(folder, "days.backup") };
  const manifest = await writeSnapshot({ owner, files_dir: join(folder, "none") }, file, ABOUT);
  await drop();
  const target = await emptyPlace();
  await restoreSnapshot(target, file, async (connection, migrations) => {
    await migrate(connection, "test", migrations);
    await prepareJobs(connection, []);
  });
  const again = await writeSnapshot(target, { path: join(folder, "days-again.backup") }, ABOUT);
  expect(again.parts).toEqual(manifest.parts);
  const { rows } = await run(
    target.owner,
    "select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as fenced from pg_inherits join pg_class c on c.oid = inhrelid where inhparent = 'ad_plays'::regclass order by 1",
  );
  expect(rows).toEqual(["20261119", "20261120"].map((day) => ({ name: `ad_plays_${day}`, fenced: true })));
});

test("numbers of transactions are those of the database that was saved, and stay behind", async () => {
  const from = await small();
  const table = "create table noted (id int, wrote xid8 default pg_current_xact_id())";
  await run(from.owner, `${table}; insert into noted (id) values (1), (2)`);
  const file = { path: join(folder, "noted.backup") };
  await writeSnapshot({ owner: from.owner, files_dir: join(folder, "none") }, file, ABOUT);
  const target = await emptyPlace();
  await restoreSnapshot(target, file, async (owner) => {
    await run(owner, `create table schema_migrations (name text, sha256 text); ${table}`);
  });
  expect((await run(target.owner, "select id, wrote from noted order by id")).rows).toEqual([1, 2].map((id) => ({ id, wrote: null })));
});

test.each([
  ["plain", undefined],
  ["encrypted", KEY],
])("any byte that differs is found, wherever it is: %s", async (name, key) => {
  const whole = { path: join(folder, `damage-${name}.backup`), key };
  await writeSnapshot({ owner: (await small()).owner, files_dir: join(folder, "none") }, whole, ABOUT);
  const bytes = readFileSync(whole.path);
  const damaged = { path: join(folder, `damaged-${name}.backup`), key };
  const places = fc.oneof(fc.nat(60), fc.nat(bytes.length - 1), fc.integer({ min: bytes.length - 60, max: bytes.length - 1 }));
  await fc.assert(
    fc.asyncProperty(places, fc.integer({ min: 1, max: 255 }), async (at, change) => {
      const changed = Buffer.from(bytes);
      changed.writeUInt8((bytes[at] ?? 0) ^ change, at);
      writeFileSync(damaged.path, changed);
      await expect(verifySnapshot(damaged)).rejects.toBeInstanceOf(StartError);
      writeFileSync(damaged.path, bytes.subarray(0, at));
      await expect(verifySnapshot(damaged)).rejects.toBeInstanceOf(StartError);
    }),
    { seed: 20261120, numRuns: key ? 8 : 100 },
  );
  writeFileSync(damaged.path, Buffer.concat([bytes, Buffer.from("more")]));
  await expect(verifySnapshot(damaged)).rejects.toThrow("已损坏");
});

/** A database of one row, so that many damages are tried in a short time. */
async function small(): Promise<SnapshotPlace> {
  const target = await emptyPlace();
  await run(
    target.owner,
    "create table schema_migrations (name text, sha256 text); insert into schema_migrations values ('0001.sql', 'a')",
  );
  return target;
}

test("without the key, or with another one, nothing is restored", async () => {
  const path = join(folder, "locked.backup");
  await writeSnapshot(await small(), { path, key: KEY }, ABOUT);
  await expect(verifySnapshot({ path })).rejects.toThrow("请设置 ZHANGFANG_BACKUP_KEY");
  await expect(verifySnapshot({ path, key: `${KEY}!` })).rejects.toThrow("ZHANGFANG_BACKUP_KEY 不对");
  await expect(verifySnapshot({ path, key: "short" })).rejects.toThrow("至少 16 个字符");
  await expect(verifySnapshot({ path: join(folder, "nowhere") })).rejects.toThrow("找不到备份文件");
});

test("a database that has tables is left alone, and so is one whose schema does not fit", async () => {
  const file = { path: join(folder, "fit.backup") };
  await writeSnapshot(place, file, ABOUT);
  const used = await small();
  await expect(restoreSnapshot(used, file, prepare)).rejects.toThrow("数据库里已有数据");
  expect((await run(used.owner, "select * from schema_migrations")).rowCount).toBe(1);

  const other = await emptyPlace();
  const without = restoreSnapshot(other, file, async (owner, migrations) => {
    await prepare(owner, migrations);
    await run(owner, "alter table odd drop column note");
  });
  await expect(without).rejects.toThrow('备份里的表 "public"."odd" 与这个版本的不同');
  expect((await run(other.owner, "select * from odd")).rowCount).toBe(0);
  expect(readdirSync(folder)).not.toContain(other.files_dir);
});

test("replacing leaves the old database until the new one is complete, and refuses while it is used", async () => {
  const file = { path: join(folder, "replace.backup") };
  await writeSnapshot(place, file, ABOUT);
  const used = await small();
  mkdirSync(used.files_dir);
  writeFileSync(join(used.files_dir, "old"), "old");
  const client = new pg.Client(used.owner);
  await client.connect();
  await expect(replaceBySnapshot(used, file, prepare)).rejects.toThrow("还有 1 个连接在使用数据库");
  await client.end();
  await expect(replaceBySnapshot(used, file, async () => {})).rejects.toThrow("与这个版本的不同");
  expect((await run(used.owner, "select name from schema_migrations")).rows).toEqual([{ name: "0001.sql" }]);
  expect(readdirSync(used.files_dir)).toEqual(["old"]);

  await replaceBySnapshot(used, file, prepare);
  expect((await run(used.owner, "select * from odd")).rowCount).toBe(4);
  expect(readdirSync(used.files_dir)).toEqual(["ab"]);
  expect((await run(used.owner, "select datname from pg_database where datname ~ '_(before|restoring)$'")).rows).toEqual([]);
});

test("one moment: money that moves while the backup runs is neither lost nor doubled in it", async () => {
  await run(
    source.ownerConnection,
    "create table purse (id int primary key, cents bigint not null); insert into purse select n, 1000 from generate_series(1, 200) n",
  );
  const moving = { on: true };
  const client = new pg.Client(source.ownerConnection);
  await client.connect();
  const move = async () => {
    for (let turn = 0; moving.on; turn++) {
      const [from, to] = [(turn % 200) + 1, ((turn * 7 + 3) % 200) + 1];
      await client.query("update purse set cents = cents + case id when $1 then 7 else -7 end where id in ($1, $2)", [from, to]);
    }
  };
  const moves = move();
  const file = { path: join(folder, "moving.backup") };
  await writeSnapshot(place, file, ABOUT);
  moving.on = false;
  await moves;
  await client.end();
  const target = await emptyPlace();
  await restoreSnapshot(target, file, async (owner, migrations) => {
    await prepare(owner, migrations);
    await run(owner, "create table purse (id int primary key, cents bigint not null)");
  });
  const { rows } = await run(target.owner, "select sum(cents)::int as cents, count(*)::int as purses from purse");
  expect(rows).toEqual([{ cents: 200_000, purses: 200 }]);
});

test("an owner below superuser backs up and restores rows behind row-level security", async () => {
  const role = "snapshot_owner";
  await run(
    inject("testCluster"),
    `drop role if exists ${role}; create role ${role} login createrole; grant zhangfang_app to ${role} with admin option; grant set on parameter session_replication_role to ${role}`,
  );
  const [from, to] = [await emptyPlace(role), await emptyPlace(role)];
  for (const { owner } of [from, to]) await run({ ...owner, user: "postgres" }, `alter schema public owner to ${role}`);
  const fenced = async (owner: pg.ClientConfig) => {
    await run(
      owner,
      `create table schema_migrations (name text, sha256 text); create table kept (cents int);
      alter table kept enable row level security; alter table kept force row level security;
      create policy fence on kept using (split_part(current_setting('app.scope', true), '|', 1) = 'PLATFORM')`,
    );
  };
  await fenced(from.owner);
  await run({ ...from.owner, user: "postgres" }, "insert into kept values (7)");
  expect((await run(from.owner, "select * from kept")).rowCount).toBe(0);
  const file = { path: join(folder, "fenced.backup") };
  await writeSnapshot(from, file, ABOUT);
  await restoreSnapshot(to, file, fenced);
  expect((await run(to.owner, "select * from kept")).rowCount).toBe(0);
  expect((await run({ ...to.owner, user: "postgres" }, "select * from kept")).rows).toEqual([{ cents: 7 }]);
});
