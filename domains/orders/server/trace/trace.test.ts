import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { domain, tie } from "@zhangfang/server/calls/domain.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { callAs } from "@zhangfang/server/testing.ts";
import { signIn } from "../../../../apps/demo/tree/tree.ts";
import { doors } from "../../../accounts/server/world-for-tests.ts";
import { feeBack, feeOf } from "../../../money/server/index.ts";
import type { traceOrder } from "../../contract/index.ts";
import { openTillWorld, type TillWorld } from "../testing/till-world.ts";
import { orders } from "../index.ts";
import { settlePayment } from "../payments/settle-payment.ts";
import { part } from "./own-parts.ts";
import { feeBackRounding, feeRounding, line } from "./trace-rules.ts";
import { traceOrderRoute, type TraceSource } from "./trace-order.ts";

type Trace = OutputOf<typeof traceOrder>;
let world: TillWorld;
beforeAll(async () => void (world = await openTillWorld()));
afterAll(() => world.close());

async function traceAs(login: string, id: string, sources: TraceSource[] = []): Promise<Trace> {
  tie(world.services, [orders, ...sources.map((trace) => domain({ trace }))]);
  return (await callAs(world.services, doors, traceOrderRoute, await signIn(world.services, login), { id })) as Trace;
}
const store = () => world.tree.merchants.mch01.stores[0]!;
async function sold(
  tillNo: string,
  given: { grossCents: number; couponCents?: number },
  promotion?: { amount: number; channel: number; merchant: number; type?: "CASH" | "NOCASH" | null },
) {
  const made = await world.till(store(), "createTillOrder", { tillNo, tradeType: "NATIVE", subject: "午餐", ...given });
  const [order] = await world.owner<{ id: string }>("select id from pay_orders where order_no = $1", [made.orderNo]);
  const promotions = promotion
    ? [
        {
          couponId: "C1",
          name: "满减券",
          type: promotion.type === undefined ? ("CASH" as const) : promotion.type,
          amount_cents: promotion.amount,
          stockId: null,
          channel_cents: promotion.channel,
          merchant_cents: promotion.merchant,
          other_cents: 0,
        },
      ]
    : [];
  const trade = { ...world.channel.customerPays(made.orderNo), promotions };
  await world.look((tx) => settlePayment(tx, world.services, { service_provider_id: store().serviceProviderId, id: order!.id }, trade));
  return { id: order!.id, orderNo: made.orderNo };
}
async function refund(orderId: string, amountCents: number): Promise<void> {
  const requestId = world.services.ids.uuid(world.services.clock.now_ms());
  const { refundNo } = await world.as("mch01", "refundOrder", { requestId, orderId, amountCents, reason: "退菜" });
  await world.runJobs();
  const news = world.channel.notice(`E-${refundNo}`, world.settings.get(store().merchantId)!.account.mchId, {
    refund: world.channel.decide(refundNo, "success"),
  });
  await world.notify(store().merchantId, news);
}
const parties = (trace: Trace) => trace.parties.map(({ name, note, amountCents }) => [name, note, amountCents]);
const zero = (trace: Trace) => trace.parties.reduce((sum, { amountCents }) => sum + amountCents, 0);

test("an order's money is told from its price to the merchant, with who bore which discount and what rounding took", async () => {
  const { id } = await sold("T1", { grossCents: 10_000, couponCents: 1_000 }, { amount: 501, channel: 300, merchant: 200 });
  const trace = await traceAs("mch01", id);
  expect(trace.parts.map(({ station, sum }) => [station, sum!.label, sum!.amountCents])).toEqual([
    ["discounts", "实收", 9_000],
    ["payment", "通道收到", 9_000],
    ["fee", "扣手续费后", 8_966],
    ["merchant", "商户所得", 8_966],
  ]);
  expect(trace.parts[1]!.lines.map(({ label, note, amountCents }) => [label, note, amountCents])).toEqual([
    ["付款人支付", null, 8_499],
    ["通道优惠 满减券", "预充值，通道承担", 300],
    ["通道优惠 满减券", "预充值，商户承担", 200],
    ["通道优惠 满减券", "预充值，其他方承担", 1],
  ]);
  expect(trace.parts[2]!.lines[0]).toMatchObject({
    amountCents: -34,
    note: "90.00 × 0.38%",
    rounding: "0.3420 取整为 0.34，尾差 −0.0020",
  });
  expect(parties(trace)).toEqual([
    ["付款人", null, -8_499],
    ["通道优惠出资", "通道承担", -300],
    ["通道优惠出资", "商户承担", -200],
    ["通道优惠出资", "其他方承担", -1],
    ["商户应收", null, 8_966],
    ["手续费收入", null, 34],
  ]);
  expect(zero(trace)).toBe(0);
});

test("a discount of a kind that the channel does not say counts in full, and the trace says that it is not known", async () => {
  const { id } = await sold("T1U", { grossCents: 10_000 }, { amount: 500, channel: 500, merchant: 0, type: null });
  const trace = await traceAs("mch01", id);
  expect(trace.parts[1]).toMatchObject({
    lines: [{ amountCents: 9_500 }, { note: "通道未说明类型，按全额结算，通道承担", amountCents: 500 }],
    sum: { amountCents: 10_000 },
  });
  expect(zero(trace)).toBe(0);
});

test("refunds and the fee that comes back with them undo it to nothing, cent by cent", async () => {
  const { id } = await sold("T2", { grossCents: 10_000 }, { amount: 100, channel: 100, merchant: 0 });
  for (const cents of [3_333, 3_333, 3_334]) {
    await refund(id, cents);
    world.services.clock.advance(1_000);
    const trace = await traceAs("mch01", id);
    expect(zero(trace)).toBe(0);
    expect(trace.parts.at(-1)).toMatchObject({ station: "merchant", sum: { label: "商户所得" } });
  }
  const trace = await traceAs("mch01", id);
  const refunds = trace.parts.find(({ station }) => station === "refunds")!;
  expect(refunds.lines.filter(({ label }) => label === "退回手续费").map(({ amountCents }) => amountCents)).toEqual([13, 12, 13]);
  expect(refunds.lines.at(-1)!.rounding).toBe("0.1266 取整为 0.13，尾差 +0.0033");
  expect(refunds.sum!.amountCents).toBe(-9_962);
  expect(trace.parts.at(-1)!.sum!.amountCents).toBe(0);
  expect(parties(trace)).toEqual([["付款人与通道优惠出资方", "支付减去已退款", 0]]);
});

test("a refund on its way is held, one that failed is only told", async () => {
  const { id } = await sold("T3", { grossCents: 1_000 });
  const requestId = world.services.ids.uuid(world.services.clock.now_ms());
  await world.as("mch01", "refundOrder", { requestId, orderId: id, amountCents: 400, reason: "退菜" });
  const held = await traceAs("mch01", id);
  expect(parties(held)).toEqual([
    ["付款人", null, -1_000],
    ["商户应收", null, 598],
    ["手续费收入", null, 2],
    ["退款占用", null, 400],
  ]);
  world.channel.fail("refund", { refuse: "NOT_ENOUGH" });
  await world.runJobs();
  const failed = await traceAs("mch01", id);
  expect(failed.parts.find(({ station }) => station === "refunds")!.lines[0]).toMatchObject({ amountCents: null, note: "退款失败" });
  expect(zero(failed)).toBe(0);
  expect(failed.parts.at(-1)!.sum!.amountCents).toBe(996);
});

test("an unpaid order has a price and no parties; another's has no trace", async () => {
  const made = await world.till(store(), "createTillOrder", { tillNo: "T4", tradeType: "NATIVE", subject: "午餐", grossCents: 500 });
  const [order] = await world.owner<{ id: string }>("select id from pay_orders where order_no = $1", [made.orderNo]);
  expect(await traceAs("sp01", order!.id)).toMatchObject({ parts: [{ sum: { label: "应付", amountCents: 500 } }], parties: [] });
  const status = (login: string) => traceAs(login, order!.id).catch((error: unknown) => (error instanceof Refusal ? error.status : error));
  for (const login of ["mch02", "mch03", "agent02", "sp02"]) expect(await status(login)).toBe(404);
});

test("parts of other rooms stand at their station, and nobody is asked for what is not there", async () => {
  const { id } = await sold("T5", { grossCents: 1_000 });
  const settlement: TraceSource = async () => part("settlement", "已结算", [line({ label: "对账单", amountCents: 996 })]);
  const sharing: TraceSource = async (ctx) =>
    ctx.scope.level === "MCH" ? part("sharing", "已分账", [line({ label: "总部", amountCents: -100 })]) : undefined;
  const stations = async (login: string) => (await traceAs(login, id, [settlement, sharing])).parts.map(({ station }) => station);
  expect(await stations("mch01")).toEqual(["discounts", "payment", "fee", "sharing", "merchant", "settlement"]);
  expect(await stations("agent01")).toEqual(["discounts", "payment", "fee", "merchant", "settlement"]);
});

test("what rounding took or gave is less than a cent, whatever the amount and rate", () => {
  fc.assert(
    fc.property(fc.nat(99_999_999), fc.nat(100_000), (paid, rate) => {
      const fee = feeOf(paid, rate);
      const { rounding } = feeRounding(paid, rate, fee);
      if ((BigInt(paid) * BigInt(rate)) % 100_000n === 0n) expect(rounding).toBeNull();
      else expect(rounding).toMatch(/尾差 [+−]0\.00[0-5]\d$|尾差 [+]?0\.0000$/);
    }),
  );
  const order = { paid_cents: 10_000, fee_cents: 38 };
  const back = feeBack({ ...order, taken_cents: 0, taken_fee_cents: 0 }, 5_000);
  expect(feeBackRounding(order, { amount_cents: 5_000, fee_cents: back })).toBeNull();
});
