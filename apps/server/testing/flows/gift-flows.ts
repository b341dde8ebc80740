import { randomUUID } from "node:crypto";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { steerActivity } from "@zhangfang/domains/activities/contract/index.ts";
import { type ActivityWorld, openActivityWorld } from "@zhangfang/domains/activities/server/testing/activity-world.ts";
import { GOODS, type LotteryWorld, openLotteryWorld, PRIZE } from "@zhangfang/domains/lottery/server/testing/lottery-world.ts";
import { sweepOf, type Sweep } from "./flow.ts";

/** Activities, with every book that they give from held against the others after each end. */
export async function openGrantFlows(): Promise<ActivityWorld> {
  const world = await openActivityWorld();
  return { ...world, verify: world.breaches as ActivityWorld["verify"] };
}
/** The lottery, likewise. */
export async function openDrawFlows(): Promise<LotteryWorld> {
  const world = await openLotteryWorld();
  return { ...world, verify: world.breaches as LotteryWorld["verify"] };
}

interface Joining {
  readonly activity: string;
  readonly phone: string;
}
/** Who joins is given points and a coupon, once. */
export function grantFlows(world: ActivityWorld): readonly Sweep[] {
  return [
    sweepOf<Joining>({
      name: "a new member is given points and a coupon",
      least: 5,
      prepare: async () => {
        // Who joined in the run before did so earlier; one activity at a time.
        world.services.clock.advance(7_200_000);
        await world.runJobs();
        for (const { id } of await world.owner<{ id: string }>("select id from activities where state = 'RUNNING'"))
          await world.call("mch01", steerActivity, { id, act: "stop" });
        const campaignId = await world.campaign(30);
        const gift = { points: 100, coupons: [{ campaignId, count: 1 }] };
        return { activity: await world.activity({ gift, places: 3 }), phone: world.phone() };
      },
      // The same phone again is the same member.
      ask: ({ phone }) => world.join({ phone, run: false }),
      go: async () => {
        for (let round = 0; round < 4; round++) {
          await world.runJobs();
          world.services.clock.advance(10 * 60_000);
          await world.sweep("look-after-activity-grants", "look-after-new-members");
        }
      },
      outcome: async ({ activity, phone: _phone }) => ({
        grants: (await world.grants(activity)).map(({ status, why }) => [status, why]),
        budget: await world.owner("select taken, held_cents, spent_cents from activity_budgets where activity_id = $1", [activity]),
        stock: await world.owner("select each, held from activity_stock where activity_id = $1", [activity]),
        coupons: await world.owner(
          "select c.state, c.source from coupons c join activity_grants g on g.member_id = c.member_id where g.activity_id = $1",
          [activity],
        ),
        points: await world.owner(
          "select a.balance from value_accounts a join activity_grants g on g.member_id = a.owner_id where g.activity_id = $1 and a.kind = 'points'",
          [activity],
        ),
      }),
    }),
  ];
}

interface Drawing {
  readonly lottery: string;
  readonly member: string;
  readonly nonce: string;
}
/** Draws whose prizes are given, and the seed of a day that is over. */
export function drawFlows(world: LotteryWorld): readonly Sweep[] {
  const prepare = (prize: object) => async (): Promise<Drawing> => {
    world.services.clock.advance(1_000);
    return { lottery: await world.lottery({ prizes: [prize] }), member: await world.join(), nonce: randomUUID() };
  };
  const draw = ({ lottery, member, nonce }: Drawing) => world.draw(lottery, member, nonce);
  const go = async () => {
    for (let round = 0; round < 3; round++) {
      await world.runJobs();
      world.services.clock.advance(10 * 60_000);
      await world.sweep("look-after-lottery-wins");
    }
  };
  const outcome = async ({ lottery, member }: Drawing) => {
    const { seeds, all } = await world.proof(lottery);
    return {
      seeds: seeds.length,
      draws: all.map(({ no, prizeName }: { no: number; prizeName?: string | null }) => [no, prizeName]),
      wins: await world.owner("select status from lottery_wins where lottery_id = $1", [lottery]),
      counts: await world.owner("select draws from lottery_counts where lottery_id = $1", [lottery]),
      coupons: await world.owner("select state, source from coupons where member_id = $1", [member]),
      points: await world.owner("select balance from value_accounts where owner_id = $1 and kind = 'points'", [member]),
    };
  };
  /** A lottery of one day that is over; of those before it nothing is left to be published. */
  const drawn = async (): Promise<Drawing> => {
    world.services.clock.advance(5 * 24 * 3_600_000);
    await world.sweep("publish-lottery-seeds");
    const today = shanghaiDay(world.services.clock.now_ms());
    const run = { lottery: await world.lottery({}, { lastDay: today }), member: await world.join(), nonce: randomUUID() };
    await draw(run);
    await world.runJobs();
    world.services.clock.advance(24 * 3_600_000);
    return run;
  };
  return [
    sweepOf<Drawing>({ name: "points are drawn", least: 5, prepare: prepare(PRIZE), ask: draw, go, outcome }),
    sweepOf<Drawing>({
      name: "a coupon is drawn",
      least: 5,
      prepare: async () => {
        const campaignId = await world.campaign();
        return prepare({ name: "满减券", kind: "coupon", amount: 1, campaignId, chance: 1_000_000, stock: 3 })();
      },
      ask: draw,
      go,
      outcome,
    }),
    sweepOf<Drawing>({ name: "goods are drawn", least: 2, prepare: prepare(GOODS), ask: draw, go, outcome }),
    sweepOf<Drawing>({
      name: "the seed of a day that is over is published",
      least: 2,
      prepare: drawn,
      ask: () => world.sweep("publish-lottery-seeds"),
      go: async () => {},
      outcome,
    }),
  ];
}
