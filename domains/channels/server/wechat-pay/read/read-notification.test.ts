import { randomBytes, randomInt } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ChannelAccount, Notification } from "../../channel.ts";
import { startInbox, startSimulator, testTransport } from "../../simulator-for-tests.ts";
import type { Received } from "../../simulator-for-tests.ts";
import { readNotification } from "./read-notification.ts";
import { wechatPay } from "../wechat-pay.ts";

const channel = wechatPay(testTransport);
let simulator: Awaited<ReturnType<typeof startSimulator>>;
let account: ChannelAccount;

beforeAll(async () => {
  simulator = await startSimulator();
  account = await simulator.register();
});
afterAll(() => simulator.stop());

const newNumber = () => `N${randomBytes(12).toString("hex")}`;
const read = (received: Received, candidates = [account], now = new Date()) =>
  readNotification(candidates, received.headers, received.rawBody, now);

/** A native order that the customer pays, with what the channel then sent to its own address. */
async function payAndListen(given: { from?: ChannelAccount; fault?: object; count?: number; take?: (received: Received) => number } = {}) {
  const inbox = await startInbox(given.take);
  const outTradeNo = newNumber();
  const expiresAt = new Date(Date.now() + 600_000).toISOString();
  const asked = {
    tradeType: "NATIVE",
    outTradeNo,
    description: "咖啡",
    amount_cents: 1_234,
    notifyUrl: inbox.url,
    expiresAt,
    clientIp: "127.0.0.1",
  } as const;
  await channel.pay(given.from ?? account, asked);
  if (given.fault) await simulator.control("POST faults", { operation: "transaction", number: outTradeNo, ...given.fault });
  await simulator.control("POST pay", { outTradeNo });
  const received = await inbox.arrived(given.count ?? 1);
  return { outTradeNo, inbox, received: [...received], first: received[0] as Received };
}

test("a payment is told with its amounts, payer and moment", async () => {
  const { first, outTradeNo, inbox } = await payAndListen();
  expect(read(first)).toMatchObject({
    kind: "paid",
    account: { subMchId: account.subMchId },
    transaction: { outTradeNo, tradeState: "SUCCESS", total_cents: 1_234, paid_cents: 1_234, tradeType: "NATIVE" },
  });
  await inbox.stop();
});

test("a refund is told with its end, in both modes", async () => {
  for (const mode of ["partner", "direct"] as const) {
    const from = await simulator.register({ mode });
    const { outTradeNo, inbox } = await payAndListen({ from });
    const refund = { outTradeNo, outRefundNo: newNumber(), amount_cents: 234, total_cents: 1_234, reason: "少一份", notifyUrl: inbox.url };
    await channel.refund(from, refund);
    const told = read((await inbox.arrived(2))[1] as Received, [from]);
    expect(told).toMatchObject({
      kind: "refund",
      refund: { outRefundNo: refund.outRefundNo, outTradeNo, status: "success", amount_cents: 234, total_cents: 1_234 },
    });
    await inbox.stop();
  }
});

test("the same event comes until it is taken, under the same event id", async () => {
  let left = 3;
  const { received, inbox } = await payAndListen({ count: 4, take: () => (left-- > 0 ? 500 : 204) });
  const ids = received.map((one) => (read(one) as { eventId: string }).eventId);
  expect(new Set(ids).size).toBe(1);
  // Each try is signed afresh.
  expect(new Set(received.map((one) => one.headers["wechatpay-nonce"])).size).toBe(4);
  await inbox.stop();
});

test("copies are told apart by nothing: one event, several times", async () => {
  const { received, inbox } = await payAndListen({ fault: { kind: "duplicate", copies: 5 }, count: 5 });
  expect(new Set(received.map((one) => (read(one) as { eventId: string }).eventId)).size).toBe(1);
  await inbox.stop();
});

test.each([
  ["forged", "SIGNATURE"],
  ["probe", "PROBE"],
  ["stale", "CLOCK"],
  ["wrong-merchant", "MERCHANT"],
])("%s is refused as %s, and the genuine one that follows is read", async (kind, code) => {
  const { received, first, inbox } = await payAndListen({ fault: { kind }, count: 2, take: () => 401 });
  expect(read(first)).toMatchObject({ kind: "refused", code });
  expect(read(received[1] as Received).kind).toBe("paid");
  await inbox.stop();
});

test("a wrong amount is genuine for the channel, so it is passed on for the order to compare", async () => {
  const { first, inbox } = await payAndListen({ fault: { kind: "wrong-amount" }, count: 2, take: () => 500 });
  expect(read(first)).toMatchObject({ kind: "paid", transaction: { total_cents: 1_235, paid_cents: 1_235 } });
  await inbox.stop();
});

test("both kinds of key are accepted while they change, and a new certificate once it is known", async () => {
  for (const [notificationKey, serial] of [
    ["public-key", /^PUB_KEY_ID_/],
    ["certificate", /^[0-9A-F]{40}$/],
  ] as const) {
    await simulator.control("POST settings", { notificationKey });
    const { first, inbox } = await payAndListen();
    expect(first.headers["wechatpay-serial"]).toMatch(serial);
    expect(read(first).kind).toBe("paid");
    await inbox.stop();
  }
  const { platformKeys } = (await simulator.control("POST rotate", {})) as { platformKeys: Record<string, string> };
  const { first, inbox } = await payAndListen();
  expect(read(first)).toMatchObject({ kind: "refused", code: "SERIAL" });
  expect(read(first, [{ ...account, platformKeys }]).kind).toBe("paid");
  await inbox.stop();

  // Answers follow the key that the request names, so an account with certificates only gets certificates.
  const certificates = Object.fromEntries(Object.entries(platformKeys).filter(([serial]) => !serial.startsWith("PUB_KEY_ID_")));
  const ask = (keys: Record<string, string>) => channel.query({ ...account, platformKeys: keys }, { outTradeNo: newNumber() });
  expect((await ask(platformKeys)).kind).toBe("refused");
  expect((await ask(certificates)).kind).toBe("refused");
  expect((await ask(Object.fromEntries(Object.entries(certificates).slice(0, 1)))).kind).toBe("unknown");
  // While both are held an answer under the certificate is taken too, though the request asked for the public key.
  const asked = wechatPay((request) =>
    testTransport({ ...request, headers: { ...request.headers, "Wechatpay-Serial": Object.keys(certificates).at(-1)! } }),
  );
  expect(await asked.query({ ...account, platformKeys }, { outTradeNo: newNumber() })).toMatchObject({ kind: "refused" });
  await simulator.control("POST settings", { notificationKey: "public-key" });
});

test("among several accounts the merchant inside decides; a stranger's key opens nothing", async () => {
  const sibling = { ...account, subMchId: "1600000001" };
  const stranger = await simulator.register();
  const { first, inbox } = await payAndListen();
  expect(read(first, [stranger, sibling, account])).toMatchObject({ kind: "paid", account: { subMchId: account.subMchId } });
  expect(read(first, [sibling])).toMatchObject({ kind: "refused", code: "MERCHANT" });
  expect(read(first, [stranger])).toMatchObject({ kind: "refused", code: "DECRYPT" });
  expect(read(first, [{ ...account, mode: "direct" }])).toMatchObject({ kind: "refused", code: "MERCHANT" });
  expect(read(first, [])).toMatchObject({ kind: "refused" });
  await inbox.stop();
});

test("five minutes either way is the limit", async () => {
  const { first, inbox } = await payAndListen();
  const sent = Number(first.headers["wechatpay-timestamp"]) * 1000;
  const at = (off_s: number) => read(first, [account], new Date(sent + off_s * 1000)).kind;
  expect([-301, -300, 0, 300, 301].map(at)).toEqual(["refused", "paid", "paid", "paid", "refused"]);
  await inbox.stop();
});

test("2,000 altered messages: none is accepted", async () => {
  const [one, other] = [await payAndListen(), await payAndListen()];
  const accepted: string[] = [];
  const tally = new Map<string, number>();
  for (let count = 0; count < 2_000; count += 1) {
    const source = count % 2 === 0 ? one.first : other.first;
    const { name, received } = alter(source, source === one.first ? other.first : one.first);
    const verdict: Notification = read(received);
    tally.set(name, (tally.get(name) ?? 0) + 1);
    if (verdict.kind !== "refused") accepted.push(`${name}: ${JSON.stringify(received.headers)} ${received.rawBody.toString()}`);
  }
  expect(accepted).toEqual([]);
  // Every kind of alteration was really tried.
  expect([...tally.keys()].toSorted()).toEqual(Object.keys(ALTERATIONS).toSorted());
  expect([read(one.first).kind, read(other.first).kind]).toEqual(["paid", "paid"]);
  await one.inbox.stop();
  await other.inbox.stop();
});

const SIGNED = ["wechatpay-signature", "wechatpay-timestamp", "wechatpay-nonce", "wechatpay-serial"] as const;
const header = (received: Received, name: string) => String(received.headers[name]);
const withHeaders = (received: Received, headers: Record<string, string | string[] | undefined>): Received => ({
  ...received,
  headers: { ...received.headers, ...headers },
});
const withBody = (received: Received, rawBody: Buffer): Received => ({ ...received, rawBody });
const oneOf = <T>(list: readonly T[]): T => list[randomInt(list.length)] as T;

const ALTERATIONS: Readonly<Record<string, (received: Received, other: Received) => Received>> = {
  "a bit of the body": (received) => {
    const body = Buffer.from(received.rawBody);
    const at = randomInt(body.length);
    body[at] = (body[at] ?? 0) ^ (1 << randomInt(8));
    return withBody(received, body);
  },
  "a body cut short": (received) => withBody(received, received.rawBody.subarray(0, randomInt(received.rawBody.length))),
  "something after the body": (received) => withBody(received, Buffer.concat([received.rawBody, randomBytes(randomInt(1, 9))])),
  "a space where JSON forgives it": (received) => withBody(received, Buffer.from(` ${received.rawBody.toString()}`)),
  "the body of another": (received, other) => withBody(received, other.rawBody),
  "a header of another": (received, other) => {
    const name = oneOf(SIGNED.slice(0, 3));
    const changed = withHeaders(received, { [name]: header(other, name) });
    return header(changed, name) === header(received, name)
      ? withHeaders(received, { "wechatpay-nonce": header(other, "wechatpay-nonce") })
      : changed;
  },
  "a character of a header": (received) => {
    const name = oneOf(SIGNED);
    const text = header(received, name);
    const at = randomInt(text.length);
    // A serial number says the same in either case.
    const same = (character: string) =>
      name === "wechatpay-serial" ? character.toUpperCase() === text[at]?.toUpperCase() : character === text[at];
    const instead = oneOf("0123456789ABCDEFabcdefXYZ+/=-_ ".split("").filter((character) => !same(character)));
    return withHeaders(received, { [name]: text.slice(0, at) + instead + text.slice(at + 1) });
  },
  "a header missing": (received) => withHeaders(received, { [oneOf(SIGNED)]: undefined }),
  "a header twice": (received) => {
    const name = oneOf(SIGNED);
    return withHeaders(received, { [name]: [header(received, name), header(received, name)] });
  },
  "another spelling of the signature": (received) => {
    const text = header(received, "wechatpay-signature");
    const spellings = [
      `${text}=`,
      text.replaceAll("=", ""),
      text.replaceAll("+", "-").replaceAll("/", "_"),
      ` ${text}`,
      `${text}\n`,
      `${text.slice(0, 5)}\n${text.slice(5)}`,
    ];
    return withHeaders(received, { "wechatpay-signature": oneOf(spellings.filter((spelling) => spelling !== text)) });
  },
  "the border between nonce and body": (received) => {
    const body = received.rawBody.toString();
    return withBody(withHeaders(received, { "wechatpay-nonce": `${header(received, "wechatpay-nonce")}\n${body}` }), Buffer.alloc(0));
  },
  "another moment": (received) =>
    withHeaders(received, { "wechatpay-timestamp": String(Number(header(received, "wechatpay-timestamp")) + oneOf([-1, 1, 60, -60])) }),
  "a serial that objects have": (received) =>
    withHeaders(received, { "wechatpay-serial": oneOf(["__proto__", "constructor", "toString", "hasOwnProperty"]) }),
  "another way of signing": (received) =>
    withHeaders(received, { "wechatpay-signature-type": oneOf(["WECHATPAY2-SM2-WITH-SM3", "none", "", "HMAC-SHA256"]) }),
};
function alter(received: Received, other: Received): { name: string; received: Received } {
  const [name, change] = oneOf(Object.entries(ALTERATIONS));
  return { name, received: change(received, other) };
}
