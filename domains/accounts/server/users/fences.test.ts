import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openPool, runTransaction } from "@zhangfang/server/database/db.ts";
import { firstFence } from "@zhangfang/server/database/scope.ts";
import type pg from "pg";
import type { DemoLogin } from "../../../../apps/demo/tree/tree.ts";
import { readSession, sessionSql } from "../index.ts";
import { openWorld, type World } from "../world-for-tests.ts";
import { readTargets } from "./read-target.ts";

let world: World;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());
afterEach(() => void (firstFence.on = true));

const OF_MCH01: DemoLogin[] = ["mch01", "area01", "emp01", "fin01"];
/** Written by hand: whose accounts each level can read at all; what it may do with them is a narrower question. */
const READS: Partial<Record<DemoLogin, DemoLogin[]>> = {
  sp02: ["sp02", "team03", "sale03", "mch02", "mch08"],
  agent01: ["agent01", "mch03", ...OF_MCH01],
  agent02: ["agent02", "mch06"],
  group01: ["group01", "team01", "sale01", "mch04", ...OF_MCH01],
  group02: ["group02", "team02", "sale02", "mch05"],
  team01: ["team01", "sale01", "mch04", ...OF_MCH01],
  team03: ["team03", "sale03", "mch02"],
  sale01: ["sale01"],
  mch01: OF_MCH01,
  mch02: ["mch02"],
  fin01: OF_MCH01,
  area01: ["area01"],
  emp01: ["emp01"],
};

async function reads(pool: pg.Pool, login: string): Promise<string[]> {
  const opening = sessionSql(await world.signIn(login), world.services.clock.now_ms())!;
  return runTransaction(pool, opening, async (tx, row) =>
    (await readTargets(tx, readSession(row!, world.services).scope, Object.values(world.tree.users)))
      .map((target) => target.login)
      .toSorted(),
  );
}

test("with both fences, with the second alone and with the first alone, each account reads the same accounts", async () => {
  const unbound = openPool({ connection: world.services.owner, size: 2 });
  for (const [login, expected] of Object.entries(READS)) {
    expect(await reads(world.services.pool, login), `${login}, both`).toEqual(expected.toSorted());
    firstFence.on = false;
    expect(await reads(world.services.pool, login), `${login}, row-level security alone`).toEqual(expected.toSorted());
    firstFence.on = true;
    expect(await reads(unbound, login), `${login}, the first fence alone`).toEqual(expected.toSorted());
  }
  await unbound.end();
});

test("everybody is read by the platform, and by a provider its whole tree", async () => {
  expect(await reads(world.services.pool, "admin")).toHaveLength(Object.keys(world.tree.users).length);
  expect(await reads(world.services.pool, "sp01")).toHaveLength(Object.keys(world.tree.users).length - 6);
});
