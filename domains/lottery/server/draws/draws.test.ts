import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { steerCampaign } from "../../../coupons/contract/index.ts";
import { listDraws } from "../../contract/index.ts";
import { type LotteryWorld, openLotteryWorld } from "../testing/lottery-world.ts";

let world: LotteryWorld;
beforeAll(async () => void (world = await openLotteryWorld()));
beforeEach(async () => {
  await world.clean();
  const now_ms = world.services.clock.now_ms();
  world.services.clock.advance(Date.parse(dayStart(addDays(shanghaiDay(now_ms), 1))) + 12 * 3_600_000 - now_ms);
});
afterEach(async () => expect(await world.breaches()).toEqual([]));
afterAll(() => world.close());

const shop = () => world.tree.merchants.mch01;
const coupons = async (member: string) =>
  (await world.owner("select 1 from coupons where member_id = $1 and source = 'lottery'", [member])).length;
const wins = async (lotteryId: string) =>
  (await world.call("mch01", listDraws, { lotteryId })).items.map(({ status, reason }) => ({ status, reason }));
const couponPrize = (campaignId: string, stock = 2) => ({
  prizes: [{ name: "券", kind: "coupon", campaignId, amount: 1, chance: 1_000_000, stock }],
});

describe("a coupon that was won", () => {
  const pause = (campaignId: string) => world.call("mch01", steerCampaign, { id: campaignId, act: "pause" });
  const stop = (campaignId: string) => world.call("mch01", steerCampaign, { id: campaignId, act: "stop" });
  const end = (campaignId: string) => {
    world.services.clock.advance(50);
    const now = new Date(world.services.clock.now_ms()).toISOString();
    return world.owner("update coupon_campaigns set ends_at = $2 where id = $1", [campaignId, now]);
  };
  const freeze = (_campaign: string, member: string) => world.owner("update members set status = 2 where id = $1", [member]);
  const nothing = async () => {};
  const cases: readonly (readonly [string, object, (campaign: string, member: string) => Promise<unknown>])[] = [
    ["its campaign is paused", {}, pause],
    ["its campaign is stopped", {}, stop],
    ["its campaign ends right after the draw", {}, end],
    ["it is for a tag that they don't have", { memberTags: ["老客"] }, nothing],
    ["it is for a level that they don't have", { levels: [3] }, nothing],
    ["they are frozen", {}, freeze],
  ];
  test.each(cases)("is given though %s", async (_what, terms, then) => {
    const campaignId = await world.campaign(10, terms);
    const id = await world.lottery(couponPrize(campaignId));
    const member = await world.join();
    await world.draw(id, member);
    await then(campaignId, member);
    await world.runJobs();
    expect(await wins(id)).toEqual([{ status: 1, reason: "" }]);
    const [{ ahead }] = (await world.owner<{ ahead: boolean }>("select valid_to > $2 as ahead from coupons where member_id = $1", [
      member,
      new Date(world.services.clock.now_ms()).toISOString(),
    ])) as [{ ahead: boolean }];
    expect(ahead).toBe(true);
  });
  test("is given though it is for new customers and they ordered meanwhile", async () => {
    const campaignId = await world.campaign(10, { newOnly: true });
    const id = await world.lottery(couponPrize(campaignId));
    const member = await world.join();
    await world.till(shop().stores[0]!, "createTillOrder", {
      tillNo: "N1",
      tradeType: "MICROPAY",
      authCode: "130000000000000009",
      subject: "午餐",
      grossCents: 5_000 as never,
    });
    await world.owner("update pay_orders set member_id = $1 where till_no = 'N1'", [member]);
    await world.draw(id, member);
    await world.runJobs();
    expect(await wins(id)).toEqual([{ status: 1, reason: "" }]);
  });
  test("is given past the campaign's limit of a person", async () => {
    const campaignId = await world.campaign(10, {}, { perPerson: 1 });
    const id = await world.lottery(couponPrize(campaignId, 3));
    const member = await world.join();
    for (let n = 0; n < 3; n++) await world.draw(id, member);
    await world.runJobs();
    expect(await coupons(member)).toBe(3);
  });
  test("is nobody's where they have left; it says why, and its cost is free again", async () => {
    const campaignId = await world.campaign();
    const id = await world.lottery(couponPrize(campaignId));
    const member = await world.join();
    await world.draw(id, member);
    await world.leave(member);
    await world.runJobs();
    expect(await wins(id)).toEqual([{ status: 2, reason: "会员已注销，不能领券" }]);
    expect(await world.owner("select held_cents::int as held, spent_cents::int as spent from lottery_counts")).toEqual([
      { held: 0, spent: 0 },
    ]);
  });
});
