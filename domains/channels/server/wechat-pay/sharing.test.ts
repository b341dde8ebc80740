import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { ChannelAccount } from "../channel.ts";
import type { ShareOrder } from "../sharing-channel.ts";
import { startInbox, startSimulator, testTransport, type TestSimulator } from "../simulator-for-tests.ts";
import { wechatAbnormalRefunds } from "./abnormal-refund.ts";
import { readNotification } from "./read/read-notification.ts";
import { wechatSharing } from "./sharing.ts";
import { wechatPay } from "./wechat-pay.ts";

let simulator: TestSimulator;
let inbox: Awaited<ReturnType<typeof startInbox>>;
let account: ChannelAccount;
const sharing = wechatSharing(testTransport);
const pay = wechatPay(testTransport);
beforeAll(async () => {
  simulator = await startSimulator(1_000);
  inbox = await startInbox();
  account = await simulator.register({ mode: "partner" });
  for (const [type, number, name] of RECEIVERS)
    expect(await sharing.addReceiver(account, { type, account: number, name, relation: "PARTNER", customRelation: null })).toEqual({
      kind: "ok",
      value: null,
    });
});
afterEach(() => simulator.control("DELETE faults"));
afterAll(async () => {
  await inbox.stop();
  await simulator.stop();
});
const RECEIVERS = [
  ["MERCHANT_ID", "1900000101", "甲有限公司"],
  ["MERCHANT_ID", "1900009001", "乙有限公司"],
  ["MERCHANT_ID", "1900009003", "丙有限公司"],
  ["PERSONAL_OPENID", "oPerson01", null],
] as const;

/** A payment whose money is frozen, a minute old by the simulator's pace. */
async function frozen(profitSharing = true): Promise<string> {
  const outTradeNo = `P${randomUUID().replaceAll("-", "").slice(0, 24)}`;
  const expiresAt = new Date(Date.now() + 600_000).toISOString();
  const asked = {
    tradeType: "NATIVE",
    outTradeNo,
    description: "午餐",
    amount_cents: 10_000,
    notifyUrl: inbox.url,
    expiresAt,
    clientIp: "127.0.0.1",
  } as const;
  await pay.pay(account, { ...asked, profitSharing });
  await simulator.control("POST pay", { outTradeNo });
  await new Promise((resolve) => setTimeout(resolve, 80));
  const found = await pay.query(account, { outTradeNo });
  if (found.kind !== "ok") throw new Error("not paid");
  return found.value.transactionId!;
}
const line = (number: string, amount_cents: number, type: "MERCHANT_ID" | "PERSONAL_OPENID" = "MERCHANT_ID") => ({
  type,
  account: number,
  name: null,
  amount_cents,
  description: "分给合作方",
});
const order = (transactionId: string, lines: ShareOrder["lines"], unfreeze = false): ShareOrder => ({
  transactionId,
  outOrderNo: `S${randomUUID().replaceAll("-", "").slice(0, 20)}`,
  lines,
  unfreeze,
});
async function finished(given: ShareOrder) {
  for (;;) {
    const found = await sharing.queryShare(account, given);
    if (found.kind !== "ok" || found.value.finished) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test("a share is taken, made, told by a signed notification and given back in part", async () => {
  const given = order(await frozen(), [line("1900000101", 1_000), line("oPerson01", 500, "PERSONAL_OPENID")]);
  expect(await sharing.share(account, given)).toMatchObject({
    kind: "ok",
    value: { finished: false, lines: [{ result: "pending" }, { result: "pending" }] },
  });
  expect(await finished(given)).toMatchObject({
    kind: "ok",
    value: { finished: true, lines: [{ result: "success", amount_cents: 1_000 }, { result: "success" }] },
  });
  // The number again with the same content is the same share, with other content it is refused.
  expect(await sharing.share(account, given)).toMatchObject({ kind: "ok" });
  expect(await sharing.share(account, { ...given, lines: [line("1900000101", 999)] })).toMatchObject({
    kind: "refused",
    code: "INVALID_REQUEST",
  });
  expect(await sharing.unsplit(account, given.transactionId)).toEqual({ kind: "ok", value: { cents: 8_440 } });
  const told = await inbox.arrived(3);
  const news = told.map((one) => readNotification([account], one.headers as Record<string, string>, one.rawBody, new Date()));
  expect(news.filter((one) => one.kind === "share").map((one) => one.kind === "share" && one.number)).toContain(given.outOrderNo);
  const back = {
    outOrderNo: given.outOrderNo,
    outReturnNo: `B${given.outOrderNo.slice(1)}`,
    type: "MERCHANT_ID",
    account: "1900000101",
    transactionId: given.transactionId,
    amount_cents: 400,
    reason: "用户退款",
  } as const;
  expect(await sharing.giveBack(account, back)).toMatchObject({ kind: "ok", value: { result: "processing", amount_cents: 400 } });
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(await sharing.queryReturn(account, back)).toMatchObject({ kind: "ok", value: { result: "success" } });
  expect(await sharing.giveBack(account, { ...back, outReturnNo: `${back.outReturnNo}x`, amount_cents: 601 })).toMatchObject({
    kind: "refused",
  });
  expect(await sharing.giveBack(account, { ...back, outReturnNo: `${back.outReturnNo}y`, account: "oPerson01" })).toMatchObject({
    kind: "refused",
  });
});

test("what the channel refuses: a minute too early, unmarked, above the ratio, unknown receivers, after 完结", async () => {
  expect(await sharing.share(account, order(await frozen(false), [line("1900000101", 1)]))).toMatchObject({
    kind: "refused",
    code: "INVALID_REQUEST",
  });
  const paid = await frozen();
  expect(await sharing.share(account, order(paid, [line("1900000101", 3_001)]))).toMatchObject({ kind: "refused", code: "RULE_LIMIT" });
  expect(await sharing.share(account, order(paid, [line("1999999999", 1)]))).toMatchObject({ kind: "refused", code: "INVALID_REQUEST" });
  expect(await sharing.queryShare(account, { outOrderNo: "S0000000", transactionId: paid, lines: [] })).toMatchObject({
    kind: "refused",
    code: "NOT_FOUND",
  });
  expect(
    await sharing.unfreeze(account, { outOrderNo: "U".padEnd(20, paid.slice(-19)), transactionId: paid, reason: "解冻" }),
  ).toMatchObject({ kind: "ok", value: { finished: true } });
  expect(await sharing.share(account, order(paid, [line("1900000101", 1)]))).toMatchObject({ kind: "refused", code: "NOT_ENOUGH" });
  expect(await sharing.maxRatio(account)).toEqual({ kind: "ok", value: { ratio: 30_000 } });
});

test("a receiver's account that is closed gets nothing, one without money gives nothing back", async () => {
  const given = order(await frozen(), [line("1900009001", 100), line("1900009003", 200)]);
  await sharing.share(account, given);
  expect(await finished(given)).toMatchObject({
    value: { lines: [{ result: "closed", failReason: "ACCOUNT_ABNORMAL" }, { result: "success" }] },
  });
  const back = {
    outOrderNo: given.outOrderNo,
    outReturnNo: `B${given.outOrderNo.slice(1)}`,
    type: "MERCHANT_ID",
    account: "1900009003",
    transactionId: given.transactionId,
    amount_cents: 200,
    reason: "用户退款",
  } as const;
  await sharing.giveBack(account, back);
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(await sharing.queryReturn(account, back)).toMatchObject({ value: { result: "failed", failReason: "BALANCE_NOT_ENOUGH" } });
});

test.each(["lost-reply", "error-500-done", "forged-answer", "garbled-answer", "unsigned-answer"])(
  "a share whose answer is %s is unknown, and the query knows",
  async (kind) => {
    const given = order(await frozen(), [line("1900000101", 100)]);
    await simulator.control("POST faults", { kind, operation: "share", number: given.outOrderNo });
    expect((await sharing.share(account, given)).kind).toBe("unknown");
    expect((await sharing.queryShare(account, given)).kind).toBe("ok");
  },
);

test("a name that does not fit is a no, a merchant without a name is not asked for", async () => {
  const receiver = { type: "MERCHANT_ID", account: "1900000102", relation: "CUSTOM", customRelation: "加盟商" } as const;
  expect(await sharing.addReceiver(account, { ...receiver, name: "不符有限公司" })).toMatchObject({ kind: "refused" });
  expect(await sharing.addReceiver(account, { ...receiver, name: "丁有限公司" })).toMatchObject({ kind: "ok" });
  expect(await sharing.removeReceiver(account, receiver)).toMatchObject({ kind: "ok" });
  expect(await sharing.share(account, order(await frozen(), [line("1900000102", 1)]))).toMatchObject({ kind: "refused" });
});

test("an abnormal refund goes on to a card of the payer, whose number the channel alone reads", async () => {
  const transactionId = await frozen(false);
  const { value } = (await pay.query(account, { transactionId })) as { value: { outTradeNo: string } };
  await simulator.control("POST settings", { refundAfter_ms: null });
  const outRefundNo = `R${value.outTradeNo.slice(1)}`;
  const asked = {
    outTradeNo: value.outTradeNo,
    outRefundNo,
    amount_cents: 10_000,
    total_cents: 10_000,
    reason: "退桌",
    notifyUrl: inbox.url,
  };
  const refund = await pay.refund(account, asked);
  await simulator.control("POST refund", { outRefundNo, result: "ABNORMAL" });
  const refundId = refund.kind === "ok" ? refund.value.refundId : "";
  const redirect = (number: string) =>
    wechatAbnormalRefunds(testTransport).redirect(account, {
      refundId,
      outRefundNo,
      card: { bankType: "ICBC_DEBIT", account: number, name: "李四" },
    });
  expect(await redirect("12")).toMatchObject({ kind: "refused", code: "PARAM_ERROR" });
  expect(await redirect("6222021234567890123")).toMatchObject({ kind: "ok", value: { status: "processing" } });
  await simulator.control("POST refund", { outRefundNo });
  expect(await pay.queryRefund(account, outRefundNo)).toMatchObject({ value: { status: "success" } });
});
