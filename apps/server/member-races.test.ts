import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { plantMember, plantTicket } from "@zhangfang/domains/members/server/testing/plant-member.ts";
import { verifyLedger } from "@zhangfang/domains/money/server/index.ts";
import { verifyPoints } from "@zhangfang/domains/points/server/index.ts";
import { verifyStored } from "@zhangfang/domains/stored-value/server/index.ts";
import { addLot, addPoints, verifyValue } from "@zhangfang/domains/value-book/server/index.ts";
import { verifyVip } from "@zhangfang/domains/vip/server/index.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Reply } from "./testing/patient-client.ts";
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
  const books = [verifyLedger, verifyValue, verifyStored, verifyPoints, verifyVip];
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
  for (let round = 0; round < REPEATS; round++) await race();
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

/** Orders of 50.00 that are quoted for all the stored value they need, half of them at each of two stores; to be placed. */
async function quotedOrders(member: string, count: number, wish: object): Promise<Contender[]> {
  const tickets = await ticketsOf(member, count);
  return Promise.all(
    tickets.map(async (ticket, at) => {
      const sale = { tillNo: `W${randomUUID().slice(0, 18)}`, grossCents: 5_000, ticket };
      const { quote } = await world.ask<{ quote: string }>(world.post(deviceOf(at % 2), "/api/till/quotes", { ...sale, ...wish }));
      return world.post(deviceOf(at % 2), "/api/till/orders", { ...sale, subject: "午餐", quote });
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
      const rule = {
        earn: {
          on: false,
          points: 1,
          perCents: 100,
          storeIds: [],
          storeMultiple: 100,
          weekdays: [],
          weekdayMultiple: 100,
          birthdayMultiple: 100,
          pendingDays: 0,
          dayCap: null,
          onRecharge: false,
        },
        spend: {
          on: true,
          points: 100,
          cents: 100,
          stepPoints: 100,
          leastPoints: 0,
          mostRate: 100_000,
          mostCents: null,
          storeIds: [],
          weekdays: [],
        },
        expiry: { kind: "never", months: 12, monthDay: "12-31", yearsBack: 1 },
        graceDays: 30,
        secondAbove: 10_000,
      };
      const [known] = await world.owner<{ version: number }>(
        "select coalesce(max(version), 0)::int as version from point_rules where merchant_id = $1",
        [mch01().id],
      );
      if (known!.version === 0) await world.ask(world.post(world.token("mch01"), "/api/points/rule", { version: 0, rule }));
      const { id } = await newMember();
      const today = shanghaiDay(Date.now());
      await world.till.look((tx) =>
        addPoints(tx, poster(), holder(id), {
          cause: "points-opening",
          cause_id: randomUUID(),
          points: 25_000,
          usable_from: today,
          expires_on: null,
          store_id: mch01().stores[0]!.id,
        }),
      );
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
      const sale = { tillNo: `V${randomUUID().slice(0, 18)}`, tradeType: "MICROPAY", authCode: "130000000099999999", productId };
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
      const [known] = await world.owner<{ version: number }>(
        "select coalesce(max(version), 0)::int as version from recharge_rules where merchant_id = $1",
        [mch01().id],
      );
      if (known!.version === 0)
        await world.ask(world.post(world.token("mch01"), "/api/stored-value/rules/save", { version: 0, tiers: [] }));
      const { id } = await newMember();
      const [buying] = await ticketsOf(id, 1);
      const sale = { tillNo: `R${randomUUID().slice(0, 18)}`, tradeType: "MICROPAY", authCode: "130000000099999999", amountCents: 50_000 };
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
