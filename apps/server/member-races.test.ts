import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { plantMember, plantMergeCode, plantTicket } from "@zhangfang/domains/members/server/testing/plant-member.ts";
import { memberCodeOf } from "@zhangfang/domains/members/server/index.ts";
import { verifyLedger } from "@zhangfang/domains/money/server/index.ts";
import { verifyCoupons } from "@zhangfang/domains/coupons/server/index.ts";
import { verifyDiscounts } from "@zhangfang/domains/discounts/server/index.ts";
import { verifyPoints } from "@zhangfang/domains/points/server/index.ts";
import { verifyStored } from "@zhangfang/domains/stored-value/server/index.ts";
import { addLot, addPoints, verifyValue } from "@zhangfang/domains/value-book/server/index.ts";
import { verifyVip } from "@zhangfang/domains/vip/server/index.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Reply } from "./testing/patient-client.ts";
import { jobs } from "./domains.ts";
import { openRaceWorld, type Contender, type RaceWorld } from "./testing/races/race-world.ts";
import { settleDown } from "./testing/settle-down.ts";

// Members' value at two servers at once, over HTTP, with a channel in a process of its own.
const REPEATS = Number(process.env["RACE_REPEATS"] ?? 1);
// As many as the papers ask for with the proofs; by itself fewer, for all of them want the same few rows.
const RIVALS = process.env["RACE_REPEATS"] ? 200 : 60;
const LONG = 60_000 + REPEATS * 90_000;

let world: RaceWorld;
beforeAll(async () => {
  world = await openRaceWorld(9405);
});
afterEach(async () => {
  await settleDown(world);
  const look = <T>(fn: Parameters<typeof withScope<T>>[2]) =>
    withScope(world.till.services.pool, platformScope("test"), fn, { deadline_ms: 60_000 });
  const books = [verifyLedger, verifyValue, verifyStored, verifyPoints, verifyVip, verifyCoupons, verifyDiscounts];
  for (const verify of books) expect(await look<unknown>(verify)).toEqual([]);
  expect(world.seen.odd).toEqual([]);
}, 180_000);
afterAll(async () => {
  if (world) expect(await world.close()).toEqual([0, 0]);
});

const ground = () => ({ till: world.till, services: world.till.services });
const mch01 = () => world.till.tree.merchants.mch01;
const deviceOf = (store: number) => mch01().stores[store]!.devices[0]!;
const holder = (member_id: string) => ({ service_provider_id: mch01().serviceProviderId, merchant_id: mch01().id, member_id });
const poster = () => ({ ids: world.till.services.ids, now_ms: Date.now() });
const times = (count: number, call: (at: number) => Contender) => Array.from({ length: count }, (_none, at) => call(at));
const won = (replies: readonly Reply[]) => replies.filter(({ status }) => status === 200);
const statuses = (replies: readonly Reply[]) => [...new Set(replies.map(({ status }) => status))].toSorted((a, b) => a - b);
async function rounds(race: () => Promise<void>): Promise<void> {
  for (let round = 0; round < REPEATS; round++) {
    // Tickets that are planted are good for ten minutes of the servers' own time.
    world.till.services.clock.set(new Date().toISOString());
    if (round > 0) await world.signInAll();
    await race();
  }
}
let phones = 0;
const newMember = () => plantMember(ground(), "mch01", 0, `1330000${String(1_000 + ++phones)}`);
const ticketsOf = (member: string, count: number) =>
  Promise.all(Array.from({ length: count }, (_none, at) => plantTicket(ground(), "mch01", at % 2, member)));
/** Principal and gift, sold at the first store. */
const give = (member: string, principal_cents: number, gift_cents: number) =>
  world.till.look((tx) =>
    addLot(tx, poster(), holder(member), {
      cause: "opening",
      cause_id: randomUUID(),
      sold_store_id: mch01().stores[0]!.id,
      mode: "ratio",
      principal_cents,
      gift_cents,
    }),
  );
const balanceOf = async (member: string): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await world.owner<{ kind: string; balance: number }>(
        "select kind, balance::int as balance from value_accounts where owner_id = $1 and balance <> 0",
        [member],
      )
    ).map(({ kind, balance }) => [kind, balance]),
  );

/** Points of a member that never end. */
const givePoints = (member: string, points: number) =>
  world.till.look((tx) =>
    addPoints(tx, poster(), holder(member), {
      cause: "points-opening",
      cause_id: randomUUID(),
      points,
      usable_from: shanghaiDay(Date.now()),
      expires_on: null,
      store_id: mch01().stores[0]!.id,
    }),
  );
/** A new rule of mch01: a point is a cent, and nothing is earned unless it says so. */
async function pointRule(earn: { on?: boolean; dayCap?: number } = {}): Promise<void> {
  const everywhere = { storeIds: [], weekdays: [] };
  const rule = {
    earn: {
      ...everywhere,
      on: false,
      points: 1,
      perCents: 100,
      storeMultiple: 100,
      weekdayMultiple: 100,
      birthdayMultiple: 100,
      pendingDays: 0,
      dayCap: null,
      onRecharge: false,
      ...earn,
    },
    spend: { ...everywhere, on: true, points: 100, cents: 100, stepPoints: 100, leastPoints: 0, mostRate: 100_000, mostCents: null },
    expiry: { kind: "never", months: 12, monthDay: "12-31", yearsBack: 1 },
    graceDays: 30,
    secondAbove: 10_000,
  };
  const [known] = await world.owner<{ version: number }>(
    "select coalesce(max(version), 0)::int as version from point_rules where merchant_id = $1",
    [mch01().id],
  );
  await world.ask(world.post(world.token("mch01"), "/api/points/rule", { version: known!.version, rule }));
  // A channel tells a payment's time in whole seconds: one of this very second would come before the rule.
  const back = "update point_rules set created_at = created_at - interval '1 minute' where merchant_id = $1 and version = $2";
  await world.owner(back, [mch01().id, known!.version + 1]);
}
/** A rule of mch01 by which anything may be paid in, where none was saved yet. */
async function rechargeRule(): Promise<void> {
  const [known] = await world.owner<{ version: number }>(
    "select coalesce(max(version), 0)::int as version from recharge_rules where merchant_id = $1",
    [mch01().id],
  );
  if (known!.version === 0) await world.ask(world.post(world.token("mch01"), "/api/stored-value/rules/save", { version: 0, tiers: [] }));
}
/** Runs a job in the third process, as often as given, all at once. */
async function runJob(name: string, data: object, count: number): Promise<void> {
  const { services } = await world.openServices();
  const job = jobs.find((one) => one.name === name)!;
  await Promise.all(Array.from({ length: count }, () => job.run(services, job.data.parse(data))));
}
const CODE = { tradeType: "MICROPAY", authCode: "130000000099999999" } as const;
const newNo = (): string => `N${randomUUID().slice(0, 18)}`;

/** Orders of 50.00 that are quoted for all the stored value they need, half of them at each of two stores; to be placed. */
async function quotedOrders(member: string, count: number, wish: object, grossCents = 5_000, paidBy: object = {}): Promise<Contender[]> {
  const tickets = await ticketsOf(member, count);
  return Promise.all(
    tickets.map(async (ticket, at) => {
      const sale = { tillNo: newNo(), grossCents, ticket };
      const { quote } = await world.ask<{ quote: string }>(world.post(deviceOf(at % 2), "/api/till/quotes", { ...sale, ...wish }));
      return world.post(deviceOf(at % 2), "/api/till/orders", { ...sale, subject: "午餐", quote, ...paidBy });
    }),
  );
}

test(
  "many tills on one balance: what there is pays for twelve orders, and for no thirteenth",
  () =>
    rounds(async () => {
      const { id } = await newMember();
      await give(id, 50_000, 10_000);
      const wish = { storedValueCents: 5_000 };
      const replies = await world.race(await quotedOrders(id, RIVALS, wish));
      expect(statuses(replies)).toEqual([200, 409]);
      // Who was told that another till drew of the same lots meanwhile quotes again.
      let orders = won(replies).length;
      for (; orders < 20; orders++) {
        const [order] = await quotedOrders(id, 1, wish);
        const answer = (await world.race([order!]))[0]!;
        if (answer.status !== 200) break;
      }
      expect([orders, await balanceOf(id)]).toEqual([12, {}]);
    }),
  LONG,
);

test(
  "points that are enough for five orders are five orders'",
  () =>
    rounds(async () => {
      await pointRule();
      const { id } = await newMember();
      await givePoints(id, 25_000);
      const replies = await world.race(await quotedOrders(id, 60, { points: 5_000 }));
      expect([won(replies).length, statuses(replies)]).toEqual([5, [200, 409]]);
      expect(await balanceOf(id)).toEqual({});
    }),
  LONG,
);

test(
  "two who send to each other at once: nobody waits in a ring, and nothing is made or lost",
  () =>
    rounds(async () => {
      const [a, b] = [await newMember(), await newMember()];
      for (const { id } of [a, b]) await give(id, 20_000, 2_000);
      const transfers = await Promise.all(
        Array.from({ length: RIVALS }, async (_none, at) => {
          const [from, to] = at % 2 === 0 ? [a, b] : [b, a];
          const store = at % 4 < 2 ? 0 : 1;
          const [ticket, toTicket] = [
            await plantTicket(ground(), "mch01", store, from.id),
            await plantTicket(ground(), "mch01", store, to.id),
          ];
          return world.post(deviceOf(store), "/api/till/transfers", { requestId: randomUUID(), ticket, toTicket, amountCents: 37 });
        }),
      );
      const replies = await world.race(transfers);
      expect(statuses(replies)).toEqual([200]);
      const [has, other] = [await balanceOf(a.id), await balanceOf(b.id)];
      expect([has["principal"]! + other["principal"]!, has["gift"]! + other["gift"]!]).toEqual([40_000, 4_000]);
      expect(has["principal"]! + has["gift"]!).toBe(22_000);
    }),
  LONG,
);

test(
  "ten times of a card at two stores are ten, whoever comes first",
  () =>
    rounds(async () => {
      const product = { name: `洗车 ${phones}`, times: 10, priceCents: 10_000, singlePriceCents: 2_000, days: 90 };
      const { id: productId } = await world.ask<{ id: string }>(world.post(world.token("mch01"), "/api/vip/times-products/add", product));
      const { id } = await newMember();
      const sale = { ...CODE, tillNo: newNo(), productId };
      const [buying] = await ticketsOf(id, 1);
      await world.ask(world.post(deviceOf(0), "/api/till/times-cards/orders", { ...sale, ticket: buying }));
      const [card] = await world.owner<{ no: string; status: number }>(
        "select card_no as no, status from times_cards where member_id = $1",
        [id],
      );
      expect(card).toMatchObject({ status: 1 });
      const tickets = await ticketsOf(id, RIVALS);
      const replies = await world.race(
        times(RIVALS, (at) =>
          world.post(deviceOf(at % 2), "/api/till/times-cards/use", {
            requestId: randomUUID(),
            ticket: tickets[at],
            cardNo: card!.no,
            times: 1,
          }),
        ),
      );
      expect(won(replies)).toHaveLength(10);
      expect(
        await world.owner("select left_times, earned_cents::int as earned, status from times_cards where card_no = $1", [card!.no]),
      ).toEqual([{ left_times: 0, earned: 10_000, status: 2 }]);
    }),
  LONG,
);

test(
  "many joins of one phone at two stores make one member",
  () =>
    rounds(async () => {
      const phone = `1320000${String(1_000 + ++phones)}`;
      const replies = await world.race(times(RIVALS, (at) => world.post(deviceOf(at % 2), "/api/till/members/join", { phone })));
      expect(statuses(replies)).toEqual([200]);
      expect(new Set(replies.map(({ body }) => (body as { memberNo: string }).memberNo)).size).toBe(1);
      expect(replies.filter(({ body }) => (body as { joined: boolean }).joined)).toHaveLength(1);
    }),
  LONG,
);

test(
  "a card refund against many who spend: the lot is paid back whole or spent, never both",
  () =>
    rounds(async () => {
      await rechargeRule();
      const { id } = await newMember();
      const [buying] = await ticketsOf(id, 1);
      const sale = { ...CODE, tillNo: newNo(), amountCents: 50_000 };
      await world.ask(world.post(deviceOf(0), "/api/till/recharges", { ...sale, ticket: buying }));
      const [recharge] = await world.owner<{ id: string }>("select id from recharges where member_id = $1 and status = 2", [id]);
      const orders = await quotedOrders(id, RIVALS, { storedValueCents: 5_000 });
      const asked = { rechargeId: recharge!.id, reason: 2, way: 0, paysCents: 50_000, note: "停业" };
      const back = world.post(world.token("mch01"), "/api/stored-value/card-refunds/ask", { ...asked, requestId: randomUUID() });
      const middle = RIVALS / 2;
      const replies = await world.race([...orders.slice(0, middle), back, ...orders.slice(middle)]);
      const spent = won(replies.toSpliced(middle, 1)).length;
      const refunded = replies[middle]!.status === 200;
      expect([refunded, spent <= 10]).toEqual([spent === 0, true]);
      const has = await balanceOf(id);
      expect((has["principal"] ?? 0) + (has["principal-held"] ?? 0) + spent * 5_000).toBe(50_000);
    }),
  LONG,
);

test(
  "many payments at once without a PIN: 1,000.00 a day, and not a cent more",
  () =>
    rounds(async () => {
      const { id } = await newMember();
      await give(id, 450_000, 0);
      const wish = { storedValueCents: 20_000 };
      const replies = [
        ...(await world.race(await quotedOrders(id, RIVALS, wish, 20_000))),
        ...(await world.race(await quotedOrders(id, 6, wish, 20_000))),
      ];
      expect([won(replies).length, statuses(replies)]).toEqual([5, [200, 400]]);
      expect(await balanceOf(id)).toEqual({ principal: 350_000 });
    }),
  LONG,
);

test(
  "points that end against tills that spend: what was told is cleared once, and the rest pays for what it is enough for",
  () =>
    rounds(async () => {
      await pointRule();
      const { id } = await newMember();
      await givePoints(id, 25_000);
      const orders = await quotedOrders(id, RIVALS, { points: 5_000 });
      // Yesterday was their last day; of them 3,000 had been told.
      const told = "update point_lots set usable_from = $2, expires_on = $2, told_points = 3000 where member_id = $1";
      await world.owner(told, [id, addDays(shanghaiDay(Date.now()), -1)]);
      const [replies] = await Promise.all([world.race(orders), runJob("tend-points", {}, 3)]);
      expect([won(replies).length, statuses(replies)]).toEqual([4, [200, 409]]);
      expect(await balanceOf(id)).toEqual({ points: 2_000 });
      const cleared = "select sum(p.amount)::int as points from value_postings p join value_accounts a on a.id = p.account_id";
      const [gone] = await world.owner<{ points: number }>(
        `${cleared} join value_entries e on e.id = p.entry_id where a.owner_id = $1 and e.cause = 'points-clear'`,
        [id],
      );
      expect(gone!.points).toBe(-3_000);
    }),
  LONG,
);

test(
  "many payments of one day earn what the day's cap lets them, however they come",
  () =>
    rounds(async () => {
      await pointRule({ on: true, dayCap: 1_020 });
      const { id } = await newMember();
      const tickets = await ticketsOf(id, RIVALS);
      const replies = await world.race(
        tickets.map((ticket, at) =>
          world.post(deviceOf(at % 2), "/api/till/orders", { ...CODE, tillNo: newNo(), subject: "午餐", grossCents: 5_000, ticket }),
        ),
      );
      expect(statuses(replies)).toEqual([200]);
      await settleDown(world);
      const kept =
        "select count(*)::int as orders, sum(kept)::int as kept, sum(earned)::int as earned from point_earnings where member_id = $1";
      // Points follow their orders by jobs of their own.
      const earned = async () => (await world.owner<{ orders: number; kept: number; earned: number }>(kept, [id]))[0]!;
      await expect.poll(async () => (await earned()).orders, { timeout: 60_000 }).toBe(RIVALS);
      // Fifty of each, and of the twenty-first what was left of the day.
      expect(await earned()).toEqual({ orders: RIVALS, kept: 1_020, earned: 1_020 });
      expect(await balanceOf(id)).toEqual({ points: 1_020 });
      await pointRule();
    }),
  LONG,
);

test(
  "a task that many workers take up gives each row once",
  () =>
    rounds(async () => {
      await pointRule();
      const members = await Promise.all(Array.from({ length: 40 }, newMember));
      const rows = members.map(({ no }) => ({ memberNo: no, points: 10 }));
      const task = {
        requestId: randomUUID(),
        name: "周年",
        reason: "event",
        rows,
        fileHash: randomBytes(32).toString("hex"),
        again: true,
      };
      const { id } = await world.ask<{ id: string }>(world.post(world.token("mch01"), "/api/points/tasks", task));
      await runJob("run-point-task", { service_provider_id: mch01().serviceProviderId, id }, 4);
      await settleDown(world);
      for (const { id: member } of members) expect(await balanceOf(member)).toEqual({ points: 10 });
      const [done] = await world.owner("select status from point_tasks where id = $1", [id]);
      expect(done).toEqual({ status: 2 });
    }),
  LONG,
);

test(
  "many recharges of one member at two stores: each that is paid is there, and nobody hears of a fault",
  () =>
    rounds(async () => {
      await rechargeRule();
      const { id } = await newMember();
      const tickets = await ticketsOf(id, 16);
      const replies = await world.race(
        tickets.map((ticket, at) =>
          world.post(deviceOf(at % 2), "/api/till/recharges", { ...CODE, tillNo: newNo(), amountCents: 2_000, ticket }),
        ),
      );
      expect(statuses(replies)).toEqual([200]);
      await settleDown(world);
      expect(await balanceOf(id)).toEqual({ principal: 32_000 });
    }),
  LONG,
);

test(
  "a member who leaves while many recharge them: nobody's money stays with somebody who is gone",
  () =>
    rounds(async () => {
      await rechargeRule();
      const { id } = await newMember();
      const tickets = await ticketsOf(id, 12);
      const recharges = tickets.map((ticket, at) =>
        world.post(deviceOf(at % 2), "/api/till/recharges", { ...CODE, tillNo: newNo(), amountCents: 5_000, ticket }),
      );
      const leave = world.post(world.token("mch01"), "/api/members/delete", { id, giveUp: true, reason: "不来了" });
      const replies = await world.race([...recharges.slice(0, 2), leave, ...recharges.slice(2)]);
      await settleDown(world);
      const left = replies[2]!.status === 200;
      const arrived = won(replies.toSpliced(2, 1)).length;
      const [at] = await world.owner<{ kept: number }>(
        "select coalesce(sum(paid_cents - refunded_cents), 0)::int as kept from pay_orders where member_id = $1 and purpose = 1 and status in (2, 3)",
        [id],
      );
      const has = (await balanceOf(id))["principal"] ?? 0;
      expect([at!.kept, left && arrived === 0 ? 0 : has]).toEqual([has, has]);
      if (left) expect(has).toBe(0);
      else expect(has).toBe(arrived * 5_000);
    }),
  LONG,
);

test(
  "a level that is given back by many at once is paid back once",
  () =>
    rounds(async () => {
      const [known] = await world.owner<{ version: number }>(
        "select coalesce(max(version), 0)::int as version from vip_levels where merchant_id = $1",
        [mch01().id],
      );
      const level = { rank: 1, name: "金卡", basis: "paid", threshold: null, priceCents: 19_900, months: 12 };
      if (known!.version === 0) await world.ask(world.post(world.token("mch01"), "/api/vip/rules/set", { version: 0, levels: [level] }));
      const { id } = await newMember();
      const [ticket] = await ticketsOf(id, 1);
      await world.ask(world.post(deviceOf(0), "/api/till/vip/orders", { ...CODE, tillNo: newNo(), ticket, rank: 1 }));
      const [term] = await world.owner<{ id: string; order_id: string }>("select id, order_id from vip_terms where member_id = $1", [id]);
      const replies = await world.race(
        times(RIVALS, () =>
          world.post(world.token("mch01"), "/api/vip/orders/refund", {
            requestId: randomUUID(),
            id: term!.id,
            refundCents: 19_900,
            reason: "不想要了",
          }),
        ),
      );
      expect([won(replies).length, statuses(replies)]).toEqual([1, [200, 409]]);
      await settleDown(world);
      const back = "select status, paid_cents::int as paid, refunded_cents::int as refunded from pay_orders where id = $1";
      expect(await world.owner(back, [term!.order_id])).toEqual([{ status: 3, paid: 19_900, refunded: 19_900 }]);
    }),
  LONG,
);

test(
  "payments against closes: an order keeps all of what a member brought to it, or gives all of it back",
  () =>
    rounds(async () => {
      const placed = await Promise.all(
        Array.from({ length: 12 }, async (_none, at) => {
          const { id } = await newMember();
          await give(id, 10_000, 0);
          const [order] = await quotedOrders(id, 1, { storedValueCents: 3_000 }, 5_000, { tradeType: "NATIVE" });
          const { orderNo } = await world.ask<{ orderNo: string }>(order!);
          const { tillNo } = order![1].body as { tillNo: string };
          return { id, orderNo, close: times(4, () => world.post(deviceOf(0), "/api/till/orders/close", { tillNo })), at };
        }),
      );
      const [paid, replies] = await Promise.all([
        Promise.all(
          placed.map(({ orderNo: outTradeNo }) =>
            world.simulator.control("POST pay", { outTradeNo }).then(
              () => true,
              () => false,
            ),
          ),
        ),
        world.race(placed.flatMap(({ close }) => close)),
      ]);
      expect(statuses(replies).filter((one) => ![200, 400, 409].includes(one))).toEqual([]);
      await settleDown(world);
      for (const { id, orderNo, at } of placed) {
        const [order] = await world.owner<{ status: number }>("select status::int as status from pay_orders where order_no = $1", [
          orderNo,
        ]);
        expect([order!.status, await balanceOf(id)]).toEqual(paid[at] ? [2, { principal: 7_000 }] : [1, { principal: 10_000 }]);
      }
    }),
  LONG,
);

test(
  "a refund against tills that spend the points of its order: what was spent of them is owed, to the point",
  () =>
    rounds(async () => {
      await pointRule({ on: true });
      const { id } = await newMember();
      const [ticket] = await ticketsOf(id, 1);
      const sale = { ...CODE, tillNo: newNo(), subject: "晚宴", grossCents: 50_000, ticket };
      const { orderNo } = await world.ask<{ orderNo: string }>(world.post(deviceOf(0), "/api/till/orders", sale));
      await expect.poll(() => balanceOf(id), { timeout: 60_000 }).toEqual({ points: 500 });
      // What the spending orders pay earns nothing.
      await pointRule();
      const [order] = await world.owner<{ id: string }>("select id from pay_orders where order_no = $1", [orderNo]);
      const spend = await quotedOrders(id, 10, { points: 100 }, 5_000, CODE);
      const back = { requestId: randomUUID(), orderId: order!.id, amountCents: 50_000, reason: "退菜" };
      const refund = world.post(world.token("mch01"), "/api/orders/refunds", back);
      const replies = await world.race([...spend.slice(0, 3), refund, ...spend.slice(3)]);
      expect(replies[3]!.status).toBe(200);
      await settleDown(world);
      const kept = () => world.owner("select kept::int as kept from point_earnings where order_id = $1", [order!.id]);
      await expect.poll(kept, { timeout: 60_000 }).toEqual([{ kept: 0 }]);
      const spent = won(replies.toSpliced(3, 1)).length;
      expect(spent).toBeLessThanOrEqual(5);
      expect(await balanceOf(id)).toEqual(spent === 0 ? {} : { "points-debt": -100 * spent });
    }),
  LONG,
);

test(
  "one member code at many tills opens one ticket",
  () =>
    rounds(async () => {
      const { id, no } = await newMember();
      const [row] = await world.owner<{ code_version: number }>("select code_version from members where id = $1", [id]);
      world.till.services.clock.set(new Date().toISOString());
      const code = memberCodeOf(world.till.services, { service_provider_id: mch01().serviceProviderId, id, no, ...row! });
      const replies = await world.race(times(20, (at) => world.post(deviceOf(at % 2), "/api/till/members/identify", { code })));
      expect([won(replies).length, statuses(replies)]).toEqual([1, [200, 400]]);
      expect(won(replies)[0]!.body).toMatchObject({ memberNo: no, proof: "full" });
    }),
  LONG,
);

test(
  "many partial refunds of a member's order: each cent and each part of the value goes back once",
  () =>
    rounds(async () => {
      await pointRule();
      const { id } = await newMember();
      await give(id, 50_000, 10_000);
      const [order] = await quotedOrders(id, 1, { storedValueCents: 6_000 }, 10_000, CODE);
      const { orderNo } = await world.ask<{ orderNo: string }>(order!);
      expect(await balanceOf(id)).toEqual({ principal: 45_000, gift: 9_000 });
      const [{ id: orderId }] = (await world.owner<{ id: string }>("select id from pay_orders where order_no = $1", [orderNo])) as [
        { id: string },
      ];
      const refund = () =>
        world.post(world.token("mch01"), "/api/orders/refunds", { requestId: randomUUID(), orderId, amountCents: 2_500, reason: "退菜" });
      const replies = await world.race(times(20, refund));
      expect(won(replies)).toHaveLength(4);
      expect(statuses(replies).filter((one) => ![200, 400, 409].includes(one))).toEqual([]);
      await settleDown(world);
      expect(await balanceOf(id)).toEqual({ principal: 50_000, gift: 10_000 });
      const back = `select status::int as status, refunded_cents::int as money, value_refunded_cents::int as value from pay_orders where id = $1`;
      expect(await world.owner(back, [orderId])).toEqual([{ status: 3, money: 4_000, value: 10_000 }]);
    }),
  LONG,
);

test(
  "a member who is merged away while they pay: each order is paid before or not at all, and what is left is the survivor's",
  () =>
    rounds(async () => {
      await pointRule({ on: true });
      const code = "135790";
      const pairs = await Promise.all(
        Array.from({ length: Math.floor(RIVALS / 10) }, async () => {
          const phone = `1330000${String(1_000 + ++phones)}`;
          const [goes, stays] = [await plantMember(ground(), "mch01", 0, phone), await newMember()];
          await give(goes.id, 30_000, 0);
          await plantMergeCode(ground(), "mch01", phone, code);
          const byValue = await quotedOrders(goes.id, 4, { storedValueCents: 5_000 });
          const tickets = await ticketsOf(goes.id, 4);
          const byMoney = tickets.map((ticket, at) =>
            world.post(deviceOf(at % 2), "/api/till/orders", { tillNo: newNo(), subject: "午餐", grossCents: 2_000, ticket, ...CODE }),
          );
          const merge = world.post(world.token("mch01"), "/api/members/merge", {
            id: goes.id,
            intoNo: stays.no,
            reason: "同一个人",
            sms: code,
          });
          return {
            goes,
            stays,
            contenders: [...byValue.slice(2), ...byMoney.slice(2), merge, ...byValue.slice(0, 2), ...byMoney.slice(0, 2)],
          };
        }),
      );
      const replies = await world.race(pairs.flatMap(({ contenders }) => contenders));
      await settleDown(world);
      expect(statuses(replies).filter((one) => ![200, 400, 409].includes(one))).toEqual([]);
      for (const [at, { goes, stays }] of pairs.entries()) {
        const own = replies.slice(at * 9, at * 9 + 9);
        const merged = own[4]!.status === 200;
        const spent = won([...own.slice(0, 2), ...own.slice(5, 7)]).length;
        const [gone, kept] = [await balanceOf(goes.id), await balanceOf(stays.id)];
        expect([gone["principal"] ?? 0, kept["principal"] ?? 0]).toEqual(
          merged ? [0, 30_000 - 5_000 * spent] : [30_000 - 5_000 * spent, 0],
        );
        if (merged) expect(gone).toEqual({});
        const [member] = await world.owner<{ status: number }>("select status::int as status from members where id = $1", [goes.id]);
        expect(member).toEqual({ status: merged ? 5 : 1 });
        // A merged member's orders were over by then, so that nothing of theirs is still to come.
        const open = "select 1 from pay_orders where member_id = $1 and status = 0";
        expect(await world.owner(open, [goes.id])).toEqual([]);
      }
    }),
  LONG,
);
