import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { hashPassword } from "../../accounts/server/index.ts";
import { askBetter, couponTerms, decideBetter, getCampaign, steerCampaign } from "../../coupons/contract/index.ts";
import {
  addActivity,
  addActivityPlaces,
  decideActivity,
  decideGrant,
  getActivityCodes,
  giveAgain,
  listActivities,
  listGrants,
  priceActivity,
  steerActivity,
  summariseActivities,
  updateActivity,
  withdrawActivity,
} from "../contract/index.ts";
import { grantBirthdays } from "./events/birthdays.ts";
import { grantPaidOrder, hearPaid, sayPaidGifts, takeBackPaidGifts } from "./events/paid.ts";
import { openInvitation } from "./events/recommend.ts";
import { openScan, scanCode } from "./events/scan.ts";
import { grant } from "./grants/grant.ts";
import { giveGrant } from "./grants/give-grant.ts";
import { forgetMarks } from "./grants/marks.ts";
import { takeBack } from "./grants/take-back.ts";
import { findOrMake } from "../../members/server/index.ts";
import { settlePayment } from "../../orders/server/index.ts";
import { ownActivities } from "./own-activities.ts";
import { verifyActivities } from "./verify-activities.ts";
import { type ActivityWorld, openActivityWorld } from "./testing/activity-world.ts";

let world: ActivityWorld;
beforeAll(async () => void (world = await openActivityWorld()));
beforeEach(async () => {
  await world.clean();
  // Who joined in the test before did so earlier.
  world.services.clock.advance(7_200_000);
});
afterEach(async () => expect(await world.breaches()).toEqual([]));
afterAll(() => world.close());

const shop = () => world.tree.merchants.mch01;
const budget = async (activity: string) =>
  (
    await world.owner<{ places: number; taken: number; held: number; spent: number }>(
      "select places, taken, held_cents::int as held, spent_cents::int as spent from activity_budgets where activity_id = $1",
      [activity],
    )
  )[0];
const stock = async (campaign: string) =>
  (
    await world.owner<{ issued: number; held: number }>(
      "select issued::int as issued, held::int as held from coupon_stock where campaign_id = $1",
      [campaign],
    )
  )[0];
const points = async (member: string) =>
  (
    await world.owner<{ balance: number }>("select balance::int as balance from value_accounts where owner_id = $1 and kind = 'points'", [
      member,
    ])
  )[0]?.balance ?? 0;
const occasion = (activity_id: string, member_id: string) => ({
  service_provider_id: shop().serviceProviderId,
  activity_id,
  member_id,
  store_id: shop().stores[0]!.id,
  occasion: "life",
  marks: [],
});
const grants = (activity: string, member: string) =>
  withScope(world.services.pool, platformScope("test"), (tx) => grant(tx, world.services, occasion(activity, member)));

describe("支付有礼", () => {
  const service_provider_id = () => shop().serviceProviderId;
  const lose = (job: string) => world.owner("delete from test_jobs where name = $1", [job]);
  const asks = (order_id: string) =>
    world.look((tx) => world.services.jobs.enqueue(tx, grantPaidOrder, { service_provider_id: service_provider_id(), order_id }));
  interface How {
    readonly purpose?: number;
    /** What happens between the payment and that it is heard of. */
    readonly late?: () => Promise<unknown>;
    readonly run?: boolean;
  }
  /** An order of a member, or of nobody known, paid now. */
  async function buys(
    member: string | null,
    cents: number,
    { purpose = 0, late, run = true }: How = {},
  ): Promise<{ id: string; tillNo: string }> {
    const tillNo = `P${world.services.ids.digits(12)}`;
    const placed = { tillNo, tradeType: "NATIVE" as const, subject: "午餐", grossCents: cents as never };
    const { orderNo } = (await world.till(shop().stores[0]!, "createTillOrder", placed)) as { orderNo: string };
    const read = async () => (await world.owner<{ id: string }>("select * from pay_orders where till_no = $1", [tillNo]))[0]!;
    await world.owner("update pay_orders set member_id = $1, purpose = $3 where till_no = $2", [member, tillNo, purpose]);
    const paid = world.channel.customerPays(orderNo) as never;
    await late?.();
    // The channel tells it twice.
    for (let n = 0; n < 2; n++) await world.look(async (tx) => settlePayment(tx, world.services, (await read()) as never, paid));
    if (run) await world.runJobs();
    return { id: (await read()).id, tillNo };
  }
  async function goesBack(tillNo: string, cents: number, { lost = "" } = {}): Promise<void> {
    const asked = await world.till(shop().stores[0]!, "refundTillOrder", {
      requestId: randomUUID(),
      tillNo,
      amountCents: cents as never,
      reason: "退菜",
    });
    await world.runJobs();
    world.channel.decide((asked as { refundNo: string }).refundNo, "success");
    world.services.clock.advance(60_000);
    await world.sweep("query-refunds");
    await lose(lost);
    await world.runJobs();
  }
  const states = async (member: string) =>
    (await world.owner<{ state: string }>("select state from coupons where member_id = $1 order by state", [member])).map(
      (one) => one.state,
    );
  const given = (campaignId: string, more: object = {}) =>
    world.activity({ gift: { coupons: [{ campaignId, count: 2 }], points: 100 }, places: 2, minCents: 5_000, ...more }, { kind: "paid" });

  test("gives for an order that reaches the amount, once though it is told twice, each order anew, as long as there are places", async () => {
    const id = await given(await world.campaign());
    const member = await world.join();
    await buys(member, 4_999);
    // A recharge is not even asked about, and gives nothing where it is.
    const { id: recharge } = await buys(member, 9_000, { purpose: 1, run: false });
    expect(await world.owner("select 1 from test_jobs where name = 'grant-paid-order'")).toEqual([]);
    await asks(recharge);
    await world.runJobs();
    await world.owner("update pay_orders set purpose = 0 where id = $1", [recharge]);
    expect(await world.grants(id)).toEqual([]);
    const { id: order } = await buys(member, 5_000);
    expect(await world.grants(id)).toMatchObject([{ status: "given", occasion: order, member_id: member }]);
    expect([await states(member), await points(member)]).toEqual([["SENDED", "SENDED"], 100]);
    // The same news once more, from whoever brings it.
    await world.look((tx) =>
      hearPaid(tx, world.services, {
        kind: "payment",
        order: {
          ...shop(),
          service_provider_id: shop().serviceProviderId,
          merchant_id: shop().id,
          id: order,
          member_id: member,
          purpose: 0,
        } as never,
      }),
    );
    await world.runJobs();
    expect(await world.grants(id)).toHaveLength(1);
    await buys(member, 5_000);
    await buys(member, 5_000);
    expect((await world.grants(id)).map(({ status }) => status).toSorted()).toEqual(["given", "given", "refused"]);
    expect(await budget(id)).toMatchObject({ places: 2, taken: 2, held: 0 });
  });
  test("takes back what was not used where what is left of the order is not enough; what was used stays, and both are told before", async () => {
    const id = await given(await world.campaign());
    const member = await world.join();
    const { id: order, tillNo } = await buys(member, 8_000);
    const told = (cents: number) =>
      world.look((tx) => sayPaidGifts(tx, world.services, { service_provider_id: shop().serviceProviderId, id: order }, cents));
    expect(await told(3_000)).toEqual([]);
    expect(await told(3_001)).toEqual(["「见面礼」送的：收回没用的券 2 张、100 积分"]);
    await goesBack(tillNo, 3_000);
    expect([await states(member), await points(member)]).toEqual([["SENDED", "SENDED"], 100]);
    const [used] = await world.owner<{ id: string }>("select id from coupons where member_id = $1 order by id limit 1", [member]);
    await world.owner(
      `with e as (insert into coupon_events (service_provider_id, merchant_id, coupon_id, from_state, to_state, cause, at)
        select service_provider_id, merchant_id, id, state, 'USED', 'self', now() from coupons where id = $1)
      update coupons set state = 'USED', used_at = now() where id = $1`,
      [used!.id],
    );
    expect(await told(1)).toEqual(["「见面礼」送的：收回没用的券 1 张、100 积分；用掉的券 1 张不收回"]);
    await goesBack(tillNo, 1);
    expect([await states(member), await points(member)]).toEqual([["DEACTIVATED", "USED"], 0]);
    const { items } = await world.call("mch01", listGrants, { activityId: id });
    expect(items).toMatchObject([{ status: "given", costCents: 2_000, reason: "订单退款，收回 2 件，用掉或过期的 1 件不收回" }]);
    expect(await budget(id)).toMatchObject({ taken: 1, held: 0, spent: 2_000 });
    // What goes back afterwards finds nothing more, and the record says still what was taken.
    await goesBack(tillNo, 4_999);
    expect([await states(member), await points(member), await budget(id)]).toMatchObject([
      ["DEACTIVATED", "USED"],
      0,
      { taken: 1, held: 0, spent: 2_000 },
    ]);
    expect((await world.call("mch01", listGrants, { activityId: id })).items).toEqual(items);
    const traced = (login: string) => world.as(login, "traceOrder", { id: order }).then(({ parts }) => parts);
    expect((await traced("mch01")).find(({ station }) => station === "gifts")).toMatchObject({
      lines: [
        {
          label: "支付有礼「见面礼」",
          note: "券 1 张已发，券 1 张已收回，100 积分已收回，订单退款，收回 2 件，用掉或过期的 1 件不收回",
          amountCents: -2_000,
        },
      ],
      sum: { label: "赠礼最高成本", amountCents: -2_000 },
    });
    expect((await traced("agent01")).map(({ station }) => station)).not.toContain("gifts");
  });
  test("gives to a member who paid from their own phone without a code, once they are known", async () => {
    const id = await given(await world.campaign());
    const { id: merchant_id, stores } = shop();
    const { id: member } = await world.look((tx) =>
      findOrMake(tx, world.services, {
        service_provider_id: service_provider_id(),
        merchant_id,
        store_id: stores[0]!.id,
        source: 4,
        by: { kind: "openid", subject: "o-payer-0123456789" },
        stage: 1,
        by_name: "店员",
      }),
    );
    const { id: order } = await buys(null, 5_000);
    expect(await world.grants(id)).toMatchObject([{ status: "given", occasion: order, member_id: member }]);
    await asks(order);
    await world.runJobs();
    expect([await world.grants(id), await states(member), await points(member)]).toMatchObject([[{}], ["SENDED", "SENDED"], 100]);
  });
  test("of an order that went back while 再发一次 waited what was given goes back, and only what waited is free", async () => {
    const [first, second] = [await world.campaign(), await world.campaign()];
    const coupons = [first, second].map((campaignId) => ({ campaignId, count: 1 }));
    const id = await given(first, { gift: { coupons, points: 0 } });
    await world.call("mch01", steerCampaign, { id: second, act: "pause" });
    const member = await world.join();
    const { tillNo } = await buys(member, 5_000);
    const [{ id: grant_id, status } = { id: "", status: "" }] = await world.grants(id);
    expect([status, await states(member)]).toEqual(["failed", ["SENDED"]]);
    await world.call("mch01", steerCampaign, { id: second, act: "resume" });
    await world.call("mch01", giveAgain, { id: grant_id });
    expect(await budget(id)).toMatchObject({ taken: 1, held: 4_000, spent: 0 });
    await lose("give-activity-grant");
    await goesBack(tillNo, 1);
    await world.look((tx) => world.services.jobs.enqueue(tx, giveGrant, { service_provider_id: service_provider_id(), grant_id }));
    await world.runJobs();
    expect([await states(member), await budget(id)]).toMatchObject([["DEACTIVATED"], { taken: 1, held: 0, spent: 0 }]);
    expect((await world.call("mch01", listGrants, { activityId: id })).items).toMatchObject([
      { status: "given", costCents: 0, reason: "订单退款，收回 1 件" },
    ]);
    // One place is left, a piece of each.
    expect([await stock(first), await stock(second)]).toEqual([
      { issued: 1, held: 1 },
      { issued: 0, held: 1 },
    ]);
  });
  test("makes up for a lost job of an order, but not for who paid while it was paused", async () => {
    const id = await given(await world.campaign());
    const member = await world.join();
    await world.call("mch01", steerActivity, { id, act: "pause" });
    await buys(member, 5_000);
    world.services.clock.advance(1_000);
    await world.call("mch01", steerActivity, { id, act: "resume" });
    const { id: order, tillNo } = await buys(member, 5_000, { run: false });
    await lose("grant-paid-order");
    world.services.clock.advance(61_000);
    await world.sweep("look-after-paid-orders");
    await world.runJobs();
    await world.sweep("look-after-paid-orders");
    expect(await world.grants(id)).toMatchObject([{ status: "given", occasion: order }]);
    await goesBack(tillNo, 5_000, { lost: "take-back-paid-gifts" });
    expect(await states(member)).toEqual(["SENDED", "SENDED"]);
    const [back] = await world.owner<{ finished_at: string }>("select finished_at::text from refunds where order_id = $1", [order]);
    const finished = (at: string) => world.owner("update refunds set finished_at = $2 where order_id = $1", [order, at]);
    await finished(new Date(Date.now() - 2 * 3_600_000).toISOString());
    expect(await world.look(verifyActivities)).toHaveLength(1);
    await finished(back!.finished_at);
    world.services.clock.advance(61_000);
    await world.sweep("look-after-paid-gifts");
    expect([await states(member), await points(member)]).toEqual([["DEACTIVATED", "DEACTIVATED"], 0]);
    const { items } = await world.call("mch01", listGrants, { activityId: id });
    await world.sweep("look-after-paid-gifts");
    expect((await world.call("mch01", listGrants, { activityId: id })).items).toEqual(items);
  });
  test("by how its coupon stood when it was paid: not for who paid while that rested, though that is over or going on when it is heard of", async () => {
    const campaign = await world.campaign();
    const id = await given(campaign, { places: 6 });
    const member = await world.join();
    const steer = (act: "pause" | "resume") => async () => {
      world.services.clock.advance(1_000);
      await world.call("mch01", steerCampaign, { id: campaign, act });
      world.services.clock.advance(1_000);
    };
    const { id: before } = await buys(member, 5_000, { late: steer("pause") });
    const { id: meanwhile } = await buys(member, 5_000);
    const { id: heardLater } = await buys(member, 5_000, { late: steer("resume") });
    const { id: after } = await buys(member, 5_000);
    const became = async (order: string) => (await world.grants(id)).find(({ occasion: of }) => of === order)!;
    const statuses = async (...orders: readonly string[]) => (await Promise.all(orders.map(became))).map(({ status }) => status);
    expect(await statuses(before, meanwhile, heardLater, after)).toEqual(["given", "failed", "failed", "given"]);
    // Who decides to give it gives it, now that goes on.
    await world.call("mch01", giveAgain, { id: (await became(meanwhile)).id });
    await world.runJobs();
    await steer("pause")();
    const end = async () => {
      await world.owner("update coupon_campaigns set ends_at = $2 where id = $1", [
        campaign,
        new Date(world.services.clock.now_ms() + 1_000).toISOString(),
      ]);
      world.services.clock.advance(2 * 86_400_000);
      await world.sweep("end-coupon-campaigns");
    };
    const { id: last } = await buys(member, 5_000, { late: end });
    expect(await statuses(meanwhile, heardLater, last)).toEqual(["given", "failed", "failed"]);
    expect((await world.call("mch01", listGrants, { activityId: id })).items[0]).toMatchObject({ reason: "付款时这张券暂停发放" });
  });
  test("made up for once it goes on: what was paid before it rested, and not what was paid meanwhile, whenever that is heard of", async () => {
    const id = await given(await world.campaign());
    const member = await world.join();
    const steer = (act: "pause" | "resume") => async () => {
      world.services.clock.advance(1_000);
      await world.call("mch01", steerActivity, { id, act });
      world.services.clock.advance(1_000);
    };
    const { id: before } = await buys(member, 5_000, { late: steer("pause") });
    await buys(member, 5_000, { late: steer("resume") });
    expect(await world.grants(id)).toEqual([]);
    world.services.clock.advance(61_000);
    await world.sweep("look-after-paid-orders");
    await world.runJobs();
    expect(await world.grants(id)).toMatchObject([{ status: "given", occasion: before }]);
  });
  test("what stands against one activity is nothing to the next of the same order", async () => {
    const stands = await given(await world.campaign());
    const next = await given(await world.campaign());
    const { id: order_id, tillNo } = await buys(await world.join(), 5_000);
    const spent = (by: string) =>
      world.owner(`update activity_budgets set spent_cents = spent_cents ${by} where activity_id = $1`, [stands]);
    await spent("- 4100");
    await goesBack(tillNo, 1, { lost: "take-back-paid-gifts" });
    const again = () => takeBackPaidGifts.run(world.services, { service_provider_id: service_provider_id(), order_id });
    await expect(again()).rejects.toThrow("a budget spent less");
    expect(await budget(next)).toMatchObject({ taken: 1, spent: 0 });
    await spent("+ 4100");
    await again();
    expect(await budget(stands)).toMatchObject({ taken: 1, spent: 0 });
  });
  test("gives for what was paid in its last second, though it is heard of days afterwards and its job is lost", async () => {
    const campaign = await world.campaign();
    const id = await given(campaign);
    const member = await world.join();
    const [ends] = await world.owner<{ at: string }>("select ends_at as at from activities where id = $1", [id]);
    // The coupons' campaign ends with it.
    await world.owner("update coupon_campaigns set ends_at = $2 where id = $1", [campaign, ends!.at]);
    const end_ms = new Date(ends!.at).getTime();
    world.services.clock.advance(end_ms - 1_000 - world.services.clock.now_ms());
    const sweep = () => world.sweep("end-activities", "end-coupon-campaigns");
    const late = async () => {
      world.services.clock.advance(3 * 86_400_000 - 1_000);
      await sweep();
    };
    const { id: order } = await buys(member, 5_000, { late, run: false });
    await lose("grant-paid-order");
    await world.sweep("look-after-paid-orders");
    await world.runJobs();
    expect(await world.grants(id)).toMatchObject([{ status: "given", occasion: order }]);
    expect([await states(member), await points(member)]).toEqual([["SENDED", "SENDED"], 100]);
    await buys(member, 5_000);
    expect(await world.grants(id)).toHaveLength(1);
    world.services.clock.advance(2_000);
    await sweep();
    expect(await world.one(id)).toMatchObject({ state: "STOPED" });
  });
  test("that rests as its last day ends is over then", async () => {
    const id = await given(await world.campaign());
    await world.call("mch01", steerActivity, { id, act: "pause" });
    const [ends] = await world.owner<{ at: string }>("select ends_at as at from activities where id = $1", [id]);
    world.services.clock.advance(new Date(ends!.at).getTime() - world.services.clock.now_ms());
    await world.sweep("end-activities");
    expect(await world.one(id)).toMatchObject({ state: "STOPED" });
  });
  test("of an order that went back before its gift was given nothing is given, and its place is free", async () => {
    const member = await world.join();
    const { id: order } = await buys(member, 5_000);
    const id = await given(await world.campaign());
    await withScope(world.services.pool, platformScope("test"), (tx) =>
      grant(tx, world.services, { ...occasion(id, member), occasion: order }),
    );
    expect(await world.grants(id)).toMatchObject([{ status: "owed" }]);
    const [{ id: grant_id } = { id: "" }] = await world.grants(id);
    await withScope(world.services.pool, platformScope("test"), (tx) =>
      takeBack(tx, world.services, { service_provider_id: service_provider_id(), activity_id: id, grant_id, order_id: order }),
    );
    await world.runJobs();
    expect([await world.grants(id), await states(member), await budget(id)]).toMatchObject([
      [{ status: "refused", why: "refund" }],
      [],
      { taken: 0, held: 0, spent: 0 },
    ]);
    // And where the money went back before the job came to the order, nothing is granted at all; where it did not, it is.
    const early = await buys(member, 5_000, { run: false });
    const kept = await buys(member, 5_000, { run: false });
    await lose("grant-paid-order");
    await goesBack(early.tillNo, 1);
    await asks(early.id);
    await asks(kept.id);
    await world.runJobs();
    expect((await world.grants(id)).map((one) => [one.occasion, one.status])).toEqual([
      [order, "refused"],
      [kept.id, "given"],
    ]);
  });
  test("gives no balance, for that could not go back", async () => {
    await expect(world.call("mch01", addActivity, world.facts({ gift: { giftCents: 500 } }, { kind: "paid" }))).rejects.toMatchObject({
      fields: { "terms.gift.giftCents": expect.any(String) },
    });
  });
});

describe("terms of a coupon that an activity gives", () => {
  const better = async (id: string, offCents: number) => {
    const { terms, version } = await world.call("mch01", getCampaign, { id });
    return world.call("mch01", askBetter, { id, version, terms: couponTerms.parse({ ...terms, offCents }) });
  };
  const byAnother = () => world.owner("update coupon_betterments set asked_by = gen_random_uuid()");
  test("are not made better while it goes on or owes some, for its budget says what they are worth", async () => {
    const campaign = await world.campaign();
    // Asked before the activity was approved: it can't be let go after it.
    const { n } = await better(campaign, 3_000);
    await byAnother();
    const id = await world.activity({ gift: { coupons: [{ campaignId: campaign, count: 1 }] } });
    await expect(world.call("mch01", decideBetter, { id: campaign, n, approve: true })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining("「见面礼」还在送这张券"),
    });
    await world.call("mch01", decideBetter, { id: campaign, n, approve: false });
    await expect(better(campaign, 3_000)).rejects.toMatchObject({ status: 409 });
    await world.call("mch01", steerActivity, { id, act: "stop" });
    await expect(better(campaign, 3_000)).resolves.toMatchObject({ n: n + 1 });
  });
  test("that were made better after it ended are not given once more at the old cost", async () => {
    const campaign = await world.campaign();
    const id = await world.activity({ gift: { coupons: [{ campaignId: campaign, count: 1 }] } });
    await world.call("mch01", steerCampaign, { id: campaign, act: "pause" });
    await world.join();
    const [failed] = await world.grants(id);
    await world.call("mch01", steerCampaign, { id: campaign, act: "resume" });
    await world.call("mch01", steerActivity, { id, act: "stop" });
    const { n } = await better(campaign, 3_000);
    await byAnother();
    await world.call("mch01", decideBetter, { id: campaign, n, approve: true });
    await expect(world.call("mch01", giveAgain, { id: failed!.id })).rejects.toMatchObject({
      code: "coupon.changed",
      message: "券改过条款，成本与发放时不同，不能再发",
    });
    expect([await world.grants(id), await budget(id)]).toMatchObject([[{ status: "failed" }], { taken: 1, held: 0, spent: 0 }]);
  });
  test("that were made better after it was handed in are read again before it is approved", async () => {
    const campaign = await world.campaign();
    const { id } = await world.call("mch01", addActivity, world.facts({ gift: { coupons: [{ campaignId: campaign, count: 1 }] } }));
    await world.owner("update activities set made_by = gen_random_uuid() where id = $1", [id]);
    const { n } = await better(campaign, 3_000);
    await byAnother();
    await world.call("mch01", decideBetter, { id: campaign, n, approve: true });
    await expect(world.call("mch01", decideActivity, { id, version: 1, approve: true })).rejects.toMatchObject({ code: "coupon.changed" });
    expect(await stock(campaign)).toEqual({ issued: 0, held: 0 });
  });
});

describe("an activity", () => {
  test("waits for another than who made it, and is approved as it was read", async () => {
    const { id } = await world.call("mch01", addActivity, world.facts());
    await expect(world.call("mch01", decideActivity, { id, version: 1, approve: true })).rejects.toMatchObject({ code: "second-person" });
    await expect(world.call("mch01", decideActivity, { id, version: 1, approve: false })).rejects.toMatchObject({ code: "second-person" });
    await expect(world.call("mch02", decideActivity, { id, version: 1, approve: true })).rejects.toMatchObject({ status: 404 });
    const { requestId: _request, kind: _kind, ...facts } = world.facts({ places: 5 });
    await world.call("mch01", updateActivity, { id, version: 1, ...facts });
    await world.owner("update activities set made_by = gen_random_uuid() where id = $1", [id]);
    await expect(world.call("mch01", updateActivity, { id, version: 2, ...facts })).rejects.toMatchObject({ status: 403 });
    await expect(world.call("mch01", withdrawActivity, { id })).rejects.toMatchObject({ status: 403 });
    await expect(world.call("mch01", decideActivity, { id, version: 1, approve: true })).rejects.toMatchObject({ status: 409 });
    expect(await world.one(id)).toMatchObject({ state: "UNAUDIT", mayDecide: true, version: 2, places: 5, budgetCents: 500 });
    await world.call("mch01", decideActivity, { id, version: 2, approve: true });
    await expect(world.call("mch01", decideActivity, { id, version: 2, approve: true })).rejects.toMatchObject({ status: 409 });
    expect(await world.call("mch01", summariseActivities, {})).toMatchObject({ count: 1, byState: { RUNNING: 1 } });
    expect((await world.call("mch02", listActivities, {})).items).toEqual([]);
  });
  test("of up to 1,000.00 its merchant's root runs alone, with the refund password, and adds alone up to there", async () => {
    const small = await world.call("mch01", addActivity, world.facts({ places: 999 }));
    const large = await world.call("mch01", addActivity, world.facts({ places: 1_001 }));
    const decide = (id: string, refundPassword?: string) =>
      world.call("mch01", decideActivity, { id, version: 1, approve: true, ...(refundPassword !== undefined && { refundPassword }) });
    await expect(decide(small.id, "135790")).rejects.toMatchObject({ code: "second-person" });
    await world.owner(
      "insert into merchant_settings (service_provider_id, merchant_id, refund_password_hash, updated_at) values ($1, $2, $3, now())",
      [shop().serviceProviderId, shop().id, await hashPassword("135790")],
    );
    await expect(decide(small.id)).rejects.toMatchObject({ fields: { refundPassword: "请输入退款密码" } });
    await expect(decide(large.id, "135790")).rejects.toMatchObject({ code: "second-person" });
    await decide(small.id, "135790");
    const add = (places: number, seen = 999) =>
      world.call("mch01", addActivityPlaces, { id: small.id, seen, places, refundPassword: "135790" });
    await expect(add(1_001)).rejects.toMatchObject({ code: "second-person" });
    await expect(add(999)).rejects.toMatchObject({ fields: { places: expect.any(String) } });
    await add(1_000);
    await expect(add(1_000)).rejects.toMatchObject({ status: 409 });
    await world.call("mch01", withdrawActivity, { id: large.id });
  });
  test("is refused where it can't be, at the field", async () => {
    const campaignId = await world.campaign();
    const bad = (terms: object, more: object = {}) => world.call("mch01", addActivity, world.facts(terms, more));
    await expect(bad({}, { lastDay: "2020-01-01" })).rejects.toMatchObject({ fields: { lastDay: expect.any(String) } });
    await expect(bad({ gift: {} })).rejects.toMatchObject({ fields: { "terms.gift.coupons": expect.any(String) } });
    await expect(bad({ storeIds: [world.tree.merchants.mch02.stores[0]!.id] })).rejects.toMatchObject({ status: 404 });
    await expect(bad({ gift: { coupons: [{ campaignId: randomUUID(), count: 1 }] } })).rejects.toMatchObject({ status: 404 });
    const coupons = { gift: { coupons: [{ campaignId, count: 1 }] } };
    await expect(bad(coupons, { lastDay: "2030-01-01" })).rejects.toMatchObject({ fields: { "terms.gift.coupons": expect.any(String) } });
    await world.call("mch01", steerCampaign, { id: campaignId, act: "pause" });
    await expect(bad(coupons)).rejects.toMatchObject({ fields: { "terms.gift.coupons": expect.any(String) } });
    expect((await world.call("mch01", listActivities, {})).items).toEqual([]);
  });
  test("says what it may cost before it is sent", async () => {
    const campaignId = await world.campaign();
    const {
      name: _name,
      requestId: _request,
      ...facts
    } = world.facts({
      gift: { coupons: [{ campaignId, count: 2 }], points: 100, giftCents: 500 },
      places: 10,
    });
    expect(await world.call("mch01", priceActivity, facts)).toMatchObject({ placeCents: 4_600, budgetCents: 46_000 });
  });
  test("sets its coupons aside when it is approved, and frees what nobody got when it ends", async () => {
    const campaignId = await world.campaign(10);
    const gift = { coupons: [{ campaignId, count: 2 }] };
    const id = await world.activity({ gift, places: 3 });
    expect(await stock(campaignId)).toEqual({ issued: 0, held: 6 });
    await expect(world.activity({ gift, places: 3 })).rejects.toMatchObject({ code: "coupon.gone" });
    await world.join();
    expect(await stock(campaignId)).toEqual({ issued: 2, held: 4 });
    await world.call("mch01", steerActivity, { id, act: "stop" });
    expect(await stock(campaignId)).toEqual({ issued: 2, held: 0 });
    await expect(world.call("mch01", steerActivity, { id, act: "resume" })).rejects.toMatchObject({ status: 409 });
  });
  test("ends by itself", async () => {
    const id = await world.activity();
    world.services.clock.advance(30 * 86_400_000);
    await world.sweep("end-activities");
    expect(await world.one(id)).toMatchObject({ state: "STOPED" });
  });
});

describe("新人有礼", () => {
  test("gives coupons, points and balance to who joins, once however often they come", async () => {
    const campaignId = await world.campaign();
    const id = await world.activity({ gift: { coupons: [{ campaignId, count: 2 }], points: 100, giftCents: 500 } });
    const phone = world.phone();
    const member = await world.join({ phone, from: { device: "device-0001" } });
    await world.join({ phone, from: { device: "device-0002" } });
    expect(await world.grants(id)).toMatchObject([{ status: "given", member_id: member, occasion: "life" }]);
    expect(await points(member)).toBe(100);
    expect(await world.owner("select balance::int as cents from value_accounts where owner_id = $1 and kind = 'gift'", [member])).toEqual([
      { cents: 500 },
    ]);
    expect(await world.owner("select source from coupons where member_id = $1", [member])).toEqual([
      { source: "activity" },
      { source: "activity" },
    ]);
    expect(await world.one(id)).toMatchObject({
      taken: 1,
      heldCents: 0,
      spentCents: 4_600,
      results: { reached: 1, given: 1, refused: [] },
    });
    const mine = await world.look((tx) =>
      ownActivities(tx, world.services, { service_provider_id: shop().serviceProviderId, merchant_id: shop().id, id: member }),
    );
    expect(mine).toMatchObject([
      { activityId: id, progress: "已到账", prizes: [{ said: "已发" }, {}, { words: "100 积分" }, { words: "5 元赠送余额" }] },
    ]);
  });
  test("is for who became a member in its time, never ordered, and joins at its stores", async () => {
    const early = world.phone();
    await world.join({ phone: early });
    world.services.clock.advance(86_400_000);
    const elsewhere = await world.activity({ storeIds: [shop().stores[1]!.id] });
    const id = await world.activity();
    await world.join({ phone: early });
    expect(await world.grants(id)).toEqual([]);
    await world.join();
    expect(await world.grants(id)).toHaveLength(1);
    expect(await world.grants(elsewhere)).toEqual([]);
  });
  test("is nothing for who was brought by a sheet, when they confirm their phone at the page either", async () => {
    const id = await world.activity();
    const { serviceProviderId, id: merchant_id, stores } = shop();
    const phone = world.phone();
    await world.look((tx) =>
      findOrMake(tx, world.services, {
        service_provider_id: serviceProviderId,
        merchant_id,
        store_id: stores[0]!.id,
        source: 3,
        by: { kind: "phone", phone, confirmed: false },
        stage: 1,
        by_name: "导入",
      }),
    );
    await world.join({ phone });
    expect(await world.grants(id)).toEqual([]);
  });
  test("refuses the same phone in the hand of somebody else, and says so in its results", async () => {
    const id = await world.activity();
    await world.join({ from: { device: "device-0003" } });
    await world.join({ from: { device: "device-0003" } });
    await world.join({ from: { device: "device-0004" } });
    expect((await world.grants(id)).map(({ status, why }) => [status, why])).toEqual([
      ["given", null],
      ["refused", "device"],
      ["given", null],
    ]);
    expect(await world.one(id)).toMatchObject({
      taken: 2,
      results: { reached: 3, given: 2, refused: [{ why: "同一手机领过", count: 1 }] },
    });
    expect((await world.call("mch01", listGrants, { activityId: id, status: "refused" })).items).toMatchObject([
      { reason: "同一手机领过" },
    ]);
  });
  test("lets the twenty-first of a net in an hour wait for the merchant's yes or no", async () => {
    const id = await world.activity({ places: 30 });
    for (let n = 0; n < 20; n++) await world.join({ from: { address: `203.0.113.${n}` } });
    const [let_in, turned_away] = [
      await world.join({ from: { address: "203.0.113.200" } }),
      await world.join({ from: { address: "203.0.113.201" } }),
    ];
    await world.join({ from: { address: "203.0.114.1" } });
    const waiting = (await world.grants(id)).filter(({ status }) => status === "review");
    expect(waiting.map(({ member_id }) => member_id).toSorted()).toEqual([let_in, turned_away].toSorted());
    const of = (member: string) => waiting.find(({ member_id }) => member_id === member)!.id;
    expect(await world.one(id)).toMatchObject({ review: 2, taken: 23, heldCents: 200 });
    await world.call("mch01", decideGrant, { id: of(let_in), approve: true });
    await world.call("mch01", decideGrant, { id: of(turned_away), approve: false });
    await expect(world.call("mch01", decideGrant, { id: of(turned_away), approve: true })).rejects.toMatchObject({ status: 409 });
    await world.runJobs();
    expect([await points(let_in), await points(turned_away)]).toEqual([100, 0]);
    expect(await budget(id)).toEqual({ places: 30, taken: 22, held: 0, spent: 2_200 });
    // An hour later the net is anybody's again.
    world.services.clock.advance(3_600_001);
    expect(await points(await world.join({ from: { address: "203.0.113.202" } }))).toBe(100);
  });
  test("gives nothing where the places are gone, and to the next where there are more", async () => {
    const id = await world.activity({ places: 1 });
    await world.join();
    await world.join();
    await world.call("mch01", addActivityPlaces, { id, seen: 1, places: 2 });
    await world.join();
    expect((await world.grants(id)).map(({ status, why }) => [status, why])).toEqual([
      ["given", null],
      ["refused", "gone"],
      ["given", null],
    ]);
  });
  test("says why what it owes could not be given", async () => {
    const campaignId = await world.campaign();
    const id = await world.activity({ gift: { coupons: [{ campaignId, count: 1 }], points: 100 } });
    await world.call("mch01", steerCampaign, { id: campaignId, act: "stop" });
    const member = await world.join();
    expect((await world.call("mch01", listGrants, { activityId: id })).items).toMatchObject([
      { status: "failed", reason: "领取已结束", costCents: 100 },
    ]);
    expect(await points(member)).toBe(100);
    expect(await budget(id)).toMatchObject({ taken: 1, held: 0, spent: 100 });
    const [failed] = await world.grants(id);
    await expect(world.call("mch01", giveAgain, { id: failed!.id })).rejects.toMatchObject({ message: "此优惠券不在发放中" });
    expect(await world.grants(id)).toMatchObject([{ status: "failed" }]);
  });
  test("tries once more what failed, gives nothing twice, and may fail again", async () => {
    const campaignId = await world.campaign();
    const id = await world.activity({ gift: { coupons: [{ campaignId, count: 2 }], points: 100 } });
    await world.call("mch01", steerCampaign, { id: campaignId, act: "pause" });
    const member = await world.join();
    const [failed] = await world.grants(id);
    const again = () => world.call("mch01", giveAgain, { id: failed!.id });
    await again();
    await expect(again()).rejects.toMatchObject({ status: 409 });
    await world.runJobs();
    expect([await world.grants(id), await budget(id)]).toMatchObject([[{ status: "failed" }], { taken: 1, held: 0, spent: 100 }]);
    await world.call("mch01", steerCampaign, { id: campaignId, act: "resume" });
    const came = await Promise.allSettled([again(), again(), again()]);
    expect(came.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await budget(id)).toMatchObject({ taken: 1, held: 4_100, spent: 0 });
    await world.runJobs();
    expect([await world.grants(id), await budget(id)]).toMatchObject([[{ status: "given" }], { taken: 1, held: 0, spent: 4_100 }]);
    expect(await points(member)).toBe(100);
    expect(await world.owner("select 1 from coupons where member_id = $1", [member])).toHaveLength(2);
    await expect(world.call("mch02", giveAgain, { id: failed!.id })).rejects.toMatchObject({ status: 404 });
  });
  test("is given once whatever its job does, and by the minute's look where its job was lost", async () => {
    const id = await world.activity();
    const lost = await world.join({ run: false });
    await world.owner("delete from test_jobs");
    world.services.clock.advance(61_000);
    await world.sweep("look-after-new-members");
    expect(await world.grants(id)).toMatchObject([{ status: "owed", member_id: lost }]);
    await world.owner("delete from test_jobs");
    world.services.clock.advance(61_000);
    await world.sweep("look-after-activity-grants");
    const [given] = await world.grants(id);
    const again = { service_provider_id: shop().serviceProviderId, grant_id: given!.id };
    await Promise.all([giveGrant.run(world.services, again), giveGrant.run(world.services, again)]);
    expect(await points(lost)).toBe(100);
  });
  test("goes to whom they were merged into while it was being given", async () => {
    const [gone, stays] = [await world.join(), await world.join()];
    const campaignId = await world.campaign();
    const id = await world.activity({ gift: { coupons: [{ campaignId, count: 1 }] } });
    await grants(id, gone);
    const [owed] = await world.grants(id);
    const giving = await withScope(world.services.pool, platformScope("test"), async (tx) => {
      await sql`select 1 from coupon_stock where campaign_id = ${campaignId} for update`.execute(tx);
      const given = { service_provider_id: shop().serviceProviderId, grant_id: owed!.id };
      const ended = giveGrant.run(world.services, given).then(() => "", String);
      const waiting =
        "select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid where not l.granted and a.datname = current_database()";
      while ((await world.owner(waiting)).length === 0);
      await world.owner(
        `update members set status = 5, merged_into = $2, name_sealed = null, name_hash = null, phone_sealed = null, tail_hash = null,
          id_card_sealed = null, birthday = null, form_sealed = null, pin_hash = null where id = $1`,
        [gone, stays],
      );
      return { ended };
    });
    expect(await giving.ended).toContain("merged");
    await world.runJobs();
    expect(await world.grants(id)).toMatchObject([{ status: "given" }]);
    expect(await world.owner("select member_id from coupons where source = 'activity'")).toEqual([{ member_id: stays }]);
  });
  test("forgets marks after 180 days", async () => {
    await world.activity();
    await world.join({ from: { device: "device-0005", address: "203.0.113.1" } });
    const marks = () => world.owner<{ kind: string }>("select kind from activity_marks order by kind");
    expect((await marks()).map(({ kind }) => kind)).toEqual(["device", "net", "phone"]);
    world.services.clock.advance(181 * 86_400_000);
    await forgetMarks.run(world.services, {});
    expect(await marks()).toEqual([]);
  });
});

describe("扫码有礼", () => {
  const KIND = { kind: "scan" };
  const self = (id: string) => ({ service_provider_id: shop().serviceProviderId, merchant_id: shop().id, id });
  const scan = (member: string, code: string, from = {}) =>
    world.look((tx) => openScan(tx, world.services, self(member), { code, ...from })).then(({ outcome }) => outcome);
  const codeOf = (activity: string, store = 0) => scanCode(world.services, activity, shop().stores[store]!.id);

  test("gives once to whoever opens a store's code, whatever phone they hold next", async () => {
    const [one, other] = [await world.join(), await world.join()];
    const id = await world.activity({}, KIND);
    expect(await scan(one, codeOf(id), { device: "device-0100" })).toBe("owed");
    expect(await scan(one, codeOf(id, 1))).toBe("known");
    expect(await scan(other, codeOf(id), { device: "device-0100" })).toBe("refused");
    await world.runJobs();
    expect([await points(one), await points(other)]).toEqual([100, 0]);
    expect((await world.call("mch01", getActivityCodes, { id })).items).toHaveLength(shop().stores.length);
  });
  test("or once a day", async () => {
    const member = await world.join();
    const id = await world.activity({ once: "day" }, KIND);
    expect(await scan(member, codeOf(id))).toBe("owed");
    expect(await scan(member, codeOf(id))).toBe("known");
    world.services.clock.advance(86_400_000);
    expect(await scan(member, codeOf(id))).toBe("owed");
    await world.runJobs();
    expect(await points(member)).toBe(200);
  });
  test("knows no code that was changed, of another store, another merchant or another kind, and none that is not open", async () => {
    const member = await world.join();
    const id = await world.activity({ storeIds: [shop().stores[0]!.id] }, KIND);
    const code = codeOf(id);
    const changed = (code.startsWith("A") ? "B" : "A") + code.slice(1);
    for (const wrong of [changed, "A".repeat(59), codeOf(id, 1), codeOf(await world.activity())])
      await expect(scan(member, wrong)).rejects.toMatchObject({ status: 404 });
    const stranger = { ...self(member), merchant_id: world.tree.merchants.mch02.id };
    await expect(world.look((tx) => openScan(tx, world.services, stranger, { code }))).rejects.toMatchObject({ status: 404 });
    await world.call("mch01", steerActivity, { id, act: "pause" });
    expect(await scan(member, code)).toBe("over");
  });
});

describe("推荐有礼", () => {
  const KIND = { kind: "recommend" };
  const DAY = 86_400_000;
  const self = (id: string) => ({ service_provider_id: shop().serviceProviderId, merchant_id: shop().id, id });
  const invite = async (activity_id: string, member: string, device?: string) => {
    const { url } = await world.look((tx) => openInvitation(tx, world.services, self(member), { activity_id, device }));
    return url.split("#invited/")[1]!;
  };
  const invited = (activity: string, member: string) =>
    world
      .look((tx) => openInvitation(tx, world.services, self(member), { activity_id: activity }))
      .then(({ waiting, done, not }) => [waiting, done, not]);
  const settled = async (days: number) => {
    world.services.clock.advance(days * DAY);
    await world.sweep("settle-invitations");
    await world.runJobs();
  };

  test("gives both once the friend's first order is seven days old and unrefunded", async () => {
    const inviter = await world.join();
    const id = await world.activity({ minCents: 5_000, places: 10 }, KIND);
    const friend = await world.join({ from: { invitation: await invite(id, inviter) } });
    await settled(1);
    expect(await invited(id, inviter)).toEqual([1, 0, 0]);
    await world.paid(friend, 5_000, "payer-1");
    await settled(6);
    expect(await world.grants(id)).toEqual([]);
    await settled(1);
    await settled(1);
    expect((await world.grants(id)).map(({ member_id, occasion, status }) => [member_id, occasion, status])).toEqual(
      expect.arrayContaining([
        [inviter, friend, "given"],
        [friend, "invited", "given"],
      ]),
    );
    expect([await points(inviter), await points(friend)]).toEqual([100, 100]);
    expect(await invited(id, inviter)).toEqual([0, 1, 0]);
    expect(await world.one(id)).toMatchObject({ taken: 2, spentCents: 200 });
  });
  test.each([
    ["less than it has to come to", 4_999, "payer-2", 0, "第一单没满金额"],
    ["the inviter's own account", 9_000, "inviter-pays", 0, "和推荐人用同一个付款账号"],
    ["money that went back", 9_000, "payer-3", 1, "第一单退了款"],
    ["nothing at all", 0, "", 0, "30 天内没有消费"],
  ])("counts nothing for %s", async (_what, cents, payer, refunded, why) => {
    const inviter = await world.join();
    await world.paid(inviter, 1_000, "inviter-pays");
    const id = await world.activity({ minCents: 5_000 }, KIND);
    const friend = await world.join({ from: { invitation: await invite(id, inviter) } });
    if (cents > 0) await world.paid(friend, cents, payer, refunded);
    await settled(cents > 0 ? 8 : 31);
    expect(await world.grants(id)).toEqual([]);
    expect(await world.owner("select status, reason from activity_invitations where activity_id = $1", [id])).toEqual([
      { status: 2, reason: why },
    ]);
  });
  test("binds nobody to themselves, to a second one, or who ordered before", async () => {
    const [inviter, other] = [await world.join(), await world.join()];
    const id = await world.activity({}, KIND);
    const code = await invite(id, inviter, "device-0200");
    const bindings = () => world.owner<{ inviter_id: string }>("select inviter_id from activity_invitations where activity_id = $1", [id]);
    await world.join({ from: { invitation: code, device: "device-0200" } });
    expect(await bindings()).toEqual([]);
    const old = world.phone();
    const before = await world.join({ phone: old });
    await world.paid(before, 1_000, "payer-4");
    await world.join({ phone: old, from: { invitation: code } });
    await world.join({ from: { invitation: `${code.slice(0, -1)}${code.endsWith("A") ? "B" : "A"}` } });
    expect(await bindings()).toEqual([]);
    const phone = world.phone();
    await world.join({ phone, from: { invitation: code, device: "device-0201" } });
    await world.join({ phone, from: { invitation: await invite(id, other) } });
    expect(await bindings()).toEqual([{ inviter_id: inviter }]);
  });
  test("is not held up by thousands of others of which nothing can be said yet, or whose inviter had the day's number", async () => {
    const hour = 3_600_000;
    const now_ms = () => world.services.clock.now_ms();
    // One in the morning in Shanghai.
    world.services.clock.advance(DAY - ((now_ms() + 8 * hour) % DAY) + hour);
    const [busy, inviter] = [await world.join(), await world.join()];
    const id = await world.activity({ places: 9, perDay: 1, friendToo: false }, KIND);
    const sure = await world.join({ from: { invitation: await invite(id, busy) } });
    await world.paid(sure, 1_000, "payer-61");
    world.services.clock.advance(2 * hour);
    const later = await world.join({ from: { invitation: await invite(id, inviter) } });
    await world.paid(later, 1_000, "payer-62");
    world.services.clock.advance(7 * DAY - hour);
    await settled(0);
    expect((await world.grants(id)).map(({ occasion }) => occasion)).toEqual([sure]);
    const unsure = await world.join();
    await world.paid(unsure, 1_000, "payer-63");
    for (const friend of [unsure, sure])
      await world.owner(
        `insert into activity_invitations (service_provider_id, id, merchant_id, activity_id, inviter_id, friend_id, friend, store_id, marks, bound_at, ends_at)
          select $1, gen_random_uuid(), $2, $3, $4, $5::uuid, sha256(($5::text || n)::bytea), $6, '[]', $7::timestamptz - interval '20 days', $7::timestamptz + interval '30 days'
          from generate_series(1, 2000) n`,
        [shop().serviceProviderId, shop().id, id, busy, friend, shop().stores[0]!.id, new Date(now_ms()).toISOString()],
      );
    world.services.clock.advance(2 * hour);
    await settled(0);
    expect((await world.grants(id)).map(({ occasion }) => occasion)).toEqual([sure, later]);
  });
  const merge = (from: string, into: string) =>
    world.owner(
      `update members set status = 5, merged_into = $2, name_sealed = null, name_hash = null, phone_sealed = null, tail_hash = null,
        id_card_sealed = null, birthday = null, form_sealed = null, pin_hash = null where id = $1`,
      [from, into],
    );
  const reasons = (activity: string) =>
    world
      .owner<{ reason: string }>("select reason from activity_invitations where activity_id = $1 order by bound_at, id", [activity])
      .then((rows) => rows.map(({ reason }) => reason));
  test("counts two friends who were merged as one: whoever brought the first of them has it", async () => {
    const [first, second] = [await world.join(), await world.join()];
    const id = await world.activity({ places: 9, friendToo: false }, KIND);
    const gone = await world.join({ from: { invitation: await invite(id, first) } });
    const stays = await world.join({ from: { invitation: await invite(id, second) } });
    await world.paid(stays, 1_000, "payer-71");
    await world.paid(gone, 1_000, "payer-72");
    await merge(gone, stays);
    await settled(8);
    await settled(1);
    expect(await reasons(id)).toEqual(["", "朋友已由别人先推荐"]);
    expect([await points(first), await points(second)]).toEqual([100, 0]);
    // One who had been counted before is no new friend as whom they were merged into.
    const counted = await world.join({ from: { invitation: await invite(id, first) } });
    await world.paid(counted, 1_000, "payer-73");
    await settled(8);
    const later = await world.join({ from: { invitation: await invite(id, second) } });
    await merge(counted, later);
    await world.paid(later, 1_000, "payer-74");
    await settled(8);
    expect((await reasons(id)).slice(2)).toEqual(["", "绑定前已经消费过"]);
    expect(await points(second)).toBe(0);
  });
  test("goes to whom the inviter was merged into, and never to the friend for themselves", async () => {
    const [gone, stays] = [await world.join(), await world.join()];
    const id = await world.activity({ places: 9, friendToo: false }, KIND);
    const code = await invite(id, gone);
    const friend = await world.join({ from: { invitation: code } });
    await world.paid(friend, 1_000, "payer-81");
    await merge(gone, stays);
    // The code on paper is still theirs.
    const other = await world.join({ from: { invitation: code } });
    await merge(other, stays);
    expect(await invited(id, stays)).toEqual([2, 0, 0]);
    await settled(8);
    expect([await points(stays), await points(friend), await points(gone)]).toEqual([100, 0, 0]);
    expect(await reasons(id)).toEqual(["", "和推荐人是同一个人"]);
  });
  test("counts two friends with one phone as one, and no more a day than may", async () => {
    const inviter = await world.join();
    const id = await world.activity({ places: 20, perDay: 2, friendToo: false }, KIND);
    const code = await invite(id, inviter);
    for (const [n, device] of ["device-0301", "device-0301", "device-0302", "device-0303"].entries())
      await world.paid(await world.join({ from: { invitation: code, device } }), 1_000, `payer-5${n}`);
    await settled(8);
    const statuses = async () => (await world.grants(id)).map(({ status }) => status).toSorted();
    expect((await statuses()).filter((one) => one === "given")).toHaveLength(2);
    await settled(1);
    expect(await statuses()).toEqual(["given", "given", "given", "refused"]);
    expect(await points(inviter)).toBe(300);
  });
});

describe("生日有礼", () => {
  const KIND = { kind: "birthday" };
  const at = (moment: string) => world.services.clock.set(moment);
  const grantDay = () => grantBirthdays.run(world.services, {});
  const granted = async (id: string) => (await world.grants(id)).map(({ occasion, member_id }) => [occasion, member_id]);

  test("gives once a year, so many days before, and once whatever day its job was missed on", async () => {
    const birthday = await world.join({ birthday: "1990-03-10" });
    const other = await world.join({ birthday: "1990-03-14" });
    at("2031-03-01T16:05:00Z");
    const id = await world.activity({ daysBefore: 3, gift: { coupons: [], points: 100, giftCents: 500 } }, KIND);
    await grantDay();
    expect(await granted(id)).toEqual([]);
    at("2031-03-06T16:05:00Z");
    await grantDay();
    await grantDay();
    await world.runJobs();
    expect(await granted(id)).toEqual([["2031", birthday]]);
    expect(await points(birthday)).toBe(100);
    // The report 生日赠送 has it.
    expect(await world.owner("select cause, gift_cents::int as cents from value_moves where member_id = $1", [birthday])).toEqual([
      { cause: "birthday", cents: 500 },
    ]);
    // Two mornings that the service slept through.
    at("2031-03-12T16:05:00Z");
    await grantDay();
    expect(await granted(id)).toEqual([
      ["2031", birthday],
      ["2031", other],
    ]);
    await world.runJobs();
  });
  test("of two processes at once gives once", async () => {
    const birthday = await world.join({ birthday: "1991-06-01" });
    at("2031-05-30T16:05:00Z");
    const id = await world.activity({}, KIND);
    at("2031-05-31T16:05:00Z");
    await Promise.all([grantDay(), grantDay()]);
    await world.runJobs();
    expect(await granted(id)).toEqual([["2031", birthday]]);
    expect(await points(birthday)).toBe(100);
  });
  test.each([
    ["2033-02-27T16:05:00Z", 1, "on Feb 28 where the year has no Feb 29"],
    ["2036-02-27T16:05:00Z", 0, "not on Feb 28 of a leap year"],
    ["2036-02-28T16:05:00Z", 1, "on Feb 29 of a leap year"],
  ])("born on Feb 29, asked at %s: %i, %s", async (moment, count) => {
    await world.join({ birthday: "1992-02-29" });
    at(new Date(Date.parse(moment) - 60_000).toISOString());
    const id = await world.activity({ places: 50 }, KIND);
    at(moment);
    await grantDay();
    await world.runJobs();
    expect((await world.grants(id)).length > 0).toBe(count === 1);
  });
  test("counts a birthday that was changed from the next year on, and none before its own days", async () => {
    const member = await world.join({ birthday: "1993-09-20" });
    await world.owner("update members set birthday = '1993-09-22', birthday_changed_on = '2037-05-01' where id = $1", [member]);
    at("2037-09-20T16:05:00Z");
    const id = await world.activity({}, { ...KIND, lastDay: "2038-12-31" });
    at("2037-09-21T16:05:00Z");
    await grantDay();
    expect(await granted(id)).toEqual([]);
    at("2038-09-21T16:05:00Z");
    await grantDay();
    await world.runJobs();
    expect(await granted(id)).toEqual([["2038", member]]);
  });
});

describe("races", () => {
  test("one event twice at once is one grant", async () => {
    const id = await world.activity();
    const member = await world.join({ run: false });
    await world.owner("delete from test_jobs");
    const both = await Promise.all([grants(id, member), grants(id, member), grants(id, member)]);
    expect(both.toSorted()).toEqual(["known", "known", "owed"]);
    await world.runJobs();
    expect(await points(member)).toBe(100);
  });
  test("of many who come for the last places as many get one as there are", async () => {
    const campaignId = await world.campaign(3);
    const id = await world.activity({ gift: { coupons: [{ campaignId, count: 1 }] }, places: 3 });
    const members = [];
    for (let n = 0; n < 8; n++) members.push(await world.join({ run: false }));
    await world.owner("delete from test_jobs");
    const all = await Promise.all(members.map((member) => grants(id, member)));
    expect(all.filter((one) => one === "owed")).toHaveLength(3);
    await world.runJobs();
    expect(await stock(campaignId)).toEqual({ issued: 3, held: 0 });
  });
  test("who pauses or ends it waits for who is granted something, and the other way round", async () => {
    const campaignId = await world.campaign(50);
    const id = await world.activity({ gift: { coupons: [{ campaignId, count: 1 }] }, places: 20 });
    const members = [];
    for (let n = 0; n < 6; n++) members.push(await world.join({ run: false }));
    await world.owner("delete from test_jobs");
    const [, ...all] = await Promise.all([
      world.call("mch01", steerActivity, { id, act: "stop" }),
      ...members.map((member) => grants(id, member)),
    ]);
    await world.runJobs();
    const given = (await world.grants(id)).filter(({ status }) => status === "given");
    expect(given).toHaveLength(all.filter((one) => one === "owed").length);
    expect(await stock(campaignId)).toEqual({ issued: given.length, held: 0 });
  });
});
