import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { settlePayment } from "../../orders/server/index.ts";
import { openTillWorld, type TillWorld } from "../../orders/server/testing/till-world.ts";
import { verifyValue } from "../../value-book/server/index.ts";
import { memberWith, plantTestMembers, TEST_PIN } from "./testing/test-members.ts";
import { plantTestOffers, resetTestOffers } from "./testing/test-offers.ts";

// What a customer brings to a till: stored value that pays, a ticket that says whose it is, and refunds by value.
let world: TillWorld;
const store = () => world.tree.merchants.mch01.stores[0]!;
const place = () => {
  const { id: merchant_id, serviceProviderId: service_provider_id } = world.tree.merchants.mch01;
  return { service_provider_id, merchant_id, store_id: store().id };
};
const CODE = { tradeType: "MICROPAY" as const, authCode: "130000000000000009" };
const LINES = [
  { place: 1, sku: "K1", name: "咖啡", units: 3, unitCents: 2_000 },
  { place: 4, name: "蛋糕", units: 1, unitCents: 4_000 },
];
beforeAll(async () => {
  world = await openTillWorld();
  await plantTestOffers(world.services, world.owner);
  plantTestMembers(world.services);
});
beforeEach(async () => {
  await world.forget();
  await emptyTables(
    world.owner,
    "value_fresh, value_daily, value_months, value_draws, value_lots, value_postings, value_entries, value_accounts",
  );
  await resetTestOffers(world.owner, world.tree.merchants.mch01.id, 1_000, ["C1"]);
});
afterEach(async () => expect([...(await world.verify()), ...(await world.look(verifyValue))]).toEqual([]));
afterAll(() => world.close());

const quote = (ticket: string, more: object = {}) =>
  world.till(store(), "quotePrice", { tillNo: "A", lines: LINES, ticket, storedValueCents: "most", ...more });
const order = (tillNo: string, quoted: string, ticket: string, more: object = {}) =>
  world.till(store(), "createTillOrder", { tillNo, subject: "午餐", grossCents: 10_000, lines: LINES, quote: quoted, ticket, ...more });
const row = async (tillNo: string) =>
  (await world.owner<Record<string, number>>("select * from pay_orders where till_no = $1", [tillNo]))[0]!;
const balance = async (member: string) => {
  const rows = await world.owner<{ kind: string; balance: number }>(
    "select kind, balance::int as balance from value_accounts where owner_id = $1 and balance <> 0",
    [member],
  );
  return Object.fromEntries(rows.map(({ kind, balance: cents }) => [kind, cents]));
};
async function refund(tillNo: string, asked: object) {
  const done = await world.till(store(), "refundTillOrder", { requestId: randomUUID(), tillNo, reason: "退菜", ...asked });
  await world.runJobs();
  if (done.status === 1) world.channel.decide(done.refundNo, "success");
  world.services.clock.advance(60_000);
  await world.sweep("query-refunds");
  await world.runJobs();
  return done;
}

describe("an order that stored value pays", () => {
  test("and that is closed without letting go of it is let go of within a minute", async () => {
    const member = await memberWith(world.services, place(), 3_200, 800);
    await order("A", (await quote(member)).quote, member, { tradeType: "NATIVE" });
    expect(await balance(member)).toEqual({ "principal-held": 3_200, "gift-held": 800 });
    await world.sweep("sweep-holds");
    expect(await balance(member)).toEqual({ "principal-held": 3_200, "gift-held": 800 });
    // As no code of ours closes it.
    await world.owner("update pay_orders set status = 1, closed_at = now() where till_no = 'A'");
    await world.sweep("sweep-holds");
    expect(await balance(member)).toEqual({ principal: 3_200, gift: 800 });
  });
  test("in part: the rest is asked of the channel, and the answer tells the tenders", async () => {
    const member = await memberWith(world.services, place(), 3_200, 800);
    const quoted = await quote(member);
    expect(quoted).toMatchObject({ valueCents: 10_000, paidCents: 6_000 });
    expect(quoted.tenders).toEqual([
      { kind: "principal", cents: 3_200 },
      { kind: "gift", cents: 800 },
      { kind: "money", cents: 6_000 },
    ]);
    const paid = await order("A", quoted.quote, member, CODE);
    expect(paid).toMatchObject({ status: 2, paidCents: 6_000, tenders: quoted.tenders, earned: null });
    expect(await row("A")).toMatchObject({ member_id: member, principal_cents: 3_200, gift_cents: 800, stored_value_cents: 4_000 });
    expect(await balance(member)).toEqual({});
  });
  test("wholly: nobody is asked, it is paid as it is placed, and the same number is the same order", async () => {
    const member = await memberWith(world.services, place(), 9_000, 3_000);
    const quoted = await quote(member);
    expect(quoted.paidCents).toBe(0);
    await expect(order("A", quoted.quote, member, CODE)).rejects.toMatchObject({ fields: { tradeType: expect.any(String) } });
    const placed = await order("A", quoted.quote, member);
    expect(placed).toMatchObject({ status: 2, paidCents: 0, codeUrl: null });
    expect(await order("A", quoted.quote, member)).toEqual(placed);
    expect(await row("A")).toMatchObject({
      channel: 99,
      tool: 99,
      trade_type: "MEMBER",
      fee_cents: 0,
      principal_cents: 7_500,
      gift_cents: 2_500,
    });
    expect(world.channel.trades.size).toBe(0);
    expect(await balance(member)).toEqual({ principal: 1_500, gift: 500 });
    expect(await world.owner("select cause, gross_cents::int as gross, paid_cents::int as paid from ledger_entries")).toEqual([
      { cause: "payment", gross: 10_000, paid: 0 },
    ]);
  });
  test("money that is owed needs a way to pay it", async () => {
    const member = await memberWith(world.services, place(), 1_000, 0);
    const { quote: quoted } = await quote(member);
    await expect(order("A", quoted, member)).rejects.toMatchObject({ status: 400, fields: { tradeType: "请选择收款方式" } });
  });
  test("who is known by a number alone spends with a PIN, and nothing is held without it", async () => {
    const member = await memberWith(world.services, place(), 9_000, 3_000);
    const weak = `${member}/1`;
    const { quote: quoted } = await quote(weak);
    await expect(order("A", quoted, weak)).rejects.toMatchObject({ status: 400, fields: { pin: "请输入支付密码" } });
    expect(await balance(member)).toEqual({ principal: 9_000, gift: 3_000 });
    expect(await order("A", quoted, weak, { pin: TEST_PIN })).toMatchObject({ status: 2 });
  });
  test("a quote of one member is no other's", async () => {
    const [one, two] = [await memberWith(world.services, place(), 9_000, 3_000), await memberWith(world.services, place(), 9_000, 3_000)];
    const { quote: quoted } = await quote(one);
    await expect(order("A", quoted, two)).rejects.toMatchObject({ fields: { quote: "报价的会员与订单不一致，请重新报价" } });
  });
  test.each([{ pointsCents: 1 }, { storedValueCents: 1 }])(
    "%o that a till typed is refused: the book would not know whose",
    async (more) => {
      const plain = { tillNo: "A", tradeType: "NATIVE" as const, subject: "午餐", grossCents: 10_000, ...more };
      await expect(world.till(store(), "createTillOrder", plain)).rejects.toMatchObject({ status: 400, code: "member.required" });
    },
  );
  test("closed and paid after all, with the balance spent meanwhile: the merchant bears what it would have paid", async () => {
    const member = await memberWith(world.services, place(), 3_000, 1_000);
    const placed = await order("A", (await quote(member)).quote, member, { tradeType: "NATIVE" });
    expect(await balance(member)).toEqual({ "principal-held": 3_000, "gift-held": 1_000 });
    world.services.clock.advance(3 * 3_600_000);
    await world.sweep("query-payments");
    await world.runJobs();
    expect(await balance(member)).toEqual({ principal: 3_000, gift: 1_000 });
    await order("B", (await quote(member)).quote, member, CODE);
    world.channel.trades.get(placed.orderNo)!.state = "NOTPAY";
    const word = world.channel.customerPays(placed.orderNo);
    await world.look(async (tx) => settlePayment(tx, world.services, (await row("A")) as never, word));
    expect(await row("A")).toMatchObject({
      status: 2,
      paid_cents: 6_000,
      stored_value_cents: 0,
      principal_cents: 0,
      gift_cents: 0,
      short_cents: 4_000,
    });
    await refund("A", { amountCents: 6_000 });
    expect(await row("A")).toMatchObject({ status: 3 });
  });
});

describe("a refund by value", () => {
  test("is cut among money, principal and gift by what is left of each, and the last takes the rest", async () => {
    const member = await memberWith(world.services, place(), 3_200, 800);
    await order("A", (await quote(member)).quote, member, CODE);
    expect(await world.till(store(), "previewTillRefund", { tillNo: "A", amountCents: 2_500 })).toMatchObject({
      valueCents: 2_500,
      moneyCents: 1_500,
      principalCents: 800,
      giftCents: 200,
      refusal: null,
    });
    expect(await refund("A", { amountCents: 2_500 })).toMatchObject({
      amountCents: 2_500,
      moneyCents: 1_500,
      principalCents: 800,
      giftCents: 200,
    });
    expect(await balance(member)).toEqual({ principal: 800, gift: 200 });
    await expect(refund("A", { amountCents: 7_501 })).rejects.toMatchObject({ fields: { amountCents: "最多可退 75.00 元" } });
    await refund("A", { amountCents: 7_500 });
    expect(await balance(member)).toEqual({ principal: 3_200, gift: 800 });
    expect(await row("A")).toMatchObject({ status: 3, refunded_cents: 6_000, value_refunded_cents: 10_000 });
  });
  test("of units goes by what the units cost, once each", async () => {
    const member = await memberWith(world.services, place(), 3_200, 800);
    await order("A", (await quote(member)).quote, member, CODE);
    const units = [{ place: 1, units: 2 }];
    expect(await refund("A", { units })).toMatchObject({ amountCents: 4_000, moneyCents: 2_400, principalCents: 1_280, giftCents: 320 });
    await expect(refund("A", { units })).rejects.toMatchObject({ status: 400, fields: { units: "退款超过订单剩余的价值" } });
    await refund("A", {
      units: [
        { place: 1, units: 1 },
        { place: 4, units: 1 },
      ],
    });
    expect([await balance(member), (await row("A"))["status"]]).toEqual([{ principal: 3_200, gift: 800 }, 3]);
  });
  test.each([{}, { amountCents: 1, units: [{ place: 1, units: 1 }] }])("that names %o is told to name one of the two", async (asked) => {
    const member = await memberWith(world.services, place(), 3_200, 800);
    await order("A", (await quote(member)).quote, member, CODE);
    await expect(refund("A", asked)).rejects.toMatchObject({ status: 400, fields: { amountCents: "请填写退款金额，或选择要退的商品" } });
  });
  test("without money is done at once, and no channel hears of it", async () => {
    const member = await memberWith(world.services, place(), 9_000, 3_000);
    await order("A", (await quote(member)).quote, member);
    expect(await refund("A", { amountCents: 4_000 })).toMatchObject({ status: 2, moneyCents: 0, principalCents: 3_000, giftCents: 1_000 });
    await refund("A", { amountCents: 6_000 });
    expect([await balance(member), (await row("A"))["status"]]).toEqual([{ principal: 9_000, gift: 3_000 }, 3]);
    expect(world.channel.refunds.size).toBe(0);
  });
  test("that failed gives nothing to the member, and is sent again with the same cut", async () => {
    const member = await memberWith(world.services, place(), 3_200, 800);
    await order("A", (await quote(member)).quote, member, CODE);
    const first = await world.till(store(), "refundTillOrder", {
      requestId: randomUUID(),
      tillNo: "A",
      amountCents: 2_500,
      reason: "退菜",
    });
    await world.runJobs();
    world.channel.decide(first.refundNo, "closed");
    world.services.clock.advance(60_000);
    await world.sweep("query-refunds");
    await world.runJobs();
    expect(await balance(member)).toEqual({});
    await refund("A", { amountCents: 5_001 });
    const [failed] = await world.owner<{ id: string }>("select id from refunds where status = 3");
    await world.as("mch01", "retryRefund", { requestId: randomUUID(), id: failed!.id });
    await world.runJobs();
    for (const refundNo of world.channel.refunds.keys()) world.channel.decide(refundNo, "success");
    world.services.clock.advance(3_600_000);
    await world.sweep("query-refunds");
    await world.runJobs();
    const [again] = await world.owner(
      "select amount_cents::int as money, principal_cents::int as principal, status from refunds where id = $1",
      [failed!.id],
    );
    expect(again).toEqual({ money: 1_500, principal: 800, status: 2 });
    await refund("A", { amountCents: 2_499 });
    expect([await balance(member), (await row("A"))["status"]]).toEqual([{ principal: 3_200, gift: 800 }, 3]);
  });
  test("of an order that came to nothing voids it", async () => {
    const { quote: quoted } = await world.till(store(), "quotePrice", { tillNo: "A", grossCents: 57, coupons: ["C1"] });
    const plain = { tillNo: "A", subject: "午餐", grossCents: 57, quote: quoted };
    expect(await world.till(store(), "createTillOrder", plain)).toMatchObject({ status: 2, paidCents: 0, tenders: [] });
    expect(await refund("A", { amountCents: 0 })).toMatchObject({ status: 2, amountCents: 0 });
    expect((await row("A"))["status"]).toBe(3);
    expect(await world.owner("select state from test_coupons where ref = 'C1'")).toEqual([{ state: "free" }]);
    await expect(refund("A", { amountCents: 0 })).rejects.toMatchObject({ fields: { amountCents: "订单已全额退款" } });
  });
  test("of twenty at once, each a tenth of the value: ten go, and nothing is given back twice", async () => {
    const member = await memberWith(world.services, place(), 3_200, 800);
    await order("A", (await quote(member)).quote, member, CODE);
    const ask = () => world.till(store(), "refundTillOrder", { requestId: randomUUID(), tillNo: "A", amountCents: 1_000, reason: "退菜" });
    const tried = await Promise.allSettled(Array.from({ length: 20 }, ask));
    expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
    await world.runJobs();
    for (const refundNo of world.channel.refunds.keys()) world.channel.decide(refundNo, "success");
    world.services.clock.advance(3_600_000);
    await world.sweep("query-refunds");
    await world.runJobs();
    expect([await balance(member), (await row("A"))["status"]]).toEqual([{ principal: 3_200, gift: 800 }, 3]);
  });
});

test("two tills and one balance: it pays for one of them", async () => {
  const member = await memberWith(world.services, place(), 9_000, 3_000);
  const { quote: quoted } = await quote(member);
  const tried = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => order(`R${n}`, quoted, member)));
  expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const one of tried) if (one.status === "rejected") expect(one.reason).toMatchObject({ status: 409 });
  expect(await balance(member)).toEqual({ principal: 1_500, gift: 500 });
});
