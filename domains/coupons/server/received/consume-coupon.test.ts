import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { merchantScope, platformScope, type Scope, storeScope } from "@zhangfang/server/database/scope.ts";
import { getCouponFigures, lookAtCoupon, useCouponAtDesk } from "../../contract/index.ts";
import { type CouponWorld, openCouponWorld } from "../testing/coupon-world.ts";
import { usedAloneSince } from "./at-desk.ts";
import { couponEntries } from "./coupon-entries.ts";
import { consumeCoupon } from "./consume-coupon.ts";
import { ownCoupons } from "./member-coupons.ts";

let world: CouponWorld;
beforeAll(async () => void (world = await openCouponWorld()));
beforeEach(() => world.clean());
afterEach(async () => expect(await world.breaches()).toEqual([]));
afterAll(() => world.close());

const PAY = { tradeType: "MICROPAY", authCode: "130000000000000009" };
const self = (id: string) => ({
  service_provider_id: world.tree.merchants.mch01.serviceProviderId,
  merchant_id: world.tree.merchants.mch01.id,
  id,
});
const received = async (terms = {}) => {
  const [campaign, member] = [await world.campaign(terms), await world.member()];
  return { member, coupon: (await world.claim(campaign, member)).coupon_id };
};

describe("自助核销", () => {
  const SELF = { methods: ["OFF_LINE", "SELF_CONSUME"], minCents: 0 };
  const consume = (member: string, coupon: string, store = 0, status = 1) =>
    withScope(world.services.pool, platformScope("a member uses up"), (tx) =>
      consumeCoupon(tx, world.services, { ...self(member), status }, "会员", {
        coupon_id: coupon,
        store_id: world.tree.merchants.mch01.stores[store]!.id,
        again: true,
      }),
    );
  test("uses a coupon up at a store, once, without an order", async () => {
    const { member, coupon } = await received(SELF);
    await expect(consume(await world.member(), coupon)).rejects.toMatchObject({ status: 404 });
    const came = await Promise.allSettled(Array.from({ length: 5 }, () => consume(member, coupon)));
    const used = came.flatMap((one) => (one.status === "fulfilled" ? [one.value.usedAt] : []));
    expect([used.length, new Set(used).size]).toEqual([5, 1]);
    await expect(consume(member, coupon, 1)).rejects.toMatchObject({ status: 409 });
    world.services.clock.advance(61_000);
    await expect(consume(member, coupon)).rejects.toMatchObject({ message: "这张券已使用" });
    expect(await world.owner("select 1 from coupon_events where coupon_id = $1 and cause = 'self'", [coupon])).toHaveLength(1);
    const today = shanghaiDay(world.services.clock.now_ms());
    expect(await world.call("mch01", getCouponFigures, { by: "store", from: today, to: today } as never)).toMatchObject({
      total: { used: 1, offCents: 2_000, orders: 0, drivenCents: 0 },
      rows: [{ id: world.tree.merchants.mch01.stores[0]!.id, used: 1, offCents: 2_000 }],
    });
  });
  test("is refused where the terms do not have it, at another store and outside the hours", async () => {
    const plain = await received();
    await expect(consume(plain.member, plain.coupon)).rejects.toMatchObject({ message: "这张券不能自助核销，请出示券码" });
    const { member, coupon } = await received({ ...SELF, storeIds: [world.tree.merchants.mch01.stores[0]!.id], excluded: [] });
    expect((await world.look((tx) => ownCoupons(tx, world.services, self(member), "usable"))).items[0]!.selfAt).toHaveLength(1);
    await expect(consume(member, coupon, 1)).rejects.toMatchObject({ message: "这张券不在这家门店用" });
    const never = { ...SELF, weekdays: [(new Date(world.services.clock.now_ms() + 8 * 3_600_000).getUTCDay() + 1) % 7] };
    const late = await received(never);
    await expect(consume(late.member, late.coupon)).rejects.toMatchObject({ message: "现在不在这张券的使用时段" });
    await expect(consume(member, coupon, 0, 2)).rejects.toMatchObject({ message: "会员已冻结，到店核实后才能再用" });
  });
  test("at the same moment as an order there is one of the two", async () => {
    const { member, coupon } = await received(SELF);
    const [order, mine] = await Promise.allSettled([world.place("S1", { coupons: "best", ticket: member }, PAY), consume(member, coupon)]);
    const uses = await world.owner("select 1 from coupon_uses where coupon_id = $1 and state = 'TAKEN'", [coupon]);
    expect(uses.length + (mine.status === "fulfilled" ? 1 : 0)).toBe(1);
    expect(order.status === "fulfilled" || mine.status === "fulfilled").toBe(true);
  });
  test("is for what has no threshold, and not for discounts in percent", async () => {
    for (const wrong of [{ minCents: 8_000 }, { kind: 2 as const, offCents: null, percent: 88, capCents: 2_000, minCents: 0 }])
      await expect(world.campaign({ methods: ["SELF_CONSUME"], ...wrong })).rejects.toMatchObject({
        fields: { "terms.methods": "自助核销没有订单可算，只用于没有门槛的立减和换购" },
      });
  });
});

describe("核销台", () => {
  const store = (n = 0) => world.tree.merchants.mch01.stores[n]!.id;
  const look = (code: string, n = 0, login = "mch01") => world.call(login, lookAtCoupon, { storeId: store(n), code });
  const use = (code: string, n = 0, requestId = randomUUID()) =>
    world.call("mch01", useCouponAtDesk, { requestId, storeId: store(n), code });
  test("tells what a code is, and that a coupon with a threshold is used in an order alone", async () => {
    const { member, coupon } = await received();
    const code = await world.code(member, coupon);
    expect(await look(code)).toMatchObject({ name: "满减", kind: 1, state: "SENDED", why: "", alone: false, tail: code.slice(8, 12) });
    await expect(use(code)).rejects.toMatchObject({ status: 409, message: "这张券不能自助核销，请出示券码" });
    // The store that read it has it for ten minutes, its till too; no other store has.
    await expect(look(code, 1)).rejects.toMatchObject({ status: 400, fields: { code: "券码无效或已过期，请顾客刷新后再扫" } });
    expect(await world.place("D1", { coupons: [code] }, PAY)).toMatchObject({ status: 2 });
    expect(await world.state(coupon)).toBe("USED");
    expect(await look(code)).toMatchObject({ state: "USED", why: "这张券已使用" });
    await expect(look(`98${code.slice(2, 12)}00000000`)).rejects.toMatchObject({ status: 400 });
  });
  test("uses one up that its terms give away without an order, once, and lists it for its store", async () => {
    const { member, coupon } = await received({ methods: ["OFF_LINE", "SELF_CONSUME"], minCents: 0 });
    const code = await world.code(member, coupon);
    const from = new Date(world.services.clock.now_ms() - 1_000).toISOString();
    expect(await look(code)).toMatchObject({ why: "", alone: true });
    const requestId = randomUUID();
    const used = await use(code, 0, requestId);
    expect(await use(code, 0, requestId)).toEqual(used);
    expect(await world.state(coupon)).toBe("USED");
    // Another desk with a picture of the same code a moment later, or the holder's own page, hands over nothing more.
    await expect(use(code)).rejects.toMatchObject({ message: "这张券已使用" });
    const own = withScope(world.services.pool, platformScope("a member uses up"), (tx) =>
      consumeCoupon(tx, world.services, { ...self(member), status: 1 }, "会员", { coupon_id: coupon, store_id: store(), again: true }),
    );
    await expect(own).rejects.toMatchObject({ message: "这张券已使用" });
    expect(await world.owner("select by_name from coupon_events where coupon_id = $1 and cause = 'self'", [coupon])).toHaveLength(1);
    const { serviceProviderId: service_provider_id, id: merchant_id } = world.tree.merchants.mch01;
    const since = (n: number) => world.look((tx) => usedAloneSince(tx, { service_provider_id, merchant_id, store_id: store(n) }, from));
    expect([(await since(0)).map(({ id, tail }) => [id, tail]), await since(1)]).toEqual([[[coupon, code.slice(8, 12)]], []]);
    world.services.clock.advance(61_000);
    await expect(use(code)).rejects.toMatchObject({ message: "这张券已使用" });
  });
  test("uses and what comes back of them stand in the shape of a platform's facts, of a store its own alone", async () => {
    const inOrder = await received();
    await world.place("D2", { coupons: [await world.code(inOrder.member, inOrder.coupon)] }, PAY);
    const alone = await received({ methods: ["OFF_LINE", "SELF_CONSUME"], minCents: 0 });
    world.services.clock.advance(1_000);
    await use(await world.code(alone.member, alone.coupon), 1);
    await world.refund("D2", 8_000);
    const { serviceProviderId, id } = world.tree.merchants.mch01;
    const today = shanghaiDay(world.services.clock.now_ms());
    const rows = async (scope: Scope) => {
      const found = await withScope(world.services.pool, scope, (tx) =>
        sql<{
          kind: string;
          store_id: string;
          face_cents: number;
          pay_cents: number;
          merchant_ticket_cents: number;
        }>`select x.* from (${couponEntries(scope, { from: today, to: today })}) x
          order by x.happened_at, x.store_id`.execute(tx),
      );
      return found.rows.map((row) => [row.kind, row.store_id, row.face_cents, row.pay_cents, row.merchant_ticket_cents]);
    };
    const [one, two] = [store(0), store(1)];
    expect(await rows(merchantScope(serviceProviderId, id))).toEqual([
      ["verify", one, 2_000, 0, 2_000],
      ["verify", two, 2_000, 0, 2_000],
      ["reverse", one, 2_000, 0, 2_000],
    ]);
    expect(await rows(storeScope(serviceProviderId, id, two))).toEqual([["verify", two, 2_000, 0, 2_000]]);
    expect(await rows(merchantScope(world.tree.merchants.mch02.serviceProviderId, world.tree.merchants.mch02.id))).toEqual([]);
  });
});
