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
  // The half minute after the payment and the channel's own pace, in less than it takes to ask.
  await opened.simulator.control("POST settings", { speed: 100_000 });
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
});
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

const pay = (grossCents: number) =>
  world.till(world.tree.merchants.mch01.stores[0]!, "createTillOrder", {
    tillNo: `T${randomUUID().slice(0, 18)}`,
    tradeType: "MICROPAY",
    subject: "午餐",
    grossCents,
    authCode: "281234567812345678",
  });
interface Book {
  readonly shares: { outOrderNo: string; lines: { account: string; amount: number; result: string }[] }[];
  readonly shareReturns: { amount: number; result: string }[];
}
const bookOf = () => opened.simulator.control("GET book") as Promise<Book>;

test("over HTTP with real signatures: frozen, shared, told to nobody, given back and refunded; both sides agree", async () => {
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
  const book = await bookOf();
  const sum = (all: readonly { amount: number; result: string }[]) =>
    all.reduce((total, { amount, result }) => total + (result === "SUCCESS" ? amount : 0), 0);
  expect([sum(book.shares.flatMap(({ lines }) => lines)), sum(book.shareReturns)]).toEqual([1_494 + 7_472, 1_494]);
  expect(await world.verify()).toEqual([]);
});

test("some get theirs and one does not, all of them masked: each line has its own end, and only the one is paid again, under a new number", async () => {
  await opened.simulator.control("POST settings", { masks: true });
  const { rule, groups } = await world.as("mch01", "getSharingSetup", {});
  const groupId = groups[0]!.id;
  const closed = {
    alias: "联营伙伴",
    account: "2088000000009001",
    ratio: 2_000,
    groupId,
    type: "ALIPAY_USER_ID",
    relation: "PARTNER",
  } as const;
  const { id: receiverId } = await world.as("mch01", "addReceiver", closed);
  await world.as("mch01", "setSharingRule", { version: rule.version, mode: "auto", timing: "now", groupId, unfreeze: false, ratios: [] });
  const { orderNo } = await pay(20_000);
  const find = async () =>
    (
      await world.owner<{ id: string; status: number }>(
        "select s.id, s.status from sharing_orders s join pay_orders o on o.id = s.order_id where o.order_no = $1 order by s.created_at desc limit 1",
        [orderNo],
      )
    )[0]!;
  const ended = async () => world.as("mch01", "getShare", { id: (await until(find, ({ status }) => status > 1)).id });
  const first = await ended();
  const linesOf = ({ lines }: typeof first) => lines.map((line) => [line.alias, line.amountCents, line.result, line.failReason]);
  // 200 less the fee of 0.76, by 10 : 5 : 2.
  expect(linesOf(first)).toEqual([
    ["服务商", 1_992, "success", null],
    ["合作伙伴", 996, "success", null],
    ["联营伙伴", 399, "closed", "TXN_RESULT_ACCOUNT_ABNORMAL"],
  ]);
  expect([first.status, first.amountCents, first.sharedCents, first.retryable, first.finishable]).toEqual([2, 3_387, 2_988, true, true]);
  // It names another account, and the first try of it is refused by nobody and got by nobody once more.
  const again = async (id: string) => {
    const sent = await world.as("mch01", "retryShare", { requestId: randomUUID(), id });
    return { ...sent, details: await ended() };
  };
  const second = await again(first.id);
  expect([second.details.status, linesOf(second.details)]).toEqual([3, [["联营伙伴", 399, "closed", "TXN_RESULT_ACCOUNT_ABNORMAL"]]]);
  await world.owner("update sharing_accounts set account = '2088000000000103', bind_state = 'failed' where receiver_id = $1", [receiverId]);
  expect(await world.as("mch01", "bindReceiver", { id: receiverId, wallet: "alipay" })).toMatchObject({ bindState: "bound" });
  const third = await again(second.id);
  expect([third.id, third.details.status, linesOf(third.details)]).toEqual([second.id, 2, [["联营伙伴", 399, "success", null]]]);
  await expect(world.as("mch01", "retryShare", { requestId: randomUUID(), id: first.id })).rejects.toMatchObject({ status: 409 });
  const book = await bookOf();
  const made = (number: string) =>
    book.shares.find(({ outOrderNo }) => outOrderNo === number)?.lines.map(({ account, amount, result }) => [account, amount, result]);
  expect(made(second.shareNo)).toEqual([["2088000000009001", 399, "CLOSED"]]);
  expect(made(`${second.shareNo}_2`)).toEqual([["2088000000000103", 399, "SUCCESS"]]);
  expect(made(first.shareNo)).toHaveLength(3);
  const [order] = await world.owner(
    "select sharing_cents::int as sharing, shared_cents::int as shared from pay_orders where order_no = $1",
    [orderNo],
  );
  expect(order).toEqual({ sharing: 0, shared: 3_387 });
  expect(await world.verify()).toEqual([]);
});
