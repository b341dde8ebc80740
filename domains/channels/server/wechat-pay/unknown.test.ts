import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NOT_FOUND } from "../channel.ts";
import type { ChannelAccount, Outcome, PaymentOrder, RefundOrder } from "../channel.ts";
import { startInbox, startSimulator, testTransport } from "../simulator-for-tests.ts";
import { wechatPay } from "./wechat-pay.ts";

/** What the simulator itself holds for true. */
interface Truth {
  readonly trade: { readonly state: string };
  readonly refunds: readonly { readonly outRefundNo: string; readonly state: string }[];
}

const channel = wechatPay(testTransport);
let simulator: Awaited<ReturnType<typeof startSimulator>>;
let inbox: Awaited<ReturnType<typeof startInbox>>;
let account: ChannelAccount;

beforeAll(async () => {
  simulator = await startSimulator();
  inbox = await startInbox();
  account = await simulator.register();
  await simulator.control("POST settings", { refundAfter_ms: null });
});
afterAll(async () => {
  await simulator.stop();
  await inbox.stop();
});

const newNumber = () => `U${randomBytes(12).toString("hex")}`;
const order = (given: Partial<PaymentOrder>): PaymentOrder => ({
  tradeType: "MICROPAY",
  outTradeNo: newNumber(),
  description: "午餐",
  amount_cents: 3_000,
  authCode: "134567890112345678",
  notifyUrl: inbox.url,
  expiresAt: new Date(Date.now() + 600_000).toISOString(),
  clientIp: "127.0.0.1",
  ...given,
});
const refundOf = (outTradeNo: string, given: Partial<RefundOrder> = {}): RefundOrder => ({
  outTradeNo,
  outRefundNo: newNumber(),
  amount_cents: 1_000,
  total_cents: 3_000,
  reason: "",
  notifyUrl: inbox.url,
  ...given,
});
async function truth(outTradeNo: string): Promise<Truth | undefined> {
  return (await simulator.control(`GET trade?outTradeNo=${outTradeNo}`).catch(() => undefined)) as Truth | undefined;
}

const NOT_DONE = ["lost-request", "error-500", "rate-limited"] as const;
const DONE = [
  "lost-reply",
  "error-500-done",
  "rate-limited-done",
  "forged-answer",
  "unsigned-answer",
  "stale-answer",
  "garbled-answer",
] as const;

describe.each([...NOT_DONE, ...DONE])("%s", (kind) => {
  test("is unknown for every call, and the next query tells what happened", async () => {
    const done = (DONE as readonly string[]).includes(kind);
    const spoil = () => simulator.control("POST faults", { kind });

    const paying = order({});
    await spoil();
    expect((await channel.pay(account, paying)).kind).toBe("unknown");
    expect(await channel.query(account, { outTradeNo: paying.outTradeNo })).toMatchObject(
      done ? { kind: "ok", value: { tradeState: "SUCCESS" } } : { kind: "refused", code: NOT_FOUND },
    );

    const paid = order({});
    await channel.pay(account, paid);
    const refund = refundOf(paid.outTradeNo);
    await spoil();
    expect((await channel.refund(account, refund)).kind).toBe("unknown");
    expect(await channel.queryRefund(account, refund.outRefundNo)).toMatchObject(
      done ? { kind: "ok", value: { status: "processing" } } : { kind: "refused", code: NOT_FOUND },
    );
    // The same number again is safe, whether the first one arrived or not.
    expect((await channel.refund(account, refund)).kind).toBe("ok");
    expect((await truth(paid.outTradeNo))?.refunds).toHaveLength(1);

    const open = order({ tradeType: "NATIVE" });
    await channel.pay(account, open);
    await spoil();
    // A close answers without a body, so there is nothing to garble.
    expect((await channel.close(account, open.outTradeNo)).kind).toBe(kind === "garbled-answer" ? "ok" : "unknown");
    expect((await truth(open.outTradeNo))?.trade.state).toBe(done ? "CLOSED" : "NOTPAY");

    const revoked = order({});
    await channel.pay(account, revoked);
    await spoil();
    expect((await channel.reverse(account, revoked.outTradeNo)).kind).toBe("unknown");
    expect((await truth(revoked.outTradeNo))?.trade.state).toBe(done ? "REVOKED" : "SUCCESS");

    for (const ask of [
      () => channel.query(account, { outTradeNo: paid.outTradeNo }),
      () => channel.queryRefund(account, refund.outRefundNo),
    ]) {
      await spoil();
      expect((await ask()).kind).toBe("unknown");
      expect((await ask()).kind).toBe("ok");
    }
  });
});

test("a named refusal is a no; one that the list does not know is unknown", async () => {
  const paid = order({});
  await channel.pay(account, paid);
  const tries: readonly (readonly [number, string, Outcome<unknown>["kind"]])[] = [
    [403, "NOT_ENOUGH", "refused"],
    [403, "USER_ACCOUNT_ABNORMAL", "refused"],
    [403, "SOMETHING_NEW", "unknown"],
    [404, "NOT_FOUND", "unknown"],
    [429, "NOT_ENOUGH", "unknown"],
    [500, "NOT_ENOUGH", "unknown"],
  ];
  for (const [status, code, kind] of tries) {
    await simulator.control("POST faults", { kind: "refuse", status, code, message: "说明" });
    expect([code, status, (await channel.refund(account, refundOf(paid.outTradeNo))).kind]).toEqual([code, status, kind]);
  }
  expect((await truth(paid.outTradeNo))?.refunds).toHaveLength(0);
});

test("an order that somebody is paying right now is neither closed nor taken back", async () => {
  const open = order({ tradeType: "NATIVE" });
  await channel.pay(account, open);
  for (const end of [channel.close, channel.reverse]) {
    await simulator.control("POST faults", { kind: "refuse", status: 202, code: "USERPAYING" });
    expect((await end(account, open.outTradeNo)).kind).toBe("unknown");
  }
});

test("a channel that is too slow or not there is unknown", async () => {
  const impatient = wechatPay((request) => testTransport({ ...request, timeout_ms: 50 }));
  const asked = order({});
  await simulator.control("POST faults", { kind: "slow", operation: "pay", delay_ms: 400 });
  expect(await impatient.pay(account, asked)).toMatchObject({ kind: "unknown" });
  await expect.poll(async () => (await truth(asked.outTradeNo))?.trade.state).toBe("SUCCESS");
  expect(await channel.query({ ...account, baseUrl: "http://127.0.0.1:9" }, { outTradeNo: asked.outTradeNo })).toMatchObject({
    kind: "unknown",
  });
});

test("a clock that is off by more than five minutes makes every yes unknown", async () => {
  for (const [off_ms, kind] of [
    [-301_000, "unknown"],
    [301_000, "unknown"],
    [-240_000, "ok"],
    [240_000, "ok"],
  ] as const) {
    const now = () => new Date(Date.now() + off_ms);
    // The request is stamped with the true time, so that only the answer is judged by the wrong clock.
    let calls = 0;
    const skewed = wechatPay(testTransport, { now: () => (calls++ === 0 ? new Date() : now()) });
    expect([off_ms, (await skewed.pay(account, order({ tradeType: "NATIVE" }))).kind]).toEqual([off_ms, kind]);
  }
  const late = wechatPay(testTransport, { now: () => new Date(Date.now() - 301_000) });
  expect(await late.pay(account, order({}))).toMatchObject({ kind: "refused", code: "SIGN_ERROR" });
});

test("an answer about another order is not taken for ours", async () => {
  const [one, other] = [order({}), order({})];
  await channel.pay(account, one);
  await channel.pay(account, other);
  const crossed = wechatPay((request) =>
    testTransport({ ...request, url: request.url.replace(one.outTradeNo, other.outTradeNo), headers: { ...request.headers } }),
  );
  // The signature covers the address, so the channel itself notices.
  expect(await crossed.query(account, { outTradeNo: one.outTradeNo })).toMatchObject({ kind: "refused", code: "SIGN_ERROR" });
  let answer: Awaited<ReturnType<typeof testTransport>> | undefined;
  await wechatPay(async (request) => (answer = await testTransport(request))).query(account, { outTradeNo: other.outTradeNo });
  const replayed = wechatPay(async () => answer ?? Promise.reject(new Error("no answer")));
  expect(await replayed.query(account, { outTradeNo: one.outTradeNo })).toMatchObject({ kind: "unknown" });
});

test("what the simulator did is never reported as refused, and what is ok was done", async () => {
  const faults = fc.constantFrom(...NOT_DONE, ...DONE, "none" as const);
  const steps = fc.array(fc.record({ call: fc.constantFrom("pay", "refund", "reverse"), fault: faults }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const asked = order({});
      const refund = refundOf(asked.outTradeNo);
      for (const { call, fault } of list) {
        if (fault !== "none") await simulator.control("POST faults", { kind: fault });
        const outcome =
          call === "pay"
            ? await channel.pay(account, asked)
            : call === "refund"
              ? await channel.refund(account, refund)
              : await channel.reverse(account, asked.outTradeNo);
        await simulator.control("DELETE faults");
        const now = await truth(asked.outTradeNo);
        const state = now?.trade.state ?? "none";
        const did =
          call === "pay" ? ["SUCCESS", "REFUND"].includes(state) : call === "refund" ? now?.refunds.length === 1 : state === "REVOKED";
        if (outcome.kind === "refused") expect([call, fault, state, did]).toEqual([call, fault, state, false]);
        if (outcome.kind === "ok") expect([call, fault, state, did]).toEqual([call, fault, state, true]);
      }
    }),
    { numRuns: 60 },
  );
});
