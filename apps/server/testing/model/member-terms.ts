import { expect } from "vitest";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { MemberSteps } from "./member-op.ts";
import type { MemberWorld } from "./member-world.ts";

const DAY_MS = 86_400_000;
/** From midnight in UTC to 00:10 in Shanghai. */
const NIGHT_MS = (16 * 60 + 10) * 60_000;
const LOOKS = ["query-payments", "query-refunds", "follow-card-refunds", "follow-vip-refunds"] as const;
export async function passTime(world: MemberWorld, minutes: number): Promise<void> {
  world.services.clock.advance(minutes * 60_000);
  await world.runJobs();
  await world.sweep(...LOOKS);
  await world.runJobs();
}

const CLEARED = `select coalesce(sum(p.amount), 0)::int as points from value_postings p
  join value_accounts a on a.service_provider_id = p.service_provider_id and a.id = p.account_id where a.kind = 'points-cleared'`;
/** What must be of points this night: those whose day has come are usable, those whose last day is over are gone, and nothing else moves. */
async function expected(world: MemberWorld): Promise<{ holdings: Record<string, number>; cleared: number }> {
  const today = shanghaiDay(world.services.clock.now_ms());
  const lots = await world.owner<{ member_id: string; left: number; pending: boolean; ripe: boolean; ended: boolean }>(
    `select member_id, left_points::int as left, pending, usable_from <= $1::date as ripe, coalesce(expires_on < $1::date, false) as ended
      from point_lots where left_points > 0`,
    [today],
  );
  const holdings = { ...(await world.holdings()) };
  const move = (what: string, by: number): void => {
    const sum = (holdings[what] ?? 0) + by;
    if (sum === 0) delete holdings[what];
    else holdings[what] = sum;
  };
  let cleared = 0;
  for (const { member_id, left, pending, ripe, ended } of lots) {
    if (pending && ripe) {
      move(`${member_id} points-pending`, -left);
      move(`${member_id} points`, left);
    }
    if (!ended) continue;
    move(`${member_id} points`, -left);
    cleared += left;
  }
  const [before] = await world.owner<{ points: number }>(CLEARED);
  return { holdings, cleared: before!.points + cleared };
}
/** The jobs of 00:05 and 00:10, of which what orders hold hears nothing. */
async function passNight(world: MemberWorld): Promise<void> {
  const should = await expected(world);
  const held = await world.owner("select order_id, lot_id, points, status from point_draws order by order_id, lot_id, status");
  await world.sweep("tend-points", "end-vip-days", "follow-days");
  expect(await world.holdings()).toEqual(should.holdings);
  expect((await world.owner<{ points: number }>(CLEARED))[0]!.points).toBe(should.cleared);
  expect(await world.owner("select order_id, lot_id, points, status from point_draws order by order_id, lot_id, status")).toEqual(held);
}
/** After the last night nothing is left of what has ended. */
export async function lastNight(world: MemberWorld): Promise<void> {
  await passNight(world);
  const today = shanghaiDay(world.services.clock.now_ms());
  expect(await world.owner("select id from point_lots where left_points > 0 and expires_on < $1::date", [today])).toEqual([]);
}

export const TERM_STEPS: MemberSteps<"terms" | "point rule"> = {
  terms: async ({ world }, { days, look }) => {
    const now_ms = world.services.clock.now_ms();
    const night_ms = (Math.floor((now_ms - NIGHT_MS) / DAY_MS) + 1) * DAY_MS + NIGHT_MS;
    world.services.clock.advance(night_ms + days * DAY_MS - now_ms);
    await passNight(world);
    if (look) await passTime(world, 1);
  },
  "point rule": ({ world }, { pending, months }) => world.pointRule(pending, months),
};
