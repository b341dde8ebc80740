import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openPool, withScope } from "@zhangfang/server/database/db.ts";
import { migrate } from "@zhangfang/server/database/migrate.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { testServices, type TestServices } from "@zhangfang/server/testing.ts";
import { clearUnfinished, DEMO_TRACE, holdMaking, markBegun, markProgress } from "./mark.ts";
import { buildTree } from "./tree/tree.ts";

let services: TestServices;
beforeEach(async () => {
  services = await testServices();
  await buildTree(services, (tx) => markBegun(tx, new Date(services.clock.now_ms()).toISOString()));
});
afterEach(() => services.close());

const asOwner = async (text: string) => {
  const owner = new pg.Client(services.owner);
  await owner.connect();
  try {
    return (await owner.query<{ n: number }>(text)).rows;
  } finally {
    await owner.end();
  }
};
const users = () => asOwner("select count(*)::int as n from users");
const wrote = (trace: string) =>
  withScope(services.pool, platformScope("test"), async (tx) => {
    const { id } = await tx.selectFrom("users").select("id").where("login", "=", "sp01").executeTakeFirstOrThrow();
    const row = { at: new Date(services.clock.now_ms()).toISOString(), user_id: id, title: "新增门店", trace_id: trace };
    await tx
      .insertInto("audit_log")
      .values({ id: services.ids.uuid(services.clock.now_ms()), endpoint: "/api/stores", ...row })
      .execute();
  });

test("a demo world that was begun and never finished goes, and the schema can be made again", async () => {
  await markProgress(services, 43);
  await wrote(`${DEMO_TRACE}0189`);
  expect(await clearUnfinished(services.owner)).toBe("cleared");
  expect(await asOwner("select schemaname, tablename from pg_tables where schemaname in ('public', 'app', 'pgboss')")).toEqual([]);
  await migrate(services.owner, "test");
  expect(await users()).toEqual([{ n: 0 }]);
  expect(await clearUnfinished(services.owner)).toBe("none");
});

test("what is finished stays, and so does one in which somebody else has written", async () => {
  const before = await users();
  await markProgress(services, 100);
  expect(await clearUnfinished(services.owner)).toBe("none");
  await markProgress(services, 43);
  await wrote("0189aaaa-0000-7000-8000-000000000001");
  expect(await clearUnfinished(services.owner)).toBe("kept");
  // Its people are not told for ever that it is being made.
  expect(await clearUnfinished(services.owner)).toBe("none");
  expect(await users()).toEqual(before);
});

test("what another program keeps in the same database stays", async () => {
  await asOwner("create table somebody_elses (n int)");
  expect(await clearUnfinished(services.owner)).toBe("kept");
  expect(await asOwner("select * from somebody_elses")).toEqual([]);
});

test("what another process is making stays, until that is gone", async () => {
  const other = openPool({ connection: services.owner, size: 1 });
  const release = await holdMaking(other);
  expect(await holdMaking(services.pool)).toBeUndefined();
  expect(await clearUnfinished(services.owner)).toBe("in-work");
  release?.();
  await other.end();
  expect(await clearUnfinished(services.owner)).toBe("cleared");
});
