import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { openTillWorld, type TillWorld } from "../../orders/server/testing/till-world.ts";
import type { DrawMode } from "../contract.ts";
import * as book from "./index.ts";
import { postValue } from "./post-value.ts";
import { tendPointsNightly } from "./tend-points.ts";
import { tendPoints } from "./points.ts";

let world: TillWorld;
let holder: book.Holder;
let store: TillWorld["tree"]["merchants"]["mch01"]["stores"][number];
beforeAll(async () => {
  world = await openTillWorld({ above: [book.valueBook] });
  store = world.tree.merchants.mch01.stores[0]!;
});
afterAll(() => world.close());
beforeEach(() => {
  const { id, serviceProviderId } = world.tree.merchants.mch01;
  holder = { service_provider_id: serviceProviderId, merchant_id: id, member_id: randomUUID() };
});
const OF_ORDERS = "an open order holds its value, a paid one spent it";
// Orders of these tests are opened and ended by hand: what the book holds of them is looked at without their status.
afterEach(async () => {
  const breaches = await world.look(book.verifyValue);
  expect(breaches.filter(({ rule }) => rule !== OF_ORDERS)).toEqual([]);
});

const poster = () => ({ ids: world.services.ids, now_ms: world.services.clock.now_ms() });
const today = () => shanghaiDay(world.services.clock.now_ms());
const run = <T>(fn: (tx: Transaction) => Promise<T>): Promise<T> => withScope(world.services.pool, platformScope("test"), fn);
let bills = 0;
/** An order that waits for its money. */
async function newOrder(): Promise<book.ValueOrder> {
  const tillNo = `V${++bills}`;
  await world.till(store, "createTillOrder", { tillNo, tradeType: "NATIVE", subject: "午餐", grossCents: 100_000 });
  const [row] = await world.owner<book.ValueOrder>("select id, store_id from pay_orders where till_no = $1", [tillNo]);
  return row!;
}
const recharge = (principal_cents: number, gift_cents: number, mode: DrawMode = "ratio", cause_id = randomUUID()) =>
  run((tx) =>
    book.addLot(tx, poster(), holder, { cause: "recharge", cause_id, sold_store_id: store.id, mode, principal_cents, gift_cents }),
  );
const hold = (order: book.ValueOrder, cents: number) => run((tx) => book.holdStored(tx, poster(), holder, order, cents));
/** As it was placed: what is drawn of the lots as they stand. */
const take = (order: book.ValueOrder, cents: number) =>
  run(async (tx) => {
    const drawn = book.drawLots(await book.lotsOf(tx, holder), cents) ?? [];
    const gift_cents = drawn.reduce((sum, one) => sum + one.gift_cents, 0);
    return book.takeStored(tx, poster(), holder, order, { principal_cents: cents - gift_cents, gift_cents });
  });
const release = (order: book.ValueOrder) => run((tx) => book.releaseStored(tx, poster(), holder, order));
const giveBack = (order: book.ValueOrder, principal_cents: number, gift_cents: number, refund_id = randomUUID()) =>
  run((tx) => book.returnStored(tx, poster(), holder, order, { refund_id, principal_cents, gift_cents }));
/** Balances by account, without those that hold nothing. */
async function balances(): Promise<Record<string, number>> {
  const rows = await world.owner<{ kind: string; balance: number }>(
    "select kind, balance::int as balance from value_accounts where owner_id = $1 and balance <> 0",
    [holder.member_id],
  );
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, balance]));
}

describe("by chance", () => {
  test.each([1, 2, 3, 4])("whatever happens in whatever order, the book, the lots and the orders agree (seed %i)", async (seed) => {
    let state = seed * 7_919;
    const chance = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
    const orders = await Promise.all(Array.from({ length: 4 }, newOrder));
    const points = (cause_id: string) => ({
      cause: "points-earned" as const,
      cause_id,
      points: 1 + chance(200),
      usable_from: addDays(today(), chance(3)),
      expires_on: chance(2) === 0 ? null : addDays(today(), 3 + chance(10)),
      order_id: orders[chance(4)]!.id,
    });
    const acts: readonly ((order: book.ValueOrder) => Promise<unknown>)[] = [
      () => recharge(chance(5_000), 1 + chance(900), (["ratio", "principal-first", "gift-first"] as const)[chance(3)]!),
      (order) => hold(order, 1 + chance(3_000)),
      (order) => take(order, 1 + chance(3_000)),
      release,
      (order) => giveBack(order, chance(400), chance(80)),
      () => run((tx) => book.addPoints(tx, poster(), holder, points(randomUUID()))),
      (order) => run((tx) => book.holdPoints(tx, poster(), holder, order, 1 + chance(150))),
      (order) => run((tx) => book.takePoints(tx, poster(), holder, order, 1 + chance(150))),
      (order) => run((tx) => book.releasePoints(tx, poster(), holder, order)),
      (order) =>
        run((tx) =>
          book.returnPoints(tx, poster(), holder, order, { refund_id: randomUUID(), points: 1 + chance(90), grace_days: chance(3) }),
        ),
      (order) => run((tx) => book.clawPoints(tx, poster(), holder, order, { refund_id: randomUUID(), points: 1 + chance(120) })),
      () => run((tx) => tendPoints(tx, poster(), holder)),
      async () => world.services.clock.advance(chance(2) * 43_200_000),
    ];
    const refused = new Set<string>();
    for (let step = 0; step < 120; step++)
      await acts[chance(acts.length)]!(orders[chance(4)]!).catch((error: { status?: number; code?: string }) => {
        if (error.status !== 409) throw error;
        refused.add(error.code ?? "");
      });
    const breaches = await world.look(book.verifyValue);
    expect(breaches.filter(({ rule }) => rule !== OF_ORDERS)).toEqual([]);
    expect([...refused].every((code) => /^(stored|points)\.(gone|returned)$/.test(code))).toBe(true);
  });
});

describe("stored value", () => {
  test("is sold, set aside, spent and given back, and stands in the book at every step", async () => {
    await recharge(100_000, 20_000);
    expect(await balances()).toEqual({ principal: 100_000, gift: 20_000 });
    const order = await newOrder();
    expect(await hold(order, 12_000)).toEqual({ principal_cents: 10_000, gift_cents: 2_000 });
    expect(await balances()).toEqual({ principal: 90_000, "principal-held": 10_000, gift: 18_000, "gift-held": 2_000 });
    expect(await take(order, 12_000)).toBe(true);
    expect(await balances()).toEqual({ principal: 90_000, gift: 18_000 });
    // Nobody paid this order: the nightly check says so.
    expect((await world.look(book.verifyValue)).map(({ rule }) => rule)).toEqual([OF_ORDERS]);
    await giveBack(order, 4_000, 800);
    await giveBack(order, 6_000, 1_200);
    expect(await balances()).toEqual({ principal: 100_000, gift: 20_000 });
    expect(await run((tx) => book.lotsOf(tx, holder))).toMatchObject([{ principal_left_cents: 100_000, gift_left_cents: 20_000 }]);
    await expect(giveBack(order, 1, 0)).rejects.toMatchObject({ code: "stored.returned" });
  });

  test("is moved once, however often it is asked for", async () => {
    const [sold, back] = [randomUUID(), randomUUID()];
    await recharge(1_000, 100, "ratio", sold);
    expect(await recharge(1_000, 100, "ratio", sold)).toBeUndefined();
    const order = await newOrder();
    expect(await hold(order, 550)).toEqual(await hold(order, 550));
    await take(order, 550);
    expect(await take(order, 550)).toBe(true);
    await release(order);
    await giveBack(order, 250, 25, back);
    await giveBack(order, 250, 25, back);
    expect(await balances()).toEqual({ principal: 750, gift: 75 });
  });

  test("of an order that is closed is there again; paid after all it is set aside anew, and where it is gone, nothing is spent", async () => {
    await recharge(1_000, 0);
    const [order, other] = [await newOrder(), await newOrder()];
    await hold(order, 800);
    await release(order);
    await release(order);
    expect(await balances()).toEqual({ principal: 1_000 });
    expect(await take(order, 800)).toBe(true);
    expect(await balances()).toEqual({ principal: 200 });
    await hold(other, 200);
    await release(other);
    const third = await newOrder();
    await hold(third, 150);
    expect(await take(other, 200)).toBe(false);
    expect(await balances()).toEqual({ principal: 50, "principal-held": 150 });
  });

  test("is never spent twice: of twenty orders at once as many are served as there is money for", async () => {
    await recharge(700, 0);
    await recharge(300, 0);
    const orders = await Promise.all(Array.from({ length: 20 }, newOrder));
    const results = await Promise.allSettled(orders.map((order) => hold(order, 150)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(6);
    for (const result of results)
      if (result.status === "rejected") expect(result.reason).toMatchObject({ status: 409, code: "stored.gone" });
    expect(await balances()).toEqual({ principal: 100, "principal-held": 900 });
  });

  test("of one merchant is nothing at another, and the database itself refuses what would fall below nothing", async () => {
    await recharge(1_000, 0);
    const { id, serviceProviderId } = world.tree.merchants.mch03;
    const there = { ...holder, service_provider_id: serviceProviderId, merchant_id: id };
    const order = await newOrder();
    await expect(run((tx) => book.holdStored(tx, poster(), there, order, 1))).rejects.toMatchObject({ code: "stored.gone" });
    const entry = { cause: "stored-hold", cause_id: order.id, occurred_at: new Date().toISOString() } as const;
    const spend = (lines: Record<string, number>) => run((tx) => postValue(tx, poster(), holder, { ...entry, lines }));
    await expect(spend({ principal: -1_001, "principal-held": 1_001 })).rejects.toMatchObject({ constraint: "ledger_floor" });
    await expect(spend({ principal: -10, points: 10 })).rejects.toMatchObject({ code: "ZF002" });
    await expect(spend({ "points-debt": 1, "points-issued": -1 })).rejects.toMatchObject({ code: "ZF002" });
  });
});

describe("points", () => {
  const earn = (points: number, more: Partial<Parameters<typeof book.addPoints>[3]> = {}) =>
    run((tx) =>
      book.addPoints(tx, poster(), holder, {
        cause: "points-earned",
        cause_id: randomUUID(),
        points,
        usable_from: today(),
        expires_on: null,
        ...more,
      }),
    );
  const use = async (points: number): Promise<book.ValueOrder> => {
    const order = await newOrder();
    await run((tx) => book.holdPoints(tx, poster(), holder, order, points));
    expect(await run((tx) => book.takePoints(tx, poster(), holder, order, points))).toBe(true);
    return order;
  };
  const claw = (order: book.ValueOrder, points: number, refund_id = randomUUID()) =>
    run((tx) => book.clawPoints(tx, poster(), holder, order, { refund_id, points }));
  const back = (order: book.ValueOrder, points: number, refund_id = randomUUID()) =>
    run((tx) => book.returnPoints(tx, poster(), holder, order, { refund_id, points, grace_days: 30 }));
  const there = () => run((tx) => book.pointsOf(tx, holder, today()));
  const lots = () =>
    world.owner<{ left: number; ends: string | null }>(
      "select left_points::int as left, expires_on as ends from point_lots where member_id = $1 and left_points > 0 order by left_points",
      [holder.member_id],
    );

  test("that end first are spent first, those without an end last, and pending ones not at all", async () => {
    await earn(100);
    await earn(50, { expires_on: addDays(today(), 10) });
    await earn(30, { expires_on: addDays(today(), 5) });
    await earn(1_000, { usable_from: addDays(today(), 1) });
    expect(await there()).toEqual({ usable: 180, pending: 1_000, owed: 0 });
    await use(100);
    expect((await lots()).map(({ left }) => left)).toEqual([80, 1_000]);
    const order = await newOrder();
    await expect(run((tx) => book.holdPoints(tx, poster(), holder, order, 81))).rejects.toMatchObject({ code: "points.gone" });
    world.services.clock.advance(86_400_000);
    await run((tx) => book.holdPoints(tx, poster(), holder, order, 1_080));
    expect(await balances()).toEqual({ "points-held": 1_080 });
  });

  test("that were spent and are taken back are owed: −367, and the next 100 leave −267", async () => {
    const earned = await newOrder();
    await earn(367, { order_id: earned.id });
    await use(367);
    const refund = randomUUID();
    await claw(earned, 367, refund);
    await claw(earned, 367, refund);
    expect(await there()).toEqual({ usable: 0, pending: 0, owed: 367 });
    await earn(100);
    expect(await there()).toEqual({ usable: 0, pending: 0, owed: 267 });
    await earn(300);
    expect(await there()).toEqual({ usable: 33, pending: 0, owed: 0 });
  });

  test("are taken back of the order's own lot before others, pending ones first", async () => {
    const order = await newOrder();
    await earn(10);
    await earn(20, { order_id: order.id });
    await earn(30, { usable_from: addDays(today(), 7) });
    await claw(order, 45);
    expect(await balances()).toEqual({ points: 10, "points-pending": 5 });
    expect((await lots()).map(({ left }) => left)).toEqual([5, 10]);
  });

  test("come back to their lots, and of a lot that has ended to a new one for thirty days", async () => {
    world.services.clock.set("2026-12-30T04:00:00Z");
    await earn(500, { expires_on: "2026-12-31" });
    const order = await use(500);
    world.services.clock.set("2027-01-05T04:00:00Z");
    await back(order, 500);
    expect(await lots()).toEqual([{ left: 500, ends: "2027-02-04" }]);
    await expect(back(order, 1)).rejects.toMatchObject({ code: "points.returned" });
  });

  test("that come back pay what is owed first, by a refund and by an order that is closed", async () => {
    const earned = await newOrder();
    await earn(100, { order_id: earned.id });
    const spent = await use(60);
    const open = await newOrder();
    await run((tx) => book.holdPoints(tx, poster(), holder, open, 40));
    await claw(earned, 100);
    expect(await there()).toEqual({ usable: 0, pending: 0, owed: 100 });
    await run((tx) => book.releasePoints(tx, poster(), holder, open));
    await run((tx) => book.releasePoints(tx, poster(), holder, open));
    expect(await there()).toEqual({ usable: 0, pending: 0, owed: 60 });
    await earn(20);
    await back(spent, 60);
    expect(await there()).toEqual({ usable: 20, pending: 0, owed: 0 });
  });

  test("end with their last day whether or not the night has cleared them, and are cleared once", async () => {
    await earn(70, { expires_on: today() });
    await earn(5, { usable_from: addDays(today(), 1) });
    expect((await there()).usable).toBe(70);
    world.services.clock.advance(86_400_000);
    expect(await there()).toEqual({ usable: 5, pending: 0, owed: 0 });
    const order = await newOrder();
    await expect(run((tx) => book.holdPoints(tx, poster(), holder, order, 6))).rejects.toMatchObject({ code: "points.gone" });
    await tendPointsNightly.run(world.services, {});
    await Promise.all(Array.from({ length: 4 }, () => run((tx) => tendPoints(tx, poster(), holder))));
    expect(await balances()).toEqual({ points: 5 });
  });

  test("that come back to a lot which has ended are cleared as well, and what a list told of it no more than once", async () => {
    const night = () => run((tx) => tendPoints(tx, poster(), holder));
    for (const told of [null, 70]) {
      await earn(100, { expires_on: today() });
      await earn(5);
      const open = await newOrder();
      await run((tx) => book.holdPoints(tx, poster(), holder, open, 40));
      await world.owner("update point_lots set told_points = $2 where member_id = $1 and expires_on is not null", [holder.member_id, told]);
      world.services.clock.advance(86_400_000);
      await night();
      expect(await balances()).toEqual({ points: 5, "points-held": 40 });
      await run((tx) => book.releasePoints(tx, poster(), holder, open));
      expect((await there()).usable).toBe(5);
      await night();
      // Of 40 that came back 10 were told: the others go on for thirty days.
      expect(await balances()).toEqual({ points: told === null ? 5 : 35 });
      await run(async (tx) => book.holdPoints(tx, poster(), holder, await newOrder(), told === null ? 5 : 35));
      await night();
      holder = { ...holder, member_id: randomUUID() };
    }
  });

  test("of an order that was paid after it was closed are spent where they are there, and else not", async () => {
    await earn(100);
    const [order, other] = [await newOrder(), await newOrder()];
    for (const one of [order, other]) {
      await run((tx) => book.holdPoints(tx, poster(), holder, one, 80));
      await run((tx) => book.releasePoints(tx, poster(), holder, one));
    }
    expect(await run((tx) => book.takePoints(tx, poster(), holder, order, 80))).toBe(true);
    expect(await run((tx) => book.takePoints(tx, poster(), holder, other, 80))).toBe(false);
    expect(await balances()).toEqual({ points: 20 });
  });

  test("are earned once for a cause, and of many at once for one member none is lost", async () => {
    const cause_id = randomUUID();
    await Promise.all([1, 2, 3].map(() => earn(10, { cause_id })));
    await Promise.all(Array.from({ length: 12 }, () => earn(1)));
    expect((await there()).usable).toBe(22);
  });
});
