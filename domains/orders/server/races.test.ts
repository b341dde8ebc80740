import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openTillWorld, type TillWorld } from "./testing/till-world.ts";

const RIVALS = 200;
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
async function openOrder(grossCents = 10_000) {
  const tillNo = `T${++n}`;
  const { orderNo } = await world.till(store(), "createTillOrder", { tillNo, tradeType: "NATIVE", subject: "午餐", grossCents });
  const [row] = await world.owner<{ id: string }>("select id from pay_orders where order_no = $1", [orderNo]);
  return { tillNo, orderNo, id: row!.id };
}
async function paidOrder(grossCents = 10_000) {
  const order = await openOrder(grossCents);
  await world.notify(
    store().merchantId,
    world.channel.notice(randomUUID(), mchId(), { transaction: world.channel.customerPays(order.orderNo) }),
  );
  return order;
}
const orderOf = async (id: string) =>
  (
    await world.owner<{ status: number; refunded_cents: number; refunding_cents: number; refund_count: number }>(
      "select status, refunded_cents, refunding_cents, refund_count from pay_orders where id = $1",
      [id],
    )
  )[0]!;
async function race<T>(calls: readonly (() => Promise<T>)[]): Promise<{ won: T[]; lost: { status?: number; message: string }[] }> {
  const settled = await Promise.allSettled(calls.map((call) => call()));
  return {
    won: settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])),
    lost: settled.flatMap((one) => (one.status === "rejected" ? [one.reason as { status?: number; message: string }] : [])),
  };
}
const times = <T>(count: number, call: (at: number) => Promise<T>) => race(Array.from({ length: count }, (_none, at) => () => call(at)));

test("200 copies of one notification are one payment", async () => {
  const order = await openOrder();
  const notice = world.channel.notice("COPIES", mchId(), { transaction: world.channel.customerPays(order.orderNo) });
  const { won, lost } = await times(RIVALS, () => world.notify(store().merchantId, notice));
  expect([won.length, lost]).toEqual([RIVALS, []]);
  expect(await world.owner("select 1 from ledger_entries where order_id = $1", [order.id])).toHaveLength(1);
  expect(await world.owner("select 1 from channel_inbox where event_id = 'COPIES'")).toHaveLength(1);
});

test("100 different events with the same refund's end settle it once", async () => {
  const order = await paidOrder();
  const { refundNo } = await world.as("mch01", "refundOrder", {
    requestId: randomUUID(),
    orderId: order.id,
    amountCents: 10_000,
    reason: "退桌",
  });
  await world.runJobs();
  const refund = world.channel.decide(refundNo, "success");
  const { lost } = await times(100, () => world.notify(store().merchantId, world.channel.notice(randomUUID(), mchId(), { refund })));
  expect(lost).toEqual([]);
  expect(await orderOf(order.id)).toMatchObject({ status: 3, refunded_cents: 10_000, refunding_cents: 0 });
});

test("close against payment: whatever comes first, the money decides", async () => {
  for (let round = 0; round < 10; round++) {
    const order = await openOrder();
    const notice = world.channel.notice(randomUUID(), mchId(), { transaction: world.channel.customerPays(order.orderNo) });
    const { lost } = await race<unknown>([
      () => world.till(store(), "closeTillOrder", { tillNo: order.tillNo }),
      () => world.notify(store().merchantId, notice),
      () => world.till(store(), "closeTillOrder", { tillNo: order.tillNo }),
    ]);
    expect([lost, (await orderOf(order.id)).status]).toEqual([[], 2]);
  }
});

test("retry against a new refund of the same money: both together never exceed it", async () => {
  await world.runJobs();
  const order = await paidOrder();
  world.channel.fail("refund", { refuse: "NOT_ENOUGH" });
  const { refundId } = await world.as("mch01", "refundOrder", {
    requestId: randomUUID(),
    orderId: order.id,
    amountCents: 8_000,
    reason: "退桌",
  });
  await world.runJobs();
  const calls = Array.from({ length: 40 }, (_none, at) => async () => {
    if (at % 2 === 0) await world.as("mch01", "retryRefund", { requestId: randomUUID(), id: refundId });
    else await world.as("sp01", "refundOrder", { requestId: randomUUID(), orderId: order.id, amountCents: 8_000, reason: "退桌" });
  });
  const { won } = await race(calls);
  expect([won.length, (await orderOf(order.id)).refunding_cents]).toEqual([1, 8_000]);
});

test("a shift ends in exactly one handover, and a payment on its way falls into exactly one shift", async () => {
  const before = await world.as("mch01", "getShift", { storeId: store().id });
  const seen = { storeId: store().id, lastHandoverId: before.lastHandoverId, lastEntryId: before.lastEntryId! };
  const paying = Array.from({ length: 10 }, () => async () => void (await paidOrder(700)));
  const handing = Array.from({ length: 6 }, () => async () => void (await world.as("mch01", "handOver", seen)));
  const { lost } = await race([...paying, ...handing]);
  expect(lost.map((error) => error.status)).toEqual([409, 409, 409, 409, 409]);
  const [sheet] = (await world.as("mch01", "listHandovers", {})).items;
  const next = await world.as("mch01", "getShift", { storeId: store().id });
  const [book] = await world.owner<{ paid: number; refunded: number }>(
    "select sum(paid_cents)::int as paid, sum(refund_cents)::int as refunded from ledger_entries where store_id = $1",
    [store().id],
  );
  expect(sheet!.figures.total.paidCents + next.total.paidCents).toBe(book!.paid);
  expect(sheet!.figures.total.refundCents + next.total.refundCents).toBe(book!.refunded);
  expect(next).toMatchObject({ lastHandoverId: sheet!.id, fromAt: sheet!.toAt });
});
