import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Refusal, refusalOf } from "../../calls/errors.ts";
import { testServices, type TestServices } from "../../testing.ts";
import { addStandby, promote, startReplicable, until } from "../../testing/replicas.ts";
import { appConnectionOf, connectionOf, standbyConnectionOf } from "../connection.ts";
import { endingWith, openPool, withScope } from "../db.ts";
import { RUNTIME_ROLE } from "../migrate.ts";
import { platformScope } from "../scope.ts";
import { atPrimary } from "./primary.ts";

let services: TestServices;
let owner: pg.Client;
const pools: pg.Pool[] = [];
beforeAll(async () => {
  services = await testServices();
  owner = new pg.Client(services.owner);
  await owner.connect();
});
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.end();
});
afterAll(async () => {
  await owner.end();
  await services.close();
});
const scope = platformScope("test");
/** The database of the test as the last of three servers, of which the others are not there. */
const listed = () => {
  const { host = "", port = 5432, database = "" } = services.owner;
  const hosts = [
    { host: "/nowhere", port: 1 },
    { host: "127.0.0.1", port: 1 },
    { host, port },
  ];
  return { hosts, user: RUNTIME_ROLE, database };
};
const open = (size = 2) => {
  const pool = openPool({ connection: listed(), size, wait_ms: 5_000 });
  pools.push(pool);
  return pool;
};
const one = (pool: pg.Pool) => withScope(pool, scope, async (tx) => (await sql<{ n: number }>`select 1 as n`.execute(tx)).rows[0]!.n);
const write = (pool: pg.Pool) => withScope(pool, scope, (tx) => sql`update sealed_proof set sealed = sealed`.execute(tx));

test("an address may name several servers, of which one takes writes", () => {
  const host = encodeURIComponent("/run/a b");
  expect(connectionOf(`postgres://me:p%40ss@one:5433,two,${host}/shop?target_session_attrs=read-write`)).toEqual({
    user: "me",
    password: "p@ss",
    database: "shop",
    connectionTimeoutMillis: 5_000,
    hosts: [
      { host: "one", port: 5433 },
      { host: "two", port: 5432 },
      { host: "/run/a b", port: 5432 },
    ],
  });
  expect(connectionOf("postgresql://me@one/shop")).toEqual({ host: "one", user: "me", database: "shop", connectionTimeoutMillis: 5_000 });
  for (const wrong of ["mysql://one/shop", "postgres//one", "postgres://one:port/shop"])
    expect(() => connectionOf(wrong)).toThrow("格式不正确");
  expect(() => connectionOf("postgres://one,two/shop?target_session_attrs=standby")).toThrow("target_session_attrs 只能是 read-write");
  // Of one server nobody chooses, as ever.
  expect(connectionOf("postgres://one/shop?target_session_attrs=any")).toMatchObject({ host: "one" });
});

test("the other addresses say which setting is wrong, name as many servers, and are encrypted as the primary's", () => {
  const owner = connectionOf("postgres://me@one,two/shop?sslmode=verify-full");
  expect(() => appConnectionOf("postgres://app@one/shop", owner)).toThrow("DATABASE_APP_URL 却只有一个");
  expect(appConnectionOf("postgres://app@one,two/shop", owner)).toMatchObject({ user: "app", hosts: [{ host: "one" }, { host: "two" }] });
  expect(appConnectionOf("postgres://app@one/shop", connectionOf("postgres://me@one/shop"))).toMatchObject({ user: "app", host: "one" });
  expect(standbyConnectionOf("postgres://x@two:5433/y", owner)).toMatchObject({
    host: "two",
    port: 5433,
    user: "me",
    database: "shop",
    ssl: {},
  });
  expect(standbyConnectionOf("postgres://two?sslmode=disable", owner)).toMatchObject({ ssl: false });
  expect(() => standbyConnectionOf("postgres://two:port", owner)).toThrow("DATABASE_READ_URLS 格式不正确");
  expect(() => standbyConnectionOf("postgres://two,three/x", owner)).toThrow("DATABASE_READ_URLS 中每个地址只能有一个主机");
  expect(() => connectionOf("postgres://one/shop?sslrootcert=/nowhere.pem")).toThrow("证书文件无法读取（ENOENT）：/nowhere.pem");
});

test("where no server is reached a start is told what they said, and where the login is wrong it is told at once", async () => {
  const { host = "", port = 5432, database = "" } = services.owner;
  const away = { hosts: [{ host: "127.0.0.1", port: 1 }], user: RUNTIME_ROLE, database };
  await expect(atPrimary(away, 0)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  const wrong = { hosts: [...away.hosts, { host, port }], user: "nobody-of-ours", database };
  await expect(atPrimary(wrong, 600_000)).rejects.toMatchObject({ code: expect.stringMatching(/^28/) });
});

test("the one that takes writes is found among those that are not there, and is found again when it takes writes again", async () => {
  expect(await one(open())).toBe(1);
  expect(await atPrimary(listed())).toMatchObject({ host: services.owner.host });
  const database = owner.escapeIdentifier(services.owner.database ?? "");
  await owner.query(`alter database ${database} set default_transaction_read_only = on`);
  const pool = open();
  try {
    expect(await one(pool).catch(refusalOf)).toMatchObject({ status: 503, code: "busy" });
    await expect(atPrimary(listed(), 0)).rejects.toMatchObject({ code: "57P03" });
  } finally {
    await owner.query(`alter database ${database} reset default_transaction_read_only`);
  }
  expect(await one(pool)).toBe(1);
});

test("of two that take writes it is the one that was promoted last, and who has seen it never goes back", async () => {
  const folder = mkdtempSync(join(tmpdir(), "two-primaries-"));
  const old = await startReplicable(join(folder, "a"));
  const standby = await addStandby(old, join(folder, "b"));
  try {
    const { user, database } = old.connection;
    const list = () => ({ user, database, hosts: [old, standby].map(({ connection: { host, port } }) => ({ host, port })) });
    const connection = list();
    const pool = openPool({ connection, size: 2, wait_ms: 30_000 });
    pools.push(pool);
    const at = async () => (await pool.query<{ at: string }>("select current_setting('data_directory') as at")).rows[0]!.at;
    expect(await at()).toContain(join(folder, "a"));
    // Nobody told the old one: it takes writes still.
    await promote(standby);
    await until(async () => (await atPrimary(list())).host === standby.connection.host);
    // Who is connected to the old one, which answers everything, is led away too; what is asked in that moment breaks.
    await until(async () => (await at().catch(() => "")).includes(join(folder, "b")));
    await standby.kill();
    expect(await old.ask("select 1 where not pg_is_in_recovery()")).toHaveLength(1);
    for (let tries = 0; tries < 3; tries++) expect(await at().catch(refusalOf)).toMatchObject({ status: 503, code: "busy" });
    await expect(atPrimary(connection, 0)).rejects.toMatchObject({ code: "57P03" });
  } finally {
    await Promise.all([old.stop(), standby.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a write that a server refuses because it takes none any more says to come back, and the next goes over a connection anew", async () => {
  for (const pool of [open(1), services.pool]) {
    const client = await pool.connect();
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    await client.query("set default_transaction_read_only = on");
    client.release();
    // The pool gives the connection that came back last. Who takes a refusal for an answer about what they asked must not take this for one.
    const error: unknown = await write(pool).catch((thrown: unknown) => thrown);
    expect(error).not.toBeInstanceOf(Refusal);
    expect(refusalOf(error)).toMatchObject({ status: 503, code: "busy" });
    await write(pool);
    await until(async () => (await owner.query("select 1 from pg_stat_activity where pid = $1", [rows[0]!.pid])).rowCount === 0);
  }
});

test("what ends a transaction is one message, the same as ever where nothing is to be said with it", async () => {
  const pool = open(1);
  const client = await pool.connect();
  const said: unknown[] = [];
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  client.query = ((...given: unknown[]) => (
    said.push(typeof given[0] === "string" ? given[0] : "statement"),
    query(...given)
  )) as typeof client.query;
  client.release();
  const opening = "set local statement_timeout = 10000; select set_config('app.scope', 'PLATFORM||||||||', true)";
  await write(pool);
  expect(said.splice(0)).toEqual([`begin; ${opening}`, "statement", "commit"]);
  await endingWith("select 1", async () => {
    await write(pool);
    await withScope(pool, scope, (tx) => sql`select 1`.execute(tx), { readOnly: true });
  });
  expect(said.splice(0)).toEqual([
    `begin; ${opening}`,
    "statement",
    "select 1; commit",
    `begin read only; ${opening}`,
    "statement",
    "commit",
  ]);
  // What is said there is part of the transaction: where it fails, nothing was done.
  await expect(endingWith("select 1 / 0", () => write(pool))).rejects.toMatchObject({ code: "22012" });
});
