import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { invoiceCalls, PERSON, plantSubject, startPlatforms } from "@zhangfang/domains/invoices/server/testing/invoice-world.ts";
import { verifyPlatforms } from "@zhangfang/domains/platforms/server/index.ts";
import type { Reply } from "./testing/patient-client.ts";
import { type Contender, openRaceWorld, type RaceWorld } from "./testing/races/race-world.ts";
import { settleDown } from "./testing/settle-down.ts";

// Vouchers of 抖音 and invoices at two servers at once, over HTTP, with the platforms in a process of their own: platforms.md 8, two tills one
// voucher, verify × reverse, reverse × refund, two applications, apply × refund.
const RIVALS = process.env["RACE_REPEATS"] === undefined ? 24 : 200;
/** Of what many do to one thing that each of them holds. */
const FEW = process.env["RACE_REPEATS"] === undefined ? 8 : 40;
const LONG = 240_000;
const POIS = ["7200000000000000001", "7200000000000000002"];

let world: RaceWorld;
let platforms: Awaited<ReturnType<typeof startPlatforms>>;
beforeAll(async () => {
  for (let tries = 1; ; tries++) {
    world = await openRaceWorld(9435);
    try {
      // Where the servers look for it: two above the channel's simulator.
      platforms = await startPlatforms(Number(new URL(world.simulator.url).port) + 2);
      break;
    } catch (error) {
      await world.close();
      if (tries === 3) throw error;
    }
  }
  const account = { platform: "dy", revision: 0, accountNo: "LK001", appOf: "merchant", appKey: "key-dy", secret: "secret-dy" };
  await world.ask(world.post(world.token("mch01"), "/api/platforms/account/save", account));
  for (const [at, poi] of POIS.entries())
    await world.owner(
      "insert into other_stores (service_provider_id, id, merchant_id, platform, platform_store_id, name, mapped_store_id, updated_at) values ($1, $2, $3, 'dy', $4, $4, $5, now())",
      [mch01().serviceProviderId, randomUUID(), mch01().id, poi, mch01().stores[at]!.id],
    );
}, 240_000);
afterEach(async () => {
  await settleDown(world);
  expect(await invoices().breaches()).toEqual([]);
  expect(await world.till.look(verifyPlatforms)).toEqual([]);
  expect(world.seen.odd).toEqual([]);
}, 180_000);
afterAll(async () => {
  platforms?.stop();
  if (world) expect(await world.close()).toEqual([0, 0]);
});

const invoices = () => invoiceCalls(world.till);
let subject: Promise<string> | undefined;
/** The store's tax number, once. */
const plantedSubject = () => (subject ??= plantSubject(invoices().call, mch01().stores));
const mch01 = () => world.till.tree.merchants.mch01;
const statuses = (replies: readonly Reply[]) => [...new Set(replies.map(({ status }) => status))].toSorted((a, b) => a - b);
const won = (replies: readonly Reply[]) => replies.filter(({ status }) => status === 200);
let serial = 4_000_000;
const newCode = (end = "20") => `10${serial++}8${end}`;
/** What 抖音 holds of a voucher. */
const usesThere = async (code: string): Promise<number> => {
  const asked = { act: "look", platform: "douyin", code };
  const answer = await fetch(`http://${platforms.host}/group-buy`, { method: "POST", body: JSON.stringify(asked) });
  return ((await answer.json()) as { uses: number }).uses;
};
/** Looks it up, again where the platform is busy: nothing is used by that. */
async function ticketOf(asked: Contender): Promise<string> {
  for (;;) {
    const [reply] = await world.race([asked]);
    const { code, ticket } = reply!.body as { code?: string; ticket?: string };
    if (ticket !== undefined) return ticket;
    if (code !== "voucher.unknown") throw new Error(JSON.stringify(reply));
  }
}
/** Somebody who looked the voucher up: every third at the desk of the first store, the others at tills of two stores. */
async function contender(at: number, scan: string): Promise<Contender> {
  const requestId = randomUUID();
  const device = mch01().stores[at % 2]!.devices[0]!;
  const desk = at % 3 === 2;
  const [caller, path, where] = desk
    ? [world.token("mch01"), "/api/platforms/desk", { storeId: mch01().stores[0]!.id }]
    : [device, "/api/till/platform-vouchers", {}];
  const ticket = await ticketOf(world.post(caller, `${path}/prepare`, { ...where, scan }));
  return world.post(caller, `${path}/verify`, { ...where, requestId, ticket, count: 1 });
}
/** Ten at a time look it up; what they do with it comes at once. */
async function contenders(code: string): Promise<Contender[]> {
  const made: Contender[] = [];
  while (made.length < RIVALS)
    made.push(
      ...(await Promise.all(Array.from({ length: Math.min(10, RIVALS - made.length) }, (_none, at) => contender(made.length + at, code)))),
    );
  return made;
}
/** A till is told 核销中 where the answer takes longer than it waits, and asks. */
async function settled({ body }: Reply): Promise<void> {
  const [{ id } = { id: "" }] = body as { id: string }[];
  const status = async () =>
    (await world.owner<{ status: number }>("select status from voucher_verifications where id = $1", [id]))[0]!.status;
  await expect.poll(status, { timeout: 90_000, interval: 500 }).toBe(1);
}
const facts = (code: string) =>
  world.owner<{ kind: string; attempts: number }>(
    `select e.kind, (select count(*)::int from voucher_verifications v where v.certificate_id = e.certificate_id and v.status in (1, 5, 6)) as attempts
      from platform_entries e join platform_vouchers p on p.service_provider_id = e.service_provider_id and p.certificate_id = e.certificate_id
      where p.tail = $1`,
    [code.slice(-4)],
  );

test("one voucher at many tills and desks of two processes is used once, and everybody else is told no", { timeout: LONG }, async () => {
  const code = newCode();
  const replies = await world.race(await contenders(code));
  expect([won(replies).length, statuses(replies)]).toEqual([1, [200, 409]]);
  await settled(won(replies)[0]!);
  expect(await usesThere(code)).toBe(1);
  expect(await facts(code)).toEqual([{ kind: "verify", attempts: 1 }]);
  // In words for whoever stands at the till.
  for (const { status, body } of replies) if (status === 409) expect(JSON.stringify(body)).toMatch(/还没有结果|已核销过/);
});

test("one request that comes many times to two processes is one call, and each time the same use", { timeout: LONG }, async () => {
  const code = newCode();
  const request = await contender(0, code);
  const replies = await world.race(Array.from({ length: RIVALS }, () => request));
  expect(statuses(replies)).toEqual([200]);
  expect(new Set(replies.map(({ body }) => (body as { id: string }[])[0]!.id)).size).toBe(1);
  await settled(replies[0]!);
  expect(await usesThere(code)).toBe(1);
  expect(await facts(code)).toEqual([{ kind: "verify", attempts: 1 }]);
});

test("where the platform's answer is lost nobody else uses it, and one use comes of it", { timeout: LONG }, async () => {
  const code = newCode("04");
  const replies = await world.race(await contenders(code));
  expect([won(replies).length, statuses(replies)]).toEqual([1, [200, 409]]);
  await settled(won(replies)[0]!);
  expect(await usesThere(code)).toBe(1);
  expect(await facts(code)).toEqual([{ kind: "verify", attempts: 1 }]);
});

/** The uses that 抖音 has of a voucher: those that stand, and all. */
async function standing(code: string): Promise<readonly [number, number]> {
  const answer = await fetch(`http://${platforms.host}/group-buy`, {
    method: "POST",
    body: JSON.stringify({ act: "list", platform: "douyin", code }),
  });
  const { vouchers } = (await answer.json()) as { vouchers: { code: string; uses: { reversed: boolean }[] }[] };
  const { uses } = vouchers.find((one) => one.code === code)!;
  return [uses.filter(({ reversed }) => !reversed).length, uses.length];
}
const count = (all: readonly { kind: string }[], kind: string) => all.filter((one) => one.kind === kind).length;
/** A use that is settled. @returns its id */
async function used(code: string): Promise<string> {
  const [reply] = await world.race([await contender(2, code)]);
  await settled(reply!);
  return (reply!.body as { id: string }[])[0]!.id;
}

test(
  "a use that many take back while many use the voucher again: each reversal has its use, and one stands or none",
  { timeout: LONG },
  async () => {
    const code = newCode();
    // Looked up while it was free: what they hold is good for both uses.
    const tries = (await contenders(code)).slice(0, FEW);
    const id = await used(code);
    const back = () => world.post(world.token("mch01"), "/api/platforms/desk/cancel", { id, reason: "换店" });
    const replies = await world.race(Array.from({ length: FEW }, (_none, at) => [back(), tries[at]!]).flat());
    expect(statuses(replies).filter((status) => status !== 200 && status !== 409)).toEqual([]);
    const open = async () => (await world.owner("select 1 from voucher_verifications where status in (0, 3, 4, 5)")).length;
    await expect.poll(open, { timeout: 90_000, interval: 500 }).toBe(0);
    const all = await facts(code);
    const [stands, uses] = await standing(code);
    expect([stands <= 1, count(all, "verify"), count(all, "verify") - count(all, "reverse")]).toEqual([true, uses, stands]);
    const [attempt] = await world.owner<{ status: number }>("select status from voucher_verifications where id = $1", [id]);
    expect(attempt!.status).toBe(6);
  },
);

test("many who refund an order and many who take its voucher back: one refund, one reversal", { timeout: LONG }, async () => {
  const code = newCode();
  const id = await used(code);
  const [device] = mch01().stores[0]!.devices;
  const tillNo = `V${randomUUID().slice(0, 18)}`;
  const bill = { tillNo, grossCents: 30_000 };
  const { quote } = await world.ask<{ quote: string }>(world.post(device!, "/api/till/quotes", { ...bill, platformVouchers: [id] }));
  const pay = { ...bill, quote, tradeType: "MICROPAY", subject: "晚餐", authCode: "130000000099999999" };
  const { orderNo } = await world.ask<{ orderNo: string }>(world.post(device!, "/api/till/orders", pay));
  const [order] = await world.owner<{ id: string; status: number; paid: number }>(
    "select id, status, paid_cents::int as paid from pay_orders where order_no = $1",
    [orderNo],
  );
  expect(order).toMatchObject({ status: 2 });
  const back = () => world.post(world.token("mch01"), "/api/platforms/desk/cancel", { id, reason: "换店" });
  const refund = () =>
    world.post(world.token("mch01"), "/api/orders/refunds", {
      requestId: randomUUID(),
      orderId: order!.id,
      amountCents: order!.paid,
      vouchers: [id],
      reason: "退菜",
    });
  const wishes = Array.from({ length: FEW }, () => [back(), refund()]).flat();
  const replies = await world.race(wishes);
  const refunds = replies.filter((_reply, at) => at % 2 === 1);
  expect([won(refunds).length, statuses(replies).filter((status) => status >= 500)]).toEqual([1, []]);
  await settleDown(world);
  expect(await world.owner("select status, amount_cents::int as cents from refunds where order_id = $1", [order!.id])).toEqual([
    { status: 2, cents: order!.paid },
  ]);
  const all = await facts(code);
  expect([await standing(code), count(all, "verify"), count(all, "reverse")]).toEqual([[0, 1], 1, 1]);
});

test("many applications for one order at two servers: one lives, and the order stands on its invoice once", { timeout: LONG }, async () => {
  await plantedSubject();
  const { id } = await world.pay(mch01().stores[0]!, 10_000);
  const token = invoices().tokenOf(id);
  const apply = () =>
    world.post(world.token("mch01"), "/api/invoice-page/apply", { requestId: randomUUID(), token, cents: 10_000, ...PERSON });
  const replies = await world.race(Array.from({ length: FEW }, apply));
  expect([won(replies).length, statuses(replies)]).toEqual([1, [200, 409]]);
  const there = async () => (await platforms.control({})).blues.map(({ cents }) => cents);
  await expect.poll(there, { timeout: 90_000, interval: 500 }).toEqual([10_000]);
  expect(
    await world.owner(
      `select (select count(*)::int from invoice_applications) as applications, (select sum(total_cents)::int from invoices) as cents,
        alive_cents::int as alive from invoice_orders where order_id = $1`,
      [id],
    ),
  ).toEqual([{ applications: 1, cents: 10_000, alive: 10_000 }]);
});

/** What stands on an order's invoices, what it has set aside for them, and what it is worth. */
async function standsOf(orderId: string) {
  const [found] = await world.owner<{ issued: number; open: number; alive: number; worth: number }>(
    `select coalesce(sum(l.total_cents) filter (where i.status = 2), 0)::int as issued, count(*) filter (where i.status not in (2, 5, 7))::int as open,
      (select coalesce(sum(alive_cents), 0)::int from invoice_orders where order_id = $1) as alive,
      (select (paid_cents - refunded_cents)::int from pay_orders where id = $1) as worth
      from invoice_lines l join invoices i on i.id = l.invoice_id where l.order_id = $1`,
    [orderId],
  );
  return found!;
}

test(
  "many who apply for orders and many who refund of them: in the end no more stands on invoices than is left",
  { timeout: LONG },
  async () => {
    await plantedSubject();
    const post = (path: string, body: object) => world.post(world.token("mch01"), path, { requestId: randomUUID(), ...body });
    const orders = [await world.pay(mch01().stores[0]!, 10_000), await world.pay(mch01().stores[0]!, 10_000)];
    const wishes = orders.flatMap(({ id }) => {
      const apply = () => post("/api/invoice-page/apply", { token: invoices().tokenOf(id), cents: 10_000, ...PERSON });
      const refund = () => post("/api/orders/refunds", { orderId: id, amountCents: 100, reason: "退菜" });
      // One of each at each server, and so on.
      return Array.from({ length: FEW / 8 }, () => [apply(), apply(), refund(), refund()].map((wish) => ({ id, wish }))).flat();
    });
    const replies = await world.race(wishes.map(({ wish }) => wish));
    expect(statuses(replies).filter((status) => status !== 200 && status !== 409)).toEqual([]);
    await settleDown(world);
    for (const { id } of orders) {
      const mine = wishes.flatMap((one, at) => (one.id === id && replies[at]!.status === 200 ? [one.wish[1].path] : []));
      const countOf = (path: string) => mine.filter((one) => one === path).length;
      const [applied, refunded] = [countOf("/api/invoice-page/apply"), countOf("/api/orders/refunds")];
      // One application at most: whoever comes after a refund is told that less is left.
      expect([applied <= 1, refunded]).toEqual([true, FEW / 4]);
      const worth = 10_000 - refunded * 100;
      const due = applied === 1 ? worth : 0;
      await expect.poll(() => standsOf(id), { timeout: 120_000, interval: 500 }).toEqual({ issued: due, open: 0, alive: due, worth });
    }
  },
);
