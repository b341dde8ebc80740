import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { postCommissions } from "@zhangfang/domains/commissions/server/index.ts";
import { Crash } from "@zhangfang/domains/orders/server/testing/fake-channel.ts";
import { live } from "@zhangfang/domains/orders/server/testing/failpoints.ts";
import { settleAll } from "./testing/model/model-end.ts";
import { ASKS_FIRST, BESIDE_THE_BOOK, op, type Op } from "./testing/model/model-op.ts";
import { readBack } from "./testing/model/model-reports.ts";
import { type Run, see } from "./testing/model/model-run.ts";
import { STEPS } from "./testing/model/model-steps.ts";
import { type MoneyWorld, openMoneyWorld } from "./testing/money-world.ts";

// How many sequences of sixty operations: always the same few, or with MODEL_RUNS (`npm run proofs`: 200) other ones each time.
// A failure prints its seed and path: each sequence begins with an empty book, so that it fails alone as it failed among the others.
const SHORT = { runs: 10, seed: 20_261_120 };
const RUNS = Number(process.env["MODEL_RUNS"] ?? SHORT.runs);
const OPERATIONS = 60;
const AGAIN = process.env["MODEL_SEED"]
  ? { seed: Number(process.env["MODEL_SEED"]), path: process.env["MODEL_PATH"] ?? "" }
  : process.env["MODEL_RUNS"]
    ? {}
    : { seed: SHORT.seed };

let world: MoneyWorld;
beforeAll(async () => {
  world = await openMoneyWorld();
});
afterAll(() => world.close());

/** Takes one step, and checks both books wherever it changed anything; a call that was refused left everything as it was. */
async function step(run: Run, given: Op, before: string): Promise<string> {
  const take = () => (STEPS[given.op] as (run: Run, given: Op) => Promise<unknown>)(run, given);
  if (BESIDE_THE_BOOK.has(given.op)) {
    await take();
    return before;
  }
  // The process may end before and after each commit and each call; what it was about is taken up by the next.
  const endsAt = run.endsAt;
  run.endsAt = 0;
  const refused = await live(endsAt, take).then(
    () => false,
    (error: unknown) => {
      if (error instanceof Crash || (error instanceof Error && error.cause instanceof Crash)) return false;
      // A refusal is part of the game; a session that ended would only mean that nobody played.
      if (!(error instanceof Refusal) || error.status >= 500 || error.status === 401) throw error;
      return true;
    },
  );
  const after = await world.digest();
  if (after === before) return after;
  if (refused && !ASKS_FIRST.has(given.op)) expect([given.op, after]).toEqual([given.op, before]);
  expect([given.op, await world.verifyAll()]).toEqual([given.op, []]);
  await see(run);
  return after;
}

/**
 * Two orders, and a day. @param rich a payment of the day before as well, of which somebody has earned, and which covers what the
 * merchant has to bear; without it its claims are soon at their end
 */
async function begin(rich: boolean): Promise<Run> {
  await world.forget();
  await world.rule("auto");
  const run: Run = { world, orders: [], refunds: [], told: [], notices: [], seen: [], said: new Set(), endsAt: 0 };
  if (rich) await STEPS.order(run, { op: "order", cents: 5_000_001, way: "scan", wallet: "wechat", off: "nothing" });
  await world.nextDay();
  await postCommissions(world.services, world.tree.providers.sp01);
  for (const [cents, wallet] of [
    [10_000, "wechat"],
    [60_000, "alipay"],
  ] as const)
    await STEPS.order(run, { op: "order", cents, way: "scan", wallet, off: "points" });
  await see(run);
  return run;
}

test(
  `money neither appears nor disappears, whatever happens in whatever order (${RUNS} sequences)`,
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(op, { minLength: OPERATIONS, maxLength: OPERATIONS, size: "max" }), async (rich, ops) => {
        const run = await begin(rich);
        let digest = await world.digest();
        for (const given of ops) digest = await step(run, given, digest);
        await settleAll(run);
        expect(await world.verifyAll()).toEqual([]);
        await readBack(run);
      }),
      { ...AGAIN, numRuns: RUNS, endOnFailure: true },
    );
  },
  60_000 + RUNS * 15_000,
);
