import { randomUUID } from "node:crypto";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { addCampaign, decideCampaign, steerCampaign } from "../../../coupons/contract/index.ts";
import { coupons, verifyCoupons } from "../../../coupons/server/index.ts";
import {
  askCardRefund,
  createTillRecharge,
  confirmCardRefund,
  decideCardRefund,
  getRecharge,
  getTillRechargeRules,
  previewCardRefund,
  proveCardRefund,
  saveRechargeRules,
  settleRechargeCoupons,
  transferBalance,
} from "../../contract/index.ts";
import { openStoredWorld, type StoredWorld } from "../testing/stored-world.ts";
import { verifyStored } from "../verify-stored.ts";

// What a tier gives besides balance and points: coupons, by the coupons' own door.
let world: StoredWorld;
beforeAll(async () => void (world = await openStoredWorld([coupons])));
beforeEach(async () => {
  await world.clean();
  await emptyTables(
    world.owner,
    "coupon_gifts, coupon_campaigns, coupon_terms, coupon_stock, coupons, coupon_uses, coupon_events, merchant_settings",
  );
});
afterEach(async () =>
  expect([...(await world.verify()), ...(await world.look(verifyStored)), ...(await world.look(verifyCoupons))]).toEqual([]),
);
afterAll(() => world.close());

const call = async <E extends Endpoint>(endpoint: E, input: InputOf<E>) =>
  (await world.ask(
    "mch01",
    coupons.routes.find((one) => one.endpoint === endpoint)!,
    input as object,
  )) as OutputOf<E>;
async function campaign(total = 30): Promise<string> {
  const { id } = await call(addCampaign, {
    requestId: randomUUID(),
    name: "回店",
    terms: { kind: 1, minCents: 8_000, offCents: 2_000, validity: { mode: 3, wait: 0, count: 30, unit: "day" } },
    total,
    perPerson: 5,
    beginsAt: new Date(world.services.clock.now_ms() - 1_000).toISOString(),
    endsAt: new Date(world.services.clock.now_ms() + 90 * 86_400_000).toISOString(),
  } as never);
  await world.owner("update coupon_campaigns set made_by = gen_random_uuid() where id = $1", [id]);
  await call(decideCampaign, { id, version: 1, approve: true });
  return id;
}
const tier = (couponCampaignId: string | null, couponCount = 2) => ({
  tiers: [{ amountCents: 100_000 as never, giftCents: 20_000, points: 100, couponCampaignId, couponCount }],
});
const states = async (member: string) =>
  (await world.owner<{ state: string }>("select state from coupons where member_id = $1 and source = 'gift' order by state", [member])).map(
    ({ state }) => state,
  );

test("a recharge brings its tier's coupons once; when it goes back, those that were not used are void", async () => {
  await world.rule(tier(await campaign()));
  expect((await world.atTill(getTillRechargeRules, {})).tiers).toMatchObject([{ coupons: "满 80 减 20 的券 2 张" }]);
  const { id: member } = await world.member();
  const { id } = await world.recharge(member, 100_000);
  await world.runJobs();
  await world.runJobs();
  expect(await states(member)).toEqual(["SENDED", "SENDED"]);
  expect(await world.call("mch01", getRecharge, { id })).toMatchObject({ coupons: "回店 满 80 减 20 2 张已发" });
  const { sums } = await world.call("mch01", previewCardRefund, { rechargeId: id });
  const asked = await world.call("mch01", askCardRefund, {
    requestId: randomUUID(),
    rechargeId: id,
    reason: 1,
    way: 0,
    paysCents: sums[0]!.paysCents,
    note: "搬家",
  });
  await world.call("sp01", decideCardRefund, { id: asked.id, approve: true });
  await world.settleRefunds();
  await world.runJobs();
  expect(await states(member)).toEqual(["DEACTIVATED", "DEACTIVATED"]);
  expect(await world.call("mch01", getRecharge, { id })).toMatchObject({ coupons: "回店 满 80 减 20 2 张已收回" });
});

test("coupons go back from who bought as others are paid for what was moved to them, in proportion and once", async () => {
  await world.rule(tier(await campaign(), 3));
  const buyer = await world.member();
  const { id } = await world.recharge(buyer.id, 100_000);
  await world.runJobs();
  await world.owner(
    "update coupons set state = 'LOCKED', order_id = (select order_id from recharges) where id = (select coupon_id from coupon_gifts where place = 3)",
  );
  // Half, and then the rest: 1 of 3, then all that were not used. The preview says so before.
  for (const [cents, said, expected] of [
    [60_000, "回店 满 80 减 20 1 张", ["DEACTIVATED", "LOCKED", "SENDED"]],
    [60_000, "回店 满 80 减 20 2 张", ["DEACTIVATED", "DEACTIVATED", "LOCKED"]],
  ] as const) {
    const { id: toTicket } = await world.member();
    await world.atTill(transferBalance, { requestId: randomUUID(), ticket: buyer.id, toTicket, amountCents: cents as never });
    const [lot] = await world.owner<{ id: string }>("select id from value_lots where member_id = $1", [toTicket]);
    const shown = await world.call("mch01", previewCardRefund, { lotId: lot!.id });
    expect([shown.coupons, shown.pointsOf?.memberId]).toEqual([said, buyer.id]);
    const refund = await world.call("mch01", askCardRefund, {
      requestId: randomUUID(),
      lotId: lot!.id,
      reason: 2,
      way: 1,
      paysCents: 50_000 as never,
      note: "搬家",
    });
    await world.call("sp01", decideCardRefund, { id: refund.id, approve: true });
    await world.call("mch01", proveCardRefund, { id: refund.id, evidence: "工行 20261124-0001" });
    await world.call("sp01", confirmCardRefund, { id: refund.id });
    await world.runJobs();
    expect(await states(buyer.id)).toEqual(expected);
  }
  expect(await world.owner("select revoked from coupons where state = 'LOCKED'")).toEqual([{ revoked: true }]);
  expect(await world.call("mch01", getRecharge, { id })).toMatchObject({ coupons: "回店 满 80 减 20 1 张已发，2 张已收回" });
  // No order really had it.
  await world.owner("update coupons set state = 'SENDED', order_id = null where state = 'LOCKED'");
});

test("what is gone when the money is there is told; it is given again once there are some, or given up, and the money is not held up", async () => {
  const own = await campaign(2);
  await world.rule(tier(own));
  const { id: member } = await world.member();
  const { id } = await world.recharge(member, 100_000);
  expect(await world.balance(member)).toEqual({ principal: 100_000, gift: 20_000, points: 100 });
  await world.owner("update coupon_stock set total = 1 where campaign_id = $1", [own]);
  await world.runJobs();
  expect(await states(member)).toEqual(["SENDED"]);
  const shown = () => world.call("mch01", getRecharge, { id });
  expect(await shown()).toMatchObject({ coupons: "回店 满 80 减 20 1 张已发，1 张没发成：已领完", couponsFailed: 1 });
  const settle = (again: boolean, login = "mch01") => world.call(login, settleRechargeCoupons, { id, again });
  await expect(settle(true, "mch02")).rejects.toMatchObject({ status: 404 });
  await settle(true);
  await world.runJobs();
  expect(await shown()).toMatchObject({ couponsFailed: 1 });
  await world.owner("update coupon_stock set total = 2 where campaign_id = $1", [own]);
  await settle(true);
  await expect(settle(true)).rejects.toMatchObject({ status: 409 });
  await world.runJobs();
  await world.runJobs();
  expect([await states(member), await shown()]).toMatchObject([
    ["SENDED", "SENDED"],
    { coupons: "回店 满 80 减 20 2 张已发", couponsFailed: 0 },
  ]);
  const { id: other } = await world.recharge(member, 100_000);
  expect((await world.call("mch01", getRecharge, { id: other })).coupons).toBe("");
});

test("what was paid for is given though its campaign rests or is over by then; it is promised only where it can be given", async () => {
  const own = await campaign(3);
  await world.rule(tier(own));
  const told = async () => (await world.atTill(getTillRechargeRules, {})).tiers[0]!.coupons;
  const { id: member } = await world.member();
  await world.recharge(member, 100_000);
  await call(steerCampaign, { id: own, act: "pause" });
  await world.runJobs();
  expect([await states(member), await told()]).toEqual([["SENDED", "SENDED"], ""]);
  await world.recharge(member, 100_000);
  await call(steerCampaign, { id: own, act: "resume" });
  await world.runJobs();
  // One is left, the tier brings two.
  expect([(await states(member)).length, await told()]).toEqual([2, ""]);
  await world.owner("update coupon_stock set total = 4 where campaign_id = $1", [own]);
  expect(await told()).toBe("满 80 减 20 的券 2 张");
  await world.recharge(member, 100_000);
  await call(steerCampaign, { id: own, act: "stop" });
  await world.runJobs();
  expect((await states(member)).length).toBe(4);
});

test("who was shown coupons pays for no recharge that brings others, or none; who says nothing of them is told what comes", async () => {
  const own = await campaign(2);
  await world.rule(tier(own));
  const { id: member } = await world.member();
  const recharge = (coupons?: string) =>
    world.atTill(createTillRecharge, {
      tillNo: `R${world.services.ids.digits(12)}`,
      ticket: member,
      amountCents: 100_000 as never,
      tradeType: "NATIVE",
      ...(coupons !== undefined && { coupons }),
    });
  const [shown] = (await world.atTill(getTillRechargeRules, {})).tiers;
  expect(await recharge(shown!.coupons)).toMatchObject({ coupons: "满 80 减 20 的券 2 张" });
  await world.owner("update coupon_stock set total = 1 where campaign_id = $1", [own]);
  await expect(recharge(shown!.coupons)).rejects.toMatchObject({
    status: 409,
    code: "coupon.changed",
    message: "充值送的券有变化：现在不送券，请重新确认",
  });
  expect(await world.owner("select 1 from recharges")).toHaveLength(1);
  for (const none of ["", undefined]) expect(await recharge(none)).toMatchObject({ coupons: "" });
});

test("a till that knows the member is told what the recharge brings them: of a tier that they have used up nothing, and no 409 comes of it", async () => {
  const own = await campaign();
  const [first] = tier(own).tiers;
  await world.rule({ tiers: [{ ...first!, most: 1 }] });
  const { id: member } = await world.member();
  const { id: other } = await world.member();
  const shown = async (ticket?: string) => (await world.atTill(getTillRechargeRules, ticket === undefined ? {} : { ticket })).tiers;
  const recharge = (coupons: string) =>
    world.atTill(createTillRecharge, {
      tillNo: `R${world.services.ids.digits(12)}`,
      ticket: member,
      amountCents: 100_000 as never,
      tradeType: "NATIVE",
      coupons,
    });
  const words = "满 80 减 20 的券 2 张";
  expect(await shown(member)).toMatchObject([{ giftCents: 20_000, points: 100, coupons: words, why: null }]);
  await recharge((await shown(member))[0]!.coupons);
  expect(await shown(member)).toMatchObject([{ amountCents: 100_000, giftCents: 0, points: 0, coupons: "", why: null }]);
  for (const ticket of [other, undefined]) expect(await shown(ticket)).toMatchObject([{ giftCents: 20_000, coupons: words }]);
  // What everybody is told is refused for them; what they are told is taken.
  await expect(recharge(words)).rejects.toMatchObject({ status: 409, code: "coupon.changed" });
  expect(await recharge((await shown(member))[0]!.coupons)).toMatchObject({ giftCents: 0, coupons: "" });
});

test("what was given up is given no more", async () => {
  const own = await campaign(2);
  await world.rule(tier(own));
  const { id: member } = await world.member();
  const { id } = await world.recharge(member, 100_000);
  await world.owner("update coupon_stock set total = 1 where campaign_id = $1", [own]);
  await world.runJobs();
  await world.call("mch01", settleRechargeCoupons, { id, again: false });
  await expect(world.call("mch01", settleRechargeCoupons, { id, again: true })).rejects.toMatchObject({ status: 409 });
  expect(await world.call("mch01", getRecharge, { id })).toMatchObject({
    coupons: "回店 满 80 减 20 1 张已发，1 张不发了",
    couponsFailed: 0,
  });
});

test("a rule names only what its merchant gives out now; a recharge below the tier brings none", async () => {
  const own = await campaign();
  await call(steerCampaign, { id: own, act: "stop" });
  const save = (couponCampaignId: string) => world.call("mch01", saveRechargeRules, { version: 0, ...tier(couponCampaignId) });
  for (const id of [own, randomUUID()])
    await expect(save(id)).rejects.toMatchObject({ fields: { "tiers.0.couponCampaignId": "这张优惠券不在发放中" } });
  await world.rule(tier(await campaign()));
  const { id: member } = await world.member();
  const { id } = await world.recharge(member, 50_000);
  await world.runJobs();
  expect([await states(member), (await world.call("mch01", getRecharge, { id })).coupons]).toEqual([[], ""]);
});
