import { createPublicKey, createVerify, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NOT_FOUND } from "../channel.ts";
import type { ChannelAccount, PaymentOrder, RefundOrder, Transaction } from "../channel.ts";
import { startInbox, startSimulator, testTransport } from "../simulator-for-tests.ts";
import { wechatPay } from "./wechat-pay.ts";

const channel = wechatPay(testTransport);
let simulator: Awaited<ReturnType<typeof startSimulator>>;
let inbox: Awaited<ReturnType<typeof startInbox>>;
let partner: ChannelAccount;
let direct: ChannelAccount;

beforeAll(async () => {
  simulator = await startSimulator();
  inbox = await startInbox();
  partner = await simulator.register({ mode: "partner" });
  direct = await simulator.register({ mode: "direct" });
  await simulator.control("POST settings", { refundAfter_ms: null });
});
afterAll(async () => {
  await simulator.stop();
  await inbox.stop();
});

const newNumber = () => `T${randomBytes(12).toString("hex")}`;
const order = (given: Partial<PaymentOrder> = {}): PaymentOrder => ({
  tradeType: "NATIVE",
  outTradeNo: newNumber(),
  description: "拿铁 大杯",
  amount_cents: 2_850,
  notifyUrl: inbox.url,
  expiresAt: new Date(Date.now() + 600_000).toISOString(),
  clientIp: "127.0.0.1",
  storeId: "S001",
  storeName: "静安寺店",
  deviceId: "D0001",
  ...given,
});
const code = (last = "12345678") => `1345678901${last}`;
const refundOf = (paid: PaymentOrder, given: Partial<RefundOrder> = {}): RefundOrder => ({
  outTradeNo: paid.outTradeNo,
  outRefundNo: newNumber(),
  amount_cents: paid.amount_cents,
  total_cents: paid.amount_cents,
  reason: "顾客不要了",
  notifyUrl: inbox.url,
  ...given,
});
async function transactionOf(account: ChannelAccount, outTradeNo: string): Promise<Transaction> {
  const found = await channel.query(account, { outTradeNo });
  if (found.kind !== "ok") throw new Error(JSON.stringify(found));
  return found.value;
}
async function paidNative(account: ChannelAccount, given: Partial<PaymentOrder> = {}): Promise<PaymentOrder> {
  const asked = order(given);
  await channel.pay(account, asked);
  await simulator.control("POST pay", { outTradeNo: asked.outTradeNo });
  return asked;
}

describe.each(["partner", "direct"] as const)("%s mode", (mode) => {
  const account = () => (mode === "partner" ? partner : direct);

  test("a native order is shown as a code, paid by the customer, and found paid under both numbers", async () => {
    const asked = order();
    expect(await channel.pay(account(), asked)).toMatchObject({
      kind: "ok",
      value: { kind: "code", codeUrl: expect.stringMatching(/^weixin:\/\/wxpay\//) },
    });
    expect(await transactionOf(account(), asked.outTradeNo)).toMatchObject({
      tradeState: "NOTPAY",
      transactionId: null,
      paid_cents: null,
      paidAt: null,
    });
    await simulator.control("POST pay", { outTradeNo: asked.outTradeNo, paidAt: "2026-10-02T04:05:06Z" });
    const paid = await transactionOf(account(), asked.outTradeNo);
    expect(paid).toMatchObject({
      tradeState: "SUCCESS",
      total_cents: 2_850,
      paid_cents: 2_850,
      paidAt: "2026-10-02T04:05:06.000Z",
      tradeType: "NATIVE",
    });
    expect(await channel.query(account(), { transactionId: paid.transactionId ?? "" })).toEqual({ kind: "ok", value: paid });
  });

  test("the same number gives the same code while it is unpaid, and is never reported as refused once it is paid", async () => {
    const asked = order();
    const first = await channel.pay(account(), asked);
    expect(await channel.pay(account(), asked)).toEqual(first);
    expect((await channel.pay(account(), { ...asked, amount_cents: 1 })).kind).toBe("unknown");
    await simulator.control("POST pay", { outTradeNo: asked.outTradeNo });
    expect((await channel.pay(account(), asked)).kind).toBe("unknown");
  });

  test("the page gets parameters that the merchant's key signed", async () => {
    const asked = await channel.pay(account(), order({ tradeType: "JSAPI", openId: "oUser001" }));
    if (asked.kind !== "ok" || asked.value.kind !== "client") throw new Error(JSON.stringify(asked));
    const { appId, timeStamp, nonceStr, package: packed, paySign } = asked.value.clientParams;
    expect(packed).toBe(`prepay_id=${asked.value.prepayId}`);
    const genuine = createVerify("RSA-SHA256").update(`${appId}\n${timeStamp}\n${nonceStr}\n${packed}\n`);
    expect(genuine.verify(createPublicKey(account().privateKeyPem), paySign ?? "", "base64")).toBe(true);
  });

  test("a code on the phone pays at once", async () => {
    const asked = order({ tradeType: "MICROPAY", authCode: code() });
    const answer = await channel.pay(account(), asked);
    expect(answer).toMatchObject({
      kind: "ok",
      value: { kind: "transaction", transaction: { tradeState: "SUCCESS", paid_cents: 2_850, tradeType: "MICROPAY" } },
    });
    expect(await transactionOf(account(), asked.outTradeNo)).toMatchObject({ tradeState: "SUCCESS" });
  });

  test("while the customer types the password it is neither yes nor no, and then paid", async () => {
    const asked = order({ tradeType: "MICROPAY", authCode: code("00000001") });
    expect(await channel.pay(account(), asked)).toMatchObject({
      kind: "ok",
      value: { transaction: { tradeState: "USERPAYING", paid_cents: null } },
    });
    await expect.poll(async () => (await transactionOf(account(), asked.outTradeNo)).tradeState).toBe("SUCCESS");
  });

  test.each([
    ["00000002", "NOT_ENOUGH"],
    ["00000004", "TRADE_ERROR"],
    ["00000007", "ACCOUNT_ERROR"],
  ])("code …%s is a definite no: %s, and nothing was paid", async (last, said) => {
    const asked = order({ tradeType: "MICROPAY", authCode: code(last) });
    expect(await channel.pay(account(), asked)).toMatchObject({ kind: "refused", code: said });
    expect(await transactionOf(account(), asked.outTradeNo)).toMatchObject({ tradeState: "PAYERROR", paid_cents: null });
  });

  test("a system error is unknown; the query tells that it was paid, or that nobody knows the number", async () => {
    const paid = order({ tradeType: "MICROPAY", authCode: code("00000005") });
    const lost = order({ tradeType: "MICROPAY", authCode: code("00000006") });
    expect((await channel.pay(account(), paid)).kind).toBe("unknown");
    expect((await channel.pay(account(), lost)).kind).toBe("unknown");
    expect(await transactionOf(account(), paid.outTradeNo)).toMatchObject({ tradeState: "SUCCESS" });
    expect(await channel.query(account(), { outTradeNo: lost.outTradeNo })).toMatchObject({ kind: "refused", code: NOT_FOUND });
  });

  test("a discount says who bears it, and the payer paid less", async () => {
    const asked = order({ tradeType: "MICROPAY", authCode: code("00000008"), amount_cents: 1_001 });
    const answer = await channel.pay(account(), asked);
    if (answer.kind !== "ok" || answer.value.kind !== "transaction") throw new Error(JSON.stringify(answer));
    const { paid_cents, total_cents, promotions } = answer.value.transaction;
    expect({ paid_cents, total_cents }).toEqual({ paid_cents: 901, total_cents: 1_001 });
    expect(promotions).toMatchObject([{ type: "NOCASH", amount_cents: 100, channel_cents: 50, merchant_cents: 50, other_cents: 0 }]);
  });

  test("closing ends an unpaid order, may be repeated, and is refused once it is paid", async () => {
    const asked = order();
    await channel.pay(account(), asked);
    expect(await channel.close(account(), asked.outTradeNo)).toEqual({ kind: "ok", value: null });
    expect(await channel.close(account(), asked.outTradeNo)).toEqual({ kind: "ok", value: null });
    expect(await transactionOf(account(), asked.outTradeNo)).toMatchObject({ tradeState: "CLOSED" });
    expect(await channel.pay(account(), asked)).toMatchObject({ kind: "refused", code: "ORDER_CLOSED" });
    const paid = await paidNative(account());
    expect(await channel.close(account(), paid.outTradeNo)).toMatchObject({ kind: "refused", code: "ORDERPAID" });
  });

  test("a micropay is taken back, paid or not; other orders are not", async () => {
    const paid = order({ tradeType: "MICROPAY", authCode: code() });
    const typing = order({ tradeType: "MICROPAY", authCode: code("00000003") });
    for (const asked of [paid, typing]) {
      await channel.pay(account(), asked);
      expect(await channel.reverse(account(), asked.outTradeNo)).toEqual({ kind: "ok", value: null });
      expect(await channel.reverse(account(), asked.outTradeNo)).toEqual({ kind: "ok", value: null });
      expect(await transactionOf(account(), asked.outTradeNo)).toMatchObject({ tradeState: "REVOKED" });
    }
    const native = await paidNative(account());
    expect((await channel.reverse(account(), native.outTradeNo)).kind).toBe("refused");
    expect(await channel.reverse(account(), newNumber())).toMatchObject({ kind: "refused", code: NOT_FOUND });
  });

  test("one refund number is one refund, and the parts never exceed the whole", async () => {
    const paid = await paidNative(account());
    const part = refundOf(paid, { amount_cents: 1_000 });
    const first = await channel.refund(account(), part);
    expect(first).toMatchObject({ kind: "ok", value: { status: "processing", amount_cents: 1_000, total_cents: 2_850, successAt: null } });
    expect(await channel.refund(account(), part)).toEqual(first);
    expect(await transactionOf(account(), paid.outTradeNo)).toMatchObject({ tradeState: "REFUND", paid_cents: 2_850 });
    expect(await channel.refund(account(), refundOf(paid, { amount_cents: 1_851 }))).toMatchObject({
      kind: "refused",
      code: "INVALID_REQUEST",
    });
    expect((await channel.refund(account(), refundOf(paid, { amount_cents: 1_850 }))).kind).toBe("ok");
    expect(await channel.refund(account(), refundOf(paid, { amount_cents: 1 }))).toMatchObject({ kind: "refused" });
  });

  test("a refund ends as the channel decides, and a closed one frees its amount", async () => {
    const paid = await paidNative(account());
    const closed = refundOf(paid);
    await channel.refund(account(), closed);
    await simulator.control("POST refund", { outRefundNo: closed.outRefundNo, result: "CLOSED" });
    expect(await channel.queryRefund(account(), closed.outRefundNo)).toMatchObject({
      kind: "ok",
      value: { status: "closed", successAt: null },
    });
    const good = refundOf(paid);
    await channel.refund(account(), good);
    await simulator.control("POST refund", { outRefundNo: good.outRefundNo, result: "ABNORMAL" });
    expect(await channel.queryRefund(account(), good.outRefundNo)).toMatchObject({ kind: "ok", value: { status: "abnormal" } });
    await simulator.control("POST refund", { outRefundNo: good.outRefundNo, successAt: "2026-11-01T00:00:00Z" });
    expect(await channel.queryRefund(account(), good.outRefundNo)).toMatchObject({
      kind: "ok",
      value: { status: "success", successAt: "2026-11-01T00:00:00.000Z", userReceivedAccount: "支付用户零钱", outTradeNo: paid.outTradeNo },
    });
  });

  test("refunds of nothing: unpaid, unknown, another total, older than a year", async () => {
    const unpaid = order();
    await channel.pay(account(), unpaid);
    expect((await channel.refund(account(), refundOf(unpaid))).kind).toBe("refused");
    expect(await channel.refund(account(), refundOf(order()))).toMatchObject({ kind: "refused", code: "RESOURCE_NOT_EXISTS" });
    const paid = await paidNative(account());
    expect((await channel.refund(account(), refundOf(paid, { amount_cents: 100, total_cents: 9_999 }))).kind).toBe("refused");
    const old = order();
    await channel.pay(account(), old);
    await simulator.control("POST pay", { outTradeNo: old.outTradeNo, paidAt: new Date(Date.now() - 366 * 86_400_000).toISOString() });
    expect(await channel.refund(account(), refundOf(old))).toMatchObject({ kind: "refused", code: "TRADE_OVERDUE" });
    expect(await channel.queryRefund(account(), newNumber())).toMatchObject({ kind: "refused", code: NOT_FOUND });
  });
});

test("an order has at most fifty refunds", async () => {
  const paid = await paidNative(partner, { amount_cents: 10_000 });
  for (let count = 0; count < 50; count += 1) expect((await channel.refund(partner, refundOf(paid, { amount_cents: 1 }))).kind).toBe("ok");
  expect(await channel.refund(partner, refundOf(paid, { amount_cents: 1 }))).toMatchObject({
    kind: "refused",
    message: expect.stringContaining("50"),
  });
});

test("what cannot be sent is refused here: a code that is none, a page payment without a payer", async () => {
  expect(await channel.pay(partner, order({ tradeType: "MICROPAY", authCode: "281234567890123456" }))).toMatchObject({
    kind: "refused",
    code: "PARAM_ERROR",
  });
  expect(await channel.pay(partner, order({ tradeType: "JSAPI" }))).toMatchObject({ kind: "refused", code: "PARAM_ERROR" });
});

test("another merchant's order is not found, and another merchant's key opens nothing", async () => {
  const paid = await paidNative(partner);
  const other = await simulator.register({ mode: "partner", mchId: partner.mchId, subMchId: "1699999999" });
  expect(await channel.query(other, { outTradeNo: paid.outTradeNo })).toMatchObject({ kind: "refused", code: NOT_FOUND });
  // The registration above gave the merchant new keys, so the old ones sign for nobody.
  expect(await channel.query(partner, { outTradeNo: paid.outTradeNo })).toMatchObject({ kind: "refused", code: "SIGN_ERROR" });
});
