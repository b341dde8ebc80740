import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { domain, tie, tiedTo } from "@zhangfang/server/calls/domain.ts";
import type { Transaction } from "../../channels/server/index.ts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { closeOrder, settlePayment } from "../../orders/server/index.ts";
import { openTillWorld, type TillWorld } from "../../orders/server/testing/till-world.ts";
import { verifyParts } from "./parts/verify-parts.ts";
import { plantTestOffers, resetTestOffers, verifyTestOffers } from "./testing/test-offers.ts";

let world: TillWorld;
const store = () => world.tree.merchants.mch01.stores[0]!;
const other = () => world.tree.merchants.mch02.stores[0]!;
const CODE = "130000000000000009";
const LINES = [
  { place: 1, name: "咖啡", units: 3, unitCents: 2_800 },
  { place: 2, name: "蛋糕", units: 1, unitCents: 1_600 },
];

beforeAll(async () => {
  world = await openTillWorld();
  await plantTestOffers(world.services, world.owner);
});
beforeEach(async () => {
  await world.forget();
  await resetTestOffers(world.owner, world.tree.merchants.mch01.id, 1_000, []);
  await world.owner(
    "insert into test_coupons (ref, off_cents, min_cents, provider_rate) values ('C20', 2000, 10000, 70000), ('C5', 500, 0, 0)",
  );
});
afterEach(async () => expect([...(await world.verify()), ...(await verifyTestOffers(world.owner))]).toEqual([]));
afterAll(() => world.close());

const quote = (more: object = {}) =>
  world.till(store(), "quotePrice", { tillNo: "A", lines: LINES, coupons: ["C20"], points: 1_000, ...more });
const place = (tillNo: string, quoted: string, more: object = {}) =>
  world.till(store(), "createTillOrder", {
    tillNo,
    tradeType: "NATIVE",
    subject: "午餐",
    grossCents: 10_000,
    lines: LINES,
    quote: quoted,
    ...more,
  });
const paidBy = async (tillNo: string) => {
  const quoted = await quote();
  return place(tillNo, quoted.quote, { tradeType: "MICROPAY", authCode: CODE });
};
const order = async (till_no: string) =>
  (await world.owner<Record<string, number>>("select * from pay_orders where till_no = $1", [till_no]))[0]!;
const why = async (tillNo: string) => (await world.as("mch01", "getPayOrder", { id: String((await order(tillNo))["id"]) })).why;
const paid = (tillNo: string, word: Transaction) =>
  world.look(async (tx) => settlePayment(tx, world.services, (await order(tillNo)) as never, word));
const coupon = async (ref: string) =>
  (await world.owner<{ state: string }>("select state from test_coupons where ref = $1", [ref]))[0]?.state;
const points = async () => Number((await world.owner<{ points: number }>("select points from test_points"))[0]?.points);
const refund = async (tillNo: string, amountCents: number, outcome: "success" | "abnormal" | "wait" = "success") => {
  const asked = await world.till(store(), "refundTillOrder", { requestId: randomUUID(), tillNo, amountCents, reason: "退菜" });
  await world.runJobs();
  if (outcome !== "wait") world.channel.decide(asked.refundNo, outcome);
  world.services.clock.advance(60_000);
  await world.sweep("query-refunds");
  await world.runJobs();
  return asked;
};

describe("a merchant's own limits", () => {
  const before = () => tiedTo(world.services);
  test("of coupons hold in the price, in the order and in its replay; of 手工优惠 at its field", async () => {
    const ties = before();
    const limits = { of: async () => ({ whole: 0, item: 2, manual_percent: 10, manual_cents: 800 }) };
    tie(world.services, [...ties, domain({ limits })]);
    try {
      const quoted = await quote();
      expect(quoted.refused.map(({ ref, code }) => [ref, code])).toEqual([["C20", "count"]]);
      expect(await place("L1", quoted.quote, { tradeType: "MICROPAY", authCode: CODE })).toMatchObject({ status: 2 });
      expect(await coupon("C20")).toBe("free");
      await expect(quote({ manualOffCents: 801 })).rejects.toMatchObject({ fields: { manualOffCents: "手工优惠这单最多 8.00 元" } });
      expect(await quote({ manualOffCents: 800, coupons: [], points: 0 })).toMatchObject({ paidCents: 9_200 });
    } finally {
      tie(world.services, ties);
    }
  });
});

describe("an order with a quote", () => {
  test("comes to what was quoted, sets aside what it uses, and takes it when it is paid", async () => {
    const quoted = await quote();
    expect(quoted).toMatchObject({
      grossCents: 10_000,
      valueCents: 7_000,
      paidCents: 7_000,
      lines: [
        { place: 1, grossCents: 8_400, offCents: 2_520, netCents: 5_880 },
        { place: 2, grossCents: 1_600, offCents: 480, netCents: 1_120 },
      ],
      tenders: [{ kind: "money", cents: 7_000 }],
      refused: [],
      earns: 0,
    });
    expect(quoted.steps.map(({ text }) => text)).toEqual(["券 C20：减 20.00，剩 80.00", "积分：用 1000 积分，减 10.00，剩 70.00"]);
    const placed = await place("A", quoted.quote);
    expect(placed.status).toBe(0);
    expect([await coupon("C20"), await points()]).toEqual(["held", 0]);
    expect(await order("A")).toMatchObject({
      priced: true,
      coupon_cents: 2_000,
      points_cents: 1_000,
      discount_cents: 3_000,
      paid_cents: 7_000,
    });
    await paid("A", world.channel.customerPays(placed.orderNo));
    expect(await order("A")).toMatchObject({ status: 2, paid_cents: 7_000 });
    expect(await coupon("C20")).toBe("used");
  });
  test("of which the channel takes off something by itself is worth as much less, line by line", async () => {
    const placed = await place("A", (await quote()).quote);
    const free = {
      couponId: "W1",
      name: "立减",
      type: "NOCASH" as const,
      stockId: null,
      amount_cents: 700,
      channel_cents: 0,
      merchant_cents: 700,
      other_cents: 0,
    };
    await paid("A", { ...world.channel.customerPays(placed.orderNo), promotions: [free] });
    expect(await order("A")).toMatchObject({
      status: 2,
      coupon_cents: 2_700,
      free_coupon_cents: 700,
      points_cents: 1_000,
      paid_cents: 6_300,
    });
    expect(await world.owner("select net_cents::int as net from order_lines order by place")).toEqual([{ net: 5_292 }, { net: 1_008 }]);
    await refund("A", 6_300);
    expect([await points(), await coupon("C20"), (await order("A"))["status"]]).toEqual([1_000, "free", 3]);
  });
  test("is refused where the price is another by now, with the new one", async () => {
    const quoted = await quote();
    await world.owner("update test_coupons set off_cents = 1900 where ref = 'C20'");
    await expect(place("A", quoted.quote)).rejects.toMatchObject({ status: 409, code: "price.changed", fields: { paidCents: "71.00" } });
    expect(await world.owner("select 1 from pay_orders")).toEqual([]);
  });
  test.each([
    ["of other lines", { lines: [{ place: 1, name: "咖啡", units: 1, unitCents: 10_000 }] }, "quote"],
    ["with an amount that its lines don't come to", { grossCents: 9_999 }, "grossCents"],
    ["beside an amount that was typed", { couponCents: 1 }, "couponCents"],
    ["that nobody made", { quote: "v1.a.b.c" }, "quote"],
  ])("%s is refused at its field", async (_what, more, field) => {
    const { quote: quoted } = await quote();
    await expect(place("A", quoted, more)).rejects.toMatchObject({ status: 400, fields: { [field]: expect.any(String) } });
  });
  test("of another store, or five minutes old, is refused", async () => {
    const { quote: theirs } = await world.till(other(), "quotePrice", { tillNo: "A", lines: LINES });
    await expect(place("A", theirs)).rejects.toMatchObject({ status: 400, fields: { quote: "报价无效，请重新报价" } });
    const { quote: old } = await quote();
    world.services.clock.advance(5 * 60_000 + 1);
    await expect(place("A", old)).rejects.toMatchObject({ fields: { quote: "报价已过期，请重新报价" } });
  });
  test("goods without a quote are told to ask for one", async () => {
    const plain = { tillNo: "A", tradeType: "NATIVE" as const, subject: "x", grossCents: 10_000, lines: LINES };
    await expect(world.till(store(), "createTillOrder", plain)).rejects.toMatchObject({ fields: { quote: "商品须先报价" } });
  });
  test("says why a coupon takes nothing off, and what is missing", async () => {
    const quoted = await quote({ lines: [{ place: 1, name: "茶", units: 1, unitCents: 9_000 }], points: 0 });
    expect(quoted.refused).toEqual([
      {
        source: "coupon",
        ref: "C20",
        code: "below",
        text: "券 C20：未满使用门槛（满 100.00，还差 10.00）",
        numbers: { needCents: 10_000, shortCents: 1_000 },
      },
    ]);
    expect((await quote({ coupons: ["C20", "C5"], points: 0 })).paidCents).toBe(8_000);
  });
  test("the order's drawer tells what the till told, down to what is paid in money", async () => {
    const lines = [{ place: 1, name: "茶", units: 1, unitCents: 9_000 }];
    const { quote: sealed, steps, refused } = await quote({ lines, coupons: ["C20", "C5"] });
    await place("A", sealed, { lines, grossCents: 9_000, tradeType: "MICROPAY", authCode: CODE });
    expect(await why("A")).toEqual({ steps, refused });
    expect(steps.map(({ text }) => text)).toEqual(["券 C5：减 5.00，剩 85.00", "积分：用 1000 积分，减 10.00，剩 75.00"]);
    expect([refused.map(({ code }) => code), steps.at(-1)!.numbers["leftCents"]]).toEqual([["below"], (await order("A"))["paid_cents"]]);
    // After 400 days the facts are gone, the parts are not.
    await world.owner("truncate price_facts");
    expect(await why("A")).toEqual({ steps, refused: [] });
    // An order that came as an amount has no parts: what the till took off is told all the same.
    const amount = { tillNo: "B", tradeType: "MICROPAY" as const, authCode: CODE, subject: "x", grossCents: 9_000, couponCents: 800 };
    await world.till(store(), "createTillOrder", amount);
    expect((await why("B")).steps.map(({ text }) => text)).toEqual(["收银优惠：减 8.00，剩 82.00"]);
  });
});

describe("what two want at once", () => {
  test("one coupon at ten tills is one order's", async () => {
    const { quote: quoted } = await quote({ points: 0 });
    const tried = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => place(`R${n}`, quoted)));
    expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const one of tried) if (one.status === "rejected") expect(one.reason).toMatchObject({ status: 409 });
    expect(await world.owner("select 1 from pay_orders")).toHaveLength(1);
  });
  test("an order that is closed lets go; paid after that, what is gone is the merchant's", async () => {
    const placed = await place("A", (await quote()).quote);
    world.services.clock.advance(3 * 3_600_000);
    await world.sweep("query-payments");
    await world.runJobs();
    expect(await order("A")).toMatchObject({ status: 1 });
    expect([await coupon("C20"), await points()]).toEqual(["free", 1_000]);
    await place("B", (await quote({ points: 0 })).quote, { tradeType: "MICROPAY", authCode: CODE });
    // The customer had paid in the moment of the close.
    world.channel.trades.get(placed.orderNo)!.state = "NOTPAY";
    const word = world.channel.customerPays(placed.orderNo);
    await paid("A", word);
    expect(await order("A")).toMatchObject({ status: 2, coupon_cents: 0, short_cents: 2_000, points_cents: 1_000, paid_cents: 7_000 });
    expect(await points()).toBe(0);
    expect((await why("A")).steps.map(({ text }) => text)).toEqual([
      "券 C20：减 20.00，剩 80.00（付款时已不在，由商户承担）",
      "积分：用 1000 积分，减 10.00，剩 70.00",
    ]);
  });
});

describe("many connections at once, as from several servers", () => {
  test("points that are enough for one order are one order's", async () => {
    const { quote: quoted } = await quote({ coupons: [] });
    const tried = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => place(`P${n}`, quoted)));
    expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const one of tried) if (one.status === "rejected") expect(one.reason).toMatchObject({ status: 409 });
    expect([await points(), (await world.owner("select 1 from pay_orders")).length]).toEqual([0, 1]);
  });
  test("paid against closed: what the order used is taken or let go, whichever came first", async () => {
    for (let round = 0; round < 10; round++) {
      await world.forget();
      await resetTestOffers(world.owner, world.tree.merchants.mch01.id, 1_000, ["C20"]);
      const placed = await place(`X${round}`, (await quote({ points: 0 })).quote);
      const row = await order(`X${round}`);
      const word = world.channel.customerPays(placed.orderNo);
      const close = () => world.look((tx) => closeOrder(tx, world.services, row as never, "超时未支付"));
      const pay = () => paid(`X${round}`, word);
      await Promise.all(round % 2 === 0 ? [close(), pay()] : [pay(), close()]);
      expect([(await order(`X${round}`))["status"], await coupon("C20")]).toEqual([2, "used"]);
      expect([...(await world.verify()), ...(await verifyTestOffers(world.owner))]).toEqual([]);
    }
  });
  test("twenty refunds of a tenth: ten go out, and each part is back to the last cent and point", async () => {
    await paidBy("A");
    const ask = () => world.till(store(), "refundTillOrder", { requestId: randomUUID(), tillNo: "A", amountCents: 700, reason: "退菜" });
    const tried = await Promise.allSettled(Array.from({ length: 20 }, ask));
    const asked = tried.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(asked).toHaveLength(10);
    await world.runJobs();
    for (const { refundNo } of asked) world.channel.decide(refundNo, "success");
    world.services.clock.advance(3_600_000);
    await world.sweep("query-refunds");
    await world.runJobs();
    expect([await points(), await coupon("C20"), (await order("A"))["status"]]).toEqual([1_000, "free", 3]);
    const backs = await world.owner<{ source: string; cents: number; points: number }>(
      "select source, sum(cents)::int as cents, sum(points)::int as points from price_backs where source <> 'coupon' group by 1 order by 1",
    );
    expect(backs).toEqual([
      { source: "amount", cents: 7_000, points: 0 },
      { source: "money", cents: 7_000, points: 0 },
      { source: "points", cents: 0, points: 1_000 },
    ]);
  });
  test.each([1, 2, 3, 4])("one fails while another is asked for, and goes again against a third: all is back once (%i)", async (round) => {
    await paidBy("A");
    const ask = (amountCents: number) =>
      world.till(store(), "refundTillOrder", { requestId: randomUUID(), tillNo: "A", amountCents, reason: "退菜" });
    const first = await ask(2_333);
    await world.runJobs();
    world.channel.decide(first.refundNo, "closed");
    world.services.clock.advance(60_000);
    const failing = round % 2 ? world.sweep("query-refunds") : undefined;
    await Promise.all([ask(4_667), failing ?? world.sweep("query-refunds")]);
    const [failed] = await world.owner<{ id: string }>("select id from refunds where status = 3");
    expect([await points(), await coupon("C20")]).toEqual([0, "used"]);
    const again = () => world.as("mch01", "retryRefund", { requestId: randomUUID(), id: failed!.id });
    const tried = await Promise.allSettled(round > 2 ? [again(), ask(2_333)] : [ask(2_333), again()]);
    expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const one of tried)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ status: 400, message: "可退金额已全部在退款中" });
    await world.runJobs();
    // What was closed stays so: it goes again under its next number.
    for (const refundNo of world.channel.refunds.keys()) world.channel.decide(refundNo, "success");
    world.services.clock.advance(3_600_000);
    await world.sweep("query-refunds");
    await world.runJobs();
    expect([await points(), await coupon("C20"), (await order("A"))["status"]]).toEqual([1_000, "free", 3]);
  });
});

describe("a refund", () => {
  test("gives points back in proportion and the coupon with the last cent", async () => {
    await paidBy("A");
    await refund("A", 3_500);
    expect([await points(), await coupon("C20")]).toEqual([500, "used"]);
    await refund("A", 3_500);
    expect([await points(), await coupon("C20")]).toEqual([1_000, "free"]);
    expect(await order("A")).toMatchObject({ status: 3 });
  });
  test("counts what is still on its way, so that the last takes just the rest", async () => {
    await paidBy("A");
    const first = await refund("A", 2_333, "wait");
    await refund("A", 4_667);
    expect(await points()).toBe(1_000 - Math.floor((1_000 * 333) / 1_000));
    world.channel.decide(first.refundNo, "success");
    world.services.clock.advance(3_600_000);
    await world.sweep("query-refunds");
    await world.runJobs();
    expect([await points(), await coupon("C20"), (await order("A"))["status"]]).toEqual([1_000, "free", 3]);
  });
  test("that failed gives nothing back, and is cut anew when it is sent again", async () => {
    await paidBy("A");
    await refund("A", 2_333, "abnormal");
    expect([await points(), (await order("A"))["refunding_cents"]]).toEqual([0, 0]);
    await refund("A", 4_667);
    expect(await points()).toBe(667);
    const [failed] = await world.owner<{ id: string; refund_no: string }>("select id, refund_no from refunds where status = 3");
    await world.as("mch01", "retryRefund", { requestId: randomUUID(), id: failed!.id });
    world.channel.decide(failed!.refund_no, "success");
    await world.runJobs();
    world.services.clock.advance(3_600_000);
    await world.sweep("query-refunds");
    await world.runJobs();
    expect([await points(), await coupon("C20"), (await order("A"))["status"]]).toEqual([1_000, "free", 3]);
  });
});

// A check that never fails says nothing.
describe("the nightly check names what was broken", () => {
  test.each([
    [
      "an order's columns are the sums of its parts",
      "update pay_orders set coupon_cents = coupon_cents + 1, points_cents = points_cents - 1",
    ],
    ["a part is the sum of its lines", "update price_part_lines set cents = cents + 1 where n = 1 and place = 1"],
    ["a line comes to what was rung up less its parts", "update order_lines set net_cents = net_cents - 1 where place = 1"],
    ["an order is worth what its lines come to", "delete from order_lines where place = 2"],
    ["a refund is cut to its amount", "update price_backs set cents = cents - 1 where source = 'money'"],
    ["refunds give back what a part took, at most, and all of it in the end", "update price_backs set points = 1001 where points > 0"],
    ["the facts make the same price", "update price_facts set facts = replace(facts, '2000', '1999')"],
  ])("%s", async (rule, text) => {
    await paidBy("A");
    await refund("A", 3_500);
    const found = await world.spoil(async (tx) => {
      for (const statement of ["set local session_replication_role = replica", text]) await sql.raw(statement).execute(tx);
      return verifyParts(tx, "-infinity");
    });
    expect(found.map((breach) => breach.rule)).toContain(rule);
  });
});
