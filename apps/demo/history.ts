import { sql } from "kysely";
import { seededIds } from "@zhangfang/server/clock.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { tie } from "@zhangfang/server/calls/domain.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { planStore, RHYTHMS, type Rhythm } from "./plan.ts";
import { stepsOf, type PastTrade, type Step, type Takes } from "./orders/play-order.ts";
import { quick } from "./quick.ts";
import { planHandovers, type Keeper } from "./orders/shifts.ts";
import type { MerchantLogin } from "./tree/tree-plan.ts";
import type { DemoMerchant, DemoTree } from "./tree/tree.ts";

/** ZHANGFANG_DEMO_DAYS shortens the past for a quick look; with less there would be nothing to share, to reconcile and to withdraw. */
export const demoDays = (): number => Math.max(2, Math.min(90, Number(process.env["ZHANGFANG_DEMO_DAYS"] ?? 90) || 90));
/** Orders in one transaction: a commit for each would be most of the time. */
const BATCH = 50;
/** One store has not sold for so long, so that somebody has to look after it. */
const [QUIET_STORE, QUIET_DAYS] = ["跃进路店", 9];
/** Merchants written at once: service and database take turns, so that one after the other would leave half the machine idle. */
const AT_ONCE = 4;
/** After these many batches the database is asked to look at the tables again, which were empty a moment ago. */
const FRESH_PLANS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** The past orders of every store, ninety days unless told otherwise, through the same functions that a till and the channel's news go through. */
export async function writeHistory(
  services: Services,
  tree: DemoTree,
  trades: Readonly<Record<string, string>>,
  reached: (part: number) => Promise<void>,
  takes: Takes = {},
): Promise<PastTrade[]> {
  const past: PastTrade[] = [];
  const waiting = Object.entries(tree.merchants).map(([login, merchant], seed) => ({
    merchant,
    seed,
    steps: planMerchant(services, {
      merchant,
      rhythm: RHYTHMS[trades[merchant.id] ?? ""] ?? RHYTHMS["超市"]!,
      seed,
      takes: takes[merchant.id] ?? [],
      keeper: { id: tree.users[login as MerchantLogin], name: `${merchant.name}老板` },
    }),
  }));
  const all = waiting.reduce((sum, { steps }) => sum + steps.length, 0);
  let done = 0;
  let batches = 0;
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      for await (const batch of writeMerchant(services, next)) {
        past.push(...batch);
        done += BATCH;
        await reached(Math.min(1, done / all));
        if (FRESH_PLANS.includes(++batches)) await settle(services);
      }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await settle(services);
  return past;
}

/** What the payments put down goes into the sums, and the planner learns how many there are. */
const settle = (services: Services) =>
  withScope(services.pool, platformScope("demo history"), (tx) => sql`select app.fold_takings(1000000), app.analyze_facts()`.execute(tx), {
    deadline_ms: 100_000,
  });

interface Past {
  readonly merchant: DemoMerchant;
  readonly rhythm: Rhythm;
  readonly seed: number;
  readonly takes: Takes[string];
  readonly keeper: Keeper;
}
function planMerchant(services: Services, { merchant, rhythm, seed, takes, keeper }: Past): Step[] {
  const now_ms = services.clock.now_ms();
  return merchant.stores
    .flatMap((store, s) =>
      [
        ...planStore(rhythm, { seed: seed * 100 + s, now_ms, days: demoDays() }).flatMap((order, n) =>
          stepsOf({ store, order, n: s * 100_000 + n, takes, now_ms }),
        ),
        ...planHandovers(store, keeper, { seed: seed * 100 + s, now_ms, days: demoDays() }),
      ].filter(({ at_ms }) => !store.name.endsWith(QUIET_STORE) || at_ms < now_ms - QUIET_DAYS * 86_400_000),
    )
    .toSorted((one, other) => one.at_ms - other.at_ms);
}
async function* writeMerchant(
  services: Services,
  { steps, seed }: { readonly steps: readonly Step[]; readonly seed: number },
): AsyncGenerator<PastTrade[]> {
  const pool = quick(services.pool);
  for (let from = 0; from < steps.length; from += BATCH) {
    yield await withScope(
      pool,
      platformScope("demo history"),
      async (tx) => {
        // After a deadlock it begins anew with the same ids.
        const ids = seededIds(1_000_000 * (seed + 1) + from);
        const past: PastTrade[] = [];
        for (const step of steps.slice(from, from + BATCH)) past.push(...(await step.play(tx, past_services(services, ids, step.at_ms))));
        return past;
      },
      { deadline_ms: 60_000 },
    );
  }
}

// The product's own services, with the clock at the moment of the past. The channel is left out, whose answers are played, and so is
// who hears of money: no printer and no speaker tells of last month's payments now.
function past_services(services: Services, ids: Services["ids"], at_ms: number): Services {
  return tie({ ...services, ids, clock: { now_ms: () => at_ms }, jobs: { ...services.jobs, enqueue: async () => {} } }, []);
}
