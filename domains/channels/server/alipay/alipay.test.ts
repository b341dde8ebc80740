import { generateKeyPairSync, randomBytes, randomInt } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NOT_FOUND } from "../channel.ts";
import type { AlipayAccount, Outcome, PaymentOrder, RefundOrder, Transaction } from "../channel.ts";
import { startInbox, startSimulator, testTransport, type Received } from "../simulator-for-tests.ts";
import { alipay } from "./alipay.ts";
import { rawMembers } from "./raw-members.ts";
import { readForm, signRsa2, textToSign } from "../signed-form.ts";

const channel = alipay(testTransport);
let simulator: Awaited<ReturnType<typeof startSimulator>>;
let inbox: Awaited<ReturnType<typeof startInbox>>;
const accounts = {} as Record<"partner" | "direct", AlipayAccount>;
beforeAll(async () => {
  simulator = await startSimulator();
  inbox = await startInbox();
  for (const mode of ["partner", "direct"] as const) accounts[mode] = await simulator.registerAlipay(mode);
});
afterAll(async () => {
  await simulator.stop();
  await inbox.stop();
});

const newNumber = () => `A${randomBytes(12).toString("hex")}`;
const order = (given: Partial<PaymentOrder> = {}): PaymentOrder => ({
  tradeType: "NATIVE",
  wallet: "alipay",
  outTradeNo: newNumber(),
  description: "拿铁/大杯 a=1&b=2",
  amount_cents: 2_850,
  notifyUrl: inbox.url,
  expiresAt: new Date(Date.now() + 600_000).toISOString(),
  clientIp: "127.0.0.1",
  storeId: "S001",
  ...given,
});
const byCode = (last = "12345678") => order({ tradeType: "MICROPAY", authCode: `2812345678${last}` });
const refundOf = (paid: PaymentOrder, given: Partial<RefundOrder> = {}): RefundOrder => ({
  outTradeNo: paid.outTradeNo,
  outRefundNo: newNumber(),
  amount_cents: paid.amount_cents,
  total_cents: paid.amount_cents,
  reason: "顾客不要了",
  notifyUrl: inbox.url,
  ...given,
});
async function stateOf(account: AlipayAccount, outTradeNo: string): Promise<Partial<Transaction> | string> {
  const found = await channel.query(account, { outTradeNo });
  return found.kind === "ok" ? found.value : found.kind === "refused" ? found.code : found.reason;
}

describe.each(["partner", "direct"] as const)("%s mode", (mode) => {
  const account = () => accounts[mode];

  test("a code is shown, unknown to a query until it is scanned, paid, and found under both numbers", async () => {
    const asked = order();
    expect(await channel.pay(account(), asked)).toMatchObject({
      kind: "ok",
      value: { kind: "code", codeUrl: expect.stringMatching(/^https:\/\/qr\.alipay\.com\//) as string },
    });
    expect(await stateOf(account(), asked.outTradeNo)).toBe(NOT_FOUND);
    await simulator.control("POST pay", { outTradeNo: asked.outTradeNo, paidAt: new Date(1_763_600_706_000).toISOString() });
    const paid = await stateOf(account(), asked.outTradeNo);
    expect(paid).toMatchObject({
      tradeState: "SUCCESS",
      total_cents: 2_850,
      paid_cents: 2_850,
      paidAt: "2025-11-20T01:05:06.000Z",
      openId: expect.stringMatching(/^2088/) as string,
    });
    const { transactionId } = paid as Transaction;
    expect(await channel.query(account(), { transactionId: transactionId ?? "" })).toEqual({ kind: "ok", value: paid });
  });

  test("the page gets a trade number; a code on the phone pays at once, waits for the password, or is refused", async () => {
    const page = await channel.pay(account(), order({ tradeType: "JSAPI", openId: "2088123412341234" }));
    expect(page).toMatchObject({ kind: "ok", value: { kind: "client", clientParams: { tradeNO: expect.any(String) as string } } });
    expect(await channel.pay(account(), byCode())).toMatchObject({
      kind: "ok",
      value: { kind: "transaction", transaction: { tradeState: "SUCCESS", total_cents: 2_850, paid_cents: 2_850 } },
    });
    const waits = byCode("00000003");
    expect(await channel.pay(account(), waits)).toMatchObject({ kind: "ok", value: { transaction: { tradeState: "USERPAYING" } } });
    expect(await stateOf(account(), waits.outTradeNo)).toMatchObject({ tradeState: "USERPAYING", transactionId: expect.any(String) });
    expect(await channel.pay(account(), byCode("00000002"))).toMatchObject({ kind: "refused", code: "ACQ.BUYER_BALANCE_NOT_ENOUGH" });
    expect(await channel.pay(account(), { ...byCode(), authCode: "134567890123456789" })).toMatchObject({ kind: "refused" });
    const discounted = await channel.pay(account(), byCode("00000008"));
    expect(discounted).toMatchObject({
      value: {
        transaction: {
          paid_cents: 2_565,
          promotions: [
            { type: "CASH", amount_cents: 142, channel_cents: 142, merchant_cents: 0 },
            { type: "NOCASH", amount_cents: 143, channel_cents: 0, merchant_cents: 143 },
          ],
        },
      },
    });
  });

  test("the same number is never reported as refused once its first try went through", async () => {
    const asked = byCode();
    await channel.pay(account(), asked);
    expect((await channel.pay(account(), asked)).kind).toBe("unknown");
    expect((await channel.pay(account(), { ...asked, amount_cents: 1 })).kind).toBe("unknown");
  });

  test("unpaid is closed or cancelled, paid is not closed, and a payment that was taken back never counts as paid", async () => {
    const open = byCode("00000003");
    await channel.pay(account(), open);
    expect(await channel.close(account(), open.outTradeNo)).toEqual({ kind: "ok", value: null });
    expect(await stateOf(account(), open.outTradeNo)).toMatchObject({ tradeState: "CLOSED" });
    const paid = byCode();
    await channel.pay(account(), paid);
    expect((await channel.close(account(), paid.outTradeNo)).kind).toBe("refused");
    expect(await channel.reverse(account(), paid.outTradeNo)).toEqual({ kind: "ok", value: null });
    expect(await stateOf(account(), paid.outTradeNo)).toMatchObject({ tradeState: "REVOKED", paid_cents: null });
    expect(await channel.close(account(), newNumber())).toMatchObject({ kind: "refused", code: NOT_FOUND });
  });

  test("parts go back, the same number once, never more than was paid; fund_change N is decided by the query", async () => {
    const paid = byCode();
    await channel.pay(account(), paid);
    const first = refundOf(paid, { amount_cents: 1_000 });
    expect(await channel.queryRefund(account(), first.outRefundNo, paid.outTradeNo)).toMatchObject({ kind: "refused", code: NOT_FOUND });
    expect(await channel.refund(account(), first)).toMatchObject({ kind: "ok", value: { status: "success", amount_cents: 1_000 } });
    expect(await channel.refund(account(), first)).toMatchObject({ kind: "ok", value: { status: "processing", successAt: null } });
    expect((await channel.refund(account(), { ...first, amount_cents: 1 })).kind).toBe("unknown");
    expect(await channel.queryRefund(account(), first.outRefundNo, paid.outTradeNo)).toMatchObject({
      kind: "ok",
      value: { status: "success", amount_cents: 1_000, total_cents: 2_850 },
    });
    expect(await stateOf(account(), paid.outTradeNo)).toMatchObject({ tradeState: "SUCCESS" });
    expect(await channel.refund(account(), refundOf(paid, { amount_cents: 1_851 }))).toMatchObject({
      kind: "refused",
      code: "ACQ.REASON_TRADE_REFUND_FEE_ERR",
    });
    expect(await channel.refund(account(), refundOf(paid, { amount_cents: 1_850 }))).toMatchObject({ value: { status: "success" } });
    expect(await channel.refund(account(), refundOf(order()))).toMatchObject({ kind: "refused", code: "ACQ.TRADE_NOT_EXIST" });
  });

  test("a wrong key, a wrong token and a wrong application are refused at the gate", async () => {
    const other = accounts[mode === "partner" ? "direct" : "partner"];
    const wrong: Partial<AlipayAccount>[] = [{ privateKeyPem: other.privateKeyPem }, { appId: "2021000000000000" }];
    if (mode === "partner") wrong.push({ appAuthToken: "nobody's" });
    for (const change of wrong)
      expect((await channel.query({ ...account(), ...change }, { outTradeNo: newNumber() })).kind).toBe("refused");
    // The answer's signature does not fit the key that we know.
    expect((await channel.pay({ ...account(), publicKeyPem: PUBLIC }, byCode())).kind).toBe("unknown");
  });
});
const PUBLIC = `-----BEGIN PUBLIC KEY-----
MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBALqcwnBY9UR3Mbs5sMaUm4yTFjBRXg0OpNPLVUZp0xmsbLUoMZ1kTNvRtuoHD3t0WuVtDyF7vXRZMmDGGZ9KvEsCAwEAAQ==
-----END PUBLIC KEY-----`;

const NOT_DONE = ["lost-request", "error-500", "rate-limited"] as const;
const DONE = ["lost-reply", "error-500-done", "rate-limited-done", "forged-answer", "unsigned-answer", "garbled-answer"] as const;

test.each([...NOT_DONE, ...DONE])("%s is unknown for every call, and the next query tells what happened", async (kind) => {
  const account = accounts.partner;
  const done = (DONE as readonly string[]).includes(kind);
  const spoiled = async (ask: () => Promise<Outcome<unknown>>) => {
    await simulator.control("POST faults", { kind });
    expect((await ask()).kind).toBe("unknown");
  };
  const paying = byCode();
  await spoiled(() => channel.pay(account, paying));
  if (done) expect(await stateOf(account, paying.outTradeNo)).toMatchObject({ tradeState: "SUCCESS" });
  else expect(await stateOf(account, paying.outTradeNo)).toBe(NOT_FOUND);

  const paid = byCode();
  await channel.pay(account, paid);
  await spoiled(() => channel.query(account, { outTradeNo: paid.outTradeNo }));
  const part = refundOf(paid, { amount_cents: 1_000 });
  await spoiled(() => channel.refund(account, part));
  await spoiled(() => channel.queryRefund(account, part.outRefundNo, paid.outTradeNo));
  expect(await channel.queryRefund(account, part.outRefundNo, paid.outTradeNo)).toMatchObject(
    done ? { kind: "ok", value: { status: "success", amount_cents: 1_000 } } : { kind: "refused", code: NOT_FOUND },
  );
  // Sent again under the same number it goes out once.
  await channel.refund(account, part);
  const { refunds } = (await simulator.control(`GET trade?outTradeNo=${paid.outTradeNo}`)) as { refunds: { amount: number }[] };
  expect(refunds.map(({ amount }) => amount)).toEqual([1_000]);

  const waits = byCode("00000003");
  await channel.pay(account, waits);
  await spoiled(() => channel.reverse(account, waits.outTradeNo));
  expect(await stateOf(account, waits.outTradeNo)).toMatchObject({ tradeState: done ? "CLOSED" : "USERPAYING" });
});

test("a code that nobody listed is unknown, for every call", async () => {
  const account = accounts.direct;
  const paid = byCode();
  await channel.pay(account, paid);
  const calls: (() => Promise<Outcome<unknown>>)[] = [
    () => channel.pay(account, byCode()),
    () => channel.query(account, { outTradeNo: paid.outTradeNo }),
    () => channel.close(account, paid.outTradeNo),
    () => channel.reverse(account, paid.outTradeNo),
    () => channel.refund(account, refundOf(paid)),
    () => channel.queryRefund(account, "R1", paid.outTradeNo),
  ];
  for (const call of calls)
    for (const code of ["ACQ.SYSTEM_ERROR", "AQC.SYSTEM_ERROR", "ACQ.NEW_CODE", "toString", "__proto__"]) {
      await simulator.control("POST faults", { kind: "refuse", code });
      expect((await call()).kind).toBe("unknown");
    }
});

const read = (received: Pick<Received, "rawBody">, candidates: readonly AlipayAccount[] = [accounts.partner]) =>
  channel.readNotification(candidates, {}, received.rawBody, new Date());
async function notified(account: AlipayAccount, then?: (paid: PaymentOrder) => Promise<unknown>): Promise<Received> {
  const paid = order();
  await channel.pay(account, paid);
  await simulator.control("POST pay", { outTradeNo: paid.outTradeNo });
  await then?.(paid);
  for (;;) {
    const found = inbox.received.find(
      ({ rawBody }) => rawBody.includes(paid.outTradeNo) && rawBody.includes("refund_fee") === Boolean(then),
    );
    if (found) return found;
    await inbox.arrived(inbox.received.length + 1);
  }
}

test("a payment is told as a signed form; a refund's says only that the order was paid", async () => {
  expect(read(await notified(accounts.partner))).toMatchObject({
    kind: "paid",
    eventId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    transaction: { tradeState: "SUCCESS", total_cents: 2_850 },
  });
  const ofPart = await notified(accounts.direct, (paid) => channel.refund(accounts.direct, refundOf(paid, { amount_cents: 850 })));
  expect(read(ofPart, [accounts.direct])).toMatchObject({ kind: "paid", transaction: { tradeState: "SUCCESS", total_cents: 2_850 } });
  const ofAll = await notified(accounts.direct, (paid) => channel.refund(accounts.direct, refundOf(paid)));
  expect(read(ofAll, [accounts.direct])).toMatchObject({ kind: "other", eventType: "trade_status_sync.TRADE_CLOSED" });
  expect(channel.replyToNotification(true)).toEqual({ status: 200, body: "success" });
});

test("a signature that covers sign_type is as good as one that does not, and neither holds for an altered message", () => {
  const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const account = { ...accounts.direct, publicKeyPem: pair.publicKey.export({ type: "spki", format: "pem" }).toString() };
  const fields: Record<string, string> = {
    notify_id: "n1",
    notify_type: "trade_status_sync",
    app_id: account.appId,
    seller_id: account.sellerId,
    out_trade_no: "P1",
    trade_no: "2026",
    trade_status: "TRADE_SUCCESS",
    total_amount: "28.50",
    receipt_amount: "28.50",
    buyer_pay_amount: "28.50",
    gmt_payment: "2026-11-20 12:00:00",
    sign_type: "RSA2",
  };
  for (const left of [["sign_type"], []]) {
    const sign = signRsa2(pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString(), textToSign(fields, left));
    const form = (more: Record<string, string>) => ({ rawBody: Buffer.from(new URLSearchParams({ ...fields, ...more, sign }).toString()) });
    expect(read(form({}), [account])).toMatchObject({ kind: "paid", transaction: { total_cents: 2_850 } });
    expect(read(form({ total_amount: "0.01" }), [account])).toMatchObject({ code: "SIGNATURE" });
  }
});

test("another merchant's and a stranger's are refused", async () => {
  const received = await notified(accounts.partner);
  expect(read(received, [{ ...accounts.partner, sellerId: "2088000000000001" }])).toMatchObject({ code: "MERCHANT" });
  expect(read(received, [{ ...accounts.partner, appId: "2021000000000000" }])).toMatchObject({ code: "MERCHANT" });
  expect(read(received, [{ ...accounts.partner, publicKeyPem: PUBLIC }])).toMatchObject({ code: "SIGNATURE" });
  expect(read(received, [])).toMatchObject({ code: "SIGNATURE" });
});

test("2,000 altered messages: none is read as something else", async () => {
  const [one, other] = [await notified(accounts.partner), await notified(accounts.partner)];
  const said = JSON.stringify(readForm(one.rawBody.toString()));
  const accepted: string[] = [];
  const tally = new Map<string, number>();
  for (let count = 0; count < 2_000; count += 1) {
    const [name, change] = Object.entries(ALTERATIONS)[count % Object.keys(ALTERATIONS).length]!;
    const rawBody = change(one.rawBody, other.rawBody);
    // Another spelling of the same content (%2f for %2F) is no other message.
    if (JSON.stringify(readForm(rawBody.toString())) === said) continue;
    tally.set(name, (tally.get(name) ?? 0) + 1);
    if (read({ rawBody }).kind !== "refused") accepted.push(`${name}: ${rawBody.toString()}`);
  }
  expect(accepted).toEqual([]);
  expect([...tally.keys()].toSorted()).toEqual(Object.keys(ALTERATIONS).toSorted());
  expect(Math.min(...tally.values())).toBeGreaterThan(100);
  expect(read(one).kind).toBe("paid");
});

const fieldsOf = (body: Buffer) => [...new URLSearchParams(body.toString())];
const formOf = (fields: readonly (readonly string[])[]) =>
  Buffer.from(new URLSearchParams(fields.map(([name = "", value = ""]) => [name, value] as [string, string])).toString());
const at = (fields: readonly unknown[]) => randomInt(fields.length);
const ALTERATIONS: Readonly<Record<string, (body: Buffer, other: Buffer) => Buffer>> = {
  "a bit of the body": (body) => {
    const copy = Buffer.from(body);
    const index = randomInt(copy.length);
    copy[index] = (copy[index] ?? 0) ^ (1 << randomInt(8));
    return copy;
  },
  "a body cut short": (body) => body.subarray(0, randomInt(body.length)),
  "something after the body": (body) => Buffer.concat([body, Buffer.from(`&x${randomInt(99)}=1`)]),
  "a value of another": (body, other) => {
    const [fields, theirs] = [fieldsOf(body), fieldsOf(other)];
    const index = fields.findIndex(([name], n) => ["sign", "notify_id", "out_trade_no", "trade_no"].includes(name) && n >= at(fields) / 2);
    return formOf(fields.map((pair, n) => (n === index ? theirs.find(([name]) => name === pair[0])! : pair)));
  },
  "another amount": (body) =>
    formOf(fieldsOf(body).map(([name, value]) => [name, name === "total_amount" ? `${randomInt(1, 9_999)}.00` : value])),
  "a field missing": (body) => {
    const fields = fieldsOf(body);
    const index = at(fields);
    return formOf(fields.filter((_pair, n) => n !== index));
  },
  "a field twice": (body) => {
    const fields = fieldsOf(body);
    return formOf([...fields, fields[at(fields)]!]);
  },
  "two fields in one": (body) => {
    const fields = fieldsOf(body).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const index = randomInt(fields.length - 3);
    const [first, second] = [fields[index]!, fields[index + 1]!];
    return formOf([...fields.slice(0, index), [first[0], `${first[1]}&${second[0]}=${second[1]}`], ...fields.slice(index + 2)]);
  },
  "another way of signing": (body) => formOf(fieldsOf(body).map(([name, value]) => [name, name === "sign_type" ? "RSA" : value])),
  "a signature spelled differently": (body) =>
    formOf(
      fieldsOf(body).map(([name, value]) => [
        name,
        name === "sign" ? [`${value}=`, ` ${value}`, value.replaceAll("=", "")][randomInt(3)]! : value,
      ]),
    ),
  "an empty field more": (body) => Buffer.concat([body, Buffer.from(`&zz${randomInt(99)}=`)]),
  "a status of ours": (body) => formOf(fieldsOf(body).map(([name, value]) => [name, name === "trade_status" ? "TRADE_FINISHED" : value])),
};

test("the node of an answer is taken as it stands, and nothing else is", () => {
  const text = '{ "a_response" : {"code":"1\\/0", "x":[1,{"y":"}],\\""}]} ,"sign":"s,}" }';
  expect([...rawMembers(text)!]).toEqual([
    ["a_response", '{"code":"1\\/0", "x":[1,{"y":"}],\\""}]}'],
    ["sign", '"s,}"'],
  ]);
  expect([rawMembers('{"a":1,"a":2}'), rawMembers("[1]"), rawMembers("{"), rawMembers("null"), rawMembers('{"a":1,"\\u0061":2}')]).toEqual(
    Array.from({ length: 5 }, () => undefined),
  );
  expect([...rawMembers("{}")!]).toEqual([]);
});
