import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  createMallOrder,
  getMallOrder,
  listMallOrders,
  previewMallRefund,
  refundMallLines,
  shipMallOrder,
} from "@zhangfang/domains/mall/contract/index.ts";
import { identifyMember } from "@zhangfang/domains/members/contract/index.ts";
import { openFriendPay } from "@zhangfang/domains/orders/contract/index.ts";
import type { TillWorld } from "@zhangfang/domains/orders/server/testing/till-world.ts";
import { addProduct, moveStock } from "@zhangfang/domains/products/contract/index.ts";
import { products } from "@zhangfang/domains/products/server/index.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { callAs } from "@zhangfang/server/testing.ts";
import { doors } from "./domains.ts";
import { type CustomerWorld, openCustomers, routeOf } from "./testing/customers.ts";

// Orders of members where somebody else stands between: a friend who pays, a mall.
let customers: CustomerWorld;
let world: TillWorld;
beforeAll(async () => {
  customers = await openCustomers();
  ({ world } = customers);
  await customers.giveRights();
});
beforeEach(() => world.services.clock.advance(3_700_000));
afterEach(async () => expect(await customers.breaches()).toEqual([]));
afterAll(() => customers.close());

type Somebody = Awaited<ReturnType<CustomerWorld["joined"]>>;
const store = () => world.tree.merchants.mch01.stores[0]!;
/** The ticket of who shows a member code at the till. */
async function ticketOf({ phone }: Somebody): Promise<string> {
  world.services.clock.advance(30_000);
  const { code } = (await phone.get("code")).body as { code: string };
  const { ticket } = (await world.askTill(store(), routeOf(identifyMember), { code })) as { ticket: string };
  return ticket;
}
/** A gold member with 1,020 points, and 500.00 with 50.00 on top. */
async function gold(): Promise<Somebody> {
  const one = await customers.joined();
  const ticket = await ticketOf(one);
  const small = { tillNo: `G${randomUUID().slice(0, 12)}`, tradeType: "NATIVE" as const, subject: "茶", grossCents: 100 as never, ticket };
  await customers.pay((await world.till(store(), "createTillOrder", small)).orderNo);
  await customers.givePoints(one, 999);
  await customers.recharge(one.phone);
  expect((await one.phone.get("home")).body).toMatchObject({ level: "金卡", points: 1_020 });
  return one;
}
const home = async ({ phone }: Somebody) => (await phone.get("home")).body;
const row = async (orderNo: string) =>
  (await world.owner<Record<string, number | string | null>>("select * from pay_orders where order_no = $1", [orderNo]))[0]!;
/** The channel says that it is paid by somebody. */
async function paysAs(orderNo: string, openId: string): Promise<void> {
  const { id } = world.tree.merchants.mch01;
  const transaction = { ...world.channel.customerPays(orderNo), openId };
  await world.notify(id, world.channel.notice(`F${orderNo}`, world.settings.get(id)!.account.mchId, { transaction }));
  await world.runJobs();
}
async function refundsArrive(): Promise<void> {
  await world.runJobs();
  for (const one of world.channel.refunds.values()) if (one.status === "processing") world.channel.decide(one.outRefundNo, "success");
  world.services.clock.advance(60_000);
  await world.sweep("query-refunds");
  await world.runJobs();
}

test("weighed goods go to a member by what the scale says, in the proportion of the member price, and not for one unit's price", async () => {
  const loose = {
    requestId: randomUUID(),
    name: "车厘子",
    weighed: true,
    skus: [{ skuNo: "W-98", priceCents: 9_800, memberCents: 8_800 }],
  };
  await world.ask("mch01", routeOf(addProduct), loose);
  const ticket = await ticketOf(await customers.joined());
  const quoted = async (unitCents: number, units = 1) =>
    world.till(store(), "quotePrice", {
      tillNo: "W1",
      lines: [{ place: 1, name: "车厘子", sku: "W-98", units, unitCents }],
      ticket,
    } as never);
  // 2 kg, then 1.5 kg and 537 g; a light one costs its own part too, which 88.00 for the kilogram never gave.
  expect(await quoted(19_600)).toMatchObject({ paidCents: 17_600, parts: [{ source: "member", offCents: 2_000 }] });
  expect(await quoted(14_700)).toMatchObject({ paidCents: 13_200 });
  expect(await quoted(5_263)).toMatchObject({ paidCents: 4_726 });
  expect(await quoted(19_600, 2)).toMatchObject({ paidCents: 35_200 });
});

test("a friend pays what a member's points and balance leave, sees the sum alone, and becomes nobody's member", async () => {
  const one = await gold();
  const ticket = await ticketOf(one);
  const wished = { tillNo: "FR1", grossCents: 20_000 as never, ticket, points: 500, storedValueCents: 5_500 as never };
  const { quote, paidCents } = await world.till(store(), "quotePrice", wished);
  // 200.00 less 10.00 of the level, 5.00 of points and 55.00 of the balance.
  expect(paidCents).toBe(13_000);
  const order = { tillNo: "FR1", subject: "生日蛋糕", grossCents: 20_000 as never, orderer: "o-orderer-of-gold", quote, ticket };
  const made = await world.till(store(), "createFriendOrder", order);
  expect(await world.till(store(), "createFriendOrder", order)).toMatchObject({ orderNo: made.orderNo, friendUrl: made.friendUrl });
  const open = async () =>
    callAs(world.services, doors, routeOf(openFriendPay), undefined, { token: made.friendUrl.split("/").at(-1)! }) as Promise<object>;
  const page = await open();
  expect(page).toMatchObject({ amountCents: 13_000, state: "waiting" });
  expect(JSON.stringify(page)).not.toMatch(/20000|5500|积分|储值|林/);
  expect(await home(one)).toMatchObject({ points: 520, heldCents: 5_500 });

  const before = await world.owner("select 1 from members");
  await paysAs(made.orderNo, "o-a-kind-friend-0001");
  expect(await open()).toMatchObject({ state: "paid", amountCents: 13_000 });
  expect(await world.owner("select 1 from members")).toHaveLength(before.length);
  // Money and principal earn, for the orderer: 130.00 and 50.00.
  expect(await row(made.orderNo)).toMatchObject({
    status: 2,
    member_id: one.id,
    paid_cents: 13_000,
    principal_cents: 5_000,
    gift_cents: 500,
  });
  expect(await home(one)).toMatchObject({ points: 520 + 180, principalCents: 45_000, giftCents: 4_500, heldCents: 0 });

  // A part back by what is left of each, then the rest: the friend's money to the friend, points and balance to the orderer.
  await world.till(store(), "refundTillOrder", { requestId: randomUUID(), tillNo: "FR1", amountCents: 3_700 as never, reason: "退一半" });
  await refundsArrive();
  expect(await row(made.orderNo)).toMatchObject({ refunded_cents: 2_600, value_refunded_cents: 3_700 });
  expect(await home(one)).toMatchObject({ principalCents: 46_000, giftCents: 4_600 });
  await world.till(store(), "refundTillOrder", { requestId: randomUUID(), tillNo: "FR1", amountCents: 14_800 as never, reason: "全退" });
  await refundsArrive();
  expect(await row(made.orderNo)).toMatchObject({ status: 3, refunded_cents: 13_000 });
  expect(await home(one)).toMatchObject({ points: 1_020, principalCents: 50_000, giftCents: 5_000 });
});

test("nothing is asked of a friend where nothing is left, and a link that ends gives back what it held", async () => {
  const one = await gold();
  const ticket = await ticketOf(one);
  const asked = async (tillNo: string, grossCents: number, stored: number | "most") => {
    const { quote } = await world.till(store(), "quotePrice", { tillNo, grossCents, ticket, storedValueCents: stored } as never);
    const order = { tillNo, subject: "蛋糕", grossCents, orderer: "o-orderer-of-gold", quote, ticket, minutes: 5 };
    return world.till(store(), "createFriendOrder", order as never);
  };
  await expect(asked("FR2", 10_000, "most")).rejects.toMatchObject({
    status: 400,
    fields: { quote: "优惠和储值已经付清，不需要好友代付" },
  });
  expect(await home(one)).toMatchObject({ heldCents: 0 });
  const made = await asked("FR3", 10_000, 1_100);
  expect(await home(one)).toMatchObject({ heldCents: 1_100 });
  world.services.clock.advance(5 * 60_000 + 1_000);
  await world.sweep("query-payments");
  await world.runJobs();
  expect(await row(made.orderNo)).toMatchObject({ status: 1 });
  expect(await home(one)).toMatchObject({ heldCents: 0, principalCents: 50_000 });
  // A friend who paid all the same: the balance is there and pays its part.
  world.channel.trades.get(made.orderNo)!.state = "NOTPAY";
  await paysAs(made.orderNo, "o-a-late-friend-0001");
  expect(await row(made.orderNo)).toMatchObject({ status: 2, paid_cents: 8_400, stored_value_cents: 1_100, short_cents: 0 });
  expect(await home(one)).toMatchObject({ principalCents: 49_000, giftCents: 4_900 });
});

describe("the mall", () => {
  let n = 0;
  const GOODS = [
    { goodsNo: "MM-1", name: "火锅底料", quantity: 2, unitCents: 4_000 },
    { goodsNo: "MM-2", name: "豆瓣酱", quantity: 1, unitCents: 2_000 },
  ];
  const receiver = { name: "欧阳小明", phone: "13812345678", area: "四川省成都市", address: "春熙路 1 号" };
  const askMall = (endpoint: object, body: object) => world.askTill(store(), routeOf(endpoint), body) as Promise<MallAnswer>;
  type MallAnswer = { orderNo: string; status: number; mallStatus: number; paidCents: number; tenders: object[]; parts: object[] };
  const order = (more: object) =>
    askMall(createMallOrder, {
      mallNo: `MM${++n}-${randomUUID().slice(0, 8)}`,
      lines: GOODS,
      deliveryCents: 800,
      buyer: "o-buyer-0001",
      receiver,
      ...more,
    });
  const office = async (endpoint: object, body: object) => world.ask("mch01", routeOf(endpoint), body) as Promise<Record<string, never>>;
  const find = async (orderNo: string) =>
    ((await office(listMallOrders, { keyword: orderNo })) as unknown as { items: { id: string }[] }).items[0]!;
  const details = async (orderNo: string) => {
    const { id } = await find(orderNo);
    return (await office(getMallOrder, { id })) as unknown as {
      id: string;
      refundable: boolean;
      lines: { id: string; name: string; amountCents: number; leftCents: number }[];
    };
  };
  async function giveBack(orderNo: string, given: Record<string, number>) {
    const { id, lines } = await details(orderNo);
    const asked = {
      id,
      lines: Object.entries(given).map(([name, amountCents]) => ({ lineId: lines.find((line) => line.name === name)!.id, amountCents })),
    };
    const preview = await office(previewMallRefund, asked);
    await office(refundMallLines, { requestId: randomUUID(), ...asked, reason: "缺货" });
    await refundsArrive();
    return preview as unknown as Record<string, number>;
  }
  const product = async (skuNo: string, units: number) => {
    const { id } = (await office(addProduct, {
      requestId: randomUUID(),
      name: skuNo,
      skus: [{ skuNo, priceCents: 1_000 }],
    })) as unknown as { id: string };
    await office(moveStock, { requestId: randomUUID(), storeId: store().id, skuId: id, act: "start", units });
    return {
      id,
      left: async () =>
        (await world.owner<{ stock: number; reserved: number }>("select stock, reserved from product_stores where sku_id = $1", [id]))[0]!,
    };
  };
  const goodsOf = (skuNo: string, quantity: number) => ({
    lines: [{ goodsNo: skuNo, name: skuNo, quantity, unitCents: 1_000 }],
    deliveryCents: 0,
  });

  test("a member's order is priced as it is placed: the level off the goods, points and balance also of the delivery; lines come to its value", async () => {
    const one = await gold();
    const body = { mallNo: "MMA-0001", ticket: await ticketOf(one), pointsCents: 500, storedValueCents: 1_100 };
    const made = await order(body);
    // 108.00: 5.00 of the level, 5.00 of points, 11.00 of the balance.
    expect(made).toMatchObject({
      mallStatus: 0,
      parts: [{ source: "member", offCents: 500 }, { source: "points", offCents: 500, points: 500 }, { source: "stored" }],
      tenders: [
        { kind: "principal", cents: 1_000 },
        { kind: "gift", cents: 100 },
        { kind: "money", cents: 8_700 },
      ],
    });
    expect(await order(body)).toEqual(made);
    await expect(order({ ...body, pointsCents: 600 })).rejects.toMatchObject({ status: 409 });
    expect(await home(one)).toMatchObject({ points: 520, heldCents: 1_100 });
    await paysAs(made.orderNo, "o-buyer-0001");
    expect(await find(made.orderNo)).toMatchObject({
      status: 1,
      discountCents: 1_000,
      storedCents: 1_100,
      paidCents: 8_700,
      refundable: true,
    });
    const { lines } = await details(made.orderNo);
    expect(lines.map(({ amountCents }) => amountCents)).toEqual([7_231, 1_808, 761]);
    expect(lines.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(9_800);
    // A line back: by what is left of each tender, points by what its value is of the whole.
    expect(await giveBack(made.orderNo, { 豆瓣酱: 1_808 })).toMatchObject({
      valueCents: 1_808,
      moneyCents: 1_605,
      principalCents: 185,
      giftCents: 18,
      pointsBack: 92,
      payerCents: 1_605,
    });
    expect(await row(made.orderNo)).toMatchObject({ refunded_cents: 1_605, value_refunded_cents: 1_808 });
    await giveBack(made.orderNo, { 火锅底料: 7_231, 运费: 761 });
    expect(await row(made.orderNo)).toMatchObject({ status: 3, refunded_cents: 8_700, value_refunded_cents: 9_800 });
    expect(await home(one)).toMatchObject({ points: 1_020, principalCents: 50_000, giftCents: 5_000 });
    expect(await find(made.orderNo)).toMatchObject({ status: 4, refundable: false });
  });

  test("what points and balance cover is paid at once and to be sent; it goes back without money, and figures equal the book", async () => {
    const one = await gold();
    const made = await order({ ticket: await ticketOf(one), pointsCents: "most", storedValueCents: "most" });
    expect(made).toMatchObject({ status: 2, mallStatus: 1, paidCents: 0, codeUrl: null });
    const { orderNo } = made;
    expect(await row(orderNo)).toMatchObject({ channel: 99, paid_cents: 0, stored_value_cents: 9_300, points_used: 1_000 });
    expect(await find(orderNo)).toMatchObject({ discountCents: 1_500, storedCents: 9_300, refundable: true });
    expect(await giveBack(orderNo, { 火锅底料: 1_000 })).toMatchObject({
      valueCents: 1_000,
      moneyCents: 0,
      principalCents: 909,
      giftCents: 91,
    });
    const sums = await world.owner(
      "select sum(g.gross_cents)::int as gross, sum(g.discount_cents)::int as off, sum(g.paid_cents)::int as paid from takings_goods g join ledger_entries e on e.id = g.entry_id join pay_orders o on o.id = e.order_id where o.order_no = $1",
      [orderNo],
    );
    expect(sums).toEqual([{ gross: 10_800, off: 1_500, paid: 0 }]);
  });

  test("who is not known spends nothing, discounts of the mall stay out of a member's price, and the PIN is asked for", async () => {
    const one = await gold();
    await expect(order({ storedValueCents: 1 })).rejects.toMatchObject({ status: 400, code: "member.required" });
    await expect(order({ pointsCents: "most" })).rejects.toMatchObject({ status: 400, code: "member.required" });
    const ticket = await ticketOf(one);
    const typed = [{ ...GOODS[0]!, discountCents: 1 }];
    await expect(order({ ticket, lines: typed })).rejects.toMatchObject({ fields: { "lines.0.discountCents": expect.any(String) } });
    const dear = [{ ...GOODS[0]!, quantity: 10 }];
    await expect(order({ ticket, lines: dear, storedValueCents: "most" })).rejects.toMatchObject({ fields: { pin: expect.any(String) } });
    expect(await home(one)).toMatchObject({ heldCents: 0 });
    // With a friend there has to be something left for them.
    const friend = { ordererName: "小王" };
    await expect(order({ ticket, friend, storedValueCents: "most" })).rejects.toMatchObject({ status: 400 });
    expect(await order({ ticket, friend, storedValueCents: 1_100 })).toMatchObject({ status: 0, friendUrl: expect.any(String) });
  });

  test("paid after the close with the balance gone: lines give back what was paid for them, to the last cent", async () => {
    const one = await gold();
    await one.phone.post("pin", { sms: await customers.ownCode(one.phone, one.number, "pin"), pin: "135790" });
    const made = await order({
      ticket: await ticketOf(one),
      storedValueCents: "most",
      minutes: 5,
      pin: "135790",
      lines: [{ ...GOODS[0]!, quantity: 20 }],
    });
    expect(await home(one)).toMatchObject({ principalCents: 0, heldCents: 55_000 });
    world.services.clock.advance(5 * 60_000 + 1_000);
    await world.sweep("query-payments");
    await world.runJobs();
    expect(await find(made.orderNo)).toMatchObject({ status: 4 });
    expect(await home(one)).toMatchObject({ principalCents: 50_000, giftCents: 5_000 });
    await order({ ticket: await ticketOf(one), storedValueCents: "most", pin: "135790", lines: [{ ...GOODS[0]!, quantity: 20 }] });
    world.channel.trades.get(made.orderNo)!.state = "NOTPAY";
    await paysAs(made.orderNo, "o-buyer-0001");
    expect(await find(made.orderNo)).toMatchObject({ status: 1, paidCents: 21_800, storedCents: 0 });
    const { lines } = await details(made.orderNo);
    expect(await giveBack(made.orderNo, { 运费: 800 })).toMatchObject({ valueCents: 227, moneyCents: 227 });
    expect(await giveBack(made.orderNo, { 火锅底料: lines[0]!.amountCents })).toMatchObject({ valueCents: 21_573 });
    expect(await row(made.orderNo)).toMatchObject({ status: 3, refunded_cents: 21_800 });
  });

  test("counted goods are set aside as they are ordered, sold as they are paid, free again as it is closed, and back if they never left", async () => {
    const { left } = await product("MS-1", 5);
    const first = await order(goodsOf("MS-1", 2));
    expect(await left()).toEqual({ stock: 5, reserved: 2 });
    await expect(order(goodsOf("MS-1", 4))).rejects.toMatchObject({
      status: 409,
      code: "stock.short",
      fields: { "lines.0.quantity": "「MS-1」只剩 3 件" },
    });
    await paysAs(first.orderNo, "o-buyer-0001");
    expect(await left()).toEqual({ stock: 3, reserved: 0 });
    const second = await order({ ...goodsOf("MS-1", 3), minutes: 5 });
    await expect(order(goodsOf("MS-1", 1))).rejects.toMatchObject({ fields: { "lines.0.quantity": "「MS-1」已售完" } });
    world.services.clock.advance(5 * 60_000 + 1_000);
    await world.sweep("query-payments");
    await world.runJobs();
    expect(await left()).toEqual({ stock: 3, reserved: 0 });
    // Money that comes late is money all the same.
    world.channel.trades.get(second.orderNo)!.state = "NOTPAY";
    await paysAs(second.orderNo, "o-buyer-0001");
    expect(await left()).toEqual({ stock: 0, reserved: 0 });
    // A part of a line puts nothing back, the line does, before it was sent; once.
    await giveBack(first.orderNo, { "MS-1": 500 });
    expect(await left()).toEqual({ stock: 0, reserved: 0 });
    await giveBack(first.orderNo, { "MS-1": 1_500 });
    expect(await left()).toEqual({ stock: 2, reserved: 0 });
    const { id } = await find(second.orderNo);
    await office(shipMallOrder, { id, carrier: "SF", trackingNo: "SF1234567890" });
    await giveBack(second.orderNo, { "MS-1": 3_000 });
    expect(await left()).toEqual({ stock: 2, reserved: 0 });
    expect(await world.look((tx) => products.verify!.run(tx, world.services.clock.now_ms()))).toEqual([]);
  });

  test("goods that leave while all of their money goes back are not on the shelf again", async () => {
    const waits =
      "select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid where not l.granted and a.datname = current_database()";
    const { left } = await product("MS-4", 2);
    const made = await order(goodsOf("MS-4", 2));
    await paysAs(made.orderNo, "o-buyer-0001");
    const { id, lines } = await details(made.orderNo);
    const all = lines.map((line) => ({ lineId: line.id, amountCents: line.leftCents }));
    await office(refundMallLines, { requestId: randomUUID(), id, lines: all, reason: "缺货" });
    const refund = { ended: false };
    let going: Promise<unknown> | undefined;
    await withScope(world.services.pool, platformScope("somebody sends it"), async (tx) => {
      await sql`update mall_orders set status = 2, carrier = 'SF', tracking_no = 'SF1234567890', shipped_by = '小李', shipped_at = now() where id = ${id}`.execute(
        tx,
      );
      going = refundsArrive().finally(() => void (refund.ended = true));
      while (!refund.ended && (await world.owner(waits)).length === 0) await new Promise((then) => setTimeout(then, 20));
    });
    await going;
    expect(await find(made.orderNo)).toMatchObject({ status: 4 });
    expect(await left()).toEqual({ stock: 0, reserved: 0 });
  });

  test("many who order the last of something at once get it as often as it is there, a member among them", async () => {
    const one = await gold();
    const { left } = await product("MS-2", 3);
    const ticket = await ticketOf(one);
    const tried = await Promise.allSettled(
      Array.from({ length: 8 }, (_none, at) => order({ ...goodsOf("MS-2", 1), ...(at === 0 && { ticket }) })),
    );
    expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(await left()).toEqual({ stock: 3, reserved: 3 });
    const [paid] = tried.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
    await paysAs(paid!.orderNo, "o-buyer-0001");
    expect(await left()).toEqual({ stock: 2, reserved: 2 });
    expect(await world.look((tx) => products.verify!.run(tx, world.services.clock.now_ms()))).toEqual([]);
  });

  test("a member's order of counted goods takes them once, though the price has lines of them too", async () => {
    const one = await gold();
    const { left } = await product("MS-3", 4);
    const made = await order({ ...goodsOf("MS-3", 2), ticket: await ticketOf(one), storedValueCents: "most" });
    expect(made).toMatchObject({ status: 2 });
    expect(await left()).toEqual({ stock: 2, reserved: 0 });
    expect(await world.look((tx) => products.verify!.run(tx, world.services.clock.now_ms()))).toEqual([]);
  });
});
