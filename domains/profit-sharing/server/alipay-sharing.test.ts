import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { giveSharingChannel, shareThrough } from "../../channels/server/index.ts";
import { testTransport } from "../../channels/server/simulator-for-tests.ts";
import { openChannelWorld, type ChannelWorld } from "../../orders/server/testing/channel-world.ts";

let opened: ChannelWorld;
let world: ChannelWorld["world"];
beforeAll(async () => {
  opened = await openChannelWorld();
  ({ world } = opened);
  // The minute after the payment and the channel's own pace, a hundred times as fast.
  await opened.simulator.control("POST settings", { speed: 1_000 });
  giveSharingChannel(world.services, shareThrough(testTransport));
  await opened.addAccount(await opened.simulator.registerAlipay());
  const { id: merchantId, serviceProviderId } = world.tree.merchants.mch01;
  await world.owner(
    "insert into merchant_settings (service_provider_id, merchant_id, profit_sharing, updated_at) values ($1, $2, true, now())",
    [serviceProviderId, merchantId],
  );
  const { id: groupId } = await world.as("mch01", "addSharingGroup", { name: "合作方" });
  for (const [alias, account, ratio] of [
    ["服务商", "2088000000000101", 10_000],
    ["合作伙伴", "2088000000000102", 5_000],
  ] as const) {
    const receiver = { alias, account, ratio, groupId, type: "ALIPAY_USER_ID", relation: "PARTNER" } as const;
    expect(await world.as("mch01", "addReceiver", receiver)).toMatchObject({ bindState: "bound" });
  }
  await world.as("mch01", "setSharingRule", { version: 0, mode: "auto", timing: "now", groupId, unfreeze: true, ratios: [] });
}, 90_000);
afterAll(() => opened.close());

/** The machine's clock and, beside it, the minutes until everything due is done. */
async function until<T>(look: () => Promise<T>, right: (found: T) => boolean): Promise<T> {
  for (let tries = 0; ; tries++) {
    world.services.clock.advance(60_000);
    await world.runJobs();
    await world.sweep();
    const found = await look();
    if (right(found) || tries === 60) return found;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

test("over HTTP with real signatures: frozen, shared, told to nobody, given back and refunded; both sides agree", async () => {
  const store = world.tree.merchants.mch01.stores[0]!;
  const pay = async (grossCents: number) =>
    world.till(store, "createTillOrder", {
      tillNo: `T${randomUUID().slice(0, 18)}`,
      tradeType: "MICROPAY",
      subject: "午餐",
      grossCents,
      authCode: "281234567812345678",
    });
  await pay(50_000);
  const { orderNo } = await pay(10_000);
  const orderOf = async () =>
    (
      await world.owner<{ id: string; shared: number; returned: number; refunded: number; returning: number }>(
        `select id, shared_cents::int as shared, share_returned_cents::int as returned, refunded_cents::int as refunded, share_returning_cents::int as returning
          from pay_orders where order_no = $1`,
        [orderNo],
      )
    )[0]!;
  const order = await until(orderOf, ({ shared }) => shared > 0);
  // 100 less the fee of 0.38 at 15 %.
  expect(order).toMatchObject({ shared: 1_494, returned: 0 });
  await world.as("mch01", "refundOrder", { requestId: randomUUID(), orderId: order.id, amountCents: 10_000, reason: "退桌" });
  expect(await until(orderOf, ({ refunded }) => refunded > 0)).toMatchObject({ refunded: 10_000, returned: 1_494, returning: 0 });
  const calls = await world.owner<{ operation: string; outcome: string }>(
    "select distinct c.operation, c.outcome from sharing_calls c where c.operation in ('share', 'share-return') order by 1",
  );
  expect(calls).toEqual([
    { operation: "share", outcome: "ok" },
    { operation: "share-return", outcome: "ok" },
  ]);
  const book = (await opened.simulator.control("GET book")) as {
    shares: { lines: { amount: number; result: string }[] }[];
    shareReturns: { amount: number; result: string }[];
  };
  const sum = (all: readonly { amount: number; result: string }[]) =>
    all.reduce((total, { amount, result }) => total + (result === "SUCCESS" ? amount : 0), 0);
  expect([sum(book.shares.flatMap(({ lines }) => lines)), sum(book.shareReturns)]).toEqual([1_494 + 7_472, 1_494]);
  expect(await world.verify()).toEqual([]);
}, 60_000);
