import { randomBytes, randomInt } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { payChannel } from "../../contract.ts";
import { NOT_FOUND } from "../channel.ts";
import type { AcquirerAccount, AcquirerChannel, Outcome, PaymentOrder, RefundOrder, Transaction, Wallet } from "../channel.ts";
import { startInbox, startSimulator, testTransport, type Received } from "../simulator-for-tests.ts";
import { acquirer } from "./acquirer.ts";
import { readFields } from "./fields.ts";
import { acquirerMappings } from "./mappings.ts";
import { signFields, verifyFields } from "./signing.ts";

const channel = acquirer(testTransport);
const CHANNELS = Object.keys(acquirerMappings).map(Number) as AcquirerChannel[];
let simulator: Awaited<ReturnType<typeof startSimulator>>;
let inbox: Awaited<ReturnType<typeof startInbox>>;
const accounts = new Map<AcquirerChannel, AcquirerAccount>();
beforeAll(async () => {
  simulator = await startSimulator();
  inbox = await startInbox();
  await simulator.control("POST settings", { refundAfter_ms: null });
  for (const code of CHANNELS) accounts.set(code, await simulator.registerAcquirer(code));
});
afterAll(async () => {
  await simulator.stop();
  await inbox.stop();
});

const newNumber = () => `Q${randomBytes(12).toString("hex")}`;
const order = (given: Partial<PaymentOrder> = {}): PaymentOrder => ({
  tradeType: "NATIVE",
  wallet: "wechat",
  outTradeNo: newNumber(),
  description: "拿铁 a=1&b=2",
  amount_cents: 2_850,
  notifyUrl: inbox.url,
  expiresAt: new Date(Date.now() + 600_000).toISOString(),
  clientIp: "127.0.0.1",
  ...given,
});
const CODES = { wechat: "1345678901", alipay: "2812345678", unionpay: "62123456789" } as const;
const byCode = (wallet: Wallet = "wechat", last = "12345678") =>
  order({ tradeType: "MICROPAY", wallet, authCode: `${CODES[wallet]}${last}` });
const refundOf = (paid: PaymentOrder, given: Partial<RefundOrder> = {}): RefundOrder => ({
  outTradeNo: paid.outTradeNo,
  outRefundNo: newNumber(),
  amount_cents: paid.amount_cents,
  total_cents: paid.amount_cents,
  reason: "顾客不要了",
  notifyUrl: inbox.url,
  ...given,
});
async function stateOf(account: AcquirerAccount, outTradeNo: string): Promise<Partial<Transaction> | string> {
  const found = await channel.query(account, { outTradeNo });
  return found.kind === "ok" ? found.value : found.kind === "refused" ? found.code : found.reason;
}
const bodyOf = ({ rawBody }: Received) => JSON.stringify(readFields("json", rawBody) ?? readFields("form", rawBody));
async function received(number: string): Promise<Received> {
  for (;;) {
    const found = inbox.received.find((one) => bodyOf(one).includes(number));
    if (found) return found;
    await inbox.arrived(inbox.received.length + 1);
  }
}
const read = (rawBody: Buffer, account: AcquirerAccount) => channel.readNotification([account], {}, rawBody, new Date());

describe.each(CHANNELS.map((code) => [payChannel.label(code), code] as const))("%s", (_label, code) => {
  const account = () => accounts.get(code)!;
  const mapping = acquirerMappings[code];

  test("a code of each wallet is shown, paid, told, and found under both numbers", async () => {
    for (const wallet of ["wechat", "alipay", "unionpay"] as const) {
      const asked = order({ wallet });
      expect(await channel.pay(account(), asked)).toMatchObject({
        kind: "ok",
        value: { kind: "code", codeUrl: expect.any(String) as string },
      });
      expect(await stateOf(account(), asked.outTradeNo)).toMatchObject({ tradeState: "NOTPAY", transactionId: null });
      await simulator.control("POST pay", { outTradeNo: asked.outTradeNo, paidAt: new Date(1_763_600_706_000).toISOString() });
      const paid = await stateOf(account(), asked.outTradeNo);
      expect(paid).toMatchObject({ tradeState: "SUCCESS", total_cents: 2_850, paid_cents: 2_850, paidAt: "2025-11-20T01:05:06.000Z" });
      expect(await channel.query(account(), { transactionId: (paid as Transaction).transactionId ?? "" })).toEqual({
        kind: "ok",
        value: paid,
      });
      expect(read((await received(asked.outTradeNo)).rawBody, account())).toMatchObject({
        kind: "paid",
        transaction: { outTradeNo: asked.outTradeNo, total_cents: 2_850 },
      });
    }
  });

  test("the page gets its parameters; a code on the phone pays at once, waits, or is refused; the same number goes out once", async () => {
    expect(await channel.pay(account(), order({ tradeType: "JSAPI", openId: "oUser" }))).toMatchObject({
      kind: "ok",
      value: { kind: "client", clientParams: { package: expect.stringMatching(/^prepay_id=/) as string } },
    });
    for (const wallet of ["wechat", "alipay", "unionpay"] as const)
      expect(await channel.pay(account(), byCode(wallet))).toMatchObject({
        value: { transaction: { tradeState: "SUCCESS", paid_cents: 2_850 } },
      });
    const waits = byCode("alipay", "00000003");
    expect(await channel.pay(account(), waits)).toMatchObject({ value: { transaction: { tradeState: "USERPAYING" } } });
    expect(await channel.reverse(account(), waits.outTradeNo)).toEqual({ kind: "ok", value: null });
    expect(await stateOf(account(), waits.outTradeNo)).toMatchObject({ tradeState: "CLOSED" });
    expect(await channel.pay(account(), byCode("wechat", "00000002"))).toMatchObject({ kind: "refused" });
    const paid = byCode();
    await channel.pay(account(), paid);
    expect((await channel.pay(account(), paid)).kind).toBe("unknown");
    expect((await channel.close(account(), paid.outTradeNo)).kind).toBe("refused");
    expect(await channel.close(account(), newNumber())).toMatchObject({ kind: "refused", code: NOT_FOUND });
    expect(await stateOf(account(), newNumber())).toBe(NOT_FOUND);
  });

  test("parts go back, are told and queried; the same number once, never more than was paid", async () => {
    const paid = byCode();
    await channel.pay(account(), paid);
    const part = refundOf(paid, { amount_cents: 1_000 });
    expect(await channel.queryRefund(account(), part.outRefundNo, paid.outTradeNo)).toMatchObject({ kind: "refused", code: NOT_FOUND });
    for (let times = 0; times < 2; times++)
      expect(await channel.refund(account(), part)).toMatchObject({ kind: "ok", value: { status: "processing", amount_cents: 1_000 } });
    expect((await channel.refund(account(), { ...part, amount_cents: 1 })).kind).toBe("unknown");
    await simulator.control("POST refund", { outRefundNo: part.outRefundNo });
    const done = { status: "success", amount_cents: 1_000, total_cents: 2_850, outTradeNo: paid.outTradeNo, outRefundNo: part.outRefundNo };
    expect(await channel.queryRefund(account(), part.outRefundNo, paid.outTradeNo)).toMatchObject({ kind: "ok", value: done });
    expect(read((await received(part.outRefundNo)).rawBody, account())).toMatchObject({ kind: "refund", refund: done });
    expect((await channel.refund(account(), refundOf(paid, { amount_cents: 1_851 }))).kind).toBe("refused");
    const closed = refundOf(paid, { amount_cents: 500 });
    await channel.refund(account(), closed);
    await simulator.control("POST refund", { outRefundNo: closed.outRefundNo, result: "CLOSED" });
    expect(await channel.queryRefund(account(), closed.outRefundNo, paid.outTradeNo)).toMatchObject({ value: { status: "closed" } });
  });

  test("lost, forged, unsigned and broken answers are unknown, and a query tells what happened", async () => {
    const NOT_DONE = ["lost-request", "error-500", "rate-limited"];
    for (const kind of [
      ...NOT_DONE,
      "lost-reply",
      "error-500-done",
      "rate-limited-done",
      "forged-answer",
      "unsigned-answer",
      "garbled-answer",
    ]) {
      const done = !NOT_DONE.includes(kind);
      const spoiled = async (ask: () => Promise<Outcome<unknown>>) => {
        await simulator.control("POST faults", { kind });
        expect([kind, (await ask()).kind]).toEqual([kind, "unknown"]);
      };
      const paying = byCode();
      await spoiled(() => channel.pay(account(), paying));
      const found = await stateOf(account(), paying.outTradeNo);
      if (done) expect(found).toMatchObject({ tradeState: "SUCCESS" });
      else expect(found).toBe(NOT_FOUND);
      const paid = byCode();
      await channel.pay(account(), paid);
      const part = refundOf(paid, { amount_cents: 1_000 });
      await spoiled(() => channel.refund(account(), part));
      await spoiled(() => channel.queryRefund(account(), part.outRefundNo, paid.outTradeNo));
      await channel.refund(account(), part);
      const { refunds } = (await simulator.control(`GET trade?outTradeNo=${paid.outTradeNo}`)) as { refunds: { amount: number }[] };
      expect(refunds.map(({ amount }) => amount)).toEqual([1_000]);
    }
    for (const word of ["SOMETHING_NEW", "toString", "__proto__"]) {
      await simulator.control("POST faults", { kind: "refuse", code: word });
      expect((await channel.pay(account(), byCode())).kind).toBe("unknown");
    }
    // A wrong key of ours is refused at the gate where the acquirer has a word for it, and is no yes anywhere.
    const stranger = { ...account(), privateKey: (await simulator.registerAcquirer(code)).privateKey };
    expect((await channel.query(stranger, { outTradeNo: newNumber() })).kind).toBe(mapping.words.gate.length > 0 ? "refused" : "unknown");
  });

  test("another merchant's notification and a stranger's are refused", async () => {
    const asked = order();
    await channel.pay(account(), asked);
    await simulator.control("POST pay", { outTradeNo: asked.outTradeNo });
    const { rawBody } = await received(asked.outTradeNo);
    expect(read(rawBody, { ...account(), merchantNo: "M1" })).toMatchObject({ kind: "refused", code: "MERCHANT" });
    const other = accounts.get(code === 3 || code === 4 || code === 6 ? 1 : 3)!;
    expect(read(rawBody, { ...account(), channel: other.channel, publicKey: other.publicKey }).kind).toBe("refused");
  });
});

test.each([
  ["RSA, as JSON", 1],
  ["RSA, as a form", 5],
  ["SM2, as a form", 4],
] as const)("2,000 altered messages signed with %s: none is read as something else", { timeout: 120_000 }, async (_what, code) => {
  const account = accounts.get(code)!;
  const { encoding, names } = acquirerMappings[code];
  const told: Buffer[] = [];
  for (const asked of [order(), order()]) {
    expect(await channel.pay(account, asked)).toMatchObject({ kind: "ok" });
    await simulator.control("POST pay", { outTradeNo: asked.outTradeNo });
    told.push((await received(asked.outTradeNo)).rawBody);
  }
  const [one, other] = told;
  const fields = readFields(encoding, one!)!;
  const theirs = readFields(encoding, other!)!;
  const write = (entries: readonly (readonly [string, string])[]): Buffer =>
    Buffer.from(
      encoding === "json"
        ? `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(",")}}`
        : new URLSearchParams(entries.map(([name, value]) => [name, value] as [string, string])).toString(),
    );
  const all = Object.entries(fields);
  const sorted = all.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const pick = () => randomInt(all.length);
  const changed = (change: (name: string, value: string) => string) => write(all.map(([name, value]) => [name, change(name, value)]));
  const ALTERATIONS: Readonly<Record<string, () => Buffer>> = {
    "a bit of the body": () => {
      const copy = Buffer.from(one!);
      const index = randomInt(copy.length);
      copy[index] = (copy[index] ?? 0) ^ (1 << randomInt(8));
      return copy;
    },
    "a body cut short": () => one!.subarray(0, randomInt(one!.length)),
    "a field more": () => write([...all, [`x${randomInt(99)}`, "1"]]),
    "a field missing": () => write(all.toSpliced(pick(), 1)),
    "a field twice": () => write([...all, [all[pick()]![0], "1"]]),
    "a value of another": () => {
      const index = [names.sign, names.order, names.trade, names.nonce][randomInt(4)]!;
      return changed((name, value) => (name === index ? (theirs[name] ?? `${value}1`) : value));
    },
    "another amount": () =>
      changed((name, value) =>
        name === names.amount || name === acquirerMappings[code].notice.amount ? `${randomInt(1, 99_999)}` : value,
      ),
    "two fields in one": () => {
      const index = randomInt(sorted.length - 1);
      const [first, second] = [sorted[index]!, sorted[index + 1]!];
      return write(sorted.toSpliced(index, 2, [first[0], `${first[1]}&${second[0]}=${second[1]}`]));
    },
    "a signature of nothing": () =>
      changed((name, value) => (name === names.sign ? ["", "AAAA", "00".repeat(64), "=".repeat(8)][randomInt(4)]! : value)),
    "a letter of the signature": () =>
      changed((name, value) => {
        if (name !== names.sign) return value;
        const index = randomInt(value.length);
        return `${value.slice(0, index)}${value[index] === "a" ? "b" : "a"}${value.slice(index + 1)}`;
      }),
  };
  const said = JSON.stringify(fields);
  const accepted: string[] = [];
  const tally = new Map<string, number>();
  for (let count = 0; count < 2_000; count += 1) {
    const [name, change] = Object.entries(ALTERATIONS)[count % Object.keys(ALTERATIONS).length]!;
    const rawBody = change();
    // Another spelling of the same content is no other message.
    if (JSON.stringify(readFields(encoding, rawBody)) === said) continue;
    tally.set(name, (tally.get(name) ?? 0) + 1);
    if (read(rawBody, account).kind !== "refused") accepted.push(`${name}: ${rawBody.toString()}`);
  }
  expect(accepted).toEqual([]);
  expect([...tally.keys()].toSorted()).toEqual(Object.keys(ALTERATIONS).toSorted());
  expect(Math.min(...tally.values())).toBeGreaterThan(100);
  expect(read(one!, account).kind).toBe("paid");
});

test("SM2 with SM3 is the standard's: what OpenSSL signed with the default id holds, under another id or text it doesn't", () => {
  const mapping = acquirerMappings[6];
  const fields = (text: string, sign: string) => ({ text, [mapping.names.sign]: sign });
  expect(verifyFields(mapping, OPENSSL.publicKey, fields("账房", OPENSSL.signature))).toBe(true);
  expect(verifyFields(mapping, OPENSSL.publicKey, fields("帐房", OPENSSL.signature))).toBe(false);
  expect(verifyFields(acquirerMappings[4], OPENSSL.publicKey, fields("账房", OPENSSL.signature))).toBe(false);
  const own = { text: "账房" };
  const key = "0000000000000000000000000000000000000000000000000000000000000002";
  expect(signFields(mapping, key, own)).not.toBe(signFields(mapping, key, own));
});
const OPENSSL = {
  publicKey:
    "045ff3a07abde4e38f0681a22269157e2e948ec57861a4e7ab22aa591c1032e487155a60f85d04d6d9671280bdb40b8928023182cf436dc5280af39524cf877378",
  signature: "MEQCIFilMYjpV9+NoDxg8MYlK/Uboz+Pw/d/nhgRMyE2dPMbAiBtYFyY54yLY9JCa9ph1LhM1EQkxgH02BbKjHP8KOKwMw==",
};
