import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openChannelWorld, type ChannelWorld } from "./testing/channel-world.ts";

// 通联 signs with SM2 and tells as a form; 富友 signs with RSA and tells as JSON.
let opened: ChannelWorld;
let world: ChannelWorld["world"];
let simulator: ChannelWorld["simulator"];
const store = () => world.tree.merchants.mch01.stores[0]!;
const prefer = (wallet: string, channel: number) =>
  world.owner("insert into channel_rules (service_provider_id, merchant_id, wallet, channel, priority) values ($1, $2, $3, $4, 1)", [
    store().serviceProviderId,
    store().merchantId,
    wallet,
    channel,
  ]);

beforeAll(async () => {
  opened = await openChannelWorld();
  ({ world, simulator } = opened);
  await opened.addAccount(await simulator.registerAcquirer(4));
  await opened.addAccount(await simulator.registerAcquirer(1));
  await prefer("alipay", 1);
  await prefer("unionpay", 4);
  await simulator.control("POST settings", { refundAfter_ms: null });
});
afterEach(async () => {
  await simulator.control("DELETE faults");
  expect(await world.verify()).toEqual([]);
});
afterAll(() => opened.close());

let n = 0;
const WALLETS = [
  ["unionpay", 4, 9],
  ["alipay", 1, 4],
] as const;
type Wallet = (typeof WALLETS)[number][0];
const CODES = { unionpay: "62123456789", alipay: "2812345678" } as const;
const fault = (kind: string, more: object = {}) => simulator.control("POST faults", { kind, ...more });
const micropay = (wallet: Wallet, last = "12345678") => ({
  tillNo: `Q${++n}`,
  tradeType: "MICROPAY" as const,
  subject: "午餐",
  grossCents: 8_800,
  authCode: `${CODES[wallet]}${last}`,
});
const native = (wallet: Wallet) => ({ tillNo: `Q${++n}`, tradeType: "NATIVE" as const, wallet, subject: "午餐", grossCents: 8_800 });
const create = (input: ReturnType<typeof micropay> | ReturnType<typeof native>) => world.till(store(), "createTillOrder", input);
const orderOf = (tillNo: string) => world.till(store(), "getTillOrder", { tillNo });
const refund = (tillNo: string, amountCents: number) =>
  world.till(store(), "refundTillOrder", { requestId: randomUUID(), tillNo, amountCents, reason: "退菜" });
const refundOf = (requestId: string | null) => world.till(store(), "getTillRefund", { requestId: requestId! });
const rowOf = async (tillNo: string) =>
  (
    await world.owner<{ id: string; channel: number; tool: number }>("select id, channel, tool from pay_orders where till_no = $1", [
      tillNo,
    ])
  )[0]!;
async function eventually<T>(look: () => Promise<T>, right: (found: T) => boolean): Promise<T> {
  for (let tries = 0; ; tries++) {
    world.services.clock.set(new Date().toISOString());
    const found = await look();
    if (right(found) || tries === 300) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test.each(WALLETS)("%s through channel %d: read, paid, booked under it, refunded in parts that are told", async (wallet, channel, tool) => {
  const given = micropay(wallet);
  expect(await create(given)).toMatchObject({ status: 2, paidCents: 8_800 });
  expect(await rowOf(given.tillNo)).toMatchObject({ channel, tool });
  for (const cents of [3_000, 5_800]) {
    const asked = await refund(given.tillNo, cents);
    await world.runJobs();
    expect(await refundOf(asked.requestId)).toMatchObject({ status: 1 });
    await simulator.control("POST refund", { outRefundNo: asked.refundNo });
    await eventually(
      () => refundOf(asked.requestId),
      (found) => found.status === 2,
    );
  }
  expect(await orderOf(given.tillNo)).toMatchObject({ status: 3, refundedCents: 8_800 });
  const booked = await world.owner<{ sum: number }>(
    "select sum(balance_cents)::int as sum from ledger_accounts where merchant_id = $1 and channel = $2",
    [store().merchantId, channel],
  );
  expect(booked).toHaveLength(1);
});

test("WeChat still goes direct, and what was paid stays with its channel after the merchant turned it off", async () => {
  const given = micropay("unionpay");
  await create(given);
  await world.owner("update channel_accounts set state = 'disabled' where channel = 4");
  await expect(create(native("unionpay"))).resolves.toMatchObject({ codeUrl: expect.stringMatching(/^https:/) as string });
  expect(await rowOf(`Q${n}`)).toMatchObject({ channel: 1 });
  const asked = await refund(given.tillNo, 100);
  await world.runJobs();
  await simulator.control("POST refund", { outRefundNo: asked.refundNo });
  await eventually(
    () => refundOf(asked.requestId),
    (found) => found.status === 2,
  );
  expect(await refundOf(asked.requestId)).toMatchObject({ status: 2 });
  await world.owner("update channel_accounts set state = 'active' where channel = 4");
  const { wallet: _wallet, ...plain } = native("alipay");
  expect((await create(plain as ReturnType<typeof native>)).codeUrl).toMatch(/^weixin:/);
});

test.each(WALLETS)("%s: lost answers of a payment and a refund are found by asking, and go out once", async (wallet) => {
  await fault("lost-reply", { operation: "pay" });
  const [lost, faulty, refused] = [micropay(wallet), micropay(wallet, "00000005"), micropay(wallet, "00000002")];
  expect(await create(lost)).toMatchObject({ status: 0 });
  expect(await create(faulty)).toMatchObject({ status: 0 });
  expect(await create(refused)).toMatchObject({ status: 1 });
  world.services.clock.advance(3_000);
  await world.runJobs();
  expect([(await orderOf(lost.tillNo)).status, (await orderOf(faulty.tillNo)).status]).toEqual([2, 2]);
  const asked = await refund(lost.tillNo, 1_000);
  await fault("lost-reply", { operation: "refund", number: asked.refundNo });
  await world.runJobs();
  world.services.clock.advance(60_000);
  await world.sweep();
  await simulator.control("POST refund", { outRefundNo: asked.refundNo });
  expect(
    await eventually(
      () => refundOf(asked.requestId),
      (found) => found.status === 2,
    ),
  ).toMatchObject({ status: 2, amountCents: 1_000 });
});

test.each(WALLETS)("%s: notifications that come late, doubled, forged, spoiled or out of order settle once", async (wallet) => {
  for (const kind of ["late", "duplicate", "wrong-amount", "forged", "wrong-merchant", "reorder"]) {
    const given = native(wallet);
    const { orderNo } = await create(given);
    await fault(kind, { operation: "transaction", number: orderNo, delay_ms: 200 });
    await simulator.control("POST pay", { outTradeNo: orderNo });
    expect([
      kind,
      (
        await eventually(
          () => orderOf(given.tillNo),
          (found) => found.status === 2,
        )
      ).paidCents,
    ]).toEqual([kind, 8_800]);
    const { id } = await rowOf(given.tillNo);
    expect(await world.owner("select 1 from order_events where kind = 'paid' and order_id = $1", [id])).toHaveLength(1);
  }
});

test("a refund that the acquirer closes fails here, and goes again under a new number", async () => {
  const given = micropay("unionpay");
  await create(given);
  const asked = await refund(given.tillNo, 5_000);
  await world.runJobs();
  await simulator.control("POST refund", { outRefundNo: asked.refundNo, result: "CLOSED" });
  await eventually(
    () => refundOf(asked.requestId),
    (found) => found.status === 3,
  );
  const [row] = await world.owner<{ id: string }>("select id from refunds where refund_no = $1", [asked.refundNo]);
  await world.as("mch01", "retryRefund", { requestId: randomUUID(), id: row!.id });
  await world.runJobs();
  await simulator.control("POST refund", { outRefundNo: `${asked.refundNo}-2` });
  expect(
    await eventually(
      () => refundOf(asked.requestId),
      (found) => found.status === 2,
    ),
  ).toMatchObject({ status: 2 });
});

test("every notification was answered with the acquirer's own word or with a no that makes it come again", () => {
  expect([...new Set(opened.answered.map(({ status, said }) => `${status} ${said}`))].toSorted()).toEqual(["200 1", "200 success", "401 "]);
});
