import { randomUUID } from "node:crypto";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { addCampaign, decideCampaign, steerCampaign } from "../../../coupons/contract/index.ts";
import { coupons, verifyCoupons } from "../../../coupons/server/index.ts";
import {
  askCardRefund,
  decideCardRefund,
  getRecharge,
  getTillRechargeRules,
  previewCardRefund,
  saveRechargeRules,
} from "../../contract/index.ts";
import { openStoredWorld, type StoredWorld } from "../testing/stored-world.ts";
import { verifyStored } from "../verify-stored.ts";

// What a tier gives besides balance and points: coupons, by the coupons' own door.
let world: StoredWorld;
beforeAll(async () => void (world = await openStoredWorld([coupons])));
beforeEach(async () => {
  await world.clean();
  await world.owner(
    "truncate coupon_gifts, coupon_campaigns, coupon_terms, coupon_stock, coupons, coupon_uses, coupon_events, merchant_settings cascade",
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

test("where there is one piece, one arrives, and the office reads why the other did not; the money is not held up", async () => {
  await world.rule(tier(await campaign(1)));
  const { id: member } = await world.member();
  const { id } = await world.recharge(member, 100_000);
  expect(await world.balance(member)).toEqual({ principal: 100_000, gift: 20_000, points: 100 });
  await world.runJobs();
  expect(await states(member)).toEqual(["SENDED"]);
  expect(await world.call("mch01", getRecharge, { id })).toMatchObject({ coupons: "回店 满 80 减 20 1 张已发，1 张没发成：已领完" });
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
