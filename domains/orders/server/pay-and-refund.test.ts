import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTillWorld, type TillWorld } from "./testing/till-world.ts";

let world: TillWorld;
beforeAll(async () => {
  world = await openTillWorld();
});
afterAll(() => world.close());

test("an order is shown, paid by a notification, listed, refunded in two parts and stands in the book", async () => {
  const { tree, channel } = world;
  const store = tree.merchants.mch01.stores[0]!;
  const mchId = world.settings.get(store.merchantId)!.account.mchId;
  const made = await world.till(store, "createTillOrder", {
    tillNo: "T1",
    tradeType: "NATIVE",
    subject: "午餐",
    grossCents: 10_000,
    couponCents: 1_000,
  });
  expect(made).toMatchObject({ status: 0, grossCents: 10_000, discountCents: 1_000, paidCents: 0 });
  expect(made.codeUrl).toMatch(/^weixin:/);

  const transaction = channel.customerPays(made.orderNo);
  await world.notify(store.merchantId, channel.notice("E1", mchId, { transaction }));
  expect(await world.till(store, "getTillOrder", { tillNo: "T1" })).toMatchObject({ status: 2, paidCents: 9_000 });

  const { items } = await world.as("mch01", "listPayOrders", {});
  // 0.38 % of 90.00 is 34.2 cents.
  expect(items[0]).toMatchObject({
    orderNo: made.orderNo,
    status: 2,
    paidCents: 9_000,
    feeCents: 34,
    refundableCents: 9_000,
    refundable: true,
    merchantName: "蜀味川菜",
    storeName: "春熙路店",
    cashierName: store.cashiers[0]!.name,
    payer: "o-pa****6789",
  });
  expect(await world.verify()).toEqual([]);

  const orderId = items[0]!.id;
  expect(await world.as("mch01", "previewRefund", { orderId, amountCents: 4_000 })).toEqual({
    refundType: 2,
    valueCents: 4_000,
    moneyCents: 4_000,
    principalCents: 0,
    giftCents: 0,
    pointsBack: 0,
    pointsClawed: 0,
    coupons: [],
    gifts: [],
    payerCents: 4_000,
    feeBackCents: 15,
    merchantPaysCents: 3_985,
    shares: [],
    clawback: [],
    sharesBackCents: 0,
    borneCents: 0,
    refundableAfterCents: 5_000,
    needsApproval: false,
    needsPassword: false,
    refusal: null,
    holds: null,
    invoices: null,
    vouchers: [],
  });
  // The merchant's provider sees who gives back what of the fee; the parts are the whole of it.
  const { clawback, feeBackCents } = await world.as("sp01", "previewRefund", { orderId, amountCents: 4_000 });
  expect(clawback.reduce((sum, { cents }) => sum + cents, 0)).toBe(feeBackCents);
  const first = await world.as("mch01", "refundOrder", { requestId: randomUUID(), orderId, amountCents: 4_000, reason: "少上一个菜" });
  expect(first.status).toBe(1);
  expect(await world.verify()).toEqual([]);
  await world.runJobs();
  await world.notify(store.merchantId, channel.notice("E2", mchId, { refund: channel.decide(first.refundNo, "success") }));
  expect((await world.as("mch01", "listPayOrders", {})).items[0]).toMatchObject({
    status: 2,
    refundedCents: 4_000,
    refundableCents: 5_000,
  });

  world.services.clock.advance(60_000);
  const second = await world.as("mch01", "refundOrder", { requestId: randomUUID(), orderId, amountCents: 5_000, reason: "退桌" });
  await world.runJobs();
  channel.decide(second.refundNo, "success");
  world.services.clock.advance(60_000);
  await world.sweep();
  const details = await world.as("mch01", "getPayOrder", { id: orderId });
  expect(details).toMatchObject({ status: 3, refundedCents: 9_000, refundableCents: 0, refundable: false });
  expect(details.events.map((event) => event.kind)).toEqual([
    "created",
    "paid",
    "refund-asked",
    "refund-accepted",
    "refunded",
    "refund-asked",
    "refund-accepted",
    "refunded",
  ]);
  expect(details.refunds.map((refund) => [refund.status, refund.amountCents, refund.feeCents])).toEqual([
    [2, 4_000, 15],
    [2, 5_000, 19],
  ]);
  const sums = new Map<string, number>();
  for (const { lines } of details.ledger)
    for (const { account, amountCents } of lines) sums.set(account, (sums.get(account) ?? 0) + amountCents);
  expect(Object.fromEntries(sums)).toEqual({ channel: 0, merchant: 0, fee: 0, refunding: 0 });
  expect(await world.verify()).toEqual([]);
});
