import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Refund, Transaction } from "../../../channels/server/index.ts";
import { openTillWorld, type TillWorld } from "../testing/till-world.ts";

let world: TillWorld;
beforeAll(async () => {
  world = await openTillWorld();
});
afterEach(async () => {
  expect(await world.verify()).toEqual([]);
});
afterAll(() => world.close());

let n = 0;
const store = () => world.tree.merchants.mch01.stores[0]!;
const mchId = () => world.settings.get(store().merchantId)!.account.mchId;
async function openOrder() {
  const tillNo = `T${++n}`;
  const { orderNo } = await world.till(store(), "createTillOrder", { tillNo, tradeType: "NATIVE", subject: "午餐", grossCents: 8_800 });
  return { tillNo, orderNo, status: async () => (await world.till(store(), "getTillOrder", { tillNo })).status };
}
async function tell(eventId: string, news: { transaction: Transaction } | { refund: Refund }, merchantId = store().merchantId) {
  return world.notify(merchantId, world.channel.notice(eventId, mchId(), news));
}
const inbox = (eventId: string) =>
  world.owner<{ result: string }>("select result from channel_inbox where split_part(event_id, '#', 1) = $1", [eventId]);

test("what is not signed by the channel is refused before it is read, and leaves nothing behind", async () => {
  const order = await openOrder();
  const { rawBody } = world.channel.notice("F1", mchId(), { transaction: world.channel.customerPays(order.orderNo) });
  await expect(world.notify(store().merchantId, { rawBody, headers: { "fake-signature": "somebody" } })).rejects.toMatchObject({
    status: 401,
    code: "SIGNATURE",
  });
  await expect(world.notify("nobody", { rawBody, headers: {} })).rejects.toMatchObject({ status: 400 });
  expect([await order.status(), await inbox("F1")]).toEqual([0, []]);
});

test("a foreign merchant's address does not settle somebody else's order", async () => {
  const order = await openOrder();
  await tell("F2", { transaction: world.channel.customerPays(order.orderNo) }, world.tree.merchants.mch03.id);
  expect([await order.status(), await inbox("F2")]).toEqual([0, [{ result: "unknown-order" }]]);
});

test("another amount is recorded and shown, never settled; the right one is, even under the same event", async () => {
  const order = await openOrder();
  const transaction = world.channel.customerPays(order.orderNo);
  await tell("A1", { transaction: { ...transaction, total_cents: 8_799 } });
  await tell("A2", { transaction: { ...transaction, total_cents: 8_799 } });
  expect([await order.status(), await inbox("A1")]).toEqual([0, [{ result: "mismatch" }]]);
  expect(
    await world.owner("select 1 from order_events e join pay_orders o on o.id = e.order_id where e.kind = 'mismatch' and o.order_no = $1", [
      order.orderNo,
    ]),
  ).toHaveLength(1);
  await tell("A1", { transaction });
  expect(await order.status()).toBe(2);
});

test("the same event twice, and another event with the same news, change nothing", async () => {
  const order = await openOrder();
  const transaction = world.channel.customerPays(order.orderNo);
  for (const event of ["D1", "D1", "D2", "D1"]) await tell(event, { transaction });
  expect([await inbox("D1"), await inbox("D2")]).toEqual([[{ result: "settled" }], [{ result: "already" }]]);
  expect(
    await world.owner("select 1 from order_events e join pay_orders o on o.id = e.order_id where e.kind = 'paid' and o.order_no = $1", [
      order.orderNo,
    ]),
  ).toHaveLength(1);
});

test("what is signed with keys that the channel never answered under only makes us ask: its own word counts, of a payment and of a refund", async () => {
  const unproved = () => world.owner("update channel_settings set proved_at = null where merchant_id = $1", [store().merchantId]);
  const proved = async () =>
    (
      await world.owner<{ yes: boolean }>("select proved_at is not null as yes from channel_settings where merchant_id = $1", [
        store().merchantId,
      ])
    )[0]?.yes;
  const order = await openOrder();
  const forged = { ...world.channel.customerPays((await openOrder()).orderNo), outTradeNo: order.orderNo };
  await unproved();
  await tell("K1", { transaction: forged });
  await world.runJobs();
  expect([await order.status(), await inbox("K1")]).toEqual([0, [{ result: "asked" }]]);

  await unproved();
  const transaction = world.channel.customerPays(order.orderNo);
  await tell("K2", { transaction });
  expect([await order.status(), await proved()]).toEqual([0, false]);
  await world.runJobs();
  expect([await order.status(), await proved()]).toEqual([2, true]);

  const { refundNo } = await world.till(store(), "refundTillOrder", {
    requestId: randomUUID(),
    tillNo: order.tillNo,
    amountCents: 8_800,
    reason: "退桌",
  });
  await world.runJobs();
  await unproved();
  const state = async () =>
    (await world.owner<{ status: number }>("select status from refunds where refund_no = $1", [refundNo]))[0]?.status;
  const refund = world.channel.decide(refundNo, "success");
  await tell("K3", { refund });
  expect([await state(), await inbox("K3")]).toEqual([1, [{ result: "asked" }]]);
  await world.runJobs();
  expect(await state()).toBe(2);
});

test("money that arrives after the order was closed is taken and shown", async () => {
  const order = await openOrder();
  const transaction = world.channel.customerPays(order.orderNo);
  await world.owner("update pay_orders set status = 1, closed_at = now() where order_no = $1", [order.orderNo]);
  await tell("L1", { transaction });
  expect(await order.status()).toBe(2);
});

test("news about something that we do not know is kept and acknowledged", async () => {
  await tell("U1", {
    transaction: {
      outTradeNo: "P404",
      tradeState: "SUCCESS",
      transactionId: "1",
      total_cents: 1,
      paid_cents: 1,
      paidAt: "2026-11-20T04:00:00.000Z",
      openId: null,
      tradeType: null,
      bankType: null,
      promotions: [],
    },
  });
  await tell("U2", {
    refund: {
      outRefundNo: "R404",
      outTradeNo: "P404",
      transactionId: null,
      refundId: "1",
      status: "success",
      amount_cents: 1,
      total_cents: 1,
      successAt: null,
      userReceivedAccount: null,
    },
  });
  await world.notify(store().merchantId, {
    rawBody: Buffer.from(JSON.stringify({ kind: "other", eventId: "U3", eventType: "COUPON.USE" })),
    headers: { "fake-signature": mchId() },
  });
  expect([await inbox("U1"), await inbox("U2"), await inbox("U3")]).toEqual([
    [{ result: "unknown-order" }],
    [{ result: "unknown-refund" }],
    [{ result: "ignored" }],
  ]);
});

// The channel promises neither order nor once: whatever arrives when, the end is the same.
test("every order of {paid, refund failed, refund done} with copies ends the same", async () => {
  const letters = ["paid", "failed", "done"] as const;
  const sequences = (length: number): (typeof letters)[number][][] =>
    length === 0 ? [[]] : sequences(length - 1).flatMap((rest) => letters.map((letter) => [...rest, letter]));
  let ends = 0;
  for (const sequence of sequences(3).concat(sequences(5).filter((_all, at) => at % 13 === 0))) {
    const order = await openOrder();
    const transaction = world.channel.customerPays(order.orderNo);
    await tell(randomUUID(), { transaction });
    const refund = await world.till(store(), "refundTillOrder", {
      requestId: randomUUID(),
      tillNo: order.tillNo,
      amountCents: 8_800,
      reason: "退桌",
    });
    await world.runJobs();
    const done = { ...world.channel.decide(refund.refundNo, "success") };
    for (const letter of sequence) {
      const news =
        letter === "paid"
          ? { transaction }
          : { refund: letter === "done" ? done : { ...done, status: "abnormal" as const, successAt: null } };
      await tell(randomUUID(), news);
    }
    const expected = sequence.includes("done") ? 2 : sequence.includes("failed") ? 3 : 1;
    const found = await world.owner<{ status: number; order_status: number }>(
      "select r.status, o.status as order_status from refunds r join pay_orders o on o.id = r.order_id where r.refund_no = $1",
      [refund.refundNo],
    );
    expect([sequence, found]).toEqual([sequence, [{ status: expected, order_status: expected === 2 ? 3 : 2 }]]);
    ends++;
  }
  expect(ends).toBe(27 + 19);
});
