import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { steerCampaign } from "../../../coupons/contract/index.ts";
import { changePhone } from "../../../members/server/index.ts";
import { listDraws } from "../../contract/index.ts";
import { ownLotteries } from "../own-lotteries.ts";
import { GOODS, type LotteryWorld, openLotteryWorld, PRIZE, refusal } from "../testing/lottery-world.ts";
import { drawBatch } from "./draw-batch.ts";
import { giveWin } from "./give-win.ts";

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
const asPlatform = <T>(fn: Parameters<typeof withScope<T>>[2]) => withScope(world.services.pool, platformScope("test"), fn);
const of = (id: string) => ({ service_provider_id: shop().serviceProviderId, merchant_id: shop().id, id });
const mine = (member: string) => asPlatform((tx) => ownLotteries(tx, world.services, of(member)));
const why = (promise: Promise<unknown>): Promise<string> => promise.then(() => "", refusal);
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
  test("goes to whom they were merged into, also while it was being given", async () => {
    const campaignId = await world.campaign();
    const id = await world.lottery(couponPrize(campaignId));
    const [gone, stays] = [await world.join(), await world.join()];
    await world.draw(id, gone);
    const [win] = await world.owner<{ id: string }>("select id from lottery_wins");
    const given = { service_provider_id: shop().serviceProviderId, win_id: win!.id };
    const giving = await asPlatform(async (tx) => {
      await sql`select 1 from coupon_stock where campaign_id = ${campaignId} for update`.execute(tx);
      const ended = giveWin.run(world.services, given).then(() => "", refusal);
      await waits();
      await world.leave(gone, stays);
      return { ended };
    });
    expect(await giving.ended).toContain("merged");
    await world.runJobs();
    expect([await coupons(gone), await coupons(stays)]).toEqual([0, 1]);
    expect(await wins(id)).toEqual([{ status: 1, reason: "" }]);
  });
});
/** Until somebody waits for a row that another holds. */
async function waits(): Promise<void> {
  for (;;) {
    const found = await world.owner(
      "select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid where not l.granted and a.datname = current_database()",
    );
    if (found.length > 0) return;
  }
}

describe("a person's draws of a day", () => {
  const change = (member: string, from: string, phone: string) =>
    asPlatform((tx) => changePhone(tx, world.services, of(member), { phone, from, by_name: "本人" }));
  const numbers = async (id: string) => {
    const seen = new Map<string, number[]>();
    for (const { person, nth } of (await world.proof(id)).all) seen.set(person, [...(seen.get(person) ?? []), nth]);
    return [...seen.values()];
  };
  test("are numbered by the phone that drew, whatever phones and members they had before", async () => {
    const id = await world.lottery({ perDay: 3, perPerson: 9 });
    const [first, second] = [world.phone(), world.phone()];
    const member = await world.join(first);
    await world.draw(id, member);
    await world.draw(id, member);
    await change(member, first, second);
    expect(await world.draw(id, member)).toMatchObject({ nth: 1 });
    // The limits count the human.
    expect(await why(world.draw(id, member))).toBe("今天的次数用完了，明天再来");
    expect(await numbers(id)).toEqual([[1, 2], [1]]);
    await world.runJobs();
  });
  test("stay without a hole where members are merged, and nobody else's draw fails for it", async () => {
    const id = await world.lottery({ perDay: 5, perPerson: 9 });
    const [gone, stays, other] = [await world.join(), await world.join(), await world.join()];
    await world.draw(id, gone);
    await world.draw(id, stays);
    await world.leave(gone, stays);
    const told = await asPlatform((tx) =>
      drawBatch(
        tx,
        world.services,
        of(id),
        [stays, other, stays].map((member_id) => ({ member_id, nonce: randomUUID() })),
      ),
    );
    expect(told.every((one) => "draw_no" in one)).toBe(true);
    const all = await numbers(id);
    expect(all.flat()).toHaveLength(5);
    for (const own of all) expect(own).toEqual(own.map((_nth, at) => at + 1));
    await world.runJobs();
  });
  test("left on their page are those that a draw lets them", async () => {
    const id = await world.lottery({ perDay: 2, perPerson: 9 });
    const [first, second] = [world.phone(), world.phone()];
    const before = await world.join(first);
    await world.draw(id, before);
    await world.draw(id, before);
    await change(before, first, second);
    // Whoever has that phone now is the same person of this lottery.
    const after = await world.join(first);
    expect((await mine(after))[0]).toMatchObject({ left: 0, why: "今天的次数用完了，明天再来" });
    expect(await why(world.draw(id, after))).toBe("今天的次数用完了，明天再来");
    await world.runJobs();
  });
});

test("goods that wait to be fetched stay on the page, however much was won since", { timeout: 120_000 }, async () => {
  const member = await world.join();
  const goods = await world.lottery({ prizes: [GOODS] });
  await world.draw(goods, member);
  world.services.clock.advance(1_000);
  const many = await world.lottery({ prizes: [{ ...PRIZE, stock: 300 }], perDay: 20, perPerson: 300 });
  for (let n = 0; n < 20; n++) await world.draw(many, member);
  for (let n = 0; n < 20; n++) await world.lottery();
  // Of one draw as many wins as would be of years.
  await world.spoil(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`insert into lottery_wins select (jsonb_populate_record(w, jsonb_build_object('id', gen_random_uuid(), 'draw_no', 1000 + n))).*
      from lottery_wins w, generate_series(1, 250) n where w.lottery_id = ${many} and w.draw_no = 1`.execute(tx);
    const shown = await ownLotteries(tx, world.services, of(member));
    expect(shown[0]).toMatchObject({ lotteryId: goods, wins: [{ goods: true, code: expect.stringMatching(/^\d{10}$/) }] });
    expect(shown).toHaveLength(20);
  });
  await world.runJobs();
});
