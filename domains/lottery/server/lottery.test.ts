import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { merchantScope, parseScope, platformScope } from "@zhangfang/server/database/scope.ts";
import { hashPassword } from "../../accounts/server/index.ts";
import { askBetter, couponTerms, decideBetter, getCampaign, steerCampaign } from "../../coupons/contract/index.ts";
import {
  addLottery,
  addLotteryStaff,
  decideLottery,
  findWin,
  getLotteryProof,
  handOverWin,
  listDraws,
  listLotteries,
  listLotteryStaff,
  priceLottery,
  raiseLotteryStock,
  removeLotteryStaff,
  steerLottery,
  summariseLotteries,
  updateLottery,
  withdrawLottery,
} from "../contract/index.ts";
import { readChain } from "./draws/chain.ts";
import { drawBatch } from "./draws/draw-batch.ts";
import { giveWin } from "./draws/give-win.ts";
import { expireWins } from "./draws/hand-over.ts";
import { ownLotteries } from "./own-lotteries.ts";
import { hashOf, rollOf } from "./rules/draw-rules.ts";
import { GOODS, type LotteryWorld, openLotteryWorld, PRIZE, refusal } from "./testing/lottery-world.ts";
import { verifyLottery } from "./verify-lottery.ts";

let world: LotteryWorld;
beforeAll(async () => void (world = await openLotteryWorld()));
beforeEach(async () => {
  await world.clean();
  // The middle of a Shanghai day, so that the next step is of the same one.
  const now_ms = world.services.clock.now_ms();
  world.services.clock.advance(Date.parse(dayStart(addDays(shanghaiDay(now_ms), 1))) + 12 * 3_600_000 - now_ms);
});
afterEach(async () => expect(await world.breaches()).toEqual([]));
afterAll(() => world.close());

const shop = () => world.tree.merchants.mch01;
const ref = (id: string) => ({ service_provider_id: shop().serviceProviderId, id });
const asPlatform = <T>(fn: Parameters<typeof withScope<T>>[2]) => withScope(world.services.pool, platformScope("test"), fn);
const count = async (id: string) =>
  (
    await world.owner<{ draws: number; held: number; spent: number; budget: number }>(
      "select draws::int, held_cents::int as held, spent_cents::int as spent, budget_cents::float8 as budget from lottery_counts where lottery_id = $1",
      [id],
    )
  )[0];
const stock = async (campaign: string) =>
  (
    await world.owner<{ issued: number; held: number }>(
      "select issued::int as issued, held::int as held from coupon_stock where campaign_id = $1",
      [campaign],
    )
  )[0];
const ask = (member: string) => ({ service_provider_id: shop().serviceProviderId, merchant_id: shop().id, id: member });
const mine = (member: string) => asPlatform((tx) => ownLotteries(tx, world.services, ask(member)));
const why = (promise: Promise<unknown>): Promise<string> => promise.then(() => "", refusal);
test("a coupon that is a prize gets no better terms while the lottery runs, nor between its rules and their approval", async () => {
  const campaign = await world.campaign();
  const better = async (offCents: number) => {
    const { terms, version } = await world.call("mch01", getCampaign, { id: campaign });
    return world.call("mch01", askBetter, { id: campaign, version, terms: couponTerms.parse({ ...terms, offCents }) });
  };
  const prizes = [{ ...PRIZE, kind: "coupon", name: "满减券", amount: 1, campaignId: campaign }];
  const { id: early } = await world.call("mch01", addLottery, world.facts({ prizes }));
  await world.owner("update lotteries set made_by = gen_random_uuid() where id = $1", [early]);
  const { n } = await better(3_000);
  await world.owner("update coupon_betterments set asked_by = gen_random_uuid()");
  await world.call("mch01", decideBetter, { id: campaign, n, approve: true });
  await expect(world.call("mch01", decideLottery, { id: early, version: 1, approve: true })).rejects.toMatchObject({
    code: "coupon.changed",
  });
  await world.lottery({ prizes });
  await expect(better(5_000)).rejects.toMatchObject({ status: 409, message: expect.stringContaining("还在送这张券") });
});

/** The next noon, and the seeds of days that are over. */
async function nextDay(): Promise<void> {
  world.services.clock.advance(86_400_000);
  await world.sweep("publish-lottery-seeds");
}

describe("a lottery", () => {
  test("waits for another than who made it, and is approved as it was read", async () => {
    const { id } = await world.call("mch01", addLottery, world.facts());
    await expect(world.call("mch01", decideLottery, { id, version: 1, approve: true })).rejects.toMatchObject({ code: "second-person" });
    await expect(world.call("mch01", decideLottery, { id, version: 1, approve: false })).rejects.toMatchObject({ code: "second-person" });
    await expect(world.call("mch02", decideLottery, { id, version: 1, approve: true })).rejects.toMatchObject({ status: 404 });
    await expect(world.call("mch01", getLotteryProof, { lottery: id })).rejects.toMatchObject({ status: 404 });
    const { requestId: _request, ...facts } = world.facts({ prizes: [{ ...PRIZE, stock: 5 }] });
    await world.call("mch01", updateLottery, { id, version: 1, ...facts });
    await world.owner("update lotteries set made_by = gen_random_uuid() where id = $1", [id]);
    await expect(world.call("mch01", updateLottery, { id, version: 2, ...facts })).rejects.toMatchObject({ status: 403 });
    await expect(world.call("mch01", withdrawLottery, { id })).rejects.toMatchObject({ status: 403 });
    await expect(world.call("mch01", decideLottery, { id, version: 1, approve: true })).rejects.toMatchObject({ status: 409 });
    expect(await world.one(id)).toMatchObject({ state: "UNAUDIT", mayDecide: true, version: 2, budgetCents: 500, seed0: null });
    await world.call("mch01", decideLottery, { id, version: 2, approve: true });
    await expect(world.call("mch01", decideLottery, { id, version: 2, approve: true })).rejects.toMatchObject({ status: 409 });
    await expect(world.call("mch01", updateLottery, { id, version: 2, ...facts })).rejects.toThrow();
    expect(await world.call("mch01", summariseLotteries, {})).toMatchObject({ count: 1, byState: { RUNNING: 1 } });
    expect((await world.call("mch02", listLotteries, {})).items).toEqual([]);
  });
  test("of up to 1,000.00 its merchant's root runs alone, with the refund password, and adds alone up to there", async () => {
    const goods = (pieces: number) => ({ prizes: [{ ...GOODS, valueCents: 10_000, stock: pieces }] });
    const small = await world.call("mch01", addLottery, world.facts(goods(9)));
    const large = await world.call("mch01", addLottery, world.facts(goods(11)));
    const decide = (id: string, refundPassword?: string) =>
      world.call("mch01", decideLottery, { id, version: 1, approve: true, ...(refundPassword !== undefined && { refundPassword }) });
    await world.owner(
      "insert into merchant_settings (service_provider_id, merchant_id, refund_password_hash, updated_at) values ($1, $2, $3, now())",
      [shop().serviceProviderId, shop().id, await hashPassword("135790")],
    );
    await expect(decide(small.id)).rejects.toMatchObject({ fields: { refundPassword: "请输入退款密码" } });
    await expect(decide(large.id, "135790")).rejects.toMatchObject({ code: "second-person" });
    await decide(small.id, "135790");
    const add = (pieces: number, seen = 9) =>
      world.call("mch01", raiseLotteryStock, { id: small.id, place: 1, seen, stock: pieces, refundPassword: "135790" });
    await expect(add(11)).rejects.toMatchObject({ code: "second-person" });
    await expect(add(9)).rejects.toMatchObject({ fields: { stock: expect.any(String) } });
    await add(10);
    await expect(add(10)).rejects.toMatchObject({ status: 409 });
    await world.call("mch01", withdrawLottery, { id: large.id });
  });
  test("is refused where it can't be, at the field, and by the law", async () => {
    const campaignId = await world.campaign();
    const bad = (terms: object, more: object = {}) => world.call("mch01", addLottery, world.facts(terms, more));
    const coupon = { name: "券", kind: "coupon", amount: 1, chance: 1_000, stock: 5 };
    await expect(bad({}, { firstDay: "2020-01-01" })).rejects.toMatchObject({ fields: { firstDay: expect.any(String) } });
    await expect(bad({}, { lastDay: addDays(shanghaiDay(world.services.clock.now_ms()), 200) })).rejects.toMatchObject({
      fields: { lastDay: expect.any(String) },
    });
    await expect(bad({ staffListed: false })).rejects.toMatchObject({ fields: { "terms.staffListed": expect.any(String) } });
    await expect(bad({ contact: "" })).rejects.toMatchObject({ fields: { "terms.contact": expect.any(String) } });
    await expect(bad({ prizes: [{ ...GOODS, valueCents: 5_000_001 }] })).rejects.toMatchObject({ status: 400 });
    await expect(bad({ storeIds: [world.tree.merchants.mch02.stores[0]!.id] })).rejects.toMatchObject({ status: 404 });
    await expect(bad({ prizes: [{ ...coupon, campaignId: randomUUID() }] })).rejects.toMatchObject({ status: 404 });
    await world.call("mch01", steerCampaign, { id: campaignId, act: "pause" });
    await expect(bad({ prizes: [{ ...coupon, campaignId }] })).rejects.toMatchObject({
      fields: { "terms.prizes.0.campaignId": expect.any(String) },
    });
    expect((await world.call("mch01", listLotteries, {})).items).toEqual([]);
  });
  test("isn't approved once its first day is over, and is once its days are changed", async () => {
    const { id } = await world.call("mch01", addLottery, world.facts());
    world.services.clock.advance(86_400_000);
    const { requestId: _request, ...facts } = world.facts();
    const decide = (version: number) =>
      world
        .owner("update lotteries set made_by = gen_random_uuid() where id = $1", [id])
        .then(() => world.call("mch01", decideLottery, { id, version, approve: true }));
    const [{ made_by }] = (await world.owner<{ made_by: string }>("select made_by from lotteries where id = $1", [id])) as [
      { made_by: string },
    ];
    expect(await why(decide(1))).toBe("开始日已过，请修改日期");
    expect(await world.one(id)).toMatchObject({ state: "UNAUDIT", seed0: null });
    await world.owner("update lotteries set made_by = $2 where id = $1", [id, made_by]);
    await world.call("mch01", updateLottery, { id, version: 1, ...facts });
    await decide(2);
    expect(await world.one(id)).toMatchObject({ state: "RUNNING" });
  });
  test("costs no more with what is added than it may at all", async () => {
    const id = await world.lottery({ prizes: [{ ...GOODS, valueCents: 5_000_000, stock: 1_799 }] });
    const add = (seen: number, pieces: number) => world.call("mch01", raiseLotteryStock, { id, place: 1, seen, stock: pieces });
    await expect(add(1_799, 1_801)).rejects.toMatchObject({ fields: { stock: expect.stringContaining("90,000,000.00") } });
    await add(1_799, 1_800);
    expect(await count(id)).toMatchObject({ budget: 9_000_000_000 });
  });
  test("says what it may cost, and the law's ticks, before it is sent", async () => {
    const campaignId = await world.campaign();
    const coupon = { name: "券", kind: "coupon", campaignId, amount: 1, chance: 80_000, stock: 10 };
    const {
      name: _name,
      requestId: _request,
      ...facts
    } = world.facts({
      prizes: [{ ...GOODS, chance: 1_000 }, coupon, { ...PRIZE, chance: 10 }],
      staffListed: false,
    });
    const priced = await world.call("mch01", priceLottery, facts);
    expect(priced).toMatchObject({ costs: [6_800, 2_000, 100], budgetCents: 33_900 });
    expect(priced.law.filter(({ ok }) => !ok).map(({ field }) => field)).toEqual(["terms.staffListed"]);
  });
  test("sets its coupons aside when it is approved, and frees what nobody drew when it ends", async () => {
    const campaignId = await world.campaign(10);
    const coupon = (pieces: number) => ({
      prizes: [{ name: "券", kind: "coupon", campaignId, amount: 1, chance: 1_000_000, stock: pieces }],
    });
    const id = await world.lottery(coupon(6));
    expect(await stock(campaignId)).toEqual({ issued: 0, held: 6 });
    await expect(world.lottery(coupon(5))).rejects.toMatchObject({ code: "coupon.gone" });
    await world.call("mch01", raiseLotteryStock, { id, place: 1, seen: 6, stock: 8 });
    expect(await stock(campaignId)).toEqual({ issued: 0, held: 8 });
    await world.draw(id, await world.join());
    await world.call("mch01", steerLottery, { id, act: "stop" });
    expect(await stock(campaignId)).toEqual({ issued: 0, held: 1 });
    await world.runJobs();
    expect(await stock(campaignId)).toEqual({ issued: 1, held: 0 });
    await world.call("mch01", withdrawLottery, { id }).catch(() => {});
  });
  test("past its end is over by itself", async () => {
    const id = await world.lottery();
    const member = await world.join();
    world.services.clock.advance(3 * 86_400_000);
    expect(await why(world.draw(id, member))).toBe("活动已结束");
    await world.sweep("end-lotteries");
    expect(await world.one(id)).toMatchObject({ state: "STOPED", draws: 0 });
  });
});

describe("a draw", () => {
  test("gives what it won: a coupon, points, balance; goods wait for the store", async () => {
    const campaignId = await world.campaign();
    const member = await world.join();
    for (const [prize, cents] of [
      [{ name: "券", kind: "coupon", campaignId, amount: 1, chance: 1_000_000, stock: 2 }, 2_000],
      [PRIZE, 100],
      [{ name: "余额", kind: "balance", amount: 500, chance: 1_000_000, stock: 1 }, 500],
    ] as const) {
      const id = await world.lottery({ prizes: [prize] });
      expect(await world.draw(id, member)).toMatchObject({ draw_no: 1, nth: 1, hit: 1, prize: 1 });
      expect(await count(id)).toMatchObject({ held: cents, spent: 0 });
      await world.runJobs();
      expect(await count(id)).toMatchObject({ held: 0, spent: cents });
      expect((await world.call("mch01", listDraws, { lotteryId: id })).items).toMatchObject([{ drawNo: 1, what: "won", status: 1 }]);
    }
    expect(await stock(campaignId)).toEqual({ issued: 1, held: 0 + 1 });
    expect((await mine(member)).flatMap(({ wins }) => wins.map(({ said }) => said))).toEqual(["已发", "已发", "已发"]);
  });
  test("that is asked once more is the same draw, and somebody else's nonce is refused", async () => {
    const id = await world.lottery();
    const [a, b] = [await world.join(), await world.join()];
    const nonce = randomUUID();
    const first = await world.draw(id, a, nonce);
    const again = await Promise.all([world.draw(id, a, nonce), world.draw(id, a, nonce.toUpperCase()), world.draw(id, a, nonce)]);
    expect(again).toEqual([first, first, first]);
    expect(await why(world.draw(id, b, nonce))).toBe("请再摇一次");
    expect(await count(id)).toMatchObject({ draws: 1 });
    await world.runJobs();
    // The job once more gives nothing twice.
    const [win] = await world.owner<{ id: string }>("select id from lottery_wins where lottery_id = $1", [id]);
    await giveWin.run(world.services, { service_provider_id: shop().serviceProviderId, win_id: win!.id });
    expect(await count(id)).toMatchObject({ held: 0, spent: 100 });
  });
  test("has its limits by day and in all, and a new day begins at midnight in Shanghai", async () => {
    const id = await world.lottery({ perDay: 2, perPerson: 5 });
    const member = await world.join();
    const draws = async (n: number) => {
      const told: string[] = [];
      for (let at = 0; at < n; at++) told.push(await why(world.draw(id, member)));
      return told;
    };
    const noon = world.services.clock.now_ms();
    const midnight = Date.parse(dayStart(addDays(shanghaiDay(noon), 1)));
    world.services.clock.advance(midnight - 1 - noon);
    expect(await draws(3)).toEqual(["", "", "今天的次数用完了，明天再来"]);
    world.services.clock.advance(1);
    expect(await draws(3)).toEqual(["", "", "今天的次数用完了，明天再来"]);
    world.services.clock.advance(86_400_000);
    expect(await draws(2)).toEqual(["", "你的次数用完了"]);
    expect((await world.proof(id)).all.map(({ nth }) => nth)).toEqual([1, 2, 1, 2, 1]);
  });
  test("is refused while it is paused, before it begins, by who is no member of it, and by its staff", async () => {
    const tomorrow = addDays(shanghaiDay(world.services.clock.now_ms()), 1);
    const early = await world.lottery({}, { firstDay: tomorrow });
    const id = await world.lottery();
    const phone = world.phone();
    const member = await world.join(phone);
    expect(await why(world.draw(early, member))).toBe("活动还没开始");
    await world.call("mch01", steerLottery, { id, act: "pause" });
    expect(await why(world.draw(id, member))).toBe("活动暂停了，请稍后再来");
    await world.call("mch01", steerLottery, { id, act: "resume" });
    const staff = await world.call("mch01", addLotteryStaff, { name: "小周", phone });
    await expect(world.call("mch01", addLotteryStaff, { name: "小周", phone })).rejects.toMatchObject({
      fields: { phone: "这个手机号已在名单里" },
    });
    expect(await world.call("mch01", listLotteryStaff, {})).toMatchObject({ items: [{ name: "小周", phoneTail: phone.slice(-4) }] });
    expect(await why(world.draw(id, member))).toBe("主办方员工不能参加");
    await expect(world.call("mch02", removeLotteryStaff, { id: staff.id })).rejects.toMatchObject({ status: 404 });
    await world.call("mch01", removeLotteryStaff, { id: staff.id });
    await expect(world.call("mch01", removeLotteryStaff, { id: staff.id })).rejects.toMatchObject({ status: 404 });
    expect(await why(world.draw(id, member))).toBe("");
    // What stays of it: who was on the list, from when until when, and both acts with the person.
    expect(await world.call("mch01", listLotteryStaff, {})).toEqual({ items: [] });
    const { requestId: _request, name: _name, ...priced } = world.facts();
    expect(await world.call("mch01", priceLottery, priced)).toMatchObject({ staff: 0 });
    const kept = await world.owner("select name, removed_at > at as over from lottery_staff where id = $1", [staff.id]);
    expect(kept).toMatchObject([{ name: "小周" }]);
    const acts = await world.owner<{ detail: object }>("select detail from audit_log where target_id = $1 order by id", [staff.id]);
    for (const act of [acts[0], acts.at(-1)]) expect(JSON.stringify(act)).toContain(`*******${phone.slice(-4)}`);
    expect(JSON.stringify(acts)).not.toContain(phone);
    await world.call("mch01", addLotteryStaff, { name: "小周", phone });
    expect(await why(world.draw(id, member))).toBe("主办方员工不能参加");
    expect(await why(world.draw(id, randomUUID()))).toContain("不存在");
    await world.call("mch01", steerLottery, { id, act: "stop" });
    expect(await why(world.draw(id, member))).toBe("活动已结束");
    await world.runJobs();
  });
  test("after the last piece falls to nobody and says so, and more pieces count from then on", async () => {
    const id = await world.lottery({ prizes: [{ ...PRIZE, stock: 1 }] });
    const member = await world.join();
    expect(await world.draw(id, member)).toMatchObject({ hit: 1, prize: 1 });
    expect(await world.draw(id, member)).toMatchObject({ hit: 1, prize: 0 });
    await world.call("mch01", raiseLotteryStock, { id, place: 1, seen: 1, stock: 2 });
    expect(await world.draw(id, member)).toMatchObject({ hit: 1, prize: 1 });
    await world.runJobs();
    expect((await world.call("mch01", listDraws, { lotteryId: id, what: "gone" })).items).toMatchObject([{ drawNo: 2, prize: "积分奖" }]);
    expect(await world.proof(id)).toMatchObject({ raises: [{ place: 1, from: 1, to: 2, afterNo: 2 }], draws: 3 });
    expect(await count(id)).toEqual({ draws: 3, held: 0, spent: 200, budget: 200 });
  });
  test("for the last piece goes to one of two hundred", { timeout: 120_000 }, async () => {
    const id = await world.lottery({ prizes: [{ ...PRIZE, stock: 1 }] });
    const people: string[] = [];
    for (let n = 0; n < 200; n++) people.push(await world.join());
    // Half of them in one process, gathered; half each for itself, as other processes would.
    const outcomes = await Promise.all(
      people.map((member, n) =>
        n % 2 === 0
          ? world.draw(id, member)
          : asPlatform((tx) => drawBatch(tx, world.services, ref(id), [{ member_id: member, nonce: randomUUID() }])).then(([one]) => one),
      ),
    );
    expect(outcomes.filter((one) => "prize" in one! && one.prize === 1)).toHaveLength(1);
    expect(await count(id)).toMatchObject({ draws: 200, held: 100 });
    await world.runJobs();
    expect(await world.one(id)).toMatchObject({ people: 200, wins: 1, prizes: [{ stock: 1, drawn: 1, given: 1 }] });
  });
  test("whose writing fails leaves no trace, and is made anew", async () => {
    const id = await world.lottery();
    const member = await world.join();
    const nonce = randomUUID();
    const failing = asPlatform(async (tx) => {
      await drawBatch(tx, world.services, ref(id), [{ member_id: member, nonce }]);
      throw new Error("the process died");
    });
    await expect(failing).rejects.toThrow("the process died");
    expect(await count(id)).toMatchObject({ draws: 0, held: 0 });
    expect(await world.draw(id, member, nonce)).toMatchObject({ draw_no: 1 });
    // The job that was lost with its process: the minute's look gives what is owed.
    world.services.clock.advance(120_000);
    await world.sweep("look-after-lottery-wins");
    expect(await count(id)).toMatchObject({ held: 0, spent: 100 });
  });
});

describe("goods", () => {
  test("go over the counter once, at a store where they may, by the code that the customer shows", async () => {
    const [here, there] = shop().stores;
    const id = await world.lottery({ prizes: [GOODS], storeIds: [here!.id] });
    const member = await world.join();
    await world.draw(id, member);
    const [{ wins }] = (await mine(member)) as [Awaited<ReturnType<typeof mine>>[number]];
    expect(wins).toMatchObject([{ name: "双人套餐", goods: true, said: "到店领", code: expect.stringMatching(/^\d{10}$/) }]);
    const code = wins[0]!.code!;
    await expect(world.call("mch02", findWin, { code })).rejects.toMatchObject({ status: 404 });
    await expect(world.call("mch01", findWin, { code: "0000000000" })).rejects.toMatchObject({ status: 404 });
    const win = await world.call("mch01", findWin, { code });
    expect(win).toMatchObject({ prize: "双人套餐", status: 0, stores: [{ id: here!.id }] });
    await expect(world.call("mch02", handOverWin, { id: win.id, storeId: here!.id })).rejects.toMatchObject({ status: 404 });
    await expect(world.call("mch01", handOverWin, { id: win.id, storeId: there!.id })).rejects.toMatchObject({
      fields: { storeId: expect.any(String) },
    });
    const asked = await Promise.allSettled([1, 2, 3].map(() => world.call("mch01", handOverWin, { id: win.id, storeId: here!.id })));
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(world.call("mch01", handOverWin, { id: win.id, storeId: here!.id })).rejects.toMatchObject({ code: "lottery.handed" });
    expect(await count(id)).toMatchObject({ held: 0, spent: 6_800 });
    expect((await world.call("mch01", listDraws, { lotteryId: id, keyword: code })).items).toMatchObject([
      { status: 1, storeName: expect.any(String) },
    ]);
  });
  test("that nobody came for in time are nobody's", async () => {
    const id = await world.lottery({ prizes: [GOODS], redeemDays: 1 });
    const member = await world.join();
    await world.draw(id, member);
    const code = (await mine(member))[0]!.wins[0]!.code!;
    world.services.clock.advance(5 * 86_400_000);
    const win = await world.call("mch01", findWin, { code });
    await expect(world.call("mch01", handOverWin, { id: win.id, storeId: shop().stores[0]!.id })).rejects.toMatchObject({
      code: "lottery.late",
    });
    await expireWins.run(world.services, {});
    expect(await count(id)).toMatchObject({ held: 0, spent: 0 });
    expect((await world.call("mch01", findWin, { code })).status).toBe(3);
  });
});

describe("公示", () => {
  test("shows the newest wins of every prize over 500.00, and no other", async () => {
    const prizes = [
      { ...GOODS, name: "大奖", valueCents: 50_001, chance: 300_000, stock: 100 },
      { ...GOODS, name: "小奖", valueCents: 50_000, chance: 400_000, stock: 100 },
      { ...GOODS, name: "头奖", valueCents: 100_000, chance: 300_000, stock: 100 },
    ];
    const id = await world.lottery({ prizes, perDay: 20, perPerson: 20 });
    const member = await world.join();
    const told: { no: number; prize: number }[] = [];
    for (let n = 0; n < 20; n++) {
      const { draw_no, prize } = await world.draw(id, member);
      if (prize !== 2) told.unshift({ no: draw_no, prize });
    }
    const proof = await world.proof(id);
    expect(proof.big.map(({ no, prize }) => ({ no, prize }))).toEqual(told);
    expect(proof.big.map(({ person, at }) => ({ person, at }))).toEqual(
      told.map(({ no }) => ({ person: proof.all[no - 1]!.person, at: proof.all[no - 1]!.at })),
    );
    expect((await world.proof(await world.lottery())).big).toEqual([]);
  });
});

describe("the seeds", () => {
  test("are published the day after, and can't be read before, by nobody's scope", async () => {
    const id = await world.lottery();
    await world.draw(id, await world.join());
    const { seeds } = (await asPlatform((tx) => readChain(tx, world.services, ref(id))))!;
    const open = async () => (await world.proof(id)).seeds.map(({ n }) => n);
    await world.sweep("publish-lottery-seeds");
    expect(await open()).toEqual([]);
    // Nothing that anybody is told holds a seed of today.
    const told = JSON.stringify([await world.proof(id), await world.one(id), await world.call("mch01", listDraws, { lotteryId: id })]);
    for (const seed of seeds.slice(1)) expect(told).not.toContain(seed.toString("hex"));
    const { serviceProviderId: provider, id: merchant } = shop();
    for (const scope of [
      merchantScope(provider, merchant),
      parseScope(`SP|${provider}|||||||`),
      parseScope(`AE|${provider}|||||${merchant}|{${shop().stores[0]!.id}}|`),
    ]) {
      const rows = await withScope(world.services.pool, scope, (tx) => tx.selectFrom("lottery_chains").selectAll().execute());
      expect(rows).toEqual([]);
    }
    const [sealed] = await world.owner<{ last_sealed: string }>("select last_sealed from lottery_chains where lottery_id = $1", [id]);
    expect(sealed!.last_sealed).not.toContain(seeds.at(-1)!.toString("hex"));
    // Nine minutes after midnight it is still closed.
    const midnight = Date.parse(dayStart(addDays(shanghaiDay(world.services.clock.now_ms()), 1)));
    world.services.clock.advance(midnight + 540_000 - world.services.clock.now_ms());
    await world.sweep("publish-lottery-seeds");
    expect(await open()).toEqual([]);
    world.services.clock.advance(120_000);
    await world.sweep("publish-lottery-seeds");
    expect((await world.proof(id)).seeds).toMatchObject([{ n: 1, seed: seeds[1]!.toString("hex") }]);
    await nextDay();
    await nextDay();
    await nextDay();
    expect(await open()).toEqual([1, 2, 3]);
    await world.runJobs();
  });
  test("that were slept through are published once, by whoever wakes first", async () => {
    const id = await world.lottery();
    world.services.clock.advance(3 * 86_400_000);
    await Promise.all([world.sweep("publish-lottery-seeds"), world.sweep("publish-lottery-seeds")]);
    expect((await world.proof(id)).seeds.map(({ n }) => n)).toEqual([1, 2, 3]);
  });
  test("and what is published recompute every draw", async () => {
    const prizes = [
      { ...GOODS, chance: 100_000, stock: 2 },
      { ...PRIZE, chance: 500_000, stock: 100 },
    ];
    const id = await world.lottery({ prizes, perDay: 20, perPerson: 60 });
    const people = [await world.join(), await world.join(), await world.join()];
    for (let n = 0; n < 30; n++) await world.draw(id, people[n % 3]!);
    await nextDay();
    const proof = await world.proof(id);
    let prev = proof.seed0;
    const seed = Buffer.from(proof.seeds[0]!.seed, "hex");
    for (const { no, at, hash, ...row } of proof.all) {
      const ticket = { ...row, lottery_id: id, draw_no: no, at_ms: at };
      expect(rollOf(seed, ticket)).toBe(row.roll);
      prev = hashOf(prev, ticket);
      expect(hash).toBe(prev);
    }
    expect(prev).toBe(proof.lastHash);
    // A person is the same in one lottery, and nobody's phone, nor the number of their member, is in it.
    expect(new Set(proof.all.map(({ person }) => person)).size).toBe(3);
    expect(JSON.stringify(proof)).not.toContain(people[0]);
    await world.runJobs();
  });
});

describe("the nightly check", () => {
  const tampered: readonly (readonly [string, string])[] = [
    ["a result", "update lottery_draws set roll = (roll + 1) % 1000000 where lottery_id = $1 and draw_no = 1"],
    ["a person", "update lottery_draws set person = sha256(person) where lottery_id = $1 and draw_no = 1"],
    ["a hash", "update lottery_draws set hash = sha256(hash) where lottery_id = $1 and draw_no = 2"],
    ["a time", "update lottery_draws set at = at + interval '1 second' where lottery_id = $1 and draw_no = 2"],
    ["a seed", "update lottery_seeds set seed = sha256(seed) where lottery_id = $1"],
    ["the last hash", "update lottery_counts set last_hash = sha256(last_hash) where lottery_id = $1"],
    ["how many are drawn", "update lottery_prizes set drawn = drawn - 1 where lottery_id = $1"],
    ["a win that is missing", "delete from lottery_wins where lottery_id = $1 and draw_no = 1"],
    ["what it cost", "update lottery_counts set spent_cents = 0 where lottery_id = $1"],
  ];
  test.each(tampered)("finds %s that was touched", async (_what, statement) => {
    const id = await world.lottery();
    const member = await world.join();
    await world.draw(id, member);
    await world.draw(id, member);
    await nextDay();
    await world.runJobs();
    expect(await world.look(verifyLottery)).toEqual([]);
    await world.owner(`alter table lottery_draws disable trigger user; alter table lottery_seeds disable trigger user`);
    await world.owner(statement, [id]);
    await world.owner(`alter table lottery_draws enable trigger user; alter table lottery_seeds enable trigger user`);
    expect(await world.look(verifyLottery)).not.toEqual([]);
    await world.clean();
  });
  const RULES: readonly (readonly [string, string])[] = [
    [
      "20: no hole in the numbers of draws",
      "update lottery_draws set draw_no = draw_no + 1 where draw_no = (select max(draw_no) from lottery_draws)",
    ],
    ["a prize holds the coupons", "update lottery_prizes set held = held + 1 where kind = 'coupon'"],
    ["what was given has its coupon", "update coupons set source_id = gen_random_uuid() where source = 'lottery'"],
    ["coupons of lotteries come from them", "update lottery_wins set coupon_id = null where kind = 'coupon' and status = 1"],
    [
      "what was given has its entry in the value book",
      "update value_entries set cause_id = gen_random_uuid() where cause = 'points-given'",
    ],
    ["what was given has its entry in the value book", "update lottery_wins set status = 2 where kind = 'points'"],
    ["pieces were only added", "update lottery_prizes set stock = stock - 1 where place = 2"],
    ["pieces were only added", "delete from lottery_raises where to_stock = (select max(to_stock) from lottery_raises)"],
    ["25: another than who made it approved a lottery", "update lotteries set made_by = decided_by"],
    ["20: the published seeds are a chain", "update lottery_seeds set seed = sha256(seed) where n = 2"],
    ["20: past draws recompute", "update lottery_draws set nth = nth + 1 where nth = (select max(nth) from lottery_draws)"],
  ];
  test("finds by its rule whatever is broken", async () => {
    const campaignId = await world.campaign();
    const coupon = { name: "券", kind: "coupon", campaignId, amount: 1, chance: 500_000, stock: 20 };
    const id = await world.lottery({ prizes: [coupon, { ...PRIZE, chance: 500_000, stock: 20 }], perDay: 20, perPerson: 40 });
    const member = await world.join();
    for (let n = 0; n < 14; n++) await world.draw(id, member);
    for (const more of [21, 22]) await world.call("mch01", raiseLotteryStock, { id, place: 2, seen: more - 1, stock: more });
    await nextDay();
    await nextDay();
    await world.runJobs();
    expect(await world.look(verifyLottery)).toEqual([]);
    for (const [rule, statement] of RULES) {
      const found = await world.spoil(async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx);
        await sql`do $$ declare one record; begin
          for one in select conrelid::regclass as name, conname from pg_constraint where contype = 'c'
            and conrelid in ('lotteries'::regclass, 'lottery_wins'::regclass, 'lottery_prizes'::regclass, 'lottery_raises'::regclass) loop
            execute format('alter table %s drop constraint %I', one.name, one.conname); end loop; end $$`.execute(tx);
        const { numAffectedRows = 0n } = await sql.raw(statement).execute(tx);
        return numAffectedRows > 0n ? verifyLottery(tx) : [];
      });
      expect
        .soft(
          found.map((breach) => breach.rule),
          statement,
        )
        .toContainEqual(expect.stringMatching(new RegExp(`^${rule}`)));
    }
  });
  test("finds a number left out of a person's day, though all else was worked out to fit", async () => {
    const id = await world.lottery();
    const member = await world.join();
    for (let n = 0; n < 2; n++) await world.draw(id, member);
    await nextDay();
    await world.runJobs();
    const { seeds, all } = await world.proof(id);
    const ticket = { ...all[1]!, nth: 3, lottery_id: id, draw_no: 2, at_ms: all[1]!.at };
    const roll = rollOf(Buffer.from(seeds[0]!.seed, "hex"), ticket);
    const hash = hashOf(all[0]!.hash, { ...ticket, roll });
    const found = await world.spoil(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await sql`update lottery_draws set nth = 3, roll = ${roll}, hash = decode(${hash}, 'hex') where draw_no = 2`.execute(tx);
      await sql`update lottery_counts set last_hash = decode(${hash}, 'hex')`.execute(tx);
      return verifyLottery(tx);
    });
    expect(found.map((breach) => breach.rule)).toEqual([expect.stringMatching(/^20: past draws recompute/)]);
  });
  test("works out anew what runs and what ended of late", async () => {
    const id = await world.lottery();
    await world.draw(id, await world.join());
    await world.runJobs();
    const now = world.services.clock.now_ms();
    const since = (days: number) =>
      world.spoil(async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx);
        await sql`update lottery_draws set hash = sha256(hash)`.execute(tx);
        return (await verifyLottery(tx, new Date(now + days * 86_400_000).toISOString())).length;
      });
    expect(await since(100)).toBe(1);
    await world.call("mch01", steerLottery, { id, act: "stop" });
    expect([await since(-1), await since(1)]).toEqual([1, 0]);
  });
  test("and no draw is changed or taken away by whoever may write", async () => {
    const id = await world.lottery();
    await world.draw(id, await world.join());
    await expect(
      asPlatform((tx) => tx.updateTable("lottery_draws").set({ roll: 1 }).where("lottery_id", "=", id).execute()),
    ).rejects.toThrow();
    await expect(asPlatform((tx) => tx.deleteFrom("lottery_draws").where("lottery_id", "=", id).execute())).rejects.toThrow();
    await world.runJobs();
  });
});
