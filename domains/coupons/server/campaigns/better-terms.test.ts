import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { hashPassword } from "../../../accounts/server/index.ts";
import {
  addCampaign,
  addPackage,
  askBetter,
  couponTerms,
  decideBetter,
  decideCampaign,
  decidePackage,
  getCampaign,
  steerCampaign,
  withdrawBetter,
} from "../../contract/index.ts";
import { type CouponWorld, openCouponWorld, TERMS } from "../testing/coupon-world.ts";

let world: CouponWorld;
beforeAll(async () => void (world = await openCouponWorld()));
beforeEach(() => world.clean());
afterEach(async () => expect(await world.breaches()).toEqual([]));
afterAll(() => world.close());

const ask = (id: string, more: object = { offCents: 3_000 }, version = 1, login = "mch01") =>
  world.call(login, askBetter, { id, version, terms: couponTerms.parse({ ...TERMS, ...more }) });
const decide = (id: string, n: number, approve: boolean, refundPassword?: string) =>
  world.call("mch01", decideBetter, { id, n, approve, ...(refundPassword !== undefined && { refundPassword }) });
const byAnother = () => world.owner("update coupon_betterments set asked_by = gen_random_uuid()");
const one = (id: string) => world.call("mch01", getCampaign, { id });
const campaign = () => world.campaign({}, { total: 1_000, perPerson: 5 });

test("better terms hold after another's yes, for what is received from then on; who had one keeps what it said", async () => {
  const [id, member] = [await campaign(), await world.member()];
  const before = await world.claim(id, member);
  const { n } = await ask(id);
  expect(await one(id)).toMatchObject({ version: 1, better: { n, eachCents: 3_000, own: true, mayDecide: false, mayDecideAlone: false } });
  await expect(decide(id, n, true)).rejects.toMatchObject({ code: "second-person" });
  await expect(decide(id, n, false)).rejects.toMatchObject({ code: "second-person" });
  await byAnother();
  await expect(world.call("mch01", withdrawBetter, { id, n })).rejects.toMatchObject({ code: "second-person" });
  await decide(id, n, true);
  await expect(decide(id, n, true)).rejects.toMatchObject({ status: 409 });
  await expect(decide(id, 9, true)).rejects.toMatchObject({ status: 404 });
  expect(await one(id)).toMatchObject({ version: 2, better: null, worth: "满 80 减 30", versions: [{ version: 2 }, { version: 1 }] });
  const after = await world.claim(id, member);
  expect((await world.quote({ coupons: [before.no], ticket: member })).paidCents).toBe(8_000);
  expect((await world.quote({ coupons: [after.no], ticket: member })).paidCents).toBe(7_000);
  // What it may cost counts each by its own terms.
  expect(await one(id)).toMatchObject({ valueCents: 2_000 + 999 * 3_000 });
});

test("worse terms, unchanged ones and those of others are refused at the field, and change nothing", async () => {
  const id = await campaign();
  await expect(ask(id, { offCents: 1_999 })).rejects.toMatchObject({ fields: { "terms.offCents": expect.stringContaining("只能提高") } });
  await expect(ask(id, { kind: 2, offCents: null, percent: 80, capCents: 9_000 })).rejects.toMatchObject({
    fields: { "terms.kind": expect.any(String) },
  });
  await expect(ask(id, {})).rejects.toMatchObject({ fields: { "terms.minCents": "条款没有改动" } });
  await expect(ask(id, { storeIds: [world.tree.merchants.mch02.stores[0]!.id] })).rejects.toMatchObject({ status: 404 });
  await expect(ask(id, {}, 1, "mch02")).rejects.toMatchObject({ status: 404 });
  await expect(ask(id, { offCents: 3_000 }, 2)).rejects.toMatchObject({ status: 409 });
  expect(await one(id)).toMatchObject({ version: 1, better: null });
});

test("one change waits at a time; who asked takes it back, another refuses it; nothing of it holds", async () => {
  const id = await campaign();
  const first = await ask(id);
  await expect(ask(id, { offCents: 4_000 })).rejects.toMatchObject({ status: 409 });
  await world.call("mch01", withdrawBetter, { id, n: first.n });
  const second = await ask(id, { offCents: 4_000 });
  await byAnother();
  await decide(id, second.n, false);
  expect(await one(id)).toMatchObject({ version: 1, better: null, worth: "满 80 减 20" });
  // Two that say yes at once: one of them.
  const third = await ask(id, { offCents: 5_000 });
  await byAnother();
  const both = await Promise.allSettled([decide(id, third.n, true), decide(id, third.n, true)]);
  expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await one(id)).toMatchObject({ version: 2, worth: "满 80 减 50" });
});

test("of what waits nothing holds when the campaign was stopped; little a merchant's root says yes to alone, with the refund password", async () => {
  const id = await campaign();
  const { n } = await ask(id);
  await byAnother();
  await world.call("mch01", steerCampaign, { id, act: "stop" });
  await expect(decide(id, n, true)).rejects.toMatchObject({ status: 409 });
  await decide(id, n, false);
  const { serviceProviderId, id: merchant } = world.tree.merchants.mch01;
  await world.owner(
    "insert into merchant_settings (service_provider_id, merchant_id, refund_password_hash, updated_at) values ($1, $2, $3, now())",
    [serviceProviderId, merchant, await hashPassword("135790")],
  );
  const small = await world.campaign({}, { total: 30 });
  const asked = await ask(small);
  expect(await one(small)).toMatchObject({ better: { mayDecideAlone: true } });
  await expect(decide(small, asked.n, true)).rejects.toMatchObject({ fields: { refundPassword: expect.any(String) } });
  await decide(small, asked.n, true, "135790");
  // 30 pieces at 40.00 are more than 1,000.00.
  const more = await ask(small, { offCents: 4_000 }, 2);
  await expect(decide(small, more.n, true, "135790")).rejects.toMatchObject({ code: "second-person" });
});

/** A refund password, with which the root of mch01 says yes alone to little. */
async function byRoot(): Promise<void> {
  const { serviceProviderId, id: merchant } = world.tree.merchants.mch01;
  await world.owner(
    "insert into merchant_settings (service_provider_id, merchant_id, refund_password_hash, updated_at) values ($1, $2, $3, now())",
    [serviceProviderId, merchant, await hashPassword("135790")],
  );
}
test("what its maker ran alone is theirs no longer once another says yes to more, whoever of the two asked", async () => {
  await byRoot();
  const alone = async () => {
    const { id } = await world.call("mch01", addCampaign, world.facts({}, { total: 30 }));
    await world.call("mch01", decideCampaign, { id, version: 1, approve: true, refundPassword: "135790" });
    return id;
  };
  const decidedBy = (id: string) => world.owner("select alone, decided_by <> made_by as other from coupon_campaigns where id = $1", [id]);
  // 30 pieces at 50.00 are more than 1,000.00. The root says yes to what another asked.
  const first = await alone();
  const asked = await ask(first, { offCents: 5_000 });
  await byAnother();
  await decide(first, asked.n, true);
  expect(await decidedBy(first)).toEqual([{ alone: false, other: true }]);
  expect(await world.breaches()).toEqual([]);
  // Another says yes to what the root asked.
  const second = await alone();
  const own = await ask(second, { offCents: 5_000 });
  await world.owner("update coupon_campaigns set made_by = gen_random_uuid() where id = $1", [second]);
  await world.owner("update coupon_campaigns set decided_by = made_by where id = $1", [second]);
  await world.owner(
    "update coupon_betterments b set asked_by = c.made_by from coupon_campaigns c where c.id = $1 and b.campaign_id = c.id",
    [second],
  );
  await decide(second, own.n, true);
  expect(await decidedBy(second)).toEqual([{ alone: false, other: true }]);
  // Little more, alone again, stays theirs alone.
  const third = await alone();
  const little = await ask(third, { offCents: 3_000 });
  await decide(third, little.n, true, "135790");
  expect(await decidedBy(third)).toEqual([{ alone: true, other: false }]);
});
test("a package that was run alone is judged by what its coupons were worth then", async () => {
  await byRoot();
  const id = await campaign();
  const { id: pack } = await world.call("mch01", addPackage, {
    requestId: randomUUID(),
    name: "早餐包",
    items: [{ campaignId: id, count: 1 }],
    priceCents: null,
    total: 30,
    perPerson: 1,
    beginsAt: new Date(world.services.clock.now_ms()).toISOString(),
    endsAt: new Date(world.services.clock.now_ms() + 86_400_000).toISOString(),
  } as never);
  await world.call("mch01", decidePackage, { id: pack, approve: true, refundPassword: "135790" } as never);
  expect(await world.owner("select alone, decided_by = made_by as own from packages where id = $1", [pack])).toEqual([
    { alone: true, own: true },
  ]);
  world.services.clock.advance(60_000);
  const { n } = await ask(id, { offCents: 5_000 });
  await byAnother();
  await decide(id, n, true);
  expect(await world.breaches()).toEqual([]);
});
