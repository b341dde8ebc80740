import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { verifyLedger } from "@zhangfang/domains/money/server/index.ts";
import { plantMember, plantTicket } from "@zhangfang/domains/members/server/testing/plant-member.ts";
import { verifyValue } from "@zhangfang/domains/value-book/server/index.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { jobs } from "./domains.ts";
import type { Reply } from "./testing/patient-client.ts";
import { type Crowd, plantCrowd } from "./testing/races/many-members.ts";
import { type Contender, openRaceWorld, type RaceWorld } from "./testing/races/race-world.ts";
import { settleDown } from "./testing/settle-down.ts";
import { verifyMarketing } from "./verify-marketing.ts";

// Coupons and rules at two servers at once, over HTTP. As many as the papers ask for with the proofs; by itself fewer.
const ALL = process.env["RACE_REPEATS"] !== undefined;
const RIVALS = ALL ? 200 : 24;
/** Callers, the persons of each, and the pieces for all of them. */
const [CALLERS, PERSONS, PIECES] = ALL ? [200, 50, 5_000] : [40, 5, 100];
const LONG = 240_000;

let world: RaceWorld;
let crowd: Crowd;
beforeAll(async () => {
  world = await openRaceWorld(9425);
  crowd = await plantCrowd(world, "crowd", CALLERS * PERSONS);
}, 120_000);
afterEach(async () => {
  await settleDown(world);
  const look = <T>(fn: Parameters<typeof withScope<T>>[2]) =>
    withScope(world.till.services.pool, platformScope("test"), fn, { deadline_ms: 60_000 });
  expect(await look((tx) => verifyMarketing(tx, "-infinity"))).toEqual([]);
  for (const verify of [verifyLedger, verifyValue]) expect(await look<unknown>(verify)).toEqual([]);
  expect(world.seen.odd).toEqual([]);
}, 180_000);
afterAll(async () => {
  crowd?.close();
  // The last race killed the second.
  if (world) expect(await world.close()).toEqual([0, null]);
});

const CODE = { tradeType: "MICROPAY", authCode: "130000000099999999" } as const;
const ground = () => ({ till: world.till, services: world.till.services });
const mch01 = () => world.till.tree.merchants.mch01;
const deviceOf = (at: number) => mch01().stores[at % 2]!.devices[0]!;
const won = (replies: readonly Reply[]) => replies.filter(({ status }) => status === 200);
const statuses = (replies: readonly { readonly status: number }[]) =>
  [...new Set(replies.map(({ status }) => status))].toSorted((a, b) => a - b);
const newNo = () => `N${randomUUID().slice(0, 18)}`;
const ask = <T>(path: string, body: object, login = "mch01") => world.ask<T>(world.post(world.token(login), path, body));
let phones = 0;
const member = () => plantMember(ground(), "mch01", 0, `1310000${String(1_000 + ++phones)}`);
/** Tickets that are planted are good for ten minutes of the servers' own time. */
const ticketOf = (id: string, at: number) => {
  world.till.services.clock.set(new Date().toISOString());
  return plantTicket(ground(), "mch01", at % 2, id);
};
/** A campaign that another approved: 满 40 减 10 for a week. @param percent what the provider pays of its own */
async function campaign(total: number, more: object = {}, percent?: number): Promise<string> {
  const login = percent === undefined ? "mch01" : "sp01";
  const validity = { mode: 3, wait: 0, count: 7, unit: "day" };
  const facts = {
    requestId: randomUUID(),
    name: "满减",
    terms: { kind: 1, minCents: 4_000, offCents: 1_000, validity },
    total,
    perPerson: 100,
    beginsAt: new Date(Date.now() - 60_000).toISOString(),
    endsAt: new Date(Date.now() + 20 * 86_400_000).toISOString(),
    ...(percent !== undefined && { provider: { percent, merchantIds: [mch01().id] } }),
    ...more,
  };
  const { id } = await ask<{ id: string }>("/api/coupons/campaigns/add", facts, login);
  await world.owner("update coupon_campaigns set made_by = gen_random_uuid() where id = $1", [id]);
  await ask("/api/coupons/campaigns/decide", { id, version: 1, approve: true }, login);
  return id;
}
const stockOf = async (id: string) =>
  (
    await world.owner<{ total: number; issued: number; held: number }>(
      "select total::int, issued::int, held::int from coupon_stock where campaign_id = $1",
      [id],
    )
  )[0]!;
const claim = (at: number, campaignId: string, requestId: string = randomUUID()) =>
  crowd.post(at, "claim-coupon", { campaignId, requestId });
/** A coupon of one of the crowd. */
async function received(at: number, campaignId: string): Promise<{ id: string; no: string }> {
  const { body } = await claim(at, campaignId);
  const [row] = await world.owner<{ id: string; no: string }>("select id, no from coupons where id = $1", [body["couponId"]]);
  return row!;
}
const stateOf = async (id: string) => (await world.owner<{ state: string }>("select state from coupons where id = $1", [id]))[0]!.state;
/** An order of 50.00 that is quoted with what the wish says, to be placed. */
async function quoted(at: number, memberId: string, wish: object, more: object = CODE): Promise<Contender & { readonly tillNo?: string }> {
  const sale = { tillNo: newNo(), grossCents: 5_000, ticket: await ticketOf(memberId, at) };
  const { quote } = await world.ask<{ quote: string }>(world.post(deviceOf(at), "/api/till/quotes", { ...sale, ...wish }));
  return world.post(deviceOf(at), "/api/till/orders", { ...sale, ...more, subject: "午餐", quote });
}
const all = <T>(count: number, make: (at: number) => Promise<T>) => Promise.all(Array.from({ length: count }, (_none, at) => make(at)));
/** Runs a job in the third process. */
async function runJob(name: string, data: object = {}): Promise<void> {
  const { services } = await world.openServices();
  const job = jobs.find((one) => one.name === name)!;
  await job.run(services, job.data.parse(data));
}

test(
  "the last pieces: as many are received as there are, by nobody twice, and by everybody who was told so",
  { timeout: LONG },
  async () => {
    const id = await campaign(PIECES, { perPerson: 1 });
    const begun_ms = performance.now();
    // Each of the callers asks for one of its persons after the other, as fast as it is answered.
    const answers = (
      await all(CALLERS, async (caller) => {
        const own: { status: number; body: Record<string, unknown> }[] = [];
        for (let n = 0; n < PERSONS; n++) own.push(await claim(caller * PERSONS + n, id));
        return own;
      })
    ).flat();
    const s = (performance.now() - begun_ms) / 1_000;
    process.stdout.write(`claims: ${answers.length} at two servers in ${s.toFixed(1)} s, ${(answers.length / s).toFixed(0)}/s\n`);
    const got = answers.flatMap(({ status, body }) => (status === 200 ? [String(body["couponId"])] : []));
    expect([got.length, new Set(got).size, statuses(answers)]).toEqual([PIECES, PIECES, [200, 409]]);
    expect(await stockOf(id)).toEqual({ total: PIECES, issued: PIECES, held: 0 });
    const people = "select count(*)::int as rows, count(distinct person)::int as people from coupons where campaign_id = $1";
    expect(await world.owner(people, [id])).toEqual([{ rows: PIECES, people: PIECES }]);
  },
);

test("one coupon at many tills is one order's", { timeout: LONG }, async () => {
  const coupon = await received(0, await campaign(10));
  const orders = await all(RIVALS, (at) => quoted(at, crowd.ids[0]!, { coupons: [coupon.no] }));
  const replies = await world.race(orders);
  expect([won(replies).length, statuses(replies)]).toEqual([1, [200, 409]]);
  expect(await stateOf(coupon.id)).toBe("USED");
});

test(
  "one quote that is placed many times: the same number is the same order, and another gets nothing of it",
  { timeout: LONG },
  async () => {
    const coupon = await received(1, await campaign(10));
    const [device, call] = await quoted(0, crowd.ids[1]!, { coupons: [coupon.no] });
    const replies = await world.race(
      Array.from({ length: RIVALS }, (_none, at): Contender => [
        device,
        at % 2 === 0 ? call : { ...call, body: { ...call.body, tillNo: newNo() } },
      ]),
    );
    const paid = await world.owner<{ till_no: string }>(
      "select distinct o.till_no from coupon_uses u join pay_orders o on o.id = u.order_id where u.coupon_id = $1",
      [coupon.id],
    );
    expect(paid).toHaveLength(1);
    expect(new Set(won(replies).map(({ body }) => (body as { orderNo: string }).orderNo)).size).toBe(1);
  },
);

test("a rule once a person, and the last of a budget, at many tills", { timeout: LONG }, async () => {
  const rule = { requestId: randomUUID(), kind: 1, name: "首单", terms: { offCents: 700, membersOnly: true }, once: true };
  const { id: first } = await ask<{ id: string }>("/api/discounts/rules/add", rule);
  const { id: own } = await member();
  const once = await world.race(await all(RIVALS, (at) => quoted(at, own, {})));
  expect([won(once).length, statuses(once)]).toEqual([1, [200, 409]]);
  await ask("/api/discounts/rules/state", { id: first, state: "paused" });
  const { id: budget } = await ask<{ id: string }>("/api/discounts/rules/add", {
    requestId: randomUUID(),
    kind: 2,
    name: "每满减",
    terms: { everyCents: 5_000, offCents: 300 },
    budgetCents: 1_000,
  });
  const some = await all(RIVALS, async (at) => quoted(at, crowd.ids[at]!, {}));
  expect(won(await world.race(some))).toHaveLength(3);
  expect(await world.owner("select spent_cents::int as spent from discount_budgets where rule_id = $1", [budget])).toEqual([
    { spent: 900 },
  ]);
  await ask("/api/discounts/rules/state", { id: budget, state: "paused" });
});

test(
  "who places an order with a coupon against its end, its holder who throws it away, and the shop that takes it back",
  { timeout: LONG },
  async () => {
    const id = await campaign(1_000);
    const people = Array.from({ length: RIVALS }, (_none, at) => at);
    const numbers = await world.owner<{ no: string }>("select no from members where id = any($1::uuid[])", [
      people.map((at) => crowd.ids[at]),
    ]);
    const sent = { requestId: randomUUID(), name: "回店", campaignId: id, memberNos: numbers.map(({ no }) => no), again: true };
    const { id: task } = await ask<{ id: string }>("/api/coupons/sends/add", sent);
    await expect.poll(async () => (await stockOf(id)).issued, { timeout: 60_000 }).toBe(RIVALS);
    const rows = await world.owner<{ id: string; no: string; member_id: string }>(
      "select id, no, member_id from coupons where campaign_id = $1",
      [id],
    );
    const of = (at: number) => rows.find(({ member_id }) => member_id === crowd.ids[at])!;
    await expect
      .poll(async () => (await world.owner("select 1 from send_tasks where id = $1 and status = 2", [task])).length, { timeout: 60_000 })
      .toBe(1);
    const orders = await all(RIVALS, (at) => quoted(at, crowd.ids[at]!, { coupons: [of(at).no] }));
    // A third end now.
    const ending = people.filter((at) => at % 3 === 0);
    await world.owner(
      "update coupons set valid_to = now() + interval '300 ms', valid_from = now() - interval '1 day' where id = any($1::uuid[])",
      [ending.map((at) => of(at).id)],
    );
    await ask("/api/coupons/sends/revoke", { id: task, reason: "发错了" });
    await world.owner("update send_revokes set asked_by = gen_random_uuid() where task_id = $1", [task]);
    const [replies] = await Promise.all([
      world.race(orders),
      Promise.all(people.filter((at) => at % 3 === 1).map((at) => crowd.post(at, "delete-coupon", { couponId: of(at).id }))),
      ask("/api/coupons/sends/revoke/decide", { id: task, approve: true }),
      runJob("expire-coupons").then(() => runJob("expire-coupons")),
    ]);
    expect(statuses(replies).filter((one) => one !== 200 && one !== 409)).toEqual([]);
    await settleDown(world);
    await runJob("expire-coupons");
    await expect
      .poll(async () => (await world.owner("select 1 from send_revokes where task_id = $1 and status = 2", [task])).length, {
        timeout: 60_000,
      })
      .toBe(1);
    // Whose order went well used it; nobody else has it any more.
    for (const at of people) {
      const state = await stateOf(of(at).id);
      if (replies[at]!.status === 200) expect([at, state]).toEqual([at, "USED"]);
      else expect([at, ["EXPIRED", "DELETED", "DEACTIVATED"].includes(state)]).toEqual([at, true]);
    }
  },
);

test("who receives against more stock, and against the stop", { timeout: LONG }, async () => {
  const id = await campaign(Math.floor(RIVALS / 4), { perPerson: 1 });
  const total = Math.floor(RIVALS / 2);
  const [answers] = await Promise.all([
    all(RIVALS, (at) => claim(at, id)),
    ask("/api/coupons/campaigns/stock", { id, seen: Math.floor(RIVALS / 4), total }),
  ]);
  const now = await stockOf(id);
  expect([now.total, now.issued]).toEqual([total, answers.filter(({ status }) => status === 200).length]);
  expect(now.issued).toBeGreaterThanOrEqual(Math.floor(RIVALS / 4));
  const stopped = await campaign(RIVALS, { perPerson: 1 });
  const coupons = await all(6, (at) => received(RIVALS + at, stopped));
  const orders = await all(6, (at) => quoted(at, crowd.ids[RIVALS + at]!, { coupons: [coupons[at]!.no] }));
  const [replies, late] = await Promise.all([
    world.race(orders),
    all(RIVALS - 6, (at) => claim(RIVALS + at + 6, stopped)),
    ask("/api/coupons/campaigns/steer", { id: stopped, act: "stop" }),
  ]);
  // What was received stays good; who was told that they have one has one.
  expect(statuses(replies)).toEqual([200]);
  expect((await stockOf(stopped)).issued).toBe(6 + late.filter(({ status }) => status === 200).length);
  expect(await claim(2 * RIVALS, stopped)).toMatchObject({ status: 409, body: { code: "coupon.over" } });
});

test("a close against the payment, with a coupon", { timeout: LONG }, async () => {
  const id = await campaign(100);
  const [count, last] = [8, CALLERS * PERSONS - 1];
  const coupons = await all(count, (at) => received(last - at, id));
  const orders = await all(count, (at) => quoted(at, crowd.ids[last - at]!, { coupons: [coupons[at]!.no] }, { tradeType: "NATIVE" }));
  const placed = (await world.race(orders)).map(({ body }) => (body as { orderNo: string }).orderNo);
  const closes = orders.flatMap(([device, call]) =>
    Array.from({ length: RIVALS / count }, (): Contender =>
      world.post(device, "/api/till/orders/close", { tillNo: (call.body as { tillNo: string }).tillNo }),
    ),
  );
  await Promise.all([
    world.race(closes),
    all(count, (at) => world.simulator.control("POST pay", { outTradeNo: placed[at]! }).catch(() => undefined)),
  ]);
  await settleDown(world);
  for (const [at, orderNo] of placed.entries()) {
    const [{ status } = { status: 0 }] = await world.owner<{ status: number }>("select status from pay_orders where order_no = $1", [
      orderNo,
    ]);
    expect([await stateOf(coupons[at]!.id), status]).toEqual(status === 2 ? ["USED", 2] : ["SENDED", 1]);
  }
});

test("parts of a refund against the whole, of which the provider paid its part", { timeout: LONG }, async () => {
  const id = await campaign(10, {}, 70);
  await ask("/api/coupons/campaigns/answer", { id, accept: true });
  const coupon = await received(2, id);
  const [reply] = await world.race([await quoted(0, crowd.ids[2]!, { coupons: [coupon.no] })]);
  const { orderNo } = reply!.body as { orderNo: string };
  const [order] = await world.owner<{ id: string }>("select id from pay_orders where order_no = $1", [orderNo]);
  const replies = await world.race(
    Array.from({ length: RIVALS }, (_none, at) =>
      world.post(world.token("mch01"), "/api/orders/refunds", {
        requestId: randomUUID(),
        orderId: order!.id,
        amountCents: at === 0 ? 4_000 : 1_000,
        reason: "退菜",
      }),
    ),
  );
  const went = won(replies);
  expect(went.length === 1 || went.length === 4).toBe(true);
  await settleDown(world);
  const claims = "select coalesce(sum(balance_cents), 0)::int as cents from subsidy_accounts where kind = 'claim'";
  expect(await world.owner(claims)).toEqual([{ cents: 0 }]);
  expect(await stateOf(coupon.id)).toBe("SENDED");
});

test(
  "two records of one person that are merged while both receive: what they have counts together from then on",
  { timeout: LONG },
  async () => {
    const id = await campaign(1_000, { perPerson: 1 });
    const pairs = Math.floor(RIVALS / 4);
    const [goes, stays] = [(at: number) => 2 * at, (at: number) => 2 * at + 1];
    const numbers = await all(pairs, async (at) => {
      const [row] = await world.owner<{ no: string }>("select no from members where id = $1", [crowd.ids[stays(at)]]);
      return row!.no;
    });
    const merges = numbers.map((intoNo, at): Contender =>
      world.post(world.token("mch01"), "/api/members/merge", { id: crowd.ids[goes(at)], intoNo, reason: "同一位顾客" }),
    );
    const [merged, claimed] = await Promise.all([world.race(merges), all(2 * pairs, (at) => claim(at, id))]);
    // Whoever has something already is asked for a code first; whose record is gone has no session and no coupon.
    expect(statuses(merged).filter((one) => ![200, 400, 409].includes(one))).toEqual([]);
    expect(statuses(claimed).filter((one) => ![200, 401, 409].includes(one))).toEqual([]);
    for (let at = 0; at < pairs; at++) {
      const family = [crowd.ids[goes(at)], crowd.ids[stays(at)]];
      const [had] = await world.owner<{ n: number }>(
        "select count(*)::int as n from coupons where campaign_id = $1 and member_id = any($2::uuid[])",
        [id, family],
      );
      expect(had!.n).toBe([goes(at), stays(at)].filter((one) => claimed[one]!.status === 200).length);
      expect((await claim(stays(at), id)).status).toBe(had!.n > 0 ? 409 : 200);
    }
  },
);

test("the last prizes at two servers: as many as there are, and no number of a draw is missing or twice", { timeout: LONG }, async () => {
  const day = shanghaiDay(Date.now());
  const stock = Math.floor(RIVALS / 3);
  const prizes = [{ name: "双人套餐", kind: "goods", amount: 1, valueCents: 6_800, chance: 1_000_000, stock }];
  const { id } = await ask<{ id: string }>("/api/lotteries/add", {
    requestId: randomUUID(),
    name: "周末摇一摇",
    firstDay: day,
    lastDay: addDays(day, 2),
    terms: { prizes, perDay: 1, perPerson: 3, contact: "02886001234", staffListed: true },
  });
  await world.owner("update lotteries set made_by = gen_random_uuid() where id = $1", [id]);
  await ask("/api/lotteries/decide", { id, version: 1, approve: true });
  const first = 2 * RIVALS;
  const nonces = Array.from({ length: RIVALS }, () => randomUUID());
  // Each phone asks twice for the same draw.
  const replies = await all(2 * RIVALS, (at) => crowd.post(first + (at % RIVALS), "draw", { lotteryId: id, nonce: nonces[at % RIVALS]! }));
  expect(statuses(replies)).toEqual([200]);
  for (let at = 0; at < RIVALS; at++) expect(replies[at]!.body).toEqual(replies[at + RIVALS]!.body);
  const draws = await world.owner<{ n: number; most: number; wins: number }>(
    `select count(*)::int as n, max(d.draw_no)::int as most, count(*) filter (where d.prize > 0)::int as wins
      from lottery_draws d where d.lottery_id = $1`,
    [id],
  );
  expect(draws).toEqual([{ n: RIVALS, most: RIVALS, wins: stock }]);
  // Once more on the same day is no draw.
  expect((await crowd.post(first, "draw", { lotteryId: id, nonce: randomUUID() })).status).toBe(409);
});

test("one of two servers is killed while many receive: no piece is lost, and none is given twice", { timeout: LONG }, async () => {
  const id = await campaign(PIECES, { perPerson: 1 });
  let done = 0;
  const answers = (
    await all(CALLERS, async (caller) => {
      const own: { status: number; body: Record<string, unknown> }[] = [];
      for (let n = 0; n < PERSONS; n++) {
        // Who heard nothing asks for the same once more.
        own.push(await claim(caller * PERSONS + n, id));
        if (++done === Math.floor(PIECES / 3)) world.servers[1]!.kill("SIGKILL");
      }
      return own;
    })
  ).flat();
  expect((await world.servers[1]!.ended).signal).toBe("SIGKILL");
  const got = answers.flatMap(({ status, body }) => (status === 200 ? [String(body["couponId"])] : []));
  const rows = await world.owner<{ id: string }>("select id from coupons where campaign_id = $1", [id]);
  expect([got.length, new Set(got).size]).toEqual([PIECES, PIECES]);
  expect(rows.map((row) => row.id).toSorted()).toEqual(got.toSorted());
  expect(await stockOf(id)).toEqual({ total: PIECES, issued: PIECES, held: 0 });
});
