import { afterAll, beforeAll, expect, test } from "vitest";
import { readSession, sessionSql } from "@zhangfang/domains/accounts/server/index.ts";
import { openPool, runTransaction } from "@zhangfang/server/database/db.ts";
import { testServices, type TestServices } from "@zhangfang/server/testing.ts";
import { buildTree, signIn, type DemoTree } from "./tree.ts";

let services: TestServices;
let tree: DemoTree;
beforeAll(async () => {
  services = await testServices();
  tree = await buildTree(services);
});
afterAll(() => services.close());

test("the tree has the numbers of the demo world", async () => {
  const owner = openPool({ connection: services.owner, size: 1 });
  const count = async (table: string) => Number((await owner.query(`select count(*)::int as n from ${table}`)).rows[0].n);
  expect([
    await count("service_providers"),
    await count("agents"),
    await count("business_groups"),
    await count("business_teams"),
    await count("salesmen"),
    await count("merchants"),
    await count("stores"),
    await count("devices"),
    await count("cashiers"),
  ]).toEqual([2, 2, 2, 3, 3, 8, 20, 60, 40]);
  await owner.end();
});

test("every account opens a session of its own level and stores", async () => {
  const scopes: Record<string, string> = {};
  for (const login of Object.keys(tree.users)) {
    const token = await signIn(services, login);
    scopes[login] = await runTransaction(
      services.pool,
      sessionSql(token, services.clock.now_ms())!,
      async (_tx, row) => readSession(row!, services).scope.text,
    );
  }
  const mch = tree.merchants.mch01;
  expect(scopes["emp01"]).toBe(`AE|${tree.providers.sp01}|||||${mch.id}|{${mch.stores[0]!.id}}|${tree.users.emp01}`);
  expect(scopes["sale01"]).toBe(`SM|${tree.providers.sp01}||||${tree.salesmen.sale01}|||${tree.users.sale01}`);
  expect(scopes["area01"]!.split("|")[7]!.split(",")).toHaveLength(2);
  expect(scopes["mch01"]!.split("|")[7]).toBe("");
  expect(scopes["fin01"]!.split("|")[7]!.split(",")).toHaveLength(2);
});
