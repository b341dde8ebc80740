import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { wechatPay } from "../../channels/server/index.ts";
import { startSimulator, testTransport, type TestSimulator } from "../../channels/server/simulator-for-tests.ts";
import { giveChannel } from "./index.ts";
import { openTillWorld, type TillWorld } from "./testing/till-world.ts";

let simulator: TestSimulator;
let world: TillWorld;
let gateway: Server;
const answered: number[] = [];

// The gateway in a few lines: raw bytes in, 200 after the commit, the channel's own words for a no.
beforeAll(async () => {
  simulator = await startSimulator(20);
  gateway = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const settingsId = request.url?.split("/").at(-1);
      const merchantId = [...world.settings].find(([, setting]) => setting.id === settingsId)?.[0] ?? "";
      world.services.clock.set(new Date().toISOString());
      world.notify(merchantId, { rawBody: Buffer.concat(chunks), headers: request.headers as Record<string, string> }).then(
        () => response.writeHead(200).end(),
        (error: unknown) => response.writeHead(error instanceof Refusal ? error.status : 500).end('{"code":"FAIL","message":"失败"}'),
      );
      response.on("close", () => answered.push(response.statusCode));
    });
  });
  await new Promise<void>((resolve) => gateway.listen(0, "127.0.0.1", resolve));
  const public_url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  world = await openTillWorld({ public_url, realAccount: () => simulator.register({ mode: "partner" }) });
  giveChannel(world.services, wechatPay(testTransport));
  world.services.clock.set(new Date().toISOString());
});
afterEach(async () => {
  await simulator.control("DELETE faults");
  expect(await world.verify()).toEqual([]);
});
afterAll(async () => {
  await new Promise((resolve) => gateway.close(resolve));
  await world.close();
  await simulator.stop();
});

let n = 0;
const store = () => world.tree.merchants.mch01.stores[0]!;
const fault = (kind: string, more: object = {}) => simulator.control("POST faults", { kind, ...more });
async function eventually<T>(look: () => Promise<T>, right: (found: T) => boolean): Promise<T> {
  for (let tries = 0; ; tries++) {
    world.services.clock.set(new Date().toISOString());
    const found = await look();
    if (right(found) || tries === 300) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
const native = () => ({ tillNo: `S${++n}`, tradeType: "NATIVE" as const, subject: "午餐", grossCents: 8_800 });
const micropay = (authCode: string) => ({
  tillNo: `S${++n}`,
  tradeType: "MICROPAY" as const,
  subject: "午餐",
  grossCents: 8_800,
  authCode,
});
const orderOf = (tillNo: string) => world.till(store(), "getTillOrder", { tillNo });
async function paidOrder() {
  const given = native();
  const { orderNo } = await world.till(store(), "createTillOrder", given);
  await simulator.control("POST pay", { outTradeNo: orderNo });
  await eventually(
    () => orderOf(given.tillNo),
    (found) => found.status === 2,
  );
  return { ...given, orderNo };
}
const refund = (tillNo: string, amountCents: number, requestId: string = randomUUID()) =>
  world.till(store(), "refundTillOrder", { requestId, tillNo, amountCents, reason: "退菜" });
const refundOf = (requestId: string) => world.till(store(), "getTillRefund", { requestId });

test("a code is shown, paid on a phone, told by a signed notification, refunded and told again", async () => {
  const order = await paidOrder();
  expect(await orderOf(order.tillNo)).toMatchObject({ status: 2, paidCents: 8_800 });
  const asked = await refund(order.tillNo, 8_800);
  await world.runJobs();
  await simulator.control("POST refund", { outRefundNo: asked.refundNo });
  expect(
    await eventually(
      () => refundOf(asked.requestId!),
      (found) => found.status === 2,
    ),
  ).toMatchObject({ status: 2, amountCents: 8_800 });
  expect(await orderOf(order.tillNo)).toMatchObject({ status: 3, refundedCents: 8_800 });
});

test("a notification that never comes is made good by asking", async () => {
  const given = native();
  const { orderNo } = await world.till(store(), "createTillOrder", given);
  await fault("lost", { operation: "transaction", number: orderNo });
  await simulator.control("POST pay", { outTradeNo: orderNo });
  const [row] = await world.owner<{ id: string }>("select id from pay_orders where order_no = $1", [orderNo]);
  expect(await world.as("mch01", "syncPayOrder", { id: row!.id })).toEqual({ status: 2, changed: true, message: "已更新为已完成" });
});

test.each(["late", "duplicate", "wrong-amount", "forged", "probe", "stale", "wrong-merchant"])(
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
  },
);

test.each([
  "lost-reply",
  "refuse-done",
  "error-500-done",
  "rate-limited-done",
  "unsigned-answer",
  "forged-answer",
  "garbled-answer",
  "stale-answer",
])("a refund whose answer is %s goes out once", async (kind) => {
  const order = await paidOrder();
  const asked = await refund(order.tillNo, 1_000);
  await fault(kind, { operation: "refund", number: asked.refundNo });
  await world.runJobs();
  world.services.clock.advance(60_000);
  await world.sweep();
  await simulator.control("POST refund", { outRefundNo: asked.refundNo });
  expect(
    await eventually(
      () => refundOf(asked.requestId!),
      (found) => found.status === 2,
    ),
  ).toMatchObject({ status: 2 });
  const { refunds } = (await simulator.control(`GET trade?outTradeNo=${order.orderNo}`)) as { refunds: { amount: number }[] };
  expect(refunds.map((one) => one.amount)).toEqual([1_000]);
});

test("a refund that the channel closes goes again under a new number", async () => {
  const order = await paidOrder();
  const asked = await refund(order.tillNo, 5_000);
  await simulator.control("POST settings", { refundAfter_ms: null });
  await world.runJobs();
  await simulator.control("POST refund", { outRefundNo: asked.refundNo, result: "CLOSED" });
  expect(
    await eventually(
      () => refundOf(asked.requestId!),
      (found) => found.status === 3,
    ),
  ).toMatchObject({ status: 3, failure: "通道已关闭退款，可重新发起" });
  const [row] = await world.owner<{ id: string }>("select id from refunds where refund_no = $1", [asked.refundNo]);
  await world.as("mch01", "retryRefund", { requestId: randomUUID(), id: row!.id });
  await world.runJobs();
  await simulator.control("POST refund", { outRefundNo: `${asked.refundNo}-2` });
  expect(
    await eventually(
      () => refundOf(asked.requestId!),
      (found) => found.status === 2,
    ),
  ).toMatchObject({ status: 2 });
});

test("a code-pay that is answered at once, one whose answer is lost, one that the channel answers with an error and does", async () => {
  expect(await world.till(store(), "createTillOrder", micropay("130000000000000009"))).toMatchObject({ status: 2 });
  await fault("lost-reply", { operation: "pay" });
  const lost = micropay("130000000000000009");
  const faulty = micropay("130000000000000005");
  expect(await world.till(store(), "createTillOrder", lost)).toMatchObject({ status: 0 });
  expect(await world.till(store(), "createTillOrder", faulty)).toMatchObject({ status: 0 });
  expect(await world.till(store(), "createTillOrder", micropay("130000000000000002"))).toMatchObject({
    status: 1,
    message: expect.stringContaining("余额") as string,
  });
  world.services.clock.advance(3_000);
  await world.runJobs();
  expect([(await orderOf(lost.tillNo)).status, (await orderOf(faulty.tillNo)).status]).toEqual([2, 2]);
});

test("a code-pay that is refused and stands open at the channel is reversed there: the customer pays nothing for a closed order", async () => {
  const given = micropay("130000000000000010");
  const { orderNo, status, message } = await world.till(store(), "createTillOrder", given);
  expect([status, message]).toEqual([1, expect.stringContaining("参数错误")]);
  const stateOf = async () => ((await simulator.control(`GET trade?outTradeNo=${orderNo}`)) as { trade: { state: string } }).trade.state;
  expect(await stateOf()).toBe("REVOKED");
  await fault("error-500", { operation: "reverse" });
  // Where the reversal is not answered the order stays open, and is ended by the looks that follow.
  const again = micropay("130000000000000010");
  expect(await world.till(store(), "createTillOrder", again)).toMatchObject({ status: 0 });
  world.services.clock.advance(61_000);
  await world.sweep("query-payments");
  expect((await orderOf(again.tillNo)).status).toBe(1);
});

test("closing at the channel, and losing the race against a payment", async () => {
  const closed = native();
  await world.till(store(), "createTillOrder", closed);
  expect(await world.till(store(), "closeTillOrder", { tillNo: closed.tillNo })).toMatchObject({ status: 1 });
  const raced = native();
  const { orderNo } = await world.till(store(), "createTillOrder", raced);
  await fault("lost", { operation: "transaction", number: orderNo });
  await fault("error-500", { operation: "query", number: orderNo });
  await simulator.control("POST pay", { outTradeNo: orderNo });
  await world.till(store(), "closeTillOrder", { tillNo: raced.tillNo });
  expect(
    await eventually(
      () => world.till(store(), "closeTillOrder", { tillNo: raced.tillNo }),
      (found) => found.status === 2,
    ),
  ).toMatchObject({ status: 2 });
});

test("every notification was answered 200 or with a no that makes the channel repeat it", () => {
  expect(new Set(answered)).toEqual(new Set([200, 401]));
});
