import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { ExportRow, ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { parseScope } from "@zhangfang/server/database/scope.ts";
import { getCampaign, getCouponFigures } from "../../contract/index.ts";
import { couponExport } from "../export-coupons.ts";
import { type CouponWorld, openCouponWorld } from "../testing/coupon-world.ts";
import { figuresExport } from "./coupon-figures.ts";

let world: CouponWorld;
beforeAll(async () => void (world = await openCouponWorld()));
beforeEach(() => world.clean());
afterEach(async () => expect(await world.breaches()).toEqual([]));
afterAll(() => world.close());

const PAY = { tradeType: "MICROPAY", authCode: "130000000000000009" };
const figures = (login: string, more: object = {}) => {
  const today = shanghaiDay(world.services.clock.now_ms());
  return world.call(login, getCouponFigures, { from: addDays(today, -1), to: today, ...more } as never);
};

test("what was given out, used, came back and is out stands in it, by coupon, store and day, and stores are told what is theirs", async () => {
  const campaign = await world.campaign();
  const [one, two, three] = [await world.member(), await world.member(), await world.member()];
  const coupons = [];
  for (const member of [one, two, three]) coupons.push(await world.claim(campaign, member!));
  await world.place("F1", { coupons: [coupons[0]!.no], ticket: one }, PAY);
  await world.place("F2", { coupons: [coupons[1]!.no], ticket: two }, PAY, 1);
  const before = await figures("mch01");
  expect(before.total).toEqual({
    issued: 3,
    expired: 0,
    voided: 0,
    received: 3,
    receivedUsed: 2,
    used: 2,
    returned: 0,
    offCents: 4_000,
    providerCents: 0,
    orders: 2,
    drivenCents: 20_000,
    newOrders: 2,
  });
  expect(before).toMatchObject({ rows: [{ id: campaign, name: "满减" }], more: false, openCents: 2_000, openCount: 1 });
  // The whole of an order goes back: nothing came off by it, and its coupon is out again.
  await world.refund("F1", 8_000);
  expect((await figures("mch01")).total).toMatchObject({
    issued: 3,
    used: 2,
    returned: 1,
    receivedUsed: 1,
    offCents: 2_000,
    drivenCents: 10_000,
  });
  expect(await world.call("mch01", getCampaign, { id: campaign })).toMatchObject({ orders: 1, grossCents: 10_000, offCents: 2_000 });
  // What a platform's voucher paid for was not driven by a coupon.
  await world.owner("update pay_orders set voucher_cents = coupon_cents, coupon_cents = 0 where till_no = 'F2'");
  expect((await figures("mch01")).total).toMatchObject({ drivenCents: 8_000 });
  await world.owner("update pay_orders set coupon_cents = voucher_cents, voucher_cents = 0 where till_no = 'F2'");
  expect(await figures("mch01")).toMatchObject({ openCents: 4_000 });
  // Half of the other's value goes back, and with it half of what came off.
  await world.refund("F2", 4_000, 1);
  expect(await figures("mch01")).toMatchObject({ total: { returned: 1, offCents: 1_000, drivenCents: 5_000 }, openCount: 2 });
  const stores = await figures("mch01", { by: "store" });
  expect(stores.rows.map(({ used, offCents, issued }) => [used, offCents, issued])).toEqual([
    [1, 1_000, null],
    [1, 0, null],
  ]);
  const there = await figures("mch01", { storeId: world.tree.merchants.mch01.stores[1]!.id });
  expect(there).toMatchObject({ total: { used: 1, offCents: 1_000, issued: null }, openCents: null, openCount: null });
  expect((await figures("emp01")).total).toMatchObject({ used: 1, offCents: 0, issued: null });
  expect((await figures("sp01", { by: "day" })).rows).toMatchObject([{ issued: 3, used: 2 }]);
  expect((await figures("mch02")).rows).toEqual([]);
});

test("of lines that go back a coupon costs less by their part of what it took off", async () => {
  const campaign = await world.campaign();
  const member = await world.member();
  const { no } = await world.claim(campaign, member);
  await world.place("L", { coupons: [no], ticket: member }, PAY);
  // 20.00 off of 100.00: the cake at 16.00 bore 3.20.
  await world.refund("L", { units: [{ place: 2, units: 1 }] });
  expect((await figures("mch01")).total).toMatchObject({ used: 1, returned: 0, offCents: 1_680 });
});

test("the files of 优惠券汇总 and 优惠券明细 say what the screens say, to whom they say it", async () => {
  const campaign = await world.campaign();
  const [one, two] = [await world.member(), await world.member()];
  const used = await world.claim(campaign, one);
  await world.claim(campaign, two);
  await world.place("X", { coupons: [used.no], ticket: one }, PAY);
  const today = shanghaiDay(world.services.clock.now_ms());
  const file = async (login: string, source: ExportSource, asked: object): Promise<ExportRow[]> => {
    const [user] = await world.owner<{ scope: string }>("select app.scope_of(u) as scope from users u where u.login = $1", [login]);
    const scope = parseScope(user!.scope);
    const rows: ExportRow[] = [];
    await withScope(world.services.pool, scope, async (tx) => {
      const input = source.input.parse(asked) as never;
      for await (const batch of source.rows(tx, scope, input)) rows.push(...batch);
      expect(await source.count(tx, scope, input)).toBe(rows.length);
    });
    return rows;
  };
  const [shown] = (await figures("mch01")).rows;
  expect(await file("mch01", figuresExport as never, { from: addDays(today, -1), to: today })).toMatchObject([
    { name: shown!.name, issued: 2, used: 1, offCents: 2_000, orders: 1 },
  ]);
  const coupons = await file("mch01", couponExport as never, {});
  expect(Object.fromEntries(coupons.map(({ state, offCents, worth }) => [state, [offCents, worth]]))).toEqual({
    可用: [null, "满 80 减 20"],
    已核销: [2_000, "满 80 减 20"],
  });
  expect(await file("mch02", figuresExport as never, { from: today, to: today })).toEqual([]);
  expect(await file("mch02", couponExport as never, {})).toEqual([]);
});
