import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import {
  addActivity,
  decideActivity,
  getActivity,
  getActivityCodes,
  priceActivity,
  steerActivity,
} from "@zhangfang/domains/activities/contract/index.ts";
import { openScan } from "@zhangfang/domains/activities/server/index.ts";
import { addLottery, decideLottery, getLottery, priceLottery, steerLottery } from "@zhangfang/domains/lottery/contract/index.ts";
import { drawAsMember } from "@zhangfang/domains/lottery/server/index.ts";
import { getMemberThings } from "@zhangfang/domains/members/contract/index.ts";
import { members as memberRoom } from "@zhangfang/domains/members/server/index.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { FAMILY, type Gifts, type MarketingRun, type MarketingSteps, NOTHING } from "./marketing-op.ts";
import type { MarketingWorld } from "./marketing-world.ts";
import { merge, pairOf, sendCodes } from "./merging.ts";

/** A coupon of 7.77 at most, 50 points that are 0.50, and 1.00: for each of four, once a day. */
const PLACES = 4;
const GIFT = { points: 50, giftCents: 100 };
const COUPON_CENTS = 777;
const PLACE_CENTS = COUPON_CENTS + 50 + 100;
/** What one of each is worth, how many there are, and how likely; one draw in ten hits nothing. */
const PRIZES = [
  { name: "券", kind: "coupon", amount: 1, chance: 300_000, stock: 2, cost: COUPON_CENTS },
  { name: "积分", kind: "points", amount: 120, chance: 300_000, stock: 3, cost: 120 },
  { name: "余额", kind: "balance", amount: 333, chance: 200_000, stock: 2, cost: 333 },
  { name: "杯子", kind: "goods", amount: 1, chance: 100_000, stock: 1, cost: 3_000 },
] as const;
const [PER_DAY, PER_PERSON] = [3, 7];
export const GIFT_LOOKS = [
  "look-after-activity-grants",
  "end-activities",
  "look-after-lottery-wins",
  "publish-lottery-seeds",
  "expire-lottery-wins",
  "end-lotteries",
] as const;

/** What it costs at most is known, and is what is set aside, before anybody gets anything. */
export async function beginGifts(world: MarketingWorld): Promise<Gifts> {
  const { send, owner, services } = world;
  const week = { validity: { mode: 3, wait: 0, count: 7, unit: "day" }, minCents: 0, offCents: COUPON_CENTS };
  const campaignId = await world.campaign(week, { total: PLACES + PRIZES[0].stock, perPerson: 100 });
  const today = shanghaiDay(services.clock.now_ms());
  const days = { firstDay: today, lastDay: addDays(today, 13) };
  const terms = { gift: { ...GIFT, coupons: [{ campaignId, count: 1 }] }, places: PLACES, once: "day" as const };
  const priced = await send("mch01", priceActivity, { kind: "scan", ...days, terms });
  expect(priced).toMatchObject({ placeCents: PLACE_CENTS, budgetCents: PLACES * PLACE_CENTS });
  const activity = (await send("mch01", addActivity, { requestId: randomUUID(), kind: "scan", name: "到店礼", ...days, terms })).id;
  await owner("update activities set made_by = gen_random_uuid() where id = $1", [activity]);
  await send("mch01", decideActivity, { id: activity, version: 1, approve: true });
  const prizes = PRIZES.map(({ cost, ...prize }) => ({
    ...prize,
    ...(prize.kind === "coupon" && { campaignId }),
    ...(prize.kind === "goods" && { valueCents: cost }),
  }));
  const rules = { prizes, perDay: PER_DAY, perPerson: PER_PERSON, contact: "02886001234", staffListed: true };
  const most = PRIZES.reduce((sum, { cost, stock }) => sum + cost * stock, 0);
  const reckoned = await send("mch01", priceLottery, { ...days, terms: rules });
  expect(reckoned).toMatchObject({ costs: PRIZES.map(({ cost }) => cost), budgetCents: most });
  const lottery = (await send("mch01", addLottery, { requestId: randomUUID(), name: "摇一摇", ...days, terms: rules })).id;
  await owner("update lotteries set made_by = gen_random_uuid() where id = $1", [lottery]);
  await send("mch01", decideLottery, { id: lottery, version: 1, approve: true });
  const { items } = await send("mch01", getActivityCodes, { id: activity });
  return { activity, codes: items.map(({ url }) => url.split("#scan/")[1]!), lottery, scans: [], draws: [] };
}
const givenOf = ({ scans }: Gifts): number => scans.filter(({ got }) => got).length;
/** They end, and what is owed of them is given. */
export async function endGifts({ world, gifts }: MarketingRun): Promise<void> {
  for (const [ask, id] of [
    [steerActivity, gifts.activity],
    [steerLottery, gifts.lottery],
  ] as const)
    await world.send("mch01", ask, { id, act: "stop" }).catch(overAlready);
  await world.runJobs();
  const given = givenOf(gifts);
  expect(await world.send("mch01", getActivity, { id: gifts.activity })).toMatchObject({
    taken: given,
    heldCents: 0,
    spentCents: given * PLACE_CENTS,
  });
}
const overAlready = (error: unknown): void => {
  if (!(error instanceof Refusal) || error.status !== 409) throw error;
};

/** Whether it gives anything now. */
async function runs({ world }: MarketingRun, table: "activities" | "lotteries", id: string): Promise<boolean> {
  const now = new Date(world.services.clock.now_ms()).toISOString();
  const [row] = await world.owner<{ runs: boolean }>(
    `select state = 'RUNNING' and begins_at <= $2::timestamptz and ends_at > $2::timestamptz as runs from ${table} where id = $1`,
    [id, now],
  );
  return row!.runs;
}
const familyOf = async ({ world }: MarketingRun, member: string): Promise<ReadonlySet<string>> =>
  new Set((await world.owner<{ id: string }>(FAMILY, [member])).map(({ id }) => id));
/** What somebody has that these give: points less what they owe, balance on top, and coupons of that campaign in the hand of the family. */
async function has({ world }: MarketingRun, member: string, source: string) {
  const balance = await world.balance(member);
  const [coupons] = await world.owner<{ n: number }>(
    `select count(*)::int as n from coupons where source = $2 and member_id in (${FAMILY})`,
    [member, source],
  );
  return {
    points: (balance["points"] ?? 0) + (balance["points-debt"] ?? 0),
    gift: balance["gift"] ?? 0,
    coupons: coupons!.n,
  };
}
const memberRef = ({ world }: MarketingRun, id: string) => {
  const { serviceProviderId: service_provider_id, id: merchant_id } = world.tree.merchants.mch01;
  return { service_provider_id, merchant_id, id };
};
const todayOf = ({ world }: MarketingRun): string => shanghaiDay(world.services.clock.now_ms());
const thingsRoute = memberRoom.routes.find(({ endpoint }) => endpoint === getMemberThings)!;
/** The coupons that the shop sees with somebody. */
const couponsOf = async ({ world }: MarketingRun, id: string): Promise<string[]> =>
  ((await world.ask("mch01", thingsRoute, { id })) as { coupons: { no: string }[] }).coupons.map(({ no }) => no);

export const GIFT_STEPS: MarketingSteps<"merge" | "scan" | "draw" | "steer"> = {
  merge: async (run, given) => {
    const { world, members } = run;
    const [n, other] = await pairOf(world, members, given.who);
    const [from, into] = [members[n]!, members[other]!];
    await sendCodes(world, from, into);
    const coupons = [...(await couponsOf(run, from.id)), ...(await couponsOf(run, into.id))];
    await merge(world, from, into);
    expect((await couponsOf(run, into.id)).toSorted()).toEqual(coupons.toSorted());
    members[n] = await world.member();
  },
  scan: async (run, given) => {
    const { world, gifts } = run;
    const member = run.members[given.who]!.id;
    await world.runJobs();
    const [family, day] = [await familyOf(run, member), todayOf(run)];
    const known = gifts.scans.some((one) => one.day === day && family.has(one.member));
    const open = await runs(run, "activities", gifts.activity);
    const should = !open ? "over" : known ? "known" : givenOf(gifts) === PLACES ? "refused" : "owed";
    const before = await has(run, member, "activity");
    const code = gifts.codes[given.store % gifts.codes.length]!;
    const { outcome } = await world.look((tx) => openScan(tx, world.services, memberRef(run, member), { code }));
    expect(outcome).toBe(should);
    if (outcome === "owed" || outcome === "refused") gifts.scans.push({ member, day, got: outcome === "owed" });
    await world.runJobs();
    const by = outcome === "owed" ? 1 : 0;
    expect(await has(run, member, "activity")).toEqual({
      points: before.points + by * GIFT.points,
      gift: before.gift + by * GIFT.giftCents,
      coupons: before.coupons + by,
    });
    return outcome === "owed" ? undefined : NOTHING;
  },
  draw: async (run, given) => {
    const { world, gifts } = run;
    const member = run.members[given.who]!.id;
    await world.runJobs();
    const [family, day] = [await familyOf(run, member), todayOf(run)];
    const own = gifts.draws.filter((one) => family.has(one.member));
    const before = await has(run, member, "lottery");
    const last = gifts.draws.at(-1);
    if (given.again && last?.member === member) {
      expect(await drawAsMember(world.services, memberRef(run, member), { lottery_id: gifts.lottery, nonce: last.nonce })).toEqual(
        last.outcome,
      );
      await world.runJobs();
      expect(await has(run, member, "lottery")).toEqual(before);
      return NOTHING;
    }
    const open = await runs(run, "lotteries", gifts.lottery);
    const may = open && own.length < PER_PERSON && own.filter((one) => one.day === day).length < PER_DAY;
    const nonce = randomUUID();
    const outcome = await drawAsMember(world.services, memberRef(run, member), { lottery_id: gifts.lottery, nonce }).catch(
      (error: unknown) => {
        overAlready(error);
        return undefined;
      },
    );
    expect(outcome !== undefined).toBe(may);
    if (!outcome) return NOTHING;
    const { hit, prize, draw_no } = outcome;
    const left = hit === 0 ? 0 : PRIZES[hit - 1]!.stock - gifts.draws.filter((one) => one.outcome.prize === hit).length;
    expect([draw_no, prize]).toEqual([gifts.draws.length + 1, left > 0 ? hit : 0]);
    gifts.draws.push({ member, day, nonce, outcome });
    await world.runJobs();
    const won = PRIZES[prize - 1];
    const gets = (kind: (typeof PRIZES)[number]["kind"]): number => (won?.kind === kind ? won.amount : 0);
    expect(await has(run, member, "lottery")).toEqual({
      points: before.points + gets("points"),
      gift: before.gift + gets("balance"),
      coupons: before.coupons + gets("coupon"),
    });
    const wins = gifts.draws.flatMap((one) => PRIZES[one.outcome.prize - 1] ?? []);
    const spent = wins.reduce((sum, { kind, cost }) => sum + (kind === "goods" ? 0 : cost), 0);
    expect((await world.send("mch01", getLottery, { id: gifts.lottery })).spentCents).toBe(spent);
    return undefined;
  },
  steer: ({ world, gifts }, { what, act }) =>
    what === "activity"
      ? world.send("mch01", steerActivity, { id: gifts.activity, act })
      : world.send("mch01", steerLottery, { id: gifts.lottery, act }),
};
