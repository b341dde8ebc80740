import { connect, createServer, type AddressInfo } from "node:net";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { asPlatform, forgetNames, openPool, planOnce, withScope } from "./db.ts";
import { Refusal, refusalOf } from "../calls/errors.ts";
import { inScope, parseScope, platformScope } from "./scope.ts";
import { testServices, type TestServices } from "../testing.ts";

const [A, B] = ["0190b0a0-0000-7000-8000-00000000000a", "0190b0a0-0000-7000-8000-00000000000b"];
let services: TestServices;
beforeAll(async () => {
  services = await testServices();
  await withScope(services.pool, platformScope("test"), async (tx) => {
    for (const id of [A, B]) {
      await tx.insertInto("service_providers").values({ id, number: id, name: id, short_name: id }).execute();
      await tx.insertInto("merchants").values({ id, service_provider_id: id, number: "1", name: "m", short_name: "m" }).execute();
    }
  });
});
afterAll(() => services.close());
const scopeA = parseScope(`SP|${A}|||||||`);

test("the second fence alone: a query without any condition sees its own provider's rows only", async () => {
  const seen = await withScope(services.pool, scopeA, (tx) => tx.selectFrom("merchants").select("service_provider_id").execute());
  expect(seen).toEqual([{ service_provider_id: A }]);
});
test("the first fence alone: the condition narrows where row-level security lets all through", async () => {
  const seen = await withScope(services.pool, platformScope("test"), (tx) =>
    tx.selectFrom("merchants as m").select("m.service_provider_id").where(inScope(scopeA, "m")).execute(),
  );
  expect(seen).toEqual([{ service_provider_id: A }]);
});
test("no scope, no rows; and none is left on the connection after a commit", async () => {
  await withScope(services.pool, platformScope("test"), (tx) => tx.selectFrom("merchants").select("id").execute());
  expect((await services.pool.query("select count(*)::int as n from merchants")).rows).toEqual([{ n: 0 }]);
});
test("a connection that the database ends in the middle of a transaction fails that transaction with a word to come back, and nothing else", async () => {
  const cut = withScope(services.pool, platformScope("test"), async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    const owner = new pg.Client(services.owner);
    await owner.connect();
    await owner.query("select pg_terminate_backend($1)", [rows[0]!.pid]);
    await owner.end();
    // Nobody asks the connection anything while the news of its end arrives.
    await new Promise((resolve) => setTimeout(resolve, 200));
    return sql`select 1`.execute(tx);
  });
  expect(await cut.catch(refusalOf)).toMatchObject({ status: 503, code: "busy" });
  expect(await withScope(services.pool, scopeA, (tx) => tx.selectFrom("merchants").select("id").execute())).toHaveLength(1);
});
test("a row of another provider can't be written, nor a reference across providers made", async () => {
  const write = (service_provider_id: string, agent_id: string | null) =>
    withScope(services.pool, scopeA, (tx) =>
      tx
        .insertInto("merchants")
        .values({ id: services.ids.uuid(0), service_provider_id, number: "2", name: "x", short_name: "x", agent_id })
        .execute(),
    );
  await expect(write(B, null)).rejects.toThrow(/row-level security/);
  await withScope(services.pool, platformScope("test"), (tx) =>
    tx.insertInto("agents").values({ id: B, service_provider_id: B, name: "他人" }).execute(),
  );
  await expect(write(A, B)).rejects.toThrow(/foreign key/);
});
test("what fails leaves nothing behind", async () => {
  await expect(
    withScope(services.pool, scopeA, async (tx) => {
      await tx.updateTable("merchants").set({ name: "changed" }).execute();
      throw new Refusal(409, "no", "不");
    }),
  ).rejects.toThrow("不");
  expect((await withScope(services.pool, scopeA, (tx) => tx.selectFrom("merchants").select("name").executeTakeFirstOrThrow())).name).toBe(
    "m",
  );
});
test("who looks at everybody's rows for a sum sees its own alone afterwards, also where the sum was refused", async () => {
  const seen = await withScope(services.pool, scopeA, async (tx) => {
    const count = () => tx.selectFrom("merchants").select("id").execute();
    const own = (await count()).length;
    const all = (await asPlatform(tx, count)).length;
    await asPlatform(tx, () => Promise.reject(new Refusal(409, "no", "不"))).catch(() => {});
    return { own, all, after: (await count()).length };
  });
  expect(seen.all).toBeGreaterThan(seen.own);
  expect(seen.after).toBe(seen.own);
});
test("a deadlock is tried again and nobody sees it", async () => {
  let tries = 0;
  let holding = 0;
  let bothHold = () => {};
  const both = new Promise<void>((resolve) => (bothHold = resolve));
  const lockBoth = (first: string, second: string) =>
    withScope(services.pool, platformScope("test"), async (tx) => {
      tries++;
      const lock = (id: string) => tx.updateTable("merchants").set({ name: "locked" }).where("id", "=", id).execute();
      await lock(first);
      if (++holding === 2) bothHold();
      await both;
      await lock(second);
    });
  await Promise.all([lockBoth(A, B), lockBoth(B, A)]);
  expect(tries).toBe(3);
});
test("what a user can type is never a fault: SQLSTATE classes 22 and 23 become 4xx", async () => {
  const bad = [
    "select '\\x00'::text || chr(0)",
    "select 1/0",
    "select 'a'::int",
    "select 9223372036854775807 + 1",
    "select '2024-02-30'::date",
    "select repeat('(', 100000)::jsonb",
    "select 'a' similar to '('",
    "select '1' like '1\\'",
  ];
  for (const statement of bad) {
    const error = await services.pool.query(statement).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (error !== undefined) expect(refusalOf(error)?.status, statement).toBe(400);
  }
});
test("every table is fenced or stands on the list with its reason; the runtime role owns nothing and may not bypass", async () => {
  const owner = new pg.Client(services.owner);
  await owner.connect();
  const open = await owner.query(`select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r','p')
    and not (c.relrowsecurity and c.relforcerowsecurity) and c.relname not in (select name from app.open_tables) and c.relname <> 'schema_migrations'`);
  expect(open.rows).toEqual([]);
  const always = await owner.query("select tablename from pg_policies where schemaname = 'public' and qual = 'true'");
  expect(always.rows).toEqual([]);
  // Made by app.only_levels: written out, the planner would take the table for nearly empty (db/migrations/0249).
  const guessed = await owner.query(
    "select tablename, policyname from pg_policies where schemaname = 'public' and permissive = 'RESTRICTIVE' and qual like '((_SELECT app.level() AS level) = ANY%'",
  );
  expect(guessed.rows).toEqual([]);
  const role = await owner.query(
    "select rolsuper, rolbypassrls, rolcreaterole, (select count(*)::int from pg_class where relowner = r.oid) as owns from pg_roles r where rolname = 'zhangfang_app'",
  );
  expect(role.rows).toEqual([{ rolsuper: false, rolbypassrls: false, rolcreaterole: false, owns: 0 }]);
  const loose = await owner.query(
    "select proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace where nspname in ('app', 'upkeep') and prosecdef and proconfig is null",
  );
  expect(loose.rows).toEqual([]);
  await owner.end();
});
test("the service cannot make the sums anew, which would hold the ledger", async () => {
  for (const name of ["rebuild_takings", "rebuild_shared", "rebuild_goods", "rebuild_voucher", "rebuild_takeaway"])
    await expect(services.pool.query(`select upkeep.${name}()`)).rejects.toThrow("permission denied for schema upkeep");
});
test("references and keys between tenants' tables carry the tenant", async () => {
  const owner = new pg.Client(services.owner);
  await owner.connect();
  const without = await owner.query(`select conrelid::regclass::text as t, conname from pg_constraint c
    where contype = 'f' and connamespace = 'public'::regnamespace
      and exists (select 1 from pg_attribute a where a.attrelid = conrelid and attname = 'service_provider_id' and attnotnull)
      and exists (select 1 from pg_attribute a where a.attrelid = confrelid and attname = 'service_provider_id' and attnotnull)
      and confrelid <> 'service_providers'::regclass
      and not exists (select 1 from pg_attribute a where a.attrelid = conrelid and attname = 'service_provider_id' and a.attnum = any(conkey))`);
  expect(without.rows).toEqual([]);
  await owner.end();
});
test("a migration under a running service is not felt: what was prepared before it is prepared anew", async () => {
  const read = () => withScope(services.pool, platformScope("test"), (tx) => tx.selectFrom("captchas").selectAll().execute());
  await Promise.all(Array.from({ length: 10 }, read));
  const owner = new pg.Client(services.owner);
  await owner.connect();
  await owner.query("alter table captchas add column hint text");
  await owner.end();
  for (let n = 0; n < 12; n++) await read();
});
test("a long statement is planned for what it asks, or once for all values where its transaction says so", async () => {
  // The two hundred names of this process may be given by now.
  forgetNames();
  const long = (n: number) => sql<{ x: number }>`select ${n}::int as x where ${sql.lit("long".repeat(1_000))} <> 'b'`;
  const kept = (once: boolean) =>
    withScope(services.pool, platformScope("test"), async (tx) => {
      if (once) planOnce(tx);
      for (let n = 0; n < 4; n++) expect((await long(n).execute(tx)).rows).toEqual([{ x: n }]);
      const { rows } = await sql<{ n: number; generic: number }>`select count(*)::int as n, coalesce(sum(generic_plans), 0)::int as generic
        from pg_prepared_statements where statement like '%longlong%<> ''b''%'`.execute(tx);
      return rows[0];
    });
  expect(await kept(false)).toEqual({ n: 0, generic: 0 });
  // It gets its name when it comes the third time.
  expect(await kept(true)).toEqual({ n: 1, generic: 2 });
});
test("a connection that takes longer than anybody waits is made all the same, and serves the next one; a thousand who gave up cost him nothing", async () => {
  const { host = "", port = 5432, user, database } = services.owner;
  let go = () => {};
  const slow = new Promise<void>((resolve) => (go = resolve));
  let made = 0;
  const busy = createServer((client) => {
    made++;
    client.on("error", () => {});
    void slow.then(() => {
      const behind = connect(host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
      client.pipe(behind).pipe(client);
      client.once("close", () => behind.destroy());
    });
  });
  await new Promise<void>((resolve) => busy.listen(0, "127.0.0.1", resolve));
  const pool = openPool({
    connection: { host: "127.0.0.1", port: (busy.address() as AddressInfo).port, user, database },
    size: 1,
    wait_ms: 50,
  });
  const ask = () => withScope(pool, platformScope("test"), async (tx) => (await sql<{ n: number }>`select 1 as n`.execute(tx)).rows);
  try {
    const refused = await Promise.all(Array.from({ length: 1_000 }, () => ask().then(() => undefined, refusalOf)));
    expect(refused.every((refusal) => refusal?.status === 503)).toBe(true);
    go();
    await expect.poll(ask).toEqual([{ n: 1 }]);
    expect(made).toBe(1);
  } finally {
    await pool.end();
    busy.close();
  }
});
test("whoever gave up long ago is nobody's to tell when the pool gives up too, as it does where a database stands still", async () => {
  const { host, port, user, database } = services.owner;
  const pool = openPool({ connection: { host: host!, port: port!, user: user!, database: database! }, size: 1, wait_ms: 50 });
  const ask = () => withScope(pool, platformScope("test"), async (tx) => (await sql<{ n: number }>`select 1 as n`.execute(tx)).rows);
  const held = await pool.connect();
  try {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const refused = ask().catch(refusalOf);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await refused).toMatchObject({ status: 503 });
  } finally {
    vi.useRealTimers();
    held.release();
  }
  expect(await ask()).toEqual([{ n: 1 }]);
  await pool.end();
});
