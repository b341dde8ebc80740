import pg from "pg";
import { expect, test } from "vitest";
import { copyDatabase } from "./test-cluster.ts";

async function inside<T>(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

test("each copy has the newest schema and nothing of its neighbour; copies made at once do not disturb each other", async () => {
  const copies = await Promise.all([copyDatabase(), copyDatabase(), copyDatabase()]);
  await inside(copies[0].ownerConnection, (client) => client.query("create table mine as select 1 as one"));
  const tables = (client: pg.Client) =>
    client.query("select to_regclass('schema_migrations') is not null as migrated, to_regclass('mine') is not null as mine");
  const seen = await Promise.all(copies.map(async (copy) => (await inside(copy.ownerConnection, tables)).rows[0] as unknown));
  expect(seen).toEqual([
    { migrated: true, mine: true },
    { migrated: true, mine: false },
    { migrated: true, mine: false },
  ]);

  await Promise.all(copies.map((copy) => copy.drop()));
  await expect(inside(copies[1].ownerConnection, tables)).rejects.toThrow("does not exist");
});
