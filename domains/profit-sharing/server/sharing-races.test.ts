import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { lookAfterShares } from "./shares/share-jobs.ts";
import { chaseShare } from "./shares/chase-share.ts";
import { openShareWorld, type ShareWorld } from "./testing/share-world.ts";

const RIVALS = 200;
let world: ShareWorld;
beforeAll(async () => {
  world = await openShareWorld({}, ["服务商", "合作伙伴"]);
});
beforeEach(async () => {
  await world.forget();
  await world.rule("manual");
});
afterEach(async () => {
  expect(await world.verify()).toEqual([]);
});
afterAll(() => world.close());

async function race(calls: readonly (() => Promise<unknown>)[]): Promise<{ won: number; lost: { status?: number; message: string }[] }> {
  const settled = await Promise.allSettled(calls.map((call) => call()));
  const lost = settled.flatMap((one) => (one.status === "rejected" ? [one.reason as { status?: number; message: string }] : []));
  return { won: settled.length - lost.length, lost };
}
const refund = (orderId: string, amountCents: number) =>
  world.as("mch01", "refundOrder", { requestId: randomUUID(), orderId, amountCents, reason: "退菜" });
/** Everything comes to its end on both sides. */
async function settle(): Promise<void> {
  for (let round = 0; round < 5; round++) {
    world.sharing.decideAll();
    for (const one of world.channel.refunds.values()) if (one.status === "processing") world.channel.decide(one.outRefundNo, "success");
    await world.pass(40);
  }
}
/** What both sides say of an order's money is one thing, and nothing is left on its way. */
async function agree(orderNo: string, id: string): Promise<void> {
  const row = await world.order(id);
  const trade = world.channel.trades.get(orderNo)!;
  const back = [...world.channel.refunds.values()].filter((one) => one.outTradeNo === orderNo && one.status === "success");
  const { shared, returned } = world.sharing.sharedOf(trade.transactionId!);
  expect([row["shared"], row["returned"], row["refunded"]]).toEqual([
    shared,
    returned,
    back.reduce((sum, one) => sum + one.amount_cents, 0),
  ]);
  expect([row["sharing"], row["returning"], row["refunding"]]).toEqual([0, 0, 0]);
}

test("200 times the same share is one share, whoever asks", async () => {
  const order = await world.paid();
  await world.pass();
  const { won, lost } = await race(
    Array.from(
      { length: RIVALS },
      (_none, at) => () => world.as(at % 2 ? "mch01" : "sp01", "sendShare", { requestId: randomUUID(), id: order.shareId }),
    ),
  );
  expect([won, new Set(lost.map((error) => error.status))]).toEqual([1, new Set([409])]);
  await settle();
  expect(world.sharing.shares.size).toBe(1);
  await agree(order.orderNo, order.id);
});

test("R3: refunds against a share against returns on one order never give away more than there is", async () => {
  for (let round = 0; round < 5; round++) {
    const order = await world.paid(20_000);
    await world.pass();
    const first = () => world.as("sp01", "sendShare", { requestId: randomUUID(), id: order.shareId });
    const { lost } = await race([
      first,
      ...Array.from({ length: 20 }, () => () => refund(order.id, 1_500)),
      () => chaseShare(world.services, { service_provider_id: world.tree.merchants.mch01.serviceProviderId, id: order.shareId }),
      () => lookAfterShares.run(world.services, {}),
      first,
      ...Array.from({ length: 20 }, () => () => refund(order.id, 700)),
    ]);
    expect(lost.every((error) => [400, 409].includes(error.status ?? 0))).toBe(true);
    // While the returns of those are on their way, more come.
    await race([() => world.runJobs(), ...Array.from({ length: 10 }, () => () => refund(order.id, 900))]);
    await settle();
    await agree(order.orderNo, order.id);
    const row = await world.order(order.id);
    expect(row["refunded"]! + row["shared"]! - row["returned"]!).toBeLessThanOrEqual(20_000);
  }
});

test("R6: a rule that changes while its shares go out: each is split by one rule, whole", async () => {
  const orders = [];
  for (let n = 0; n < 10; n++) orders.push(await world.paid(10_000));
  await world.pass();
  const change = (ratio: number) => async () => {
    const { rule, groups } = await world.as("mch01", "getSharingSetup", {});
    const ratios = [{ receiverId: world.receiverIds["服务商"]!, ratio }];
    await world.as("mch01", "setSharingRule", {
      version: rule.version,
      mode: "manual",
      timing: "now",
      groupId: groups[0]!.id,
      unfreeze: false,
      ratios,
    });
  };
  await race([
    ...orders.map((order) => () => world.as("mch01", "sendShare", { requestId: randomUUID(), id: order.shareId })),
    change(20_000),
    change(1_000),
    ...orders.map((order) => () => world.as("sp01", "sendShare", { requestId: randomUUID(), id: order.shareId })),
  ]);
  await settle();
  // 99.62 at 10 + 5, 20 + 5 or 1 + 5 percent.
  for (const order of orders) {
    expect([1_494, 2_491, 598]).toContain((await world.share(order.shareId)).amount_cents);
    await agree(order.orderNo, order.id);
  }
});
