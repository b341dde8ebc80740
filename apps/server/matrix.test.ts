import { mkdirSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { firstFence } from "@zhangfang/server/database/scope.ts";
import { openHttp } from "./http.ts";
import { doors, routes } from "./domains.ts";
import { isForeign, readCanaries, type Canaries } from "./testing/answers.ts";
import { cellsOf, comparer, eachOf, judge, meetsFence, type Cell } from "./testing/matrix/cells.ts";
import { routesOf } from "./testing/matrix/inventory.ts";
import { LOGINS, MEMBERS, sees, TILLS } from "./testing/matrix/people.ts";
import { POLICIES as EVERY_POLICY, ROOMS } from "./testing/matrix/policies.ts";
import type { Policy } from "./testing/matrix/policy.ts";
import { openHttpWorld } from "./testing/open-world.ts";
import type { HttpWorld } from "./testing/world.ts";
import { exportsByLogin } from "@zhangfang/domains/exports/server/testing/plant.ts";
import { orderFacts } from "@zhangfang/domains/orders/server/testing/live-a-day.ts";

/** MATRIX_ROOM=stores asks for that room alone, which is how a new domain is proved. */
const ROOM = process.env["MATRIX_ROOM"];
const POLICIES = ROOM ? ROOMS[ROOM]! : EVERY_POLICY;
let world: HttpWorld;
let canaries: Canaries;
beforeAll(async () => {
  world = await openHttpWorld();
  canaries = await readCanaries(world);
});
afterAll(async () => {
  // `npm test` says what each room costs, and a room's part of the matrix is its own.
  mkdirSync(".test", { recursive: true });
  writeFileSync(".test/matrix.json", JSON.stringify(Object.fromEntries(cost)));
  await world.close();
});

const roomOf = new Map(Object.entries(ROOMS).flatMap(([room, policies]) => policies.map((policy): [Policy, string] => [policy, room])));
/** How long the cells of each room took, all together. */
const cost = new Map<string, number>();

async function run(cells: readonly Cell[], through: Pick<HttpWorld, "send"> = world): Promise<{ faults: string[]; compared: number }> {
  const faults: string[] = [];
  const pairs = comparer();
  await eachOf(cells, async (cell) => {
    const from_ms = performance.now();
    const { answer, faults: found } = await judge(through, world, canaries, cell);
    const room = roomOf.get(cell.policy)!;
    cost.set(room, (cost.get(room) ?? 0) + performance.now() - from_ms);
    faults.push(...found);
    pairs.note(cell, answer);
  });
  return { faults: [...faults, ...pairs.differences()], compared: pairs.compared() };
}
/** The first faults are enough to read. */
const none = (faults: readonly string[]) => expect([faults.length, ...faults.slice(0, 15)]).toEqual([0]);

test("the table has a row for every route, and no other", async () => {
  const found = await routesOf(() => openHttp(world.services, doors, routes, { limits: false }));
  expect(found).toEqual(EVERY_POLICY.map((policy) => policy.route).toSorted());
});

test("everybody gets what the table says, learns of nobody else, and changes nothing that is not theirs", async () => {
  const cells = POLICIES.filter((policy) => !policy.keeps).flatMap((policy) => cellsOf(world, policy));
  const { faults, compared } = await run(cells);
  process.stdout.write(`matrix: ${cells.length} cells, ${compared} compared with an id of nothing\n`);
  none(faults);
  expect(await world.commits.changed()).toEqual([]);
}, 900_000);

test.each(["row-level security", "the first fence"] as const)(
  "%s alone lets nothing through",
  async (fence) => {
    const cells = POLICIES.filter((policy) => !policy.writes)
      .flatMap((policy) => cellsOf(world, policy, LOGINS))
      .filter(meetsFence);
    const app = fence === "the first fence" ? await world.withoutRowSecurity() : world.app;
    firstFence.on = fence === "the first fence";
    const { faults } = await run(cells, world.through(app)).finally(() => (firstFence.on = true));
    process.stdout.write(`matrix: ${cells.length} cells through ${fence} alone\n`);
    none(faults);
  },
  900_000,
);

test("without both fences the matrix turns red at every read of a tenant's things", async () => {
  const app = await world.withoutRowSecurity();
  const green: string[] = [];
  firstFence.on = false;
  for (const policy of POLICIES.filter(
    (one) => !one.writes && one.who !== "device" && one.who !== "member" && (one.model || one.slots.length > 0),
  )) {
    const { faults } = await run(cellsOf(world, policy, ["sp02", "agent02", "mch03"], true), world.through(app));
    if (faults.length === 0) green.push(policy.route);
  }
  firstFence.on = true;
  // Exports, imports and views are asked for by their owner, a sign-in by code with its verifier, one account by the rules of who
  // stands above whom, providers by the platform alone, and the address of an account by WeChat's signature: none of them is a matter of
  // scope alone.
  const expected: readonly string[] = [
    "GET /api/exports",
    "GET /api/imports/:id",
    "GET /api/imports/bad-lines",
    "GET /api/imports/rows",
    "GET /api/organisation/providers",
    "GET /api/organisation/providers/:id",
    "GET /api/organisation/providers/summary",
    "GET /api/positions",
    "GET /api/positions/assignable",
    "GET /api/qr-requests/:requestId",
    "GET /api/staff",
    "GET /api/staff/:id",
    "GET /api/statistics/abnormal-limits",
    "GET /api/users/:id/detail",
    "GET /api/users/:id/explain",
    "GET /api/users/:id/grant",
    "GET /api/views",
    "GET /notify/wechat/:appRow",
  ];
  const asked = new Set(POLICIES.map(({ route }): string => route));
  expect(green.toSorted()).toEqual(expected.filter((route) => asked.has(route)));
}, 300_000);

test("an exported file holds what its owner sees, every row of it", async () => {
  world.keep.on = true;
  for (const login of LOGINS) {
    const link = await world.send(login, {
      verb: "POST",
      path: "/api/exports/link",
      body: { id: world.of(exportsByLogin).get(login)!.ready },
    });
    const [path = "", ticket = ""] = (link.body as { href: string }).href.split("?ticket=");
    const file = await world.send("anonymous", { verb: "GET", path, query: { ticket } });
    const mine = world
      .of(orderFacts)
      .orders.filter((order) => sees(login, order))
      .map((order) => order.orderNo);
    expect([login, ...(file.text.match(/P\d{24}/g) ?? []).toSorted()]).toEqual([login, ...mine.toSorted()]);
  }
  world.keep.on = false;
  await world.commits.remember();
});

test("what goes step by step keeps to the table too", async () => {
  let cells = 0;
  world.keep.on = true;
  for (const policy of POLICIES.filter((one) => one.keeps)) {
    for (const caller of [...LOGINS, ...TILLS, ...MEMBERS]) {
      const asked = cellsOf(world, policy, [caller]);
      cells += asked.length;
      none((await run(asked)).faults);
      // A public call does not look at who calls: what it changes is its own business.
      const changed = await world.commits.rememberKept();
      const foreign = changed.filter((owner) => policy.who !== "public" && isForeign(world, caller, owner));
      expect([policy.route, caller, ...foreign]).toEqual([policy.route, caller]);
    }
  }
  world.keep.on = false;
  // Nobody has written past the commits that were looked at.
  expect(await world.commits.changed()).toEqual([]);
  process.stdout.write(`matrix: ${cells} cells step by step\n`);
}, 300_000);
