import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { job, openJobs, prepareJobs } from "./jobs.ts";
import { withScope } from "../database/db.ts";
import { migrate } from "../database/migrate.ts";
import { platformScope } from "../database/scope.ts";
import { testServices } from "../testing.ts";
import { copyDatabase, type TestDatabase } from "../testing/test-cluster.ts";

let databases: TestDatabase[];
beforeAll(async () => {
  databases = await Promise.all([copyDatabase(), copyDatabase()]);
});
afterAll(() => Promise.all(databases.map((one) => one.drop())));

const named = (name: string, every?: string) =>
  job({ name, data: z.object({}), run: async () => {}, ...(every === undefined ? {} : { every }) });
async function ask<Row extends pg.QueryResultRow>(database: TestDatabase, text: string): Promise<Row[]> {
  const client = new pg.Client(database.ownerConnection);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

test("servers that start side by side, over one database and over another of the cluster, make the schema and the queues without an error", async () => {
  const jobs = ["one", "other", "third"].map((name) => named(name));
  const start = async ({ ownerConnection }: TestDatabase) => {
    await migrate(ownerConnection, "test");
    await prepareJobs(ownerConnection, jobs);
  };
  for (let round = 0; round < 3; round++) await Promise.all([...databases, ...databases, ...databases].map(start));
  for (const database of databases)
    expect(await ask(database, "select name from pgboss.queue where name in ('one', 'other', 'third') order by name")).toEqual([
      { name: "one" },
      { name: "other" },
      { name: "third" },
    ]);
});

test("the round of a job that is gone, or no longer comes by cron, is taken away; the others stay", async () => {
  const [database] = databases as [TestDatabase];
  const cron = ["stays", "gone", "changed"].map((name) => named(name, "*/5 * * * *"));
  await prepareJobs(database.ownerConnection, cron);
  for (const { name } of cron)
    await ask(database, `insert into pgboss.schedule (name, cron, timezone) values ('${name}', '*/5 * * * *', 'Asia/Shanghai')`);
  await prepareJobs(database.ownerConnection, [named("stays", "*/5 * * * *"), named("changed")]);
  expect(await ask(database, "select name from pgboss.schedule")).toEqual([{ name: "stays" }]);
});

test("what waits in a queue is taken one after the other, each once", async () => {
  const services = await testServices();
  const done: number[] = [];
  const count = job({
    name: "count",
    data: z.object({ at: z.int() }),
    concurrency: 1,
    run: async (_services, { at }) => void done.push(at),
  });
  await prepareJobs(services.owner, [count]);
  const queue = openJobs(services.pool, [count]);
  const every = Array.from({ length: 40 }, (_none, at) => at);
  await withScope(services.pool, platformScope("test"), async (tx) => {
    for (const at of every) await queue.enqueue(tx, count, { at });
  });
  await queue.work(services);
  await expect.poll(() => done.length, { timeout: 60_000 }).toBe(every.length);
  await queue.stop(5_000);
  expect(done.toSorted((a, b) => a - b)).toEqual(every);
  await services.close();
});

test("work that falls due later, and work that failed, is taken when its time has come", async () => {
  const services = await testServices();
  const done: string[] = [];
  const later = job({
    name: "later",
    data: z.object({ of: z.string() }),
    retryDelay_s: 1,
    run: async (_services, { of }) => {
      done.push(of);
      if (of === "fails" && done.filter((one) => one === of).length === 1) throw new Error("once");
    },
  });
  await prepareJobs(services.owner, [later]);
  const queue = openJobs(services.pool, [later]);
  await queue.work(services);
  await withScope(services.pool, platformScope("test"), async (tx) => {
    await queue.enqueue(tx, later, { of: "waits" }, { after_s: 1 });
    await queue.enqueue(tx, later, { of: "fails" });
  });
  // Under the half minute after which a worker looks by itself.
  await expect.poll(() => done.toSorted(), { timeout: 15_000 }).toEqual(["fails", "fails", "waits"]);
  await queue.stop(5_000);
  await services.close();
});
