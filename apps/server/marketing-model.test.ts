import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { endGifts } from "./testing/model/marketing-gifts.ts";
import { beginMarketing, MARKETING_STEPS } from "./testing/model/marketing-model.ts";
import { type MarketingOp, marketingOp, type MarketingRun, NOTHING } from "./testing/model/marketing-op.ts";
import { type MarketingWorld, openMarketingWorld } from "./testing/model/marketing-world.ts";

// As the model of money: always the same few sequences, or with MODEL_RUNS (`npm run proofs`) other ones each time.
const SHORT = { runs: 3, seed: 20_261_126 };
const RUNS = Number(process.env["MODEL_RUNS"] ?? SHORT.runs);
const OPERATIONS = 50;
const AGAIN = process.env["MODEL_SEED"]
  ? { seed: Number(process.env["MODEL_SEED"]), path: process.env["MODEL_PATH"] ?? "" }
  : process.env["MODEL_RUNS"]
    ? {}
    : { seed: SHORT.seed };

let world: MarketingWorld;
beforeAll(async () => void (world = await openMarketingWorld()), 60_000);
afterAll(() => world.close());
/** How often each operation was done and refused. */
const played = new Map<string, [number, number]>();

async function step(run: MarketingRun, given: MarketingOp): Promise<void> {
  const did = await (MARKETING_STEPS[given.op] as (run: MarketingRun, given: MarketingOp) => Promise<unknown>)(run, given).then(
    (done) => done !== NOTHING,
    (error: unknown) => {
      if (!(error instanceof Refusal) || error.status >= 500 || error.status === 401) throw error;
      return undefined;
    },
  );
  if (did === false) return;
  const [done, no] = played.get(given.op) ?? [0, 0];
  played.set(given.op, did ? [done + 1, no] : [done, no + 1]);
  expect([given.op, await world.verify()]).toEqual([given.op, []]);
}
/** Everything comes to its end: then nothing is held, and what came off is what the parts of paid orders say. */
async function settle(run: MarketingRun): Promise<void> {
  await endGifts(run);
  for (let round = 0; round < 3; round++) await MARKETING_STEPS["time passes"](run, { op: "time passes", days: 1 });
  for (const one of world.channel.refunds.values()) if (one.status === "processing") world.channel.decide(one.outRefundNo, "success");
  await MARKETING_STEPS["time passes"](run, { op: "time passes", days: 1 });
  expect(await world.verify()).toEqual([]);
  expect(await world.owner("select no from coupons where state = 'LOCKED'")).toEqual([]);
  expect(
    await world.owner(
      "select order_id from coupon_uses where state = 'HELD' union all select order_id from discount_uses where state = 'HELD'",
    ),
  ).toEqual([]);
  expect(
    await world.owner("select campaign_id from coupon_stock where held <> 0 union all select id from packages where held <> 0"),
  ).toEqual([]);
  expect(await world.owner("select kind from value_accounts where kind like '%-held' and balance <> 0")).toEqual([]);
}

test(
  `coupons, rules, packages, points and stored value beside each other hold whatever comes in whatever order (${RUNS} sequences)`,
  async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(marketingOp, { minLength: OPERATIONS, maxLength: OPERATIONS, size: "max" }), async (ops) => {
        const run = await beginMarketing(world);
        for (const given of ops) await step(run, given);
        await settle(run);
        compared += run.compared;
      }),
      { ...AGAIN, numRuns: RUNS, endOnFailure: true },
    );
    process.stdout.write(
      `marketing model: ${[...played].map(([op, [done, no]]) => `${op} ${done} (${no} refused)`).join(", ")}; ${compared} prices with one coupon more\n`,
    );
    // A walk in which everything is refused proves nothing.
    const never = Object.keys(MARKETING_STEPS).filter((op) => (played.get(op)?.[0] ?? 0) === 0);
    expect(never.length, never.join(", ")).toBeLessThanOrEqual(RUNS > SHORT.runs ? 0 : 2);
    expect(compared).toBeGreaterThan(RUNS / 2);
  },
  60_000 + RUNS * 40_000,
);
