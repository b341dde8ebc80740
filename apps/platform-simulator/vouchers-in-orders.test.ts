import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { domain, tie, tiedTo } from "@zhangfang/server/calls/domain.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import type { createTillOrder } from "@zhangfang/domains/orders/contract/till.ts";
import {
  cancelVoucher,
  cancelVoucherAtTill,
  decideVoucherFound,
  getVoucher,
  noteVoucherFound,
  prepareVoucherAtTill,
  verifyVoucherAtTill,
} from "@zhangfang/domains/platforms/contract/index.ts";
import { givePlatforms } from "@zhangfang/domains/platforms/server/index.ts";
import { hearRed, settlePayment, settleRefund } from "@zhangfang/domains/orders/server/index.ts";
import { memberWith } from "@zhangfang/domains/pricing/server/testing/test-members.ts";
import { resetTestOffers } from "@zhangfang/domains/pricing/server/testing/test-offers.ts";
import { openVoucherWorld, type VoucherWorld } from "./testing/voucher-world.ts";

// Vouchers of a platform in a bill: what they take off, whose they are, and how they go back with a refund.
let world: VoucherWorld;
/** Whether an invoice holds the refunds of an order. */
let invoiced = false;
const invoices = domain({ refundHold: async () => (invoiced ? { words: "先红冲发票", begin: async () => {} } : undefined) });
beforeAll(async () => void (world = await openVoucherWorld([invoices])), 60_000);
beforeEach(async () => {
  invoiced = false;
  givePlatforms(world.services, world.url);
  await world.anew();
  await resetTestOffers(world.owner, shop().id, 1_000, ["C1"]);
});
afterEach(async () => expect(await world.verify()).toEqual([]));
afterAll(() => world.close());

const shop = () => world.tree.merchants.mch01;
const store = () => shop().stores[0]!;
const CODE = { tradeType: "MICROPAY" as const, authCode: "130000000000000009" };
const LINES = [
  { place: 1, name: "双人套餐", units: 1, unitCents: 17_800 },
  { place: 2, name: "酸梅汤", units: 2, unitCents: 1_600 },
];
const GROSS = 21_000;
const refused = (doing: Promise<unknown>) =>
  doing.then(
    () => undefined,
    (error: unknown) =>
      error instanceof Refusal ? [error.status, Object.values(error.fields ?? {})[0] ?? error.message] : [0, String(error)],
  );
type Vouchers = readonly (string | { attemptId: string; lines: number[] })[];
const quote = (platformVouchers: Vouchers, more: object = {}) =>
  world.till(store(), "quotePrice", { tillNo: "A", lines: LINES, platformVouchers: [...platformVouchers], ...more });
const place = (tillNo: string, quoted: string, more: object = {}) =>
  world.till(store(), "createTillOrder", { tillNo, subject: "晚餐", grossCents: GROSS, lines: LINES, quote: quoted, ...more });
/** An order with these vouchers, the rest of which is paid. */
async function paid(tillNo: string, vouchers: Vouchers, more: object = {}): Promise<OutputOf<typeof createTillOrder>> {
  const quoted = await quote(vouchers, more);
  return place(tillNo, quoted.quote, quoted.paidCents > 0 ? CODE : {});
}
const row = async (tillNo: string) =>
  (await world.owner<Record<string, number> & { id: string }>("select * from pay_orders where till_no = $1", [tillNo]))[0]!;
const attempts = async () =>
  (await world.owner<{ id: string; status: number; order_id: string | null }>("select id, status, order_id from voucher_verifications"))!;
const attempt = async (id: string) => (await attempts()).find((one) => one.id === id)!;
const calls = (path: string) => world.heard.filter((one) => one.includes(path)).length;
async function refund(tillNo: string, asked: object, login = "mch01") {
  return world.as(login, "refundOrder", { requestId: randomUUID(), orderId: (await row(tillNo)).id, reason: "退菜", ...asked } as never);
}
/** What goes out goes out, and the channel says yes. */
async function settle(seconds = 61) {
  await world.runJobs();
  for (const one of world.channel.refunds.values()) if (one.status === "processing") world.channel.decide(one.outRefundNo, "success");
  world.services.clock.advance(seconds * 1_000);
  await world.sweep("query-refunds");
  await world.runJobs();
}
const refunds = () =>
  world.owner<{ status: number; waits_for: string | null; value_cents: number; decision_note: string | null }>(
    "select status, waits_for, value_cents::int, decision_note from refunds order by created_at, id",
  );
const events = async (kind: string) =>
  (await world.owner<{ note: string }>("select note from order_events where kind = $1 order by seq", [kind])).map(({ note }) => note);
const ask = async (seconds = 6) => {
  world.services.clock.advance(seconds * 1_000);
  await world.sweep("ask-vouchers");
};

describe("in a bill", () => {
  test("a set pays for its lines and cash for its face; the rest is paid here, and only that is a taking", async () => {
    const [set, cash] = [await world.use("set"), await world.use("cash")];
    const quoted = await quote([{ attemptId: set.id, lines: [1] }, cash.id]);
    // The set is worth what it costs here, not its 168.00 there; the cash then meets what is left.
    expect(quoted.parts.map(({ source, ref, offCents }) => [source, ref, offCents])).toEqual([
      ["voucher", set.id, 17_800],
      ["voucher", cash.id, 3_200],
    ]);
    expect(quoted.parts[0]!.name).toBe(`抖音券「双人冷锅串串套餐」尾号 ${set.code.slice(-4)}`);
    expect(quoted.steps[0]!.text).toContain("双人冷锅串串套餐");
    const one = await quote([{ attemptId: set.id, lines: [1] }]);
    expect(one.paidCents).toBe(3_200);
    const order = await place("A", one.quote, { ...CODE, platformVouchers: [set.id] });
    expect(order).toMatchObject({ status: 2, paidCents: 3_200, discountCents: 17_800 });
    expect(await row("A")).toMatchObject({ order_type: 1, voucher_cents: 17_800, paid_cents: 3_200, gross_cents: GROSS, channel: 0 });
    expect(await attempt(set.id)).toMatchObject({ status: 1, order_id: (await row("A")).id });
    expect(await attempt(cash.id)).toMatchObject({ order_id: null });
    expect(await world.owner("select paid_cents::int as paid, discount_cents::int as off from ledger_entries")).toEqual([
      { paid: 3_200, off: 17_800 },
    ]);
    expect(
      await quote([set.id]).then(
        () => 0,
        (error: unknown) => (error as Refusal).message,
      ),
    ).toContain(`已在订单 ${order.orderNo} 里`);
  });
  test("without lines a set takes its face at most; 次卡 takes what this use is worth", async () => {
    const [set, card] = [await world.use("set"), await world.use("card")];
    const quoted = await quote([set.id, card.id]);
    expect(quoted.parts.map(({ offCents }) => offCents).toSorted((a, b) => a - b)).toEqual([1_700, 16_800]);
    expect(quoted.paidCents).toBe(GROSS - 16_800 - 1_700);
  });
  test("two sets on one line pay for a unit each; a third takes nothing, and stays free", async () => {
    const sets = [await world.use("set"), await world.use("set"), await world.use("set")];
    const quoted = await quote(sets.map(({ id }) => ({ attemptId: id, lines: [2] })));
    expect(quoted.parts.map(({ offCents }) => offCents)).toEqual([1_600, 1_600]);
    expect(quoted.refused).toMatchObject([{ source: "voucher", code: "nothing" }]);
    await place("A", quoted.quote, CODE);
    expect((await attempts()).filter(({ order_id }) => order_id !== null)).toHaveLength(2);
  });
  test("more than the bill: nothing is paid, nobody is asked, and it is done as it is placed", async () => {
    const [one, two] = [await world.use("cash"), await world.use("cash")];
    const quoted = await world.till(store(), "quotePrice", { tillNo: "A", grossCents: 13_000, platformVouchers: [one.id, two.id] });
    expect(quoted).toMatchObject({ paidCents: 0, valueCents: 0 });
    const order = await world.till(store(), "createTillOrder", { tillNo: "A", subject: "茶", grossCents: 13_000, quote: quoted.quote });
    expect(order).toMatchObject({ status: 2, paidCents: 0 });
    expect(await row("A")).toMatchObject({ channel: 99, paid_cents: 0, voucher_cents: 13_000, fee_cents: 0 });
    expect(world.channel.trades.size).toBe(0);
  });
  test("before the level, the coupon, points and the balance: each sees what the voucher left", async () => {
    const { serviceProviderId: service_provider_id, id: merchant_id } = shop();
    const member = await memberWith(world.services, { service_provider_id, merchant_id, store_id: store().id }, 1_000, 0);
    await world.owner("update test_coupons set off_cents = 500, min_cents = 10000");
    const set = await world.use("set");
    const asked = { ticket: member, coupons: ["C1"], points: "most", storedValueCents: "most" };
    const over = await quote([{ attemptId: set.id, lines: [1] }], asked);
    // 100.00 are not left.
    expect(over.refused).toMatchObject([{ source: "coupon", code: "below" }]);
    await world.owner("update test_coupons set min_cents = 3000");
    const quoted = await quote([{ attemptId: set.id, lines: [1] }], asked);
    expect(quoted.parts.map(({ source, offCents }) => [source, offCents])).toEqual([
      ["voucher", 17_800],
      ["coupon", 500],
      ["points", 1_000],
      ["stored", 1_000],
    ]);
    expect(await place("A", quoted.quote, { ...CODE, ticket: member })).toMatchObject({ status: 2, paidCents: 700 });
    // All of it goes back, the voucher first.
    expect(await refund("A", { amountCents: 1_700 })).toMatchObject({ status: 0 });
    await settle();
    expect(await row("A")).toMatchObject({ status: 3, refunded_cents: 700, value_refunded_cents: 1_700 });
    expect(await attempt(set.id)).toMatchObject({ status: 6 });
  });
  test("goods above the face of their voucher are off by the cashier's hand", async () => {
    const [{ code: cashierCode } = { code: "" }] = await world.owner<{ code: string }>("select code from cashiers where store_id = $1", [
      store().id,
    ]);
    const most = (cents: number | null) => world.owner("update cashiers set off_most_cents = $2 where code = $1", [cashierCode, cents]);
    const set = await world.use("set");
    const asked = [{ attemptId: set.id, lines: [1] }];
    await most(0);
    expect(await refused(quote(asked, { cashierCode }))).toEqual([
      400,
      expect.stringMatching(/^平台券选的商品比券面多 10.00 元，算手工优惠。收银员.+不能手工优惠/),
    ]);
    expect(await quote([set.id], { cashierCode })).toMatchObject({ paidCents: 4_200 });
    await most(1_000);
    expect(await refused(quote(asked, { cashierCode, manualOffCents: 1 }))).toMatchObject([400, expect.any(String)]);
    const quoted = await quote(asked, { cashierCode });
    await most(999);
    expect(await refused(place("A", quoted.quote, { ...CODE, cashierCode }))).toMatchObject([400, expect.stringContaining("手工优惠上限")]);
    await most(null);
    expect(await place("A", quoted.quote, { ...CODE, cashierCode })).toMatchObject({ status: 2 });
    // The merchant's own limit holds too.
    const ties = tiedTo(world.services);
    tie(world.services, [
      ...ties,
      domain({ limits: { of: async () => ({ whole: 1, item: 2, manual_percent: null, manual_cents: 500 }) } }),
    ]);
    const more = await world.use("set");
    expect(await refused(quote([{ attemptId: more.id, lines: [1] }]))).toMatchObject([400, expect.stringContaining("手工优惠这单最多")]);
    tie(world.services, ties);
  });
  test("only a use that succeeded, of this store, and once", async () => {
    const held = await world.use("set", "01");
    expect(held.status).toBe(4);
    expect(await refused(quote([held.id]))).toMatchObject([409, expect.stringContaining("平台核实中，只有核销成功的才能放进订单")]);
    expect(await refused(quote([randomUUID()]))).toEqual([404, "平台券不存在或无权查看"]);
    const set = await world.use("set");
    const elsewhere = (at: (typeof world.tree.merchants.mch01.stores)[number]) =>
      world.till(at, "quotePrice", { tillNo: "A", grossCents: 100, platformVouchers: [set.id] });
    expect(await refused(elsewhere(shop().stores[1]!))).toEqual([404, "平台券不存在或无权查看"]);
    expect(await refused(elsewhere(world.tree.merchants.mch02.stores[0]!))).toEqual([404, "平台券不存在或无权查看"]);
    expect(await refused(quote([set.id, set.id]))).toMatchObject([400, "同一张平台券只能填写一次"]);
    expect(await refused(quote([{ attemptId: set.id, lines: [9] }]))).toMatchObject([400, expect.stringContaining("不在这一单里")]);
    const cash = await world.use("cash");
    expect(await refused(quote([{ attemptId: cash.id, lines: [1] }]))).toMatchObject([400, expect.stringContaining("不是团购商品")]);
    // An order by itself takes none, and no others than its quote.
    const plain = { tillNo: "B", subject: "茶", grossCents: 100, ...CODE };
    expect(await refused(world.till(store(), "createTillOrder", { ...plain, platformVouchers: [set.id] }))).toEqual([
      400,
      "平台券须先报价",
    ]);
    const quoted = await quote([set.id]);
    expect(await refused(place("B", quoted.quote, { ...CODE, platformVouchers: [cash.id] }))).toMatchObject([400, expect.any(String)]);
    const friend = { tillNo: "F", subject: "茶", grossCents: GROSS, lines: LINES, quote: quoted.quote, orderer: "o-1" };
    expect(await refused(world.till(store(), "createFriendOrder", friend))).toEqual([400, "平台券不能用于好友代付，请在收银台收款"]);
    expect((await attempts()).every(({ order_id }) => order_id === null)).toBe(true);
  });
  test("two tills place one voucher at once: one order has it", async () => {
    const set = await world.use("set");
    const quotes = [await quote([set.id]), await quote([set.id])];
    const placed = await Promise.allSettled(quotes.map((one, n) => place(`R${n}`, one.quote, { tradeType: "NATIVE" })));
    expect(placed.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await world.owner("select 1 from pay_orders")).toHaveLength(1);
  });
  test("a closed order lets it go, and paid after that takes it again, or the merchant bears it", async () => {
    const set = await world.use("set");
    const close = async (tillNo: string) => {
      const order = await place(tillNo, (await quote([set.id])).quote, { tradeType: "NATIVE" });
      expect(await attempt(set.id)).toMatchObject({ order_id: (await row(tillNo)).id });
      await world.till(store(), "closeTillOrder", { tillNo });
      expect(await attempt(set.id)).toMatchObject({ status: 1, order_id: null });
      return order;
    };
    const late = async (tillNo: string, orderNo: string) => {
      world.channel.trades.get(orderNo)!.state = "NOTPAY";
      const word = world.channel.customerPays(orderNo);
      await world.look(async (tx) => settlePayment(tx, world.services, (await row(tillNo)) as never, word));
    };
    const [one, two] = [await close("A"), await close("B")];
    await late("A", one.orderNo);
    expect(await row("A")).toMatchObject({ status: 2, voucher_cents: 16_800, short_cents: 0 });
    await late("B", two.orderNo);
    expect(await row("B")).toMatchObject({ status: 2, voucher_cents: 0, short_cents: 16_800 });
  });
});

describe("back", () => {
  const desk = (id: string) => world.desk("mch01", cancelVoucher, { id, reason: "点错了" });
  test("only from the refund: desk and till say in which order it is", async () => {
    const set = await world.use("set");
    const order = await paid("A", [set.id]);
    const where = [409, `在订单 ${order.orderNo} 里，请在退款里处理`];
    expect(await refused(desk(set.id))).toEqual(where);
    expect(await refused(world.tillOf(cancelVoucherAtTill, { id: set.id, reason: "x" }))).toEqual(where);
    expect(calls("certificate/cancel")).toBe(0);
  });
  test("reverse, then refund: the money waits until the platform has said yes", async () => {
    const [set, cash] = [await world.use("set"), await world.use("cash")];
    await paid("A", [set.id, cash.id], { lines: LINES });
    const order = await row("A");
    expect(order["paid_cents"]).toBe(0);
    await refund("A", { amountCents: 0 });
    await settle();
    expect(await row("A")).toMatchObject({ status: 3 });
    const more = [await world.use("set"), await world.use("card")];
    await paid(
      "B",
      more.map(({ id }) => id),
    );
    const { id: orderId } = await row("B");
    const seen = await world.as("mch01", "previewRefund", { orderId, amountCents: 2_500 as never });
    expect(seen).toMatchObject({
      refusal: null,
      vouchers: [{ attemptId: expect.any(String), status: 1, refusal: null, until: expect.any(String) }, {}],
    });
    const asked = await refund("B", { amountCents: 2_500 });
    expect(asked.status).toBe(0);
    expect((await refunds()).at(-1)).toMatchObject({ status: 0, waits_for: "voucher" });
    expect(world.channel.refunds.size).toBe(0);
    // Nobody is offered what is refused while the platform is asked.
    expect(await world.as("mch01", "getRefund", { id: asked.refundId })).toMatchObject({ cancellable: false, decidable: false });
    expect(await refused(world.as("mch01", "cancelRefundRequest", { requestId: randomUUID(), id: asked.refundId }))).toMatchObject([
      409,
      "正在撤销平台券，等有结果",
    ]);
    await settle();
    expect((await refunds()).at(-1)).toMatchObject({ status: 2, waits_for: null });
    expect(await row("B")).toMatchObject({ status: 3, refunded_cents: 2_500 });
    expect((await attempts()).map(({ status }) => status)).toEqual([6, 6, 6, 6]);
    expect((await events("voucher-back")).at(-1)).toContain("抖音券「双人冷锅串串套餐」");
    expect(calls("certificate/cancel")).toBe(4);
    // What the shop took and gave back is its money alone.
    expect(await world.as("mch01", "summariseRefunds", {})).toMatchObject({ doneCount: 2, doneCents: 2_500 });
    expect(await world.as("mch01", "summarisePayOrders", {})).toMatchObject({
      paidCents: 2_500,
      refundedCents: 2_500,
      grossCents: 2 * GROSS,
    });
  });
  test("a voucher goes back whole or not at all: a part refund leaves it, unless it is named, alone too", async () => {
    const [set, card] = [await world.use("set"), await world.use("card")];
    await paid("A", [set.id, card.id]);
    await refund("A", { amountCents: 1_000 });
    await settle();
    expect(await row("A")).toMatchObject({ status: 2, refunded_cents: 1_000 });
    expect((await attempts()).map(({ status }) => status)).toEqual([1, 1]);
    expect(await refused(refund("A", { amountCents: 0, vouchers: [] }))).toMatchObject([400, expect.any(String)]);
    expect(await refused(refund("A", { amountCents: 0, vouchers: [randomUUID()] }))).toEqual([404, "平台券不存在或无权查看"]);
    await refund("A", { amountCents: 0, vouchers: [card.id] });
    await settle();
    expect(await attempt(card.id)).toMatchObject({ status: 6 });
    expect(await row("A")).toMatchObject({ status: 2, refunded_cents: 1_000 });
    // What was eaten stays used: the rest of the money alone.
    await refund("A", { amountCents: 1_500, vouchers: [] });
    await settle();
    expect(await row("A")).toMatchObject({ status: 3, refunded_cents: 2_500 });
    expect(await attempt(set.id)).toMatchObject({ status: 1 });
    expect(await world.owner("select state, message from voucher_backs order by state")).toEqual([
      { state: 1, message: "" },
      { state: 3, message: "没有选择撤销" },
    ]);
  });
  test("refused by the platform: the paid part goes back, and the customer is sent to the platform", async () => {
    const set = await world.use("set", "06");
    await paid("A", [set.id]);
    await refund("A", { amountCents: 4_200 });
    await settle();
    expect(await row("A")).toMatchObject({ status: 3, refunded_cents: 4_200 });
    expect(await attempt(set.id)).toMatchObject({ status: 1 });
    expect((await events("voucher-back"))[0]).toMatch(/^没有撤销抖音券.+（该券不支持撤销），请引导顾客到平台申请售后$/);
  });
  test("refused with nothing paid: nothing goes back, and the order stays", async () => {
    const [bad, good] = [await world.use("set", "06"), await world.use("cash")];
    await paid("A", [bad.id, good.id]);
    expect(await row("A")).toMatchObject({ paid_cents: 0 });
    expect(await refused(refund("A", { amountCents: 0, vouchers: [good.id] }))).toEqual([400, "这单没有实付，平台券要全部撤销才能退"]);
    await refund("A", { amountCents: 0 });
    await settle();
    expect(await row("A")).toMatchObject({ status: 2 });
    expect((await refunds())[0]).toMatchObject({ status: 4, decision_note: expect.stringContaining("请引导顾客到平台申请售后") });
    expect(await attempt(good.id)).toMatchObject({ status: 6 });
    // What is left can't be taken back any more, and that is said at once.
    expect(await refused(refund("A", { amountCents: 0 }))).toMatchObject([409, expect.stringContaining("该券不支持撤销")]);
  });
  test("unknown: the refund waits, and goes on with the platform's own record", async () => {
    const set = await world.use("set", "08");
    await paid("A", [set.id]);
    await refund("A", { amountCents: 4_200 });
    await world.runJobs();
    expect(await attempt(set.id)).toMatchObject({ status: 5 });
    expect((await refunds())[0]).toMatchObject({ status: 0, waits_for: "voucher" });
    expect(await refused(refund("A", { amountCents: 100, vouchers: [set.id] }))).toBeDefined();
    await ask();
    await settle();
    expect(await row("A")).toMatchObject({ status: 3, refunded_cents: 4_200 });
  });
  test("unknown for long: two people look, and what they find decides the refund", async () => {
    const set = await world.use("set");
    await paid("A", [set.id]);
    await refund("A", { amountCents: 4_200 });
    givePlatforms(world.services, "http://127.0.0.1:9");
    await world.runJobs();
    for (let n = 0; n < 16; n++) await ask(61);
    expect(await refunds()).toMatchObject([{ status: 0, waits_for: "voucher" }]);
    await world.desk("mch01", noteVoucherFound, { id: set.id, used: true });
    await world.owner("update voucher_verifications set found_by = gen_random_uuid()");
    await world.desk("mch01", decideVoucherFound, { id: set.id, agree: true, used: true, verifyId: await verifyId(set.id) });
    // It is old: the channel is asked more seldom.
    await settle(1_800);
    expect(await row("A")).toMatchObject({ status: 3, refunded_cents: 4_200 });
    expect((await events("voucher-back"))[0]).toContain("核对：没有撤销");
  });
  const verifyId = async (id: string) =>
    (await world.owner<{ found_verify_id: string }>("select found_verify_id from voucher_verifications where id = $1", [id]))[0]!
      .found_verify_id;
  test("the last minute is closed: named it is refused, and with all of the money it stays and says why", async () => {
    const set = await world.use("set");
    await paid("A", [set.id]);
    world.services.clock.advance(59 * 60_000 + 1_000);
    const { id: orderId } = await row("A");
    const seen = await world.as("mch01", "previewRefund", { orderId, amountCents: 4_200 as never });
    expect(seen).toMatchObject({ refusal: null, vouchers: [{ until: null, refusal: expect.stringContaining("近一小时") }] });
    expect(await refused(refund("A", { amountCents: 4_200, vouchers: [set.id] }))).toMatchObject([
      409,
      expect.stringContaining("近一小时"),
    ]);
    await refund("A", { amountCents: 4_200 });
    await settle();
    expect(await row("A")).toMatchObject({ status: 3 });
    expect(calls("certificate/cancel")).toBe(0);
    // The order is over: the desk may ask the platform, which decides.
    expect(await refused(desk(set.id))).toMatchObject([409, expect.stringContaining("近一小时")]);
  });
  test("of 快手, whose cancel no document describes, the drawer promises nothing where unverified calls are not made", async () => {
    await world.connect("ks");
    const set = await world.use("set", "20", "ks");
    await paid("A", [set.id]);
    const { id: orderId } = await row("A");
    Object.assign(world.services.config, { platform_unverified: false });
    try {
      const refusal = "快手的撤销接口还没有核实，请在快手商家端撤销";
      const seen = await world.as("mch01", "previewRefund", { orderId, amountCents: 4_200 as never });
      expect(seen).toMatchObject({ refusal: null, vouchers: [{ status: 1, until: null, refusal }] });
      expect(await refused(refund("A", { amountCents: 4_200, vouchers: [set.id] }))).toMatchObject([409, expect.stringContaining(refusal)]);
      await refund("A", { amountCents: 4_200 });
      await settle();
      expect(await row("A")).toMatchObject({ status: 3 });
      expect(await attempt(set.id)).toMatchObject({ status: 1 });
      expect(calls("certificate/cancel")).toBe(0);
    } finally {
      Object.assign(world.services.config, { platform_unverified: true });
    }
    // What the drawer says after the hour is our own limit, and not the platform's.
    world.services.clock.advance(3_600_000);
    expect(await refused(desk(set.id))).toEqual([409, "核销已近一小时，这里不再撤销，请在快手商家端撤销"]);
  });
  test("above the limit somebody agrees first, and only then the platform is asked", async () => {
    await world.owner("update merchants set refund_approval_above_cents = 1000 where id = $1", [shop().id]);
    const set = await world.use("set");
    await paid("A", [set.id]);
    const asked = await world.till(store(), "refundTillOrder", {
      requestId: randomUUID(),
      tillNo: "A",
      reason: "退菜",
      amountCents: 4_200,
    });
    await world.runJobs();
    expect(asked.status).toBe(0);
    expect(calls("certificate/cancel")).toBe(0);
    const [request] = await world.owner<{ id: string }>("select id from refunds");
    expect(await refused(desk(set.id))).toMatchObject([409, expect.stringContaining("请在退款里处理")]);
    await world.as("mch01", "decideRefundRequest", { requestId: randomUUID(), id: request!.id, decision: "approve" });
    expect(await refunds()).toMatchObject([{ status: 0, waits_for: "voucher" }]);
    await settle();
    expect(await row("A")).toMatchObject({ status: 3 });
    expect(await attempt(set.id)).toMatchObject({ status: 6 });
    await world.owner("update merchants set refund_approval_above_cents = null where id = $1", [shop().id]);
  });
  const limit = (cents: number | null) =>
    world.owner("update merchants set refund_approval_above_cents = $2 where id = $1", [shop().id, cents]);
  const askTill = (tillNo: string, asked: object) =>
    world.till(store(), "refundTillOrder", { requestId: randomUUID(), tillNo, reason: "退菜", ...asked } as never);
  const decide = async (asked: object, login = "mch01") => {
    const { id } = (await world.owner<{ id: string }>("select id from refunds where status = 0"))[0]!;
    return world.as(login, "decideRefundRequest", { requestId: randomUUID(), id, ...asked } as never);
  };
  /** It waits for its invoice, which can't be taken back. */
  const redFails = async () => {
    const [ref] = await world.owner<{ service_provider_id: string; id: string; order_id: string }>(
      "select service_provider_id, id, order_id from refunds where status = 0",
    );
    await world.look((tx) => hearRed(tx, world.services, ref!, "税局没有答复"));
  };
  /** Somebody takes it back in the platform's own app, and the till reads it again. */
  async function reversedThere(code: string) {
    await world.steer({ act: "reverse", platform: "douyin", code });
    world.services.clock.advance(60_000);
    const { ticket } = await world.tillOf(prepareVoucherAtTill, { scan: code });
    await world.tillOf(verifyVoucherAtTill, { requestId: randomUUID(), ticket });
  }
  test("agreed to after the hour, the paid part goes out and the voucher stays", async () => {
    await limit(1_000);
    const set = await world.use("set");
    await paid("A", [set.id]);
    await askTill("A", { amountCents: 4_200 });
    world.services.clock.advance(3_600_000);
    expect(await refused(decide({ decision: "approve" }))).toBeUndefined();
    await limit(null);
    await settle(1_800);
    expect(await row("A")).toMatchObject({ status: 3, refunded_cents: 4_200 });
    expect(await attempt(set.id)).toMatchObject({ status: 1 });
    expect((await events("voucher-back"))[0]).toContain("近一小时");
  });
  test("without the account's keys the money alone goes back, and with none it is refused", async () => {
    const [set, cash] = [await world.use("set"), await world.use("cash")];
    await paid("A", [set.id]);
    const quoted = await world.till(store(), "quotePrice", { tillNo: "B", grossCents: 9_000, platformVouchers: [cash.id] });
    await world.till(store(), "createTillOrder", { tillNo: "B", subject: "茶", grossCents: 9_000, quote: quoted.quote });
    await world.owner("update platform_accounts set app_of = 'provider', app_key = null, secret_sealed = null");
    expect(await refused(refund("B", { amountCents: 0 }))).toMatchObject([409, expect.stringContaining("平台账户没有密钥")]);
    await refund("A", { amountCents: 4_200 });
    await settle();
    expect(await row("A")).toMatchObject({ status: 3 });
    expect(await row("B")).toMatchObject({ status: 2, refund_count: 0 });
  });
  test("taken back at the platform while somebody is to decide: said, and turned down it stays said", async () => {
    await limit(1_000);
    const set = await world.use("set");
    await paid("A", [set.id]);
    await askTill("A", { amountCents: 4_200 });
    await reversedThere(set.code);
    expect(await events("voucher-gone")).toMatchObject([expect.stringContaining("在平台被撤销")]);
    await decide({ decision: "reject", note: "不退" });
    await limit(null);
    expect(await events("voucher-gone")).toHaveLength(1);
    expect(await row("A")).toMatchObject({ status: 2 });
  });
  test("approved in spite of an invoice that stays, it waits for no red letter again", async () => {
    await limit(1_000);
    const set = await world.use("set");
    await paid("A", [set.id]);
    invoiced = true;
    await askTill("A", { amountCents: 4_200 });
    expect(await refunds()).toMatchObject([{ waits_for: "red-audit" }]);
    await redFails();
    await decide({ decision: "approve", note: "发票作废了" });
    await limit(null);
    await settle();
    expect(await attempt(set.id)).toMatchObject({ status: 6 });
    expect(await row("A")).toMatchObject({ status: 3 });
  });
  test("turned down after its voucher went back: not taken back by whoever asked, and the store is told", async () => {
    const set = await world.use("set");
    await paid("A", [set.id]);
    invoiced = true;
    const asked = await refund("A", { amountCents: 4_200 });
    await world.runJobs();
    expect(await refunds()).toMatchObject([{ status: 0, waits_for: "red" }]);
    const withdraw = () => world.as("mch01", "cancelRefundRequest", { requestId: randomUUID(), id: asked.refundId });
    const offered = async () => (await world.as("mch01", "getRefund", { id: asked.refundId })).cancellable;
    // Nobody is offered what would be refused.
    expect(await offered()).toBe(false);
    expect(await refused(withdraw())).toMatchObject([409, expect.stringContaining("平台券已为这笔退款撤销，不能撤回")]);
    await redFails();
    expect(await offered()).toBe(true);
    await withdraw();
    expect(await events("voucher-gone")).toMatchObject([expect.stringContaining("已为退款撤销")]);
    expect(await world.owner("select 1 from messages where kind = 'voucherGone' and title like '%退款没有办'")).not.toEqual([]);
  });
  test("a refund that is sent again and leaves nothing says that the voucher stays", async () => {
    const set = await world.use("set");
    await paid("A", [set.id]);
    await refund("A", { amountCents: 2_000 });
    await world.runJobs();
    for (const one of world.channel.refunds.values()) world.channel.decide(one.outRefundNo, "closed");
    world.services.clock.advance(61_000);
    await world.sweep("query-refunds");
    await world.runJobs();
    await refund("A", { amountCents: 2_200 });
    await settle();
    const [failed] = await world.owner<{ id: string }>("select id from refunds where status = 3");
    await world.as("mch01", "retryRefund", { requestId: randomUUID(), id: failed!.id });
    await settle();
    expect(await row("A")).toMatchObject({ status: 3, refunded_cents: 4_200 });
    expect(await world.owner("select state, message from voucher_backs")).toEqual([{ state: 3, message: "重新退款，券没有撤销" }]);
  });
  /** All of the money of an order goes back, and fails at the channel; then its voucher alone is being taken back. */
  async function failedThenVoucher() {
    const set = await world.use("set", "08");
    const other = await world.use("card");
    await paid("A", [set.id, other.id]);
    const asked = await refund("A", { amountCents: 2_500, vouchers: [] });
    await world.runJobs();
    for (const one of world.channel.refunds.values()) world.channel.decide(one.outRefundNo, "closed");
    world.services.clock.advance(61_000);
    await world.sweep("query-refunds");
    await refund("A", { amountCents: 0, vouchers: [set.id] });
    await world.runJobs();
    expect(await attempt(set.id)).toMatchObject({ status: 5 });
    return { set, asked };
  }
  test("a refund is not sent again while a voucher of its order is being taken back", async () => {
    const { asked } = await failedThenVoucher();
    const again = () => world.as("mch01", "retryRefund", { requestId: randomUUID(), id: asked.refundId });
    expect(await refused(again())).toMatchObject([409, expect.stringContaining("正在撤销，等有结果再退款")]);
    await ask();
    await again();
    await settle();
    expect(await row("A")).toMatchObject({ status: 3, refunded_cents: 2_500 });
  });
  test("a refund that failed and arrived after all is taken in, and the voucher's own refund ends by itself", async () => {
    const { set } = await failedThenVoucher();
    const [failed] = await world.owner<{ service_provider_id: string; id: string; order_id: string }>(
      "select service_provider_id, id, order_id from refunds where status = 3",
    );
    const [there] = world.channel.refunds.values();
    const news = { ...world.channel.decide(there!.outRefundNo, "closed"), status: "success" as const, successAt: null };
    await world.look((tx) => settleRefund(tx, world.services, failed!, news));
    expect(await row("A")).toMatchObject({ status: 3, refunded_cents: 2_500 });
    await ask();
    expect(await attempt(set.id)).toMatchObject({ status: 6 });
    expect((await refunds()).map(({ status }) => status)).toEqual([2, 2]);
    expect((await events("refunded")).filter((note) => note.includes("订单已全额退款"))).toHaveLength(1);
  });
  test("what is left is not sure while another refund waits: no voucher goes back unnamed", async () => {
    await limit(2_000);
    const set = await world.use("set");
    await paid("A", [set.id]);
    await askTill("A", { amountCents: 2_500 });
    await askTill("A", { amountCents: 1_700 });
    await settle();
    await decide({ decision: "reject", note: "不退" });
    await limit(null);
    expect(await attempt(set.id)).toMatchObject({ status: 1 });
    expect(await row("A")).toMatchObject({ status: 2, refunded_cents: 1_700 });
  });
  test("some goods of a bill that vouchers paid are no refund of it", async () => {
    const [set, cash] = [await world.use("set"), await world.use("cash")];
    await paid("A", [{ attemptId: set.id, lines: [1] }, cash.id]);
    expect(await row("A")).toMatchObject({ paid_cents: 0 });
    expect(await refused(refund("A", { units: [{ place: 2, units: 1 }] }))).toEqual([400, "这单由平台券付清，商品要全部一起退"]);
    const all = [
      { place: 1, units: 1 },
      { place: 2, units: 2 },
    ];
    await refund("A", { units: all });
    await settle();
    expect(await row("A")).toMatchObject({ status: 3 });
  });
  test("of two vouchers alone one goes back: that much is done, and the other stays", async () => {
    const [bad, good] = [await world.use("set", "06"), await world.use("card")];
    await paid("A", [bad.id, good.id]);
    const asked = await askTill("A", { amountCents: 0, vouchers: [bad.id, good.id] });
    await settle();
    expect(await refunds()).toMatchObject([{ status: 2, value_cents: 0 }]);
    expect((await events("voucher-back"))[0]).toContain("没有撤销抖音券「双人冷锅串串套餐」");
    // One alone that is refused is turned down, and the till hears why.
    const again = await world.use("set", "06");
    await paid("B", [again.id]);
    const requestId = randomUUID();
    await world.till(store(), "refundTillOrder", { requestId, tillNo: "B", reason: "退", amountCents: 0, vouchers: [again.id] } as never);
    await settle();
    expect(await world.till(store(), "getTillRefund", { requestId })).toMatchObject({
      status: 4,
      failure: expect.stringContaining("该券不支持撤销"),
    });
    expect(asked.status).toBe(0);
  });
  test("a voucher that waits for somebody's yes is in no second refund", async () => {
    await world.owner("update merchants set refund_approval_above_cents = 1000 where id = $1", [shop().id]);
    const set = await world.use("set");
    await paid("A", [set.id]);
    const asked = { tillNo: "A", reason: "退菜", vouchers: [set.id] };
    await world.till(store(), "refundTillOrder", { requestId: randomUUID(), amountCents: 2_000, ...asked });
    expect(await refused(world.till(store(), "refundTillOrder", { requestId: randomUUID(), amountCents: 500, ...asked }))).toMatchObject([
      409,
      expect.stringContaining("在另一笔退款里"),
    ]);
    await world.owner("update merchants set refund_approval_above_cents = null where id = $1", [shop().id]);
  });
  test("turned down, it leaves the voucher for another refund", async () => {
    await world.owner("update merchants set refund_approval_above_cents = 1000 where id = $1", [shop().id]);
    const set = await world.use("set");
    await paid("A", [set.id]);
    await world.till(store(), "refundTillOrder", { requestId: randomUUID(), tillNo: "A", reason: "退菜", amountCents: 4_200 });
    const [request] = await world.owner<{ id: string }>("select id from refunds");
    await world.as("mch01", "decideRefundRequest", { requestId: randomUUID(), id: request!.id, decision: "reject", note: "不退" });
    await world.owner("update merchants set refund_approval_above_cents = null where id = $1", [shop().id]);
    expect(await world.owner("select 1 from voucher_backs")).toEqual([]);
    await refund("A", { amountCents: 4_200 });
    await settle();
    expect(await row("A")).toMatchObject({ status: 3 });
  });
  test("taken back in the platform's own app while it pays for an order: said on the order and to the store", async () => {
    const set = await world.use("set");
    const order = await paid("A", [set.id]);
    // The same voucher again, at the till: the platform shows it free.
    await reversedThere(set.code);
    expect(await attempt(set.id)).toMatchObject({ status: 6, order_id: (await row("A")).id });
    expect((await events("voucher-gone"))[0]).toContain("在平台被撤销");
    const told = await world.owner<{ title: string; login: string }>(
      "select m.title, u.login from messages m join users u on u.id = m.owner_user_id where m.kind = 'voucherGone'",
    );
    expect(told.map(({ login }) => login)).toContain("mch01");
    expect(told[0]!.title).toContain(order.orderNo);
    // Nothing is left to take back: the money alone.
    await refund("A", { amountCents: 4_200 });
    await settle();
    expect(await row("A")).toMatchObject({ status: 3 });
  });
});

test("order and voucher lead to each other, and the money's way names it", async () => {
  const set = await world.use("set");
  const order = await paid("A", [set.id]);
  const { id } = await row("A");
  const details = await world.as("mch01", "getPayOrder", { id });
  expect(details).toMatchObject({
    orderType: 1,
    price: { vouchers: [{ attemptId: set.id, platform: "dy", offCents: 16_800, status: 1 }] },
  });
  const voucher = await world.desk("mch01", getVoucher, { id: details.price!.vouchers[0]!.voucherId });
  expect(voucher.attempts[0]).toMatchObject({ id: set.id, order: { id, orderNo: order.orderNo } });
  const { parts } = await world.as("mch01", "traceOrder", { id });
  expect(parts.flatMap(({ lines }) => lines)).toContainEqual(expect.objectContaining({ label: "平台券", amountCents: -16_800 }));
  expect(parts.find(({ station }) => station === "discounts")!.sum!.amountCents).toBe(4_200);
});
