import { randomUUID } from "node:crypto";
import type { InputOf } from "@zhangfang/contract/endpoint.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { hashPassword } from "../../../accounts/server/index.ts";
import { closeOrder, reserveRefund, settlePayment, settleRefund } from "../../../orders/server/index.ts";
import {
  addPackage,
  decidePackage,
  getPackage,
  getPackageGet,
  getTillPackages,
  listPackageGets,
  listPackages,
  previewPackageRefund,
  refundPackage,
  sellPackageAtTill,
  steerCampaign,
  steerPackage,
  summarisePackageGets,
  withdrawPackage,
} from "../../contract/index.ts";
import { coupons } from "../index.ts";
import { ownCoupons } from "../received/member-coupons.ts";
import { type CouponWorld, openCouponWorld, TERMS } from "../testing/coupon-world.ts";
import { receivePackage } from "./give-package.ts";
import { packagesFor } from "./member-packages.ts";
import { backOf, sharesOf } from "./package-rules.ts";

let world: CouponWorld;
beforeAll(async () => void (world = await openCouponWorld()));
beforeEach(() => world.clean());
afterEach(async () => expect(await world.breaches()).toEqual([]));
afterAll(() => world.close());

const DAY = 86_400_000;
const at = (ms: number): never => new Date(world.services.clock.now_ms() + ms).toISOString() as never;
const ref = (id: string) => ({
  service_provider_id: world.tree.merchants.mch01.serviceProviderId,
  merchant_id: world.tree.merchants.mch01.id,
  id,
});
type Facts = Omit<InputOf<typeof addPackage>, "requestId" | "items">;
const facts = (items: readonly [campaign: string, count: number][], more: Partial<Facts> = {}): InputOf<typeof addPackage> => ({
  requestId: randomUUID(),
  name: "早餐包",
  items: items.map(([campaignId, count]) => ({ campaignId, count })),
  total: 10,
  perPerson: 1,
  beginsAt: at(-1_000),
  endsAt: at(20 * DAY),
  ...more,
});
/** A package that another approved, of 满 80 减 20 twice and of 立减 5 once; 45.00 at most. */
async function packed(more: Partial<Facts> = {}, campaigns: { first?: object; second?: object; terms?: object } = {}) {
  // No two packages at the same moment.
  world.services.clock.advance(1_000);
  const first = await world.campaign(campaigns.terms as never, { total: 100, perPerson: 1, ...campaigns.first });
  const second = await world.campaign({ minCents: 0, offCents: 500 }, { total: 100, perPerson: 1, ...campaigns.second });
  const { id } = await world.call(
    "mch01",
    addPackage,
    facts(
      [
        [first, 2],
        [second, 1],
      ],
      more,
    ),
  );
  await world.owner("update packages set made_by = gen_random_uuid() where id = $1", [id]);
  await world.call("mch01", decidePackage, { id, approve: true });
  return { id, first, second };
}
const receive = (member: string, package_id: string, request_id: string = randomUUID()) =>
  withScope(world.services.pool, platformScope("a member receives"), (tx) =>
    receivePackage(tx, world.services, ref(member), { package_id, request_id }),
  );
const stock = (campaign: string) =>
  world.owner<{ issued: number; held: number }>("select issued::int, held::int from coupon_stock where campaign_id = $1", [campaign]);
const supply = async (id: string) =>
  (
    await world.owner<{ issued: number; held: number; today: number }>(
      "select issued::int, held::int, today::int from packages where id = $1",
      [id],
    )
  )[0];
const order = async (till_no: string) =>
  (await world.owner<{ id: string; status: number; order_no: string }>("select * from pay_orders where till_no = $1", [till_no]))[0]!;
const sell = (member: string, packageId: string, tillNo: string, store = 0) => {
  world.services.clock.advance(1_000);
  return world.askTill(
    world.tree.merchants.mch01.stores[store]!,
    coupons.routes.find(({ endpoint }) => endpoint === sellPackageAtTill)!,
    { tillNo, tradeType: "NATIVE", ticket: member, packageId },
  ) as Promise<{ orderNo: string; status: number; grossCents: number }>;
};
const arrives = async (tillNo: string) => {
  const found = await order(tillNo);
  await world.look((tx) => settlePayment(tx, world.services, found as never, world.channel.customerPays(found.order_no) as never));
};
const closes = async (tillNo: string) => {
  const found = await order(tillNo);
  await world.look((tx) => closeOrder(tx, world.services, found as never, "超时" as never));
};
/** What was asked for at the channel comes back. */
const refundsEnd = async (how: "success" | "closed" | "abnormal" = "success") => {
  await world.runJobs();
  for (const refundNo of world.channel.refunds.keys()) world.channel.decide(refundNo, how as never);
  world.services.clock.advance(60_000);
  await world.sweep("query-refunds");
  await world.runJobs();
};
const gets = (more: object = {}) => world.call("mch01", listPackageGets, more as never);
const bought = async (more: Partial<Facts> = {}, campaigns = {}) => {
  const [pack, member] = [await packed({ priceCents: 2_000 as never, ...more }, campaigns), await world.member()];
  await sell(member, pack.id, "P1");
  await arrives("P1");
  const [get] = (await gets()).items;
  return { ...pack, member, get: get!.id };
};
const couponsOf = (get: string) =>
  world.owner<{ id: string; no: string; state: string; off: number }>(
    "select c.id, c.no, c.state, x.value_cents::int as off from package_coupons x join coupons c on c.id = x.coupon_id where x.get_id = $1 order by x.value_cents desc, x.place",
    [get],
  );
const refund = async (id: string, refundCents: number) =>
  world.call("mch01", refundPackage, { requestId: randomUUID(), id, refundCents: refundCents as never, reason: "不想要了" });
const preview = (id: string) => world.call("mch01", previewPackageRefund, { id });
/** Uses one coupon of a package in a paid order of 100.00. */
const uses = (member: string, no: string, tillNo: string, more: object = { tradeType: "MICROPAY", authCode: "130000000000000009" }) =>
  world.place(tillNo, { coupons: [no], ticket: member }, more);

describe("a package", () => {
  test("is approved by another than who made it, and its liability does not look at its price", async () => {
    const campaign = await world.campaign({}, { total: 100 });
    const { id } = await world.call("mch01", addPackage, facts([[campaign, 3]], { priceCents: 100 as never, total: 17 }));
    expect(await world.call("mch01", getPackage, { id })).toMatchObject({
      state: "UNAUDIT",
      valueCents: 102_000,
      eachCents: 6_000,
      content: "满 80 减 20 × 3",
      mayDecide: false,
      mayDecideAlone: false,
    });
    await expect(world.call("mch01", decidePackage, { id, approve: true })).rejects.toMatchObject({ code: "second-person" });
    await expect(world.call("mch02", decidePackage, { id, approve: true })).rejects.toMatchObject({ status: 404 });
    await expect(receive(await world.member(), id)).rejects.toMatchObject({ status: 404 });
    // Of up to 1,000.00 a merchant's root says yes alone, with the refund password.
    const { serviceProviderId, id: merchant } = world.tree.merchants.mch01;
    await world.owner(
      "insert into merchant_settings (service_provider_id, merchant_id, refund_password_hash, updated_at) values ($1, $2, $3, now())",
      [serviceProviderId, merchant, await hashPassword("135790")],
    );
    await expect(world.call("mch01", decidePackage, { id, approve: true, refundPassword: "135790" })).rejects.toMatchObject({
      code: "second-person",
    });
    world.services.clock.advance(1_000);
    const small = await world.call("mch01", addPackage, facts([[campaign, 3]], { total: 16 }));
    await expect(world.call("mch01", decidePackage, { id: small.id, approve: true })).rejects.toMatchObject({
      fields: { refundPassword: "请输入退款密码" },
    });
    await world.call("mch01", decidePackage, { id: small.id, approve: true, refundPassword: "135790" });
    expect(await world.call("mch01", getPackage, { id: small.id })).toMatchObject({ state: "RUNNING", valueCents: 96_000 });
    await world.call("mch01", withdrawPackage, { id });
    expect((await world.call("mch01", listPackages, {})).items).toMatchObject([{ state: "RUNNING" }, { state: "STOPED", valueCents: 0 }]);
  });
  test("is refused where it can't be, at the field", async () => {
    const campaign = await world.campaign();
    const add = (given: object) => world.call("mch01", addPackage, { ...facts([[campaign, 1]]), ...given });
    await expect(add({ endsAt: at(-1) })).rejects.toMatchObject({ fields: { endsAt: expect.any(String) } });
    await expect(add({ endsAt: at(40 * DAY) })).rejects.toMatchObject({ fields: { endsAt: expect.stringContaining("先结束") } });
    await expect(add({ items: [{ campaignId: randomUUID(), count: 1 }] })).rejects.toMatchObject({ status: 404 });
    const twice = [
      { campaignId: campaign, count: 1 },
      { campaignId: campaign, count: 2 },
    ];
    await expect(add({ items: twice })).rejects.toMatchObject({ fields: { "items.1.campaignId": expect.any(String) } });
    await world.call("mch01", steerCampaign, { id: campaign, act: "pause" });
    await expect(add({})).rejects.toMatchObject({ fields: { "items.0.campaignId": expect.stringContaining("不在发放中") } });
    await expect(world.call("mch02", addPackage, facts([[campaign, 1]]))).rejects.toMatchObject({ status: 404 });
  });
  test("pauses, goes on, stops for ever, and ends by itself", async () => {
    const { id } = await packed({ perPerson: 5 });
    const member = await world.member();
    const steer = (act: "pause" | "resume" | "stop") => world.call("mch01", steerPackage, { id, act });
    await steer("pause");
    await expect(receive(member, id)).rejects.toMatchObject({ code: "coupon.paused" });
    await steer("resume");
    await receive(member, id);
    world.services.clock.advance(21 * DAY);
    await expect(receive(member, id)).rejects.toMatchObject({ code: "coupon.over" });
    await world.sweep("end-packages");
    expect(await world.call("mch01", getPackage, { id })).toMatchObject({ state: "STOPED" });
    await expect(steer("resume")).rejects.toMatchObject({ status: 409 });
  });
});

describe("a free package", () => {
  test("is all of its coupons in one step, whatever the campaigns allow one human, and once for a request", async () => {
    const { id, first } = await packed({ perPerson: 2 });
    const [member, request] = [await world.member(), randomUUID()];
    const [got, again] = await Promise.all([receive(member, id, request), receive(member, id, request)]);
    expect(again).toEqual(got);
    expect(got).toMatchObject({ coupons: 3 });
    expect(await world.look((tx) => ownCoupons(tx, world.services, ref(member), "usable"))).toMatchObject({ counts: { usable: 3 } });
    expect(await stock(first)).toEqual([{ issued: 2, held: 0 }]);
    await expect(receive(await world.member(), id, request)).rejects.toMatchObject({ code: "coupon.again" });
    await receive(member, id);
    await expect(receive(member, id)).rejects.toMatchObject({ code: "coupon.person" });
    expect((await gets()).items).toMatchObject([
      { status: 1, priceCents: 0, coupons: 3, used: 0, left: 3, returned: 0, orderNo: null },
      { status: 1 },
    ]);
    await expect(refund((await gets()).items[0]!.id, 0)).rejects.toMatchObject({ status: 409 });
  });
  test("gives nothing where one of its coupons is gone, or is not for whoever asks", async () => {
    const { id, first, second } = await packed({ perPerson: 5 }, { second: { total: 1 } });
    await receive(await world.member(), id);
    await expect(receive(await world.member(), id)).rejects.toMatchObject({ code: "coupon.gone" });
    expect([await stock(first), await stock(second)]).toEqual([[{ issued: 2, held: 0 }], [{ issued: 1, held: 0 }]]);
    const news = await packed({}, { terms: { newOnly: true } });
    const old = await world.member();
    await world.place("A", { ticket: old }, { tradeType: "MICROPAY", authCode: "130000000000000009" });
    await expect(receive(old, news.id)).rejects.toMatchObject({ code: "coupon.not-for" });
    expect(await world.look((tx) => packagesFor(tx, world.services, ref(old)))).toMatchObject([
      { packageId: news.id, state: "closed", why: "只给没下过单的新客", left: 10 },
      { packageId: id, state: "gone", left: 0 },
    ]);
  });
  test("the last of a package goes to one of many, and the last pieces of a campaign to one of two packages", async () => {
    const one = await packed({ total: 5, perPerson: 1 });
    const members: string[] = [];
    for (let n = 0; n < 20; n++) members.push(await world.member());
    const tries = await Promise.allSettled(members.map((member) => receive(member, one.id)));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    // Two packages whose campaigns stand in opposite orders, and claims beside them.
    const [a, b] = [await world.campaign({}, { total: 7, perPerson: 100 }), await world.campaign({}, { total: 7, perPerson: 100 })];
    const both: string[] = [];
    for (const items of [
      [
        [a, 1],
        [b, 1],
      ],
      [
        [b, 1],
        [a, 1],
      ],
    ] as [string, number][][]) {
      const { id } = await world.call("mch01", addPackage, facts(items, { perPerson: 10 }));
      await world.owner("update packages set made_by = gen_random_uuid() where id = $1", [id]);
      await world.call("mch01", decidePackage, { id, approve: true });
      both.push(id);
    }
    await Promise.allSettled(members.flatMap((member, n) => [receive(member, both[n % 2]!), world.claim(n % 2 ? a : b, member)]));
    expect([await stock(a), await stock(b)]).toEqual([[{ issued: 7, held: 0 }], [{ issued: 7, held: 0 }]]);
  });
  test("limits of a day hold", async () => {
    const { id } = await packed({ perDay: 2, perPerson: 3, perPersonDay: 1 });
    const [member, other] = [await world.member(), await world.member()];
    await receive(member, id);
    await expect(receive(member, id)).rejects.toMatchObject({ code: "coupon.person" });
    await receive(other, id);
    await expect(receive(await world.member(), id)).rejects.toMatchObject({ code: "coupon.day-gone" });
    world.services.clock.advance(DAY);
    await receive(member, id);
    expect(await supply(id)).toEqual({ issued: 3, held: 0, today: 1 });
  });
});

describe("a priced package", () => {
  test("sets its pieces aside while its order is open, and gives them with the money", async () => {
    const { id, first } = await packed({ priceCents: 2_000 as never });
    const member = await world.member();
    await expect(receive(member, id)).rejects.toMatchObject({ code: "package.priced" });
    expect(
      await world.askTill(
        world.tree.merchants.mch01.stores[0]!,
        coupons.routes.find(({ endpoint }) => endpoint === getTillPackages)!,
        {},
      ),
    ).toMatchObject({ packages: [{ id, priceCents: 2_000, left: 10, content: "满 80 减 20 × 2、立减 5 元" }] });
    const placed = await sell(member, id, "P1");
    expect(placed).toMatchObject({ status: 0, grossCents: 2_000 });
    expect((await sell(member, id, "P1")).orderNo).toBe(placed.orderNo);
    expect([await stock(first), await supply(id)]).toEqual([[{ issued: 0, held: 2 }], { issued: 0, held: 1, today: 1 }]);
    await expect(sell(member, id, "P2")).rejects.toMatchObject({ code: "coupon.person" });
    await closes("P1");
    expect([await stock(first), await supply(id)]).toEqual([[{ issued: 0, held: 0 }], { issued: 0, held: 0, today: 0 }]);
    await sell(member, id, "P2");
    await arrives("P2");
    await arrives("P2");
    expect([await stock(first), await supply(id)]).toEqual([[{ issued: 2, held: 0 }], { issued: 1, held: 0, today: 1 }]);
    expect((await gets()).items).toMatchObject([{ status: 1, priceCents: 2_000, left: 3 }, { status: 2 }]);
    expect(await world.call("mch01", getPackage, { id })).toMatchObject({ sold: 1, received: 0, incomeCents: 2_000, coupons: 3, used: 0 });
    expect(await world.call("mch01", summarisePackageGets, {})).toMatchObject({ paidCents: 2_000, byStatus: { 1: 1, 2: 1 } });
    const one = await world.call("mch01", getPackageGet, { id: (await gets()).items[0]!.id });
    expect(one.parts.map(({ valueCents, shareCents }) => [valueCents, shareCents])).toEqual([
      [2_000, 889],
      [2_000, 889],
      [500, 222],
    ]);
  });
  test("is given once it is paid for, whatever became of its package, its campaigns and whom they are for", async () => {
    const pack = await packed({ priceCents: 2_000 as never }, { terms: { newOnly: true } });
    const member = await world.member();
    await sell(member, pack.id, "P1");
    await world.place("A", { ticket: member }, { tradeType: "MICROPAY", authCode: "130000000000000009" });
    await world.call("mch01", steerCampaign, { id: pack.first, act: "stop" });
    await world.call("mch01", steerCampaign, { id: pack.second, act: "pause" });
    await world.call("mch01", steerPackage, { id: pack.id, act: "stop" });
    await arrives("P1");
    expect((await gets()).items).toMatchObject([{ status: 1, left: 3 }]);
  });
  test("is good for as long as it says where its campaign ended before the money came", async () => {
    const end = 3_600_000;
    const pack = await packed({ priceCents: 2_000 as never, endsAt: at(end) }, { first: { endsAt: at(end) } });
    const member = await world.member();
    await sell(member, pack.id, "P1");
    world.services.clock.advance(end + 60_000);
    await world.sweep("end-packages", "end-coupon-campaigns");
    await arrives("P1");
    const [get] = (await gets()).items;
    expect(get).toMatchObject({ status: 1 });
    const { parts } = await world.call("mch01", getPackageGet, { id: get!.id });
    for (const { validTo } of parts) expect(Date.parse(validTo!) - world.services.clock.now_ms()).toBeGreaterThan(6 * DAY);
  });
  test("paid after its order closed is given where there is one left, and else the money goes back at once", async () => {
    const pack = await packed({ priceCents: 2_000 as never, total: 1, perPerson: 2 });
    const [member, other] = [await world.member(), await world.member()];
    await sell(member, pack.id, "P1");
    await closes("P1");
    await sell(other, pack.id, "P2");
    await arrives("P1");
    expect((await gets()).items).toMatchObject([{ status: 0 }, { status: 5, coupons: 3, left: 0 }]);
    await refundsEnd();
    expect(await order("P1")).toMatchObject({ status: 3 });
    await closes("P2");
    await arrives("P2");
    expect((await gets()).items).toMatchObject([{ status: 1 }, { status: 5, refundCents: 2_000 }]);
    expect(await supply(pack.id)).toMatchObject({ issued: 1, held: 0 });
    // A human who has as many as they may have meanwhile gets none either.
    const single = await packed({ priceCents: 2_000 as never, perPerson: 1 });
    await sell(member, single.id, "P3");
    await closes("P3");
    await sell(member, single.id, "P4");
    await arrives("P4");
    await arrives("P3");
    expect((await gets({ packageId: single.id })).items).toMatchObject([{ status: 1 }, { status: 5 }]);
  });
  test("whose buyer has left goes back", async () => {
    const pack = await packed({ priceCents: 2_000 as never });
    const member = await world.member();
    await sell(member, pack.id, "P1");
    await world.owner("update members set status = 3, close_asked_at = now() where id = $1", [member]);
    await world.owner(
      "update members set status = 4, closed_at = now(), name_sealed = null, name_hash = null, phone_sealed = null, tail_hash = null where id = $1",
      [member],
    );
    await arrives("P1");
    expect((await gets()).items).toMatchObject([{ status: 5 }]);
    expect([await stock(pack.first), await supply(pack.id)]).toEqual([[{ issued: 0, held: 0 }], { issued: 0, held: 0, today: 0 }]);
  });
  test("whose buyer was merged meanwhile is theirs who they are now, and what either had counts", async () => {
    const pack = await packed({ priceCents: 2_000 as never, perPerson: 2 });
    const [before, after] = [await world.member(), await world.member()];
    await sell(after, pack.id, "P1");
    await arrives("P1");
    await sell(before, pack.id, "P2");
    await world.owner(
      `update members set status = 5, merged_into = $2, name_sealed = null, name_hash = null, phone_sealed = null, tail_hash = null where id = $1`,
      [before, after],
    );
    await arrives("P2");
    expect((await gets()).items).toMatchObject([
      { status: 1, memberId: after },
      { status: 1, memberId: after },
    ]);
    expect(await world.look((tx) => ownCoupons(tx, world.services, ref(after), "usable"))).toMatchObject({ counts: { usable: 6 } });
    await expect(sell(after, pack.id, "P3")).rejects.toMatchObject({ code: "coupon.person" });
  });
  test("close and payment at the same moment leave one end", async () => {
    for (let n = 0; n < 6; n++) {
      const pack = await packed({ priceCents: 2_000 as never });
      await sell(await world.member(), pack.id, `P${n}`);
      await Promise.all([closes(`P${n}`), arrives(`P${n}`)]);
      expect((await gets({ packageId: pack.id })).items).toMatchObject([{ status: 1 }]);
    }
  });
});

describe("a refund of a package", () => {
  test("gives the shares of what nobody used, and voids those alone", async () => {
    const { member, get, id } = await bought();
    const [used] = await couponsOf(get);
    await uses(member, used!.no, "U1");
    expect(await preview(get)).toMatchObject({
      priceCents: 2_000,
      refundCents: 1_111,
      goes: [{ shareCents: 889 }, { shareCents: 222 }],
      stays: [{ state: "USED", why: "已用，不退" }],
      refusal: null,
    });
    await expect(refund(get, 2_000)).rejects.toMatchObject({ code: "refund.changed" });
    await refund(get, 1_111);
    expect((await couponsOf(get)).map(({ state }) => state)).toEqual(["USED", "LOCKED", "LOCKED"]);
    await expect(refund(get, 1_111)).rejects.toMatchObject({ status: 409 });
    const [, held] = await couponsOf(get);
    await expect(uses(member, held!.no, "U2")).rejects.toMatchObject({ status: 400 });
    await refundsEnd();
    expect((await couponsOf(get)).map(({ state }) => state)).toEqual(["USED", "DEACTIVATED", "DEACTIVATED"]);
    expect((await gets()).items).toMatchObject([{ status: 4, refundCents: 1_111, used: 1, left: 0, returned: 2 }]);
    expect(await world.call("mch01", getPackage, { id })).toMatchObject({ incomeCents: 889, refundedCents: 1_111, used: 1 });
    expect(await preview(get)).toMatchObject({ refundCents: 0, refusal: expect.any(String) });
    await expect(refund(get, 889)).rejects.toMatchObject({ status: 409 });
  });
  test("of a whole one gives the whole price back, also of coupons that are over", async () => {
    const { get } = await bought();
    world.services.clock.advance(10 * DAY);
    await world.sweep("expire-coupons");
    expect((await couponsOf(get)).map(({ state }) => state)).toEqual(["EXPIRED", "EXPIRED", "EXPIRED"]);
    await refund(get, 2_000);
    await refundsEnd();
    expect(await order("P1")).toMatchObject({ status: 3 });
    expect((await couponsOf(get)).map(({ state }) => state)).toEqual(["DEACTIVATED", "DEACTIVATED", "DEACTIVATED"]);
  });
  test("that fails leaves the coupons good, and may be asked for again", async () => {
    const { member, get } = await bought();
    await refund(get, 2_000);
    await refundsEnd("closed");
    expect(await world.owner("select status from refunds")).toEqual([{ status: 3 }]);
    await world.sweep("follow-package-refunds");
    expect((await couponsOf(get)).map(({ state }) => state)).toEqual(["SENDED", "SENDED", "SENDED"]);
    expect((await gets()).items).toMatchObject([{ status: 1, returned: 0, left: 3, refundCents: null }]);
    const [coupon] = await couponsOf(get);
    await uses(member, coupon!.no, "U1");
    expect(await preview(get)).toMatchObject({ refundCents: 1_111 });
  });
  test("that failed and comes after all, with a coupon used meanwhile, is what it was asked for, and no night calls it a breach", async () => {
    const { member, get } = await bought();
    await refund(get, 2_000);
    await refundsEnd("abnormal");
    await world.sweep("follow-package-refunds");
    const [coupon] = await couponsOf(get);
    await uses(member, coupon!.no, "U1");
    const [late] = await world.owner<{ service_provider_id: string; id: string; order_id: string; refund_no: string }>(
      "select * from refunds",
    );
    const news = world.channel.decide(late!.refund_no, "success");
    await world.look((tx) => settleRefund(tx, world.services, late!, news as never));
    expect((await gets()).items).toMatchObject([{ status: 4, refundCents: 2_000, used: 1, returned: 2 }]);
    expect((await couponsOf(get)).map(({ state }) => state)).toEqual(["USED", "DEACTIVATED", "DEACTIVATED"]);
    expect(await world.breaches()).toEqual([]);
  });
  test("leaves a coupon that an open order has, whatever becomes of that order", async () => {
    const { member, get } = await bought();
    const [, locked] = await couponsOf(get);
    await uses(member, locked!.no, "U1", { tradeType: "NATIVE" });
    expect(await preview(get)).toMatchObject({ refundCents: 1_111, stays: [{ state: "LOCKED" }] });
    await refund(get, 1_111);
    await closes("U1");
    await refundsEnd();
    expect((await couponsOf(get)).map(({ state }) => state).toSorted()).toEqual(["DEACTIVATED", "DEACTIVATED", "SENDED"]);
  });
  test("and a till that uses one of its coupons at the same moment never both have it", async () => {
    for (let n = 0; n < 8; n++) {
      const pack = await packed({ priceCents: 2_000 as never });
      const member = await world.member();
      await sell(member, pack.id, `P${n}`);
      await arrives(`P${n}`);
      const get = (await gets({ packageId: pack.id })).items[0]!.id;
      const [coupon] = await couponsOf(get);
      const { quote } = await world.quote({ coupons: [coupon!.no], ticket: member });
      const till = () =>
        world.till(world.tree.merchants.mch01.stores[0]!, "createTillOrder", {
          tillNo: `U${n}`,
          tradeType: "MICROPAY",
          authCode: "130000000000000009",
          subject: "午餐",
          grossCents: 10_000 as never,
          lines: [
            { place: 1, name: "咖啡", units: 3, unitCents: 2_800, tags: ["drink"] },
            { place: 2, name: "蛋糕", units: 1, unitCents: 1_600 },
          ],
          quote,
          ticket: member,
        });
      const [back, used] = await Promise.allSettled(n % 2 ? [refund(get, 2_000), till()] : [till(), refund(get, 2_000)].toReversed());
      expect(new Set([back?.status, used?.status])).toEqual(new Set(["fulfilled", "rejected"]));
      expect(["LOCKED", "USED"]).toContain((await couponsOf(get))[0]!.state);
    }
    await refundsEnd();
  });
  test("asked for twice at once is one", async () => {
    const { get } = await bought();
    const asked = await Promise.allSettled([refund(get, 2_000), refund(get, 2_000)]);
    expect(asked.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await refundsEnd();
    expect(await world.owner("select count(*)::int as n from refunds")).toEqual([{ n: 1 }]);
  });
  test("by the channel's own hand voids what is unused", async () => {
    const { get } = await bought();
    const found = await order("P1");
    await world.look((tx) =>
      reserveRefund(tx, world.services, {
        order: found as never,
        request_id: randomUUID(),
        ask: { cents: 500 },
        reason: "通道原路退回",
        requested_by: null,
        requested_by_name: "系统",
        mayDecide: true,
        bySeller: true,
      }),
    );
    await refundsEnd();
    expect((await gets()).items).toMatchObject([{ status: 4, refundCents: 500, returned: 3 }]);
    expect((await couponsOf(get)).map(({ state }) => state)).toEqual(["DEACTIVATED", "DEACTIVATED", "DEACTIVATED"]);
  });
});

test("shares add up to the price, and what goes back to what was paid where all of it does", () => {
  expect(sharesOf(2_000, [2_000, 2_000, 500])).toEqual([889, 889, 222]);
  expect(sharesOf(1, [TERMS.offCents, TERMS.offCents, TERMS.offCents])).toEqual([1, 0, 0]);
  const part = (share_cents: number, state: "SENDED" | "USED" | "LOCKED") => ({ share_cents, state });
  const parts = [part(889, "SENDED"), part(889, "USED"), part(222, "LOCKED")];
  expect(backOf(parts, { price_cents: 2_000, paid_cents: 2_000 })).toBe(889);
  // The channel's own coupon paid a tenth of it: so much less goes back.
  expect(backOf(parts, { price_cents: 2_000, paid_cents: 1_800 })).toBe(800);
  expect(
    backOf(
      parts.map(({ share_cents }) => part(share_cents, "SENDED")),
      { price_cents: 2_000, paid_cents: 1_800 },
    ),
  ).toBe(1_800);
});
