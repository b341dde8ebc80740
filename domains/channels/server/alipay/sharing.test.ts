import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { NOT_FOUND } from "../channel.ts";
import type { AlipayAccount, PaymentOrder } from "../channel.ts";
import type { ReceiverType, ShareOrder, ShareReturnOrder } from "../sharing-channel.ts";
import { startInbox, startSimulator, testTransport, type TestSimulator } from "../simulator-for-tests.ts";
import { alipay } from "./alipay.ts";
import { alipaySharing } from "./sharing.ts";

const pay = alipay(testTransport);
const sharing = alipaySharing(testTransport);
let simulator: TestSimulator;
let inbox: Awaited<ReturnType<typeof startInbox>>;
const accounts = {} as Record<"partner" | "direct", AlipayAccount>;
const RECEIVERS: readonly (readonly [ReceiverType, string, string | null])[] = [
  ["ALIPAY_USER_ID", "2088000000000101", null],
  ["ALIPAY_LOGIN_NAME", "partner@example.cn", "合作伙伴有限公司"],
  ["ALIPAY_USER_ID", "2088000000009001", null],
  ["ALIPAY_USER_ID", "2088000000009003", null],
  ["ALIPAY_USER_ID", "2088000000009005", null],
];
beforeAll(async () => {
  simulator = await startSimulator(500);
  inbox = await startInbox(() => 200);
  for (const mode of ["partner", "direct"] as const) {
    accounts[mode] = await simulator.registerAlipay(mode, inbox.url);
    for (const [type, account, name] of RECEIVERS)
      expect(await sharing.addReceiver(accounts[mode], { type, account, name, relation: "PARTNER", customRelation: null })).toEqual({
        kind: "ok",
        value: null,
      });
  }
});
afterEach(() => simulator.control("DELETE faults"));
afterAll(async () => {
  await inbox.stop();
  await simulator.stop();
});
const number = (letter: string) => `${letter}${randomUUID().replaceAll("-", "").slice(0, 24)}`;
const soon = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A payment of 100 yuan whose money is frozen, half a minute old by the simulator's pace. */
async function frozen(account: AlipayAccount, profitSharing = true): Promise<string> {
  const asked: PaymentOrder = {
    tradeType: "MICROPAY",
    wallet: "alipay",
    outTradeNo: number("P"),
    description: "午餐",
    amount_cents: 10_000,
    authCode: "281234567812345678",
    notifyUrl: inbox.url,
    expiresAt: new Date(Date.now() + 600_000).toISOString(),
    clientIp: "127.0.0.1",
    profitSharing,
  };
  const paid = await pay.pay(account, asked);
  if (paid.kind !== "ok" || paid.value.kind !== "transaction") throw new Error("not paid");
  await soon(70);
  return paid.value.transaction.transactionId!;
}
const line = ([type, account, name]: (typeof RECEIVERS)[number], amount_cents: number): ShareOrder["lines"][number] => ({
  type,
  account,
  name,
  amount_cents,
  description: "分给合作方",
});
const order = (transactionId: string, lines: ShareOrder["lines"], unfreeze = false): ShareOrder => ({
  transactionId,
  outOrderNo: `${number("S")}-2`,
  lines,
  unfreeze,
});
const backOf = (given: ShareOrder, at: number, amount_cents: number): ShareReturnOrder => ({
  transactionId: given.transactionId,
  outOrderNo: given.outOrderNo,
  outReturnNo: number("B"),
  type: RECEIVERS[at]![0],
  account: RECEIVERS[at]![1],
  amount_cents,
  reason: "用户退款",
});
async function until<T>(ask: () => Promise<T>, right: (found: T) => boolean): Promise<T> {
  for (let tries = 0; ; tries++) {
    const found = await ask();
    if (right(found) || tries > 200) return found;
    await soon(20);
  }
}
const finished = (account: AlipayAccount, given: ShareOrder) =>
  until(
    () => sharing.queryShare(account, given),
    (found) => found.kind !== "ok" || found.value.finished,
  );
const decided = (account: AlipayAccount, given: ShareReturnOrder) =>
  until(
    () => sharing.queryReturn(account, given),
    (found) => found.kind !== "ok" || found.value.result !== "processing",
  );

describe.each(["partner", "direct"] as const)("%s mode", (mode) => {
  const account = () => accounts[mode];

  test("a share is taken, made for each receiver, given back in part without a refund, and the refund goes out after it", async () => {
    const given = order(await frozen(account()), [line(RECEIVERS[0]!, 1_000), line(RECEIVERS[1]!, 500)]);
    expect(await sharing.queryShare(account(), given)).toMatchObject({ kind: "refused", code: NOT_FOUND });
    expect(await sharing.share(account(), given)).toMatchObject({
      kind: "ok",
      value: { outOrderNo: given.outOrderNo, finished: false, lines: [{ result: "pending" }, { result: "pending" }] },
    });
    expect(await finished(account(), given)).toMatchObject({
      kind: "ok",
      value: {
        outOrderNo: given.outOrderNo,
        lines: [
          { type: "ALIPAY_USER_ID", result: "success", amount_cents: 1_000 },
          { type: "ALIPAY_LOGIN_NAME", account: "partner@example.cn", result: "success", amount_cents: 500 },
        ],
      },
    });
    // The number again with the same content is the same share; with other content nothing is known of ours.
    expect(await sharing.share(account(), given)).toMatchObject({ kind: "ok" });
    expect((await sharing.share(account(), { ...given, lines: [line(RECEIVERS[0]!, 999)] })).kind).toBe("unknown");
    expect(await sharing.unsplit(account(), given.transactionId)).toEqual({ kind: "ok", value: { cents: 8_500 } });
    const back = backOf(given, 1, 200);
    expect(await sharing.queryReturn(account(), back)).toMatchObject({ kind: "refused", code: NOT_FOUND });
    for (let twice = 0; twice < 2; twice++)
      expect(await sharing.giveBack(account(), back)).toMatchObject({ kind: "ok", value: { result: "processing", amount_cents: 200 } });
    expect(await decided(account(), back)).toMatchObject({ value: { result: "success", amount_cents: 200, failReason: null } });
    expect(await sharing.giveBack(account(), backOf(given, 1, 301))).toMatchObject({ code: "ACQ.ALLOC_AMOUNT_VALIDATE_ERROR" });
    const found = await pay.query(account(), { transactionId: given.transactionId });
    expect(found).toMatchObject({ kind: "ok", value: { tradeState: "SUCCESS" } });
    const { outTradeNo } = (found as { value: { outTradeNo: string } }).value;
    const asked = { outTradeNo, outRefundNo: number("R"), amount_cents: 8_700, total_cents: 10_000, reason: "退菜", notifyUrl: "" };
    expect(await pay.refund(account(), asked)).toMatchObject({ kind: "ok", value: { status: "success" } });
  });
});

test("the end of a share and of a return is told to the application by a signed message that another key does not open", async () => {
  const account = accounts.partner;
  const given = order(await frozen(account), [line(RECEIVERS[0]!, 1_000)]);
  await sharing.share(account, given);
  await finished(account, given);
  const told = await until(
    async () => inbox.received.find(({ rawBody }) => rawBody.includes(given.outOrderNo.replace("-", "_"))),
    (found) => found !== undefined,
  );
  const read = (candidates: readonly AlipayAccount[]) => pay.readNotification(candidates, {}, told!.rawBody, new Date());
  expect(read([account])).toMatchObject({ kind: "share", number: given.outOrderNo });
  expect(read([{ ...account, appId: "2021000000000000" }])).toMatchObject({ kind: "refused", code: "MERCHANT" });
  expect(read([{ ...account, publicKeyPem: OTHER }])).toMatchObject({ kind: "refused", code: "SIGNATURE" });
  const altered = Buffer.from(told!.rawBody.toString().replace("async_settle_result", "async_settle_resulT"));
  expect(pay.readNotification([account], {}, altered, new Date())).toMatchObject({ kind: "refused" });
});
const OTHER = `-----BEGIN PUBLIC KEY-----
MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBALqcwnBY9UR3Mbs5sMaUm4yTFjBRXg0OpNPLVUZp0xmsbLUoMZ1kTNvRtuoHD3t0WuVtDyF7vXRZMmDGGZ9KvEsCAwEAAQ==
-----END PUBLIC KEY-----`;

test("what the channel refuses: unmarked money, more than the ratio, unknown receivers, after 完结", async () => {
  const account = accounts.partner;
  const refused = async (given: ShareOrder) => {
    const outcome = await sharing.share(account, given);
    return outcome.kind === "refused" ? outcome.code : outcome.kind;
  };
  expect(await refused(order(await frozen(account, false), [line(RECEIVERS[0]!, 1)]))).toBe("ACQ.ALLOC_AMOUNT_VALIDATE_ERROR");
  const paid = await frozen(account);
  expect(await refused(order(paid, [line(RECEIVERS[0]!, 3_001)]))).toBe("ACQ.ALLOC_AMOUNT_VALIDATE_ERROR");
  expect(await refused(order(paid, [line(["ALIPAY_USER_ID", "2088999999999999", null], 1)]))).toBe("ACQ.ROYALTY_RECEIVER_INVALID");
  const rest = { outOrderNo: number("S"), transactionId: paid, reason: "解冻" };
  expect(await sharing.unfreeze(account, rest)).toMatchObject({ kind: "ok", value: { finished: true, lines: [] } });
  expect(await sharing.queryShare(account, { ...rest, lines: [] })).toMatchObject({ kind: "ok", value: { finished: true } });
  expect(await refused(order(paid, [line(RECEIVERS[0]!, 1)]))).toBe("ACQ.ALLOC_AMOUNT_VALIDATE_ERROR");
  expect(await sharing.maxRatio(account)).toEqual({ kind: "ok", value: { ratio: 30_000 } });
});

test("a closed account gets nothing and keeps the rest frozen; one without money or consent gives nothing back", async () => {
  const account = accounts.direct;
  const none = order(await frozen(account), [line(RECEIVERS[2]!, 100)], true);
  await sharing.share(account, none);
  expect(await finished(account, none)).toMatchObject({
    value: { lines: [{ result: "closed", failReason: "TXN_RESULT_ACCOUNT_ABNORMAL" }] },
  });
  expect(await sharing.unsplit(account, none.transactionId)).toEqual({ kind: "ok", value: { cents: 10_000 } });
  const given = order(none.transactionId, [line(RECEIVERS[3]!, 200), line(RECEIVERS[4]!, 300)], true);
  await sharing.share(account, given);
  await finished(account, given);
  expect(await sharing.unsplit(account, none.transactionId)).toEqual({ kind: "ok", value: { cents: 0 } });
  const back = backOf(given, 3, 200);
  await sharing.giveBack(account, back);
  expect(await decided(account, back)).toMatchObject({ value: { result: "failed", failReason: "TXN_RESULT_ACCOUNT_BALANCE_NOT_ENOUGH" } });
  expect(await sharing.giveBack(account, backOf(given, 4, 300))).toMatchObject({ kind: "refused", code: "ACQ.REFUNDALLOC_UNAUTH_LIMIT" });
});

test("who is masked in the answers is told by place and amount: each in its own state, and its return is its own", async () => {
  const account = accounts.direct;
  await simulator.control("POST settings", { masks: true });
  try {
    const given = order(await frozen(account), [line(RECEIVERS[1]!, 300), line(RECEIVERS[2]!, 200), line(RECEIVERS[0]!, 300)]);
    await sharing.share(account, given);
    expect(await finished(account, given)).toMatchObject({
      kind: "ok",
      value: {
        lines: [
          { type: "ALIPAY_LOGIN_NAME", account: "partner@example.cn", amount_cents: 300, result: "success" },
          { type: "ALIPAY_USER_ID", account: "2088000000009001", amount_cents: 200, result: "closed" },
          { type: "ALIPAY_USER_ID", account: "2088000000000101", amount_cents: 300, result: "success" },
        ],
      },
    });
    for (const at of [0, 1]) {
      const back = backOf(given, at, 100);
      await sharing.giveBack(account, back);
      expect(await decided(account, back)).toMatchObject({ value: { result: "success", amount_cents: 100 } });
    }
  } finally {
    await simulator.control("POST settings", { masks: false });
  }
});

test.each(["lost-request", "error-500", "lost-reply", "error-500-done", "forged-answer", "garbled-answer", "unsigned-answer"])(
  "a share, a return and a letting go whose answer is %s are unknown, the query knows, and sent again they go out once",
  async (kind) => {
    const account = accounts.partner;
    const done = kind !== "lost-request" && kind !== "error-500";
    const spoil = (operation: string) => simulator.control("POST faults", { kind, operation });
    const given = order(await frozen(account), [line(RECEIVERS[0]!, 100)]);
    await spoil("share");
    expect((await sharing.share(account, given)).kind).toBe("unknown");
    expect(await sharing.queryShare(account, given)).toMatchObject(done ? { kind: "ok" } : { code: NOT_FOUND });
    expect((await sharing.share(account, given)).kind).toBe("ok");
    await finished(account, given);
    const back = backOf(given, 0, 100);
    await spoil("share-return");
    expect((await sharing.giveBack(account, back)).kind).toBe("unknown");
    expect(await sharing.queryReturn(account, back)).toMatchObject(done ? { kind: "ok" } : { code: NOT_FOUND });
    expect((await sharing.giveBack(account, back)).kind).toBe("ok");
    expect(await decided(account, back)).toMatchObject({ value: { result: "success" } });
    expect(await sharing.unsplit(account, given.transactionId)).toEqual({ kind: "ok", value: { cents: 9_900 } });
    const rest = { outOrderNo: number("S"), transactionId: given.transactionId, reason: "解冻" };
    await spoil("share");
    expect((await sharing.unfreeze(account, rest)).kind).toBe("unknown");
    expect((await sharing.unfreeze(account, rest)).kind).toBe("ok");
    expect(await sharing.unsplit(account, given.transactionId)).toEqual({ kind: "ok", value: { cents: 0 } });
  },
);

test("codes that say 'may have succeeded', or that nobody listed, are unknown for every call", async () => {
  const account = accounts.partner;
  const given = order(await frozen(account), [line(RECEIVERS[0]!, 100)]);
  const back = backOf(given, 0, 100);
  const receiver = { type: "ALIPAY_USER_ID", account: "2088000000000101", name: null, relation: "PARTNER", customRelation: null } as const;
  const calls = [
    () => sharing.share(account, given),
    () => sharing.queryShare(account, given),
    () => sharing.unfreeze(account, { ...given, reason: "解冻" }),
    () => sharing.giveBack(account, back),
    () => sharing.queryReturn(account, back),
    () => sharing.addReceiver(account, receiver),
    () => sharing.removeReceiver(account, receiver),
    () => sharing.maxRatio(account),
  ];
  for (const call of calls)
    for (const code of ["ACQ.SYSTEM_ERROR", "ACQ.TRADE_SETTLE_ERROR", "ACQ.DISCORDANT_REPEAT_REQUEST", "ACQ.NEW_CODE", "__proto__"]) {
      await simulator.control("POST faults", { kind: "refuse", code });
      expect((await call()).kind).toBe("unknown");
    }
});

test("a name that does not fit is a no; who was removed gets nothing", async () => {
  const account = accounts.partner;
  const receiver = { type: "ALIPAY_LOGIN_NAME", account: "other@example.cn", relation: "CUSTOM", customRelation: "加盟商" } as const;
  expect(await sharing.addReceiver(account, { ...receiver, name: "不符有限公司" })).toMatchObject({
    kind: "refused",
    code: "ACQ.USER_NOT_EXIST",
  });
  expect(await sharing.addReceiver(account, { ...receiver, name: "丁有限公司" })).toMatchObject({ kind: "ok" });
  expect(await sharing.removeReceiver(account, receiver)).toMatchObject({ kind: "ok" });
  expect(
    await sharing.share(account, order(await frozen(account), [line(["ALIPAY_LOGIN_NAME", "other@example.cn", null], 1)])),
  ).toMatchObject({
    code: "ACQ.ROYALTY_RECEIVER_INVALID",
  });
});
