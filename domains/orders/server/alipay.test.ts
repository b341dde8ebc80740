import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openChannelWorld, type ChannelWorld } from "./testing/channel-world.ts";

let opened: ChannelWorld;
let world: ChannelWorld["world"];
let simulator: ChannelWorld["simulator"];
let answered: ChannelWorld["answered"];
const store = () => world.tree.merchants.mch01.stores[0]!;

beforeAll(async () => {
  opened = await openChannelWorld();
  ({ world, simulator, answered } = opened);
  await opened.addAccount(await simulator.registerAlipay());
});
afterEach(async () => {
  await simulator.control("DELETE faults");
  expect(await world.verify()).toEqual([]);
});
afterAll(() => opened.close());

let n = 0;
const fault = (kind: string, more: object = {}) => simulator.control("POST faults", { kind, ...more });
const native = () => ({ tillNo: `A${++n}`, tradeType: "NATIVE" as const, wallet: "alipay" as const, subject: "午餐", grossCents: 8_800 });
const micropay = (last = "12345678") => ({
  tillNo: `A${++n}`,
  tradeType: "MICROPAY" as const,
  subject: "午餐",
  grossCents: 8_800,
  authCode: `2812345678${last}`,
});
const orderOf = (tillNo: string) => world.till(store(), "getTillOrder", { tillNo });
async function eventually<T>(look: () => Promise<T>, right: (found: T) => boolean): Promise<T> {
  for (let tries = 0; ; tries++) {
    world.services.clock.set(new Date().toISOString());
    const found = await look();
    if (right(found) || tries === 300) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
const refund = (tillNo: string, amountCents: number) =>
  world.till(store(), "refundTillOrder", { requestId: randomUUID(), tillNo, amountCents, reason: "退菜" });
const refundOf = (requestId: string | null) => world.till(store(), "getTillRefund", { requestId: requestId! });
const rowOf = async (tillNo: string) =>
  (
    await world.owner<{ id: string; order_no: string; channel: number; tool: number; status: number; refunded_cents: number }>(
      "select id, order_no, channel, tool, status, refunded_cents from pay_orders where till_no = $1",
      [tillNo],
    )
  )[0]!;

test("a till reads an Alipay code: paid at once, booked, refunded in parts, and the book sums up", async () => {
  const given = micropay();
  expect(await world.till(store(), "createTillOrder", given)).toMatchObject({ status: 2, paidCents: 8_800 });
  expect(await rowOf(given.tillNo)).toMatchObject({ channel: 0, tool: 4 });
  const first = await refund(given.tillNo, 3_000);
  await world.runJobs();
  expect(await refundOf(first.requestId)).toMatchObject({ status: 2 });
  const rest = await refund(given.tillNo, 5_800);
  await world.runJobs();
  expect(await refundOf(rest.requestId)).toMatchObject({ status: 2 });
  expect(await orderOf(given.tillNo)).toMatchObject({ status: 3, refundedCents: 8_800 });
  const { rows } = { rows: await world.owner<{ sum: number }>("select coalesce(sum(amount_cents), 0)::int as sum from ledger_postings") };
  expect(rows).toEqual([{ sum: 0 }]);
});

test("a code for Alipay is shown, paid on a phone and told by a signed form; a WeChat code still goes to WeChat", async () => {
  const given = native();
  const made = await world.till(store(), "createTillOrder", given);
  expect(made.codeUrl).toMatch(/^https:\/\/qr\.alipay\.com\//);
  await simulator.control("POST pay", { outTradeNo: made.orderNo });
  // Nobody waits for it, so that its notification is what tells.
  await eventually(
    () => rowOf(given.tillNo),
    (found) => found.status === 2,
  );
  expect(await orderOf(given.tillNo)).toMatchObject({ status: 2, paidCents: 8_800 });
  expect(answered.at(-1)).toEqual({ status: 200, said: "success" });
  const { wallet: _alipay, ...plain } = native();
  expect((await world.till(store(), "createTillOrder", plain)).codeUrl).toMatch(/^weixin:/);
});

test("a merchant without Alipay says so, and takes WeChat all the same", async () => {
  const other = world.tree.merchants.mch03.stores[0]!;
  await expect(world.till(other, "createTillOrder", native())).rejects.toMatchObject({ status: 409, message: "商户尚未开通支付宝收款" });
  await expect(world.till(other, "createTillOrder", { ...native(), wallet: "unionpay" })).rejects.toMatchObject({ status: 409 });
  expect((await world.till(other, "createTillOrder", { ...native(), wallet: "wechat" })).codeUrl).toMatch(/^weixin:/);
});

test("lost answers: a payment, and one that the gateway calls an error and does, are found by asking", async () => {
  await fault("lost-reply", { operation: "pay" });
  const [lost, faulty, refused] = [micropay(), micropay("00000005"), micropay("00000002")];
  expect(await world.till(store(), "createTillOrder", lost)).toMatchObject({ status: 0 });
  expect(await world.till(store(), "createTillOrder", faulty)).toMatchObject({ status: 0 });
  expect(await world.till(store(), "createTillOrder", refused)).toMatchObject({
    status: 1,
    message: expect.stringContaining("余额") as string,
  });
  world.services.clock.advance(3_000);
  await world.runJobs();
  expect([(await orderOf(lost.tillNo)).status, (await orderOf(faulty.tillNo)).status]).toEqual([2, 2]);
});

test("a customer who never types the password: cancelled at Alipay, closed here", async () => {
  const given = micropay("00000003");
  expect(await world.till(store(), "createTillOrder", given)).toMatchObject({ status: 0 });
  expect(await world.till(store(), "closeTillOrder", { tillNo: given.tillNo })).toMatchObject({ status: 1 });
  const { trade } = (await simulator.control(`GET trade?outTradeNo=${(await rowOf(given.tillNo)).order_no}`)) as {
    trade: { state: string };
  };
  expect(trade.state).toBe("REVOKED");
});

test.each(["lost-reply", "refuse-done", "lost-request", "error-500-done", "unsigned-answer", "forged-answer", "garbled-answer"])(
  "a refund whose answer is %s goes out once",
  async (kind) => {
    const given = micropay();
    await world.till(store(), "createTillOrder", given);
    const asked = await refund(given.tillNo, 1_000);
    await fault(kind, { operation: "refund", number: asked.refundNo });
    await world.runJobs();
    expect(await refundOf(asked.requestId)).toMatchObject({ status: 1 });
    world.services.clock.advance(60_000);
    await world.sweep();
    world.services.clock.advance(60_000);
    await world.sweep();
    expect(await refundOf(asked.requestId)).toMatchObject({ status: 2, amountCents: 1_000 });
    const { refunds } = (await simulator.control(`GET trade?outTradeNo=${(await rowOf(given.tillNo)).order_no}`)) as {
      refunds: { amount: number }[];
    };
    expect(refunds.map(({ amount }) => amount)).toEqual([1_000]);
  },
);

test.each(["late", "duplicate", "wrong-amount", "forged", "wrong-merchant"])(
  "a notification that comes %s settles the right amount once",
  async (kind) => {
    const given = native();
    const { orderNo } = await world.till(store(), "createTillOrder", given);
    await fault(kind, { operation: "transaction", number: orderNo, delay_ms: 200 });
    await simulator.control("POST pay", { outTradeNo: orderNo });
    expect(
      await eventually(
        () => orderOf(given.tillNo),
        (found) => found.status === 2,
      ),
    ).toMatchObject({ status: 2, paidCents: 8_800 });
    const paid = await world.owner("select 1 from order_events where kind = 'paid' and order_id = $1", [(await rowOf(given.tillNo)).id]);
    expect(paid).toHaveLength(1);
  },
);

test("a lost notification is made good by asking; the refund's own, which came first, tells of the payment too", async () => {
  const asked = native();
  const { orderNo } = await world.till(store(), "createTillOrder", asked);
  await fault("lost", { operation: "transaction", number: orderNo });
  await simulator.control("POST pay", { outTradeNo: orderNo });
  expect(await world.as("mch01", "syncPayOrder", { id: (await rowOf(asked.tillNo)).id })).toMatchObject({ status: 2, changed: true });
  const given = await refund(asked.tillNo, 800);
  await world.runJobs();
  await eventually(
    async () => answered.filter(({ status }) => status === 200).length,
    (count) => count > 0,
  );
  expect(await rowOf(asked.tillNo)).toMatchObject({ status: 2, refunded_cents: 800 });
  expect(await refundOf(given.requestId)).toMatchObject({ status: 2 });
});

test("every notification was answered `success` or with a no that makes Alipay repeat it", () => {
  expect(new Set(answered.map(({ status, said }) => `${status} ${said}`))).toEqual(new Set(["200 success", "401 "]));
});
