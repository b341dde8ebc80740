import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { feeOf } from "../../money/server/index.ts";
import { settlePayment } from "../../orders/server/index.ts";
import { baseOf, type SharingFacts } from "../../profit-sharing/server/index.ts";
import { settledOf } from "./settled-of.ts";
import { FEE_RATE, openReconWorld, type ReconWorld } from "./testing/recon-world.ts";

let world: ReconWorld;
beforeAll(async () => void (world = await openReconWorld()), 60_000);
afterAll(() => world.close());

const TOTAL = 10_000;
const OFF = 501;
const merchant = () => world.till.tree.merchants.mch01;
const account = () => world.till.settings.get(merchant().id)!.account;
interface Case {
  readonly type: "CASH" | "NOCASH";
  readonly by: "channel" | "merchant" | "other";
}
/** A payment of 100.00 of which the channel took 5.01 off, with the simulator's book. */
async function paid(day: string, { type, by }: Case): Promise<{ id: string; orderNo: string }> {
  const { services } = world.till;
  services.clock.set(`${day}T04:00:00.000Z`);
  const order = { tillNo: randomUUID(), tradeType: "NATIVE" as const, subject: "午餐", grossCents: TOTAL };
  const { orderNo } = await world.till.till(merchant().stores[0]!, "createTillOrder", order);
  const bears = (who: Case["by"]) => (by === who ? OFF : 0);
  const [channel_cents, merchant_cents, other_cents] = [bears("channel"), bears("merchant"), bears("other")];
  const promotion = { couponId: "C1", name: "满减券", type, amount_cents: OFF, stockId: null, channel_cents, merchant_cents, other_cents };
  const trade = { ...world.till.channel.customerPays(orderNo), promotions: [promotion] };
  const [row] = await world.till.owner<{ id: string }>("select id from pay_orders where order_no = $1", [orderNo]);
  const ref = { service_provider_id: merchant().serviceProviderId, id: row!.id };
  const settle = () => world.till.look((tx) => settlePayment(tx, services, ref, trade));
  expect([await settle(), await settle()]).toEqual(["settled", "already"]);
  const { mchId, subMchId, appId } = account();
  const shares = { wechatpay_contribute: channel_cents, merchant_contribute: merchant_cents, other_contribute: other_cents };
  const coupons = [{ coupon_id: "C1", name: "满减券", type, amount: OFF, stock_id: "1", ...shares }];
  const told = { mchId, subMchId, appId, outTradeNo: orderNo, total: TOTAL, description: "午餐", openId: "o1", coupons };
  await world.simulator.control("POST trades", { trades: [{ ...told, transactionId: trade.transactionId, paidAt: trade.paidAt }] });
  return { id: row!.id, orderNo };
}
const orderOf = async (id: string) =>
  (
    await world.till.owner<SharingFacts & { coupon_cents: number; free_coupon_cents: number; status: number }>(
      "select * from pay_orders where id = $1",
      [id],
    )
  )[0]!;
/** Gives money back and lets the channel say so. @returns what was asked of the channel */
async function refund({ id, orderNo }: { id: string; orderNo: string }, amountCents: number): Promise<number> {
  const { services } = world.till;
  const asked = { requestId: randomUUID(), orderId: id, amountCents: amountCents as never, reason: "退菜" };
  const { refundNo } = await world.till.as("mch01", "refundOrder", asked);
  await world.till.runJobs();
  const news = world.till.channel.decide(refundNo, "success");
  await world.till.notify(merchant().id, world.till.channel.notice(`E-${refundNo}`, account().mchId, { refund: news }));
  const successAt = new Date(services.clock.now_ms()).toISOString();
  const told = { mchId: account().mchId, outTradeNo: orderNo, outRefundNo: refundNo, amount: news.amount_cents, successAt };
  await world.simulator.control("POST past-refunds", { refunds: [told] });
  const [row] = await world.till.owner<{ amount_cents: number; free_coupon_cents: number; status: number }>(
    "select amount_cents::int, free_coupon_cents::int, status from refunds where refund_no = $1",
    [refundNo],
  );
  expect([row!.status, row!.amount_cents + row!.free_coupon_cents]).toEqual([2, news.amount_cents]);
  services.clock.advance(60_000);
  return news.amount_cents;
}
const claimOf = async (id: string): Promise<number> =>
  (
    await world.till.owner<{ cents: number }>(
      `select coalesce(sum(p.amount_cents), 0)::int as cents from ledger_entries e join ledger_postings p on p.service_provider_id = e.service_provider_id and p.entry_id = e.id
        join ledger_accounts a on a.service_provider_id = p.service_provider_id and a.id = p.account_id where e.order_id = $1 and a.kind = 'merchant'`,
      [id],
    )
  )[0]!.cents;

const CASES: readonly Case[] = (["CASH", "NOCASH"] as const).flatMap((type) =>
  (["channel", "merchant", "other"] as const).map((by) => ({ type, by })),
);

// 应结订单金额 = 订单金额 − 免充值券, whoever bears it (channels.md 5.3): fee, book, statistics, shares and bill go by that.
test.each(CASES.map((one, n) => [one.type, one.by, `2026-02-${String(10 + n)}`] as const))(
  "%s borne by %s: book, statistics, base of shares and the channel's bill name one amount, and refunds undo all of it",
  async (type, by, day) => {
    const settled = type === "CASH" ? TOTAL : TOTAL - OFF;
    const order = await paid(day, { type, by });
    const fee = feeOf(settled, FEE_RATE);
    const row = await orderOf(order.id);
    expect([row.paid_cents, row.fee_cents, row.coupon_cents, row.free_coupon_cents, baseOf(row)].map(Number)).toEqual([
      settled,
      fee,
      TOTAL - settled,
      TOTAL - settled,
      settled - fee,
    ]);
    expect(await claimOf(order.id)).toBe(settled - fee);
    const [sums] = await world.till.owner(
      "select sum(gross_cents)::int as gross, sum(discount_cents)::int as off, sum(paid_cents)::int as paid, sum(fee_cents)::int as fee from takings_daily where day = $1",
      [day],
    );
    expect(sums).toEqual({ gross: TOTAL, off: TOTAL - settled, paid: settled, fee });
    // A third of it, of the money that was paid; its part of the coupon goes back with it.
    const third = Math.floor(settled / 3);
    const first = await refund(order, third);
    expect(first).toBe(type === "CASH" ? third : third + Math.round((OFF * third) / settled));
    world.till.services.clock.set(`${day}T22:00:00.000Z`);
    world.till.services.clock.advance(86_400_000);
    await world.as("mch01", "fetchBill", { requestId: randomUUID(), merchantId: merchant().id, source: "wechat", type: "ALL", day });
    await world.till.runJobs();
    const shown = (await world.day(day))!;
    expect((await world.as("mch01", "listDifferences", { dayId: shown.id, pageSize: 100 })).items).toEqual([]);
    const bill = await world.till.look((tx) => settledOf(tx, merchant().serviceProviderId, order.id));
    // The channel reckons the fee of each row by itself, we the part of ours that goes back.
    expect(Math.abs((bill.settled_cents ?? 0) - (await claimOf(order.id)))).toBeLessThanOrEqual(1);
    // The rest: at the channel all that was asked for is back, in the book nothing is left.
    const rest = (await refund(order, 1_000)) + (await refund(order, settled - third - 1_000));
    expect(first + rest).toBe(TOTAL);
    expect([await claimOf(order.id), (await orderOf(order.id)).status]).toEqual([0, 3]);
    expect(await world.till.verify()).toEqual([]);
  },
);

test("where the channel does not say whether a discount reaches the merchant, the payment counts as settled in full, and the order says so", async () => {
  const { services } = world.till;
  services.clock.set("2026-02-20T04:00:00.000Z");
  const order = { tillNo: randomUUID(), tradeType: "NATIVE" as const, subject: "午餐", grossCents: TOTAL };
  const { orderNo } = await world.till.till(merchant().stores[0]!, "createTillOrder", order);
  const promotion = {
    couponId: "C1",
    name: "满减券",
    amount_cents: OFF,
    stockId: null,
    channel_cents: OFF,
    merchant_cents: 0,
    other_cents: 0,
  };
  const [row] = await world.till.owner<{ id: string }>("select id from pay_orders where order_no = $1", [orderNo]);
  const ref = { service_provider_id: merchant().serviceProviderId, id: row!.id };
  const trade = world.till.channel.customerPays(orderNo);
  const settle = (type: "CASH" | null) =>
    world.till.look((tx) => settlePayment(tx, services, ref, { ...trade, promotions: [{ ...promotion, type }] }));
  expect([await settle(null), await settle("CASH")]).toEqual(["settled", "already"]);
  expect([(await orderOf(row!.id)).status, (await orderOf(row!.id)).paid_cents]).toEqual([2, TOTAL]);
  expect(await world.till.owner("select note from order_events where order_id = $1 and kind = 'mismatch'", [row!.id])).toEqual([
    { note: "通道没有说明优惠「满减券」5.01 元是否免充值，先按全额结算入账，以对账为准" },
  ]);
  expect(await world.till.verify()).toEqual([]);
});
