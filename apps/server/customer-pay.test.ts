import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openCashierCodes, openPayCodes } from "@zhangfang/domains/pay-codes/contract.ts";
import type { TillWorld } from "@zhangfang/domains/orders/server/testing/till-world.ts";
import { type CustomerWorld, openCustomers, routeOf } from "./testing/customers.ts";

// A member who pays at the code on a store's counter: level, points and balance come off, and go back, to the cent.
let customers: CustomerWorld;
let world: TillWorld;
let code: string;
const codesOf = async (login: string, endpoint: object, body: object) =>
  ((await world.ask(login, routeOf(endpoint), body)) as { items: { url: string }[] }).items.map(({ url }) => url.split("/").at(-1)!);
beforeAll(async () => {
  customers = await openCustomers();
  ({ world } = customers);
  await customers.giveRights();
  [code] = (await codesOf("mch01", openPayCodes, { storeIds: [world.tree.merchants.mch01.stores[0]!.id] })) as [string];
});
beforeEach(() => world.services.clock.advance(3_700_000));
afterEach(async () => expect(await customers.breaches()).toEqual([]));
afterAll(() => customers.close());

type Somebody = Awaited<ReturnType<CustomerWorld["joined"]>>;
interface Quoted {
  readonly quote: string;
  readonly paidCents: number;
  readonly asksPin: boolean;
}
const quote = async ({ phone }: Somebody, amountCents: number, wishes: { points?: boolean; stored?: boolean } = {}, at = code) =>
  phone.post("pay/quote", { code: at, amountCents, points: false, stored: false, ...wishes });
const payWith = (one: Somebody, amountCents: number, { quote: sealed }: Quoted, more: object = {}) =>
  one.phone.post("pay", { code, requestId: randomUUID(), amountCents, quote: sealed, ...more });
/** Quotes and pays. */
async function paid(one: Somebody, amountCents: number, wishes: { points?: boolean; stored?: boolean } = {}, more: object = {}) {
  const quoted = await quote(one, amountCents, wishes);
  expect(quoted.status).toBe(200);
  const answer = await payWith(one, amountCents, quoted.body as unknown as Quoted, more);
  expect(answer.status).toBe(200);
  return answer.body as { orderNo: string; status: number; paidCents: number };
}
/** A gold member with 1,020 points, and 500.00 with 50.00 on top. */
async function gold(): Promise<Somebody> {
  const one = await customers.joined();
  await customers.pay((await paid(one, 100)).orderNo);
  await customers.givePoints(one, 999);
  await customers.recharge(one.phone);
  return one;
}
const home = async ({ phone }: Somebody) => (await phone.get("home")).body;
const row = async (orderNo: string) =>
  (await world.owner<Record<string, number>>("select * from pay_orders where order_no = $1", [orderNo]))[0]!;
async function refund(orderNo: string, amountCents: number): Promise<void> {
  const { id: orderId } = await row(orderNo);
  await world.as("mch01", "refundOrder", { requestId: randomUUID(), orderId: String(orderId), amountCents, reason: "退菜" });
  await world.runJobs();
  for (const one of world.channel.refunds.values()) if (one.status === "processing") world.channel.decide(one.outRefundNo, "success");
  world.services.clock.advance(60_000);
  await world.sweep("query-refunds");
  await world.runJobs();
}

test("the level comes off by itself, points as wished, the rest is paid in money, and a full refund gives all of it back", async () => {
  const one = await gold();
  expect(await home(one)).toMatchObject({ level: "金卡", points: 1_020 });
  const quoted = await quote(one, 10_000, { points: true });
  expect(quoted.body).toMatchObject({
    grossCents: 10_000,
    paidCents: 8_500,
    parts: [
      { source: "member", offCents: 500 },
      { source: "points", offCents: 1_000, points: 1_000 },
    ],
    tenders: [{ kind: "money", cents: 8_500 }],
    earns: 85,
    asksPin: false,
  });
  const request = { code, requestId: randomUUID(), amountCents: 10_000, quote: (quoted.body as unknown as Quoted).quote };
  const placed = (await one.phone.post("pay", request)).body as { orderNo: string };
  expect(placed).toMatchObject({ status: 0, codeUrl: expect.stringMatching(/^weixin:/), tenders: [{ kind: "money", cents: 8_500 }] });
  expect((await one.phone.post("pay", request)).body).toMatchObject({ orderNo: placed.orderNo });
  expect(await one.phone.post("pay", { ...request, amountCents: 9_999 })).toMatchObject({ status: 409 });
  expect(await home(one)).toMatchObject({ points: 20 });
  await customers.pay(placed.orderNo);
  // The code's own page follows it, whoever pays.
  expect((await one.phone.get(`/api/pay-codes/payments/${code}/${request.requestId}`)).body).toMatchObject({ status: 2, paidCents: 8_500 });
  expect(await home(one)).toMatchObject({ points: 105 });
  expect(await row(placed.orderNo)).toMatchObject({ member_id: one.id, member_cents: 500, points_cents: 1_000, points_used: 1_000 });
  const stores = await world.owner("select 1 from member_stores where member_id = $1 and store_id = $2", [
    one.id,
    world.tree.merchants.mch01.stores[0]!.id,
  ]);
  expect(stores).toHaveLength(1);
  await refund(placed.orderNo, 8_500);
  expect(await home(one)).toMatchObject({ points: 1_020 });
  expect(await row(placed.orderNo)).toMatchObject({ status: 3, refunded_cents: 8_500 });
});

test("what the balance covers is paid at once; a part of it goes back by what is left of each tender", async () => {
  const one = await gold();
  expect(await paid(one, 10_000, { points: true, stored: true })).toMatchObject({
    status: 2,
    paidCents: 0,
    codeUrl: null,
    tenders: [
      { kind: "principal", cents: 7_727 },
      { kind: "gift", cents: 773 },
    ],
  });
  expect(await home(one)).toMatchObject({ principalCents: 42_273, giftCents: 4_227 });
  // Money beside it where it does not reach, once the PIN is typed.
  expect((await one.phone.post("pin", { sms: await customers.ownCode(one.phone, one.number, "pin"), pin: "135790" })).status).toBe(200);
  const both = await paid(one, 60_000, { stored: true }, { pin: "135790" });
  expect(both).toMatchObject({ status: 0 });
  expect(await row(both.orderNo)).toMatchObject({ paid_cents: 10_500, principal_cents: 42_273, gift_cents: 4_227, member_cents: 3_000 });
  await customers.pay(both.orderNo);
  await refund(both.orderNo, 5_700);
  const left = { principalCents: 4_227, giftCents: 423 };
  expect(await home(one)).toMatchObject(left);
  expect(await row(both.orderNo)).toMatchObject({ status: 2, refunded_cents: 1_050, value_refunded_cents: 5_700 });
  await refund(both.orderNo, 51_300);
  expect(await home(one)).toMatchObject({ principalCents: 42_273, giftCents: 4_227 });
  expect(await row(both.orderNo)).toMatchObject({ status: 3, refunded_cents: 10_500 });
});

test("above the line the PIN is asked for, each wrong one counts, and nothing is held without it", async () => {
  const one = await gold();
  const quoted = await quote(one, 30_000, { stored: true });
  expect(quoted.body).toMatchObject({ asksPin: true, paidCents: 0 });
  const sealed = quoted.body as unknown as Quoted;
  expect(await payWith(one, 30_000, sealed)).toMatchObject({ status: 400, body: { fields: { pin: "请输入支付密码" } } });
  await one.phone.post("pin", { sms: await customers.ownCode(one.phone, one.number, "pin"), pin: "135790" });
  const again = (await quote(one, 30_000, { stored: true })).body as unknown as Quoted;
  expect(await payWith(one, 30_000, again, { pin: "000001" })).toMatchObject({
    status: 400,
    body: { fields: { pin: expect.stringContaining("4 次") } },
  });
  expect(await home(one)).toMatchObject({ principalCents: 50_000, heldCents: 0 });
  expect(await payWith(one, 30_000, again, { pin: "135790" })).toMatchObject({ status: 200, body: { status: 2 } });
});

test("two payments of one balance at once: it pays for one of them, the other is told that the price is another", async () => {
  const one = await gold();
  await one.phone.post("pin", { sms: await customers.ownCode(one.phone, one.number, "pin"), pin: "135790" });
  const quoted = (await quote(one, 50_000, { stored: true })).body as unknown as Quoted;
  expect(quoted.paidCents).toBe(0);
  const tried = await Promise.all(Array.from({ length: 4 }, () => payWith(one, 50_000, quoted, { pin: "135790" })));
  expect(tried.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
  expect(await home(one)).toMatchObject({ principalCents: 6_818, giftCents: 682, heldCents: 0 });
  expect(await payWith(one, 50_000, quoted, { pin: "135790" })).toMatchObject({ status: 409, body: { code: "price.changed" } });
});

test("closed unpaid it gives back what it held; paid after all, the merchant bears what was spent meanwhile", async () => {
  const one = await gold();
  await one.phone.post("pin", { sms: await customers.ownCode(one.phone, one.number, "pin"), pin: "135790" });
  const late = await paid(one, 100_000, { stored: true }, { pin: "135790" });
  expect(late).toMatchObject({ status: 0 });
  expect(await home(one)).toMatchObject({ principalCents: 0, heldCents: 55_000 });
  world.services.clock.advance(3 * 3_600_000);
  await world.sweep("query-payments");
  await world.runJobs();
  expect(await home(one)).toMatchObject({ principalCents: 50_000, giftCents: 5_000, heldCents: 0 });
  await paid(one, 50_000, { stored: true }, { pin: "135790" });
  world.channel.trades.get(late.orderNo)!.state = "NOTPAY";
  await customers.pay(late.orderNo);
  expect(await row(late.orderNo)).toMatchObject({ status: 2, paid_cents: 40_000, stored_value_cents: 0, short_cents: 55_000 });
  await refund(late.orderNo, 40_000);
  expect(await row(late.orderNo)).toMatchObject({ status: 3 });
});

test("nobody pays as a member at another merchant's code, without a session, frozen or leaving", async () => {
  const one = await gold();
  const [other] = (await codesOf("mch02", openPayCodes, { storeIds: [world.tree.merchants.mch02.stores[0]!.id] })) as [string];
  expect(await quote(one, 100, {}, other)).toMatchObject({ status: 404, body: { code: "pay-code.void" } });
  const own = (await quote(one, 100)).body as unknown as Quoted;
  expect(await payWith(one, 100, own, { code: other })).toMatchObject({ status: 404 });
  const stranger = customers.phoneAt();
  expect((await stranger.post("pay/quote", { code, amountCents: 100, points: false, stored: false })).status).toBe(401);
  expect((await stranger.post("pay", { code, requestId: randomUUID(), amountCents: 100, quote: own.quote })).status).toBe(401);
  // A quote is its member's alone.
  const another = await gold();
  expect(await payWith(another, 100, own)).toMatchObject({ status: 400, body: { fields: { quote: expect.stringContaining("会员") } } });
  expect((await one.phone.post("freeze")).status).toBe(200);
  expect((await quote(one, 10_000, { points: true, stored: true })).body).toMatchObject({
    paidCents: 9_500,
    parts: [{ source: "member" }],
  });
  const leaving = await customers.joined();
  const before = (await quote(leaving, 100)).body as unknown as Quoted;
  const sms = await customers.ownCode(leaving.phone, leaving.number, "close");
  expect((await leaving.phone.post("close", { sms })).status).toBe(200);
  expect(await quote(leaving, 100)).toMatchObject({ status: 409, body: { code: "member.closing" } });
  expect(await payWith(leaving, 100, before)).toMatchObject({ status: 409, body: { code: "member.closing" } });
});

test("a cashier's own code keeps its limit, and payments begun are counted as everybody's", async () => {
  const one = await gold();
  const { cashiers } = world.tree.merchants.mch01.stores[0]!;
  await world.owner("update cashiers set pay_most_cents = 5000 where id = $1", [cashiers[0]!.id]);
  const [limited] = (await codesOf("mch01", openCashierCodes, { cashierIds: [cashiers[0]!.id] })) as [string];
  expect(await quote(one, 5_001, {}, limited)).toMatchObject({ status: 400, body: { fields: { amountCents: expect.any(String) } } });
  const quoted = (await quote(one, 5_000, {}, limited)).body as unknown as Quoted;
  expect(await payWith(one, 5_000, quoted, { code: limited })).toMatchObject({ status: 200 });
  expect(await world.owner("select 1 from pay_orders where cashier_id = $1 and member_id = $2", [cashiers[0]!.id, one.id])).toHaveLength(1);
  world.services.clock.advance(61_000);
  const small = (await quote(one, 100)).body as unknown as Quoted;
  const tried = [];
  for (let n = 0; n < 11; n++) tried.push((await payWith(one, 100, small)).status);
  expect(tried).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
});
