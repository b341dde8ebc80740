import type pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openPool, turn, withScope } from "./db.ts";
import { RUNTIME_ROLE } from "./migrate.ts";
import { platformScope } from "./scope.ts";
import { testServices, type TestServices } from "../testing.ts";
import { oneAtATime } from "./turns.ts";

let services: TestServices;
/** The jobs of two servers. */
let jobs: pg.Pool[];
beforeAll(async () => {
  services = await testServices();
  const connection = { ...services.owner, user: RUNTIME_ROLE };
  jobs = [1, 2].map(() => openPool({ connection, size: 5, wait_ms: 30_000, letsOthersFirst: true }));
});
afterAll(async () => {
  await Promise.all(jobs.map((pool) => pool.end()));
  await services.close();
});
const SCOPE = platformScope("test");
function meeting() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

test("of forty transactions of jobs at two servers two at a time pass for a merchant, all of them in the end", async () => {
  let inside = 0;
  const seen: number[] = [];
  const { open: bothAreIn, opened: both } = meeting();
  await Promise.all(
    Array.from({ length: 40 }, (_none, at) =>
      withScope(jobs[at % 2]!, SCOPE, async (tx) => {
        await turn(tx, "merchant");
        seen.push(++inside);
        // The first one waits for company: without it, two that never happen to meet would prove nothing.
        if (inside === 2) bothAreIn();
        await both;
        await tx.selectFrom("merchants").select("id").execute();
        inside--;
      }),
    ),
  );
  expect(seen).toHaveLength(40);
  expect(Math.max(...seen)).toBe(2);
});

test("a request passes while both places are taken, and so does a job for another merchant; who was turned away did nothing", async () => {
  const { open, opened } = meeting();
  const inside = [meeting(), meeting()];
  const holders = inside.map((one, at) =>
    withScope(jobs[at]!, SCOPE, async (tx) => {
      await turn(tx, "merchant");
      one.open();
      await opened;
    }),
  );
  await Promise.all(inside.map((one) => one.opened));
  let begun = 0;
  let passed = 0;
  const third = withScope(jobs[0]!, SCOPE, async (tx) => {
    begun++;
    await turn(tx, "merchant");
    passed++;
  });
  await withScope(services.pool, SCOPE, (tx) => turn(tx, "merchant"));
  await withScope(jobs[0]!, SCOPE, (tx) => turn(tx, "another"));
  expect(passed).toBe(0);
  // Nothing of the pool is kept by those who wait: every connection but the holder's can be had.
  await vi.waitFor(() => expect(begun).toBeGreaterThan(1), { timeout: 30_000 });
  await Promise.all(Array.from({ length: 4 }, () => withScope(jobs[0]!, SCOPE, (tx) => turn(tx, "another"))));
  open();
  await Promise.all([...holders, third]);
  expect(passed).toBe(1);
});

test("calls about one thing run one after another in their order, whoever fails among them, and others beside them", async () => {
  const { open, opened } = meeting();
  const order: string[] = [];
  const run = (name: string, key: string, more: () => Promise<void> = async () => {}) =>
    oneAtATime(key, 60_000, async () => {
      order.push(name);
      await more();
    });
  const all = [
    run("first", "a", () => opened),
    run("second", "a", () => Promise.reject(new Error("no"))),
    run("third", "a"),
    run("beside", "b"),
  ];
  await all[3];
  expect(order).toEqual(["first", "beside"]);
  open();
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
  expect(order).toEqual(["first", "beside", "second", "third"]);
});

test("who waits too long hears a plain 409, as does who finds the row held by something else", async () => {
  await expect(oneAtATime("a", -1, async () => {})).rejects.toMatchObject({
    status: 409,
    message: "这笔订单正有其他操作在处理，请稍后再试",
  });
  const held = Object.assign(new Error("canceling statement due to lock timeout"), { code: "55P03" });
  await expect(oneAtATime("a", 60_000, () => Promise.reject(held))).rejects.toMatchObject({ status: 409 });
});
