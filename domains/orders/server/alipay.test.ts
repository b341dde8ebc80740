import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Refusal } from "@zhangfang/server/errors.ts";
import { payThrough } from "../../channels/server/index.ts";
import { startSimulator, testTransport, type TestSimulator } from "../../channels/server/simulator-for-tests.ts";
import { setChannelAccount } from "../../organisation/server/index.ts";
import { giveChannel } from "./index.ts";
import { openTillWorld, type TillWorld } from "./testing/till-world.ts";

let simulator: TestSimulator;
let world: TillWorld;
let gateway: Server;
const answered: { status: number; said: string }[] = [];
const store = () => world.tree.merchants.mch01.stores[0]!;

// The gateway in a few lines: raw bytes in, the route's own text after the commit.
beforeAll(async () => {
  simulator = await startSimulator(20);
  gateway = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const [, family, settingsId = ""] = (request.url ?? "").slice(1).split("/");
      world.services.clock.set(new Date().toISOString());
      const headers = request.headers as Record<string, string>;
      world
        .notifyAt(family === "alipay" ? "notifyAlipay" : "notifyWechatPay", settingsId, { rawBody: Buffer.concat(chunks), headers })
        .then(
          (said) => {
            answered.push({ status: 200, said: String(said) });
            response.writeHead(200).end(String(said));
          },
          (error: unknown) => {
            const status = error instanceof Refusal ? error.status : 500;
            answered.push({ status, said: "" });
            response.writeHead(status).end('{"code":"FAIL"}');
          },
        );
    });
  });
  await new Promise<void>((resolve) => gateway.listen(0, "127.0.0.1", resolve));
  const public_url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  world = await openTillWorld({ public_url, realAccount: () => simulator.register({ mode: "partner" }) });
  giveChannel(world.services, payThrough(testTransport));
  const { sellerId, appId, appAuthToken, privateKeyPem, publicKeyPem, baseUrl, mode } = await simulator.registerAlipay();
  const { merchantId, serviceProviderId } = store();
  await world.look((tx) =>
    setChannelAccount(tx, world.services, {
      serviceProviderId,
      merchantId,
      channel: 0,
      mode,
      merchantNo: sellerId,
      appNo: appId,
      privateKey: privateKeyPem,
      publicKey: publicKeyPem,
      authToken: appAuthToken,
      baseUrl,
    }),
  );
  world.services.clock.set(new Date().toISOString());
}, 60_000);
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
  expect(
    await eventually(
      () => orderOf(given.tillNo),
      (found) => found.status === 2,
    ),
  ).toMatchObject({ status: 2, paidCents: 8_800 });
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

test.each(["lost-reply", "lost-request", "error-500-done", "unsigned-answer", "forged-answer", "garbled-answer"])(
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
