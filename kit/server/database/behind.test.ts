import { sql } from "kysely";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, askAsPlatform, asPlatform, behind, inSavepoint, mustChange, openPool, together, withScope, type Transaction } from "./db.ts";
import { parseScope, platformScope } from "./scope.ts";
import { testServices, type TestServices } from "../testing.ts";

// What is sent without waiting stands in its transaction, in its order and in its scope, on a connection that nobody used before too.
let services: TestServices;
let pool: pg.Pool;
beforeAll(async () => {
  services = await testServices();
  const { user, password, host, port, database } = services.pool.options;
  pool = openPool({ connection: { user, password, host, port, database } as pg.PoolConfig, size: 1 });
  await services.pool.query("select 1");
  await withScope(services.pool, platformScope("test"), (tx) =>
    tx.insertInto("service_providers").values({ id: A, number: A, name: "甲", short_name: "甲" }).execute(),
  );
});
afterAll(async () => {
  await pool.end();
  await services.close();
});
const A = "0190b0a0-0000-7000-8000-00000000000a";
const scopeA = parseScope(`SP|${A}|||||||`);
const scopeOf = async (tx: Transaction) =>
  (await sql<{ scope: string }>`select current_setting('app.scope') as scope`.execute(tx)).rows[0]!.scope;
const add = (tx: Transaction, number: string) =>
  behind(
    tx,
    tx
      .insertInto("merchants")
      .values({ id: services.ids.uuid(Date.now()), service_provider_id: A, number, name: number, short_name: number }),
  );
const numbers = async () =>
  (await withScope(services.pool, scopeA, (tx) => tx.selectFrom("merchants").select("number").orderBy("number").execute())).map(
    ({ number }) => number,
  );
/** A connection that nobody has used. */
const fresh = async (): Promise<pg.Pool> => {
  const client = await pool.connect();
  client.release(true);
  return pool;
};

test("a look at everybody's rows that asks nothing ends in its own sight, as the first act of a new connection", async () => {
  const seen = await withScope(await fresh(), scopeA, async (tx) => {
    await asPlatform(tx, async () => {});
    return scopeOf(tx);
  });
  expect(seen).toBe(scopeA.text);
});
test("a savepoint that is undone takes nothing with it that was sent before it", async () => {
  await withScope(await fresh(), scopeA, async (tx) => {
    add(tx, "1");
    await inSavepoint(tx, async () => {
      add(tx, "2");
      throw new Error("undone");
    }).catch(() => {});
    add(tx, "3");
  });
  expect(await numbers()).toEqual(["1", "3"]);
});
test("a look that is refused inside a savepoint leaves its own sight, and one around a savepoint keeps its own", async () => {
  const seen = await withScope(await fresh(), scopeA, async (tx) => {
    const refused = () => inSavepoint(tx, () => Promise.reject(new Error("no"))).catch(() => {});
    await inSavepoint(tx, () => asPlatform(tx, () => Promise.reject(new Error("no")))).catch(() => {});
    const after = await scopeOf(tx);
    const inside = await asPlatform(tx, async () => {
      await refused();
      return scopeOf(tx);
    });
    return [after, inside, await scopeOf(tx)];
  });
  expect(seen).toEqual([scopeA.text, "PLATFORM||||||||", scopeA.text]);
});
test("looks side by side have all ended when one of them throws, and none has a sight or a savepoint that the others would share", async () => {
  const seen: string[] = [];
  const failing = withScope(pool, scopeA, (tx) =>
    together(tx, [
      () => Promise.reject(new Error("no")),
      async () => {
        for (let n = 0; n < 3; n++) seen.push(await scopeOf(tx));
      },
    ]),
  );
  await expect(failing).rejects.toThrow("no");
  expect(seen).toEqual([scopeA.text, scopeA.text, scopeA.text]);
  await withScope(pool, scopeA, async (tx) => {
    const here = sql<{ scope: string }>`select current_setting('app.scope') as scope`;
    expect(await together(tx, [() => askAsPlatform(tx, here), () => scopeOf(tx)])).toEqual([[{ scope: "PLATFORM||||||||" }], scopeA.text]);
    await expect(together(tx, [() => asPlatform(tx, () => scopeOf(tx))])).rejects.toThrow("askAsPlatform");
    await expect(together(tx, [() => together(tx, [() => inSavepoint(tx, async () => {})])])).rejects.toThrow("savepoint");
    expect(await asPlatform(tx, () => scopeOf(tx))).toBe("PLATFORM||||||||");
  });
});
test("what fails behind fails the whole with its own reason, however deep whoever goes on stands", async () => {
  const before = await numbers();
  const broken = (inner: (tx: Transaction) => Promise<unknown>) =>
    withScope(pool, scopeA, async (tx) => {
      add(tx, "8");
      behind(tx, sql`select 1 / 0`);
      await inner(tx);
    });
  await expect(broken(async () => {})).rejects.toThrow(/division by zero/);
  await expect(broken((tx) => inSavepoint(tx, () => scopeOf(tx)).catch(() => {}))).rejects.toThrow(/division by zero/);
  await expect(broken((tx) => inSavepoint(tx, () => inSavepoint(tx, () => scopeOf(tx))).catch(() => {}))).rejects.toThrow(
    /division by zero/,
  );
  await expect(broken((tx) => scopeOf(tx))).rejects.toThrow(/division by zero/);
  expect(await numbers()).toEqual(before);
  expect(await withScope(pool, scopeA, (tx) => scopeOf(tx))).toBe(scopeA.text);
});
test("a part that fails by what it sent behind is undone alone", async () => {
  await withScope(pool, scopeA, async (tx) => {
    add(tx, "4");
    const failed = await inSavepoint(tx, async () => {
      add(tx, "5");
      behind(tx, sql`select 1 / 0`);
    }).catch((error: Error) => error.message);
    expect(failed).toMatch(/division by zero/);
    add(tx, "6");
  });
  expect(await numbers()).toEqual(["1", "3", "4", "6"]);
});
test("a deadlock of something sent behind is tried again, whatever was thrown meanwhile", async () => {
  let tries = 0;
  await withScope(pool, scopeA, async (tx) => {
    if (tries++ > 0) return;
    behind(tx, sql.raw("do $$ begin raise exception 'deadlock' using errcode = '40P01'; end $$"));
    throw new Error("said without asking");
  });
  expect(tries).toBe(2);
});
test("a guarded write that was sent behind and changed no row fails the whole, or its part alone", async () => {
  const before = await numbers();
  const rename = (tx: Transaction, from: string) =>
    behind(tx, tx.updateTable("merchants").set({ number: "9" }).where("number", "=", from), (changed) =>
      mustChange(changed, () => new Error("nobody has that number")),
    );
  await expect(
    withScope(pool, scopeA, async (tx) => {
      add(tx, "7");
      rename(tx, "none");
    }),
  ).rejects.toThrow("nobody has that number");
  expect(await numbers()).toEqual(before);
  await withScope(pool, scopeA, async (tx) => {
    add(tx, "7");
    await inSavepoint(tx, async () => {
      rename(tx, "7");
      rename(tx, "none");
    }).catch(() => {});
  });
  expect(await numbers()).toEqual([...before, "7"]);
});
test("a question of everybody's rows leaves those that are asked beside it in their own sight", async () => {
  const sight = sql<{ scope: string }>`select current_setting('app.scope') as scope`;
  const seen = await withScope(pool, scopeA, async (tx) => {
    const all = await Promise.all([ask(tx, sight), askAsPlatform(tx, sight), ask(tx, sight)]);
    const broken = inSavepoint(tx, () => askAsPlatform(tx, sql`select 1 / 0`));
    await expect(broken).rejects.toThrow(/division by zero/);
    return [...all.flat().map(({ scope }) => scope), await scopeOf(tx)];
  });
  expect(seen).toEqual([scopeA.text, "PLATFORM||||||||", scopeA.text, scopeA.text]);
});

/** A question that is heard some steps later than one that is asked plainly. */
async function deep<T>(answer: Promise<T>): Promise<T> {
  const later = async () => await answer;
  const last = async () => await later();
  return await last();
}
test("of two questions that are asked together the one that failed is told, not the one that failed because of it", async () => {
  const broken = sql<{ n: number }>`select 1 / 0 as n`;
  const plain = sql<{ n: number }>`select 1 as n`;
  for (let round = 0; round < 20; round++) {
    const both = withScope(pool, scopeA, async (tx) => Promise.all([deep(ask(tx, broken)), ask(tx, plain)]));
    await expect(both).rejects.toMatchObject({ code: "22012" });
  }
  let tries = 0;
  await withScope(pool, scopeA, async (tx) => {
    tries++;
    if (tries > 1) return;
    const deadlock = sql`do $$ begin raise exception using errcode = '40P01'; end $$`;
    await Promise.all([deep(ask(tx, deadlock)), ask(tx, plain)]);
  });
  expect(tries).toBe(2);
});
