import { afterAll, beforeAll, expect, test } from "vitest";
import type { Endpoint } from "@zhangfang/contract/endpoint.ts";
import type { ExportRow } from "@zhangfang/server/lists/export-source.ts";
import { fileRows } from "@zhangfang/server/testing/file-rows.ts";
import { openWorld, type World } from "../../accounts/server/world-for-tests.ts";
import { listAgents, listGroups, listIncompleteMerchants, listProviders, listSalesmen, listTeams } from "../contract/index.ts";
import { nodeExports } from "./export-nodes.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
  await world.truth("update salesmen set phone = '13912345678'");
  await world.truth("update agents set contact_name = '欧阳清', contact_phone = '13912345678', contract_until = '2031-01-31'");
  await world.truth("update service_providers set contact_name = '欧阳清', contact_phone = '13912345678'");
  await world.truth("update business_groups set leader = '欧阳清'");
  await world.truth("update business_teams set leader = '欧阳清'");
});
afterAll(() => world.close());

const file = async (name: string, login: string, filter: object = {}): Promise<ExportRow[]> => {
  const [user] = await world.truth<{ scope: string }>("select app.scope_of(u) as scope from users u where u.login = $1", [login]);
  return fileRows(world.services, nodeExports.find((source) => source.name === name)! as never, user!.scope, filter);
};
const LISTS: readonly (readonly [string, Endpoint, keyof ExportRow, readonly string[]])[] = [
  ["providers", listProviders, "number", ["admin"]],
  ["agents", listAgents, "name", ["admin", "sp01", "sp02"]],
  ["business-groups", listGroups, "name", ["admin", "sp01", "sp02"]],
  ["business-teams", listTeams, "name", ["admin", "sp01", "group01"]],
  ["salesmen", listSalesmen, "name", ["admin", "sp01", "agent01", "group01", "team01"]],
  ["full-in", listIncompleteMerchants, "number", ["admin", "sp01", "sp02"]],
];

test.each(LISTS)("the file of %s has the rows of the list, in its order, for everybody who sees it", async (name, list, key, logins) => {
  for (const login of logins) {
    const shown = (await world.call(list, await world.signIn(login), { pageSize: 100 } as never)) as { items: ExportRow[] };
    const rows = await file(name, login);
    expect(rows.map((row) => row[key])).toEqual(shown.items.map((row) => row[key]));
    if (["admin", "sp01"].includes(login)) expect(rows.length).toBeGreaterThan(0);
    for (const money of ["monthPaidCents", "monthCommissionCents", "merchantCount"])
      expect(rows.map((row) => row[money])).toEqual(shown.items.map((row) => row[money]));
    // What is masked in the list is masked here, and what may be logged in as is nobody's to read.
    expect(JSON.stringify(rows)).not.toMatch(/13912345678|欧阳清|loginUserId/);
  }
});
test("codes, rates and days stand as words; the filter is the list's", async () => {
  expect((await file("agents", "sp01"))[0]).toMatchObject({
    state: "启用",
    contractStatus: "已签约",
    contractUntil: "2031-01-31",
    profitRatio: expect.stringMatching(/%$/),
    contactPhone: "139****5678",
  });
  expect((await file("providers", "admin"))[0]).toMatchObject({ contractState: "已签约", feeRate: expect.stringMatching(/%$/) });
  expect(await file("agents", "sp01", { state: "disabled" })).toEqual([]);
  for (const { missing } of await file("full-in", "admin")) expect(missing).toMatch(/^[^a-z]+$/);
});
