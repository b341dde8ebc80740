import { createHash, createSign, randomBytes } from "node:crypto";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { ChannelAccount } from "@zhangfang/domains/channels/server/index.ts";
import { wechatPay } from "@zhangfang/domains/channels/server/index.ts";
import { startInbox, startSimulator, testTransport } from "@zhangfang/domains/channels/server/simulator-for-tests.ts";
import type { Received } from "@zhangfang/domains/channels/server/simulator-for-tests.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openState } from "./state.ts";
import type { Merchant } from "./state.ts";

const channel = wechatPay(testTransport);
let simulator: Awaited<ReturnType<typeof startSimulator>>;
beforeAll(async () => {
  simulator = await startSimulator();
  await simulator.control("POST settings", { refundAfter_ms: null });
});
afterAll(() => simulator.stop());

const newNumber = () => `S${randomBytes(12).toString("hex")}`;
const native = (outTradeNo: string, notifyUrl: string, given: { amount_cents?: number; description?: string; deviceId?: string } = {}) =>
  ({
    tradeType: "NATIVE",
    outTradeNo,
    description: "午餐",
    amount_cents: 1_000,
    notifyUrl,
    expiresAt: new Date(Date.now() + 600_000).toISOString(),
    clientIp: "127.0.0.1",
    ...given,
  }) as const;

const read = (account: ChannelAccount, received: readonly Received[]) =>
  received.map((one) => channel.readNotification([account], one.headers, one.rawBody, new Date()));

test("a power cut loses nothing: orders, refunds, keys, and notifications that were not taken yet", async () => {
  const account = await simulator.register();
  let open = false;
  const inbox = await startInbox(() => (open ? 204 : 500));
  const [paid, waiting, refund] = [newNumber(), newNumber(), newNumber()];
  await channel.pay(account, native(paid, inbox.url));
  await channel.pay(account, native(waiting, inbox.url));
  await simulator.control("POST pay", { outTradeNo: paid });
  await channel.refund(account, {
    outTradeNo: paid,
    outRefundNo: refund,
    amount_cents: 1,
    total_cents: 1_000,
    reason: "",
    notifyUrl: inbox.url,
  });
  await inbox.arrived(1);
  open = true;
  await simulator.restart();

  const again = { ...account, baseUrl: simulator.url };
  expect(await channel.query(again, { outTradeNo: paid })).toMatchObject({
    kind: "ok",
    value: { tradeState: "REFUND", paid_cents: 1_000 },
  });
  expect(await channel.query(again, { outTradeNo: waiting })).toMatchObject({ kind: "ok", value: { tradeState: "NOTPAY" } });
  expect(await channel.queryRefund(again, refund)).toMatchObject({ kind: "ok", value: { amount_cents: 1 } });
  // The payment that was not taken before, and the refund that was on its way.
  const paidTwiceAndRefunded = () => {
    const kinds = read(again, inbox.received).map((one) => one.kind);
    return [kinds.filter((kind) => kind === "paid").length > 1, kinds.includes("refund")];
  };
  await expect.poll(paidTwiceAndRefunded, { timeout: 10_000 }).toEqual([true, true]);
  await simulator.control("POST settings", { refundAfter_ms: null });
  await inbox.stop();
});

test("a line cut in half by a kill is left out, and everything before it is there", () => {
  const directory = mkdtempSync(join(tmpdir(), "state-"));
  const merchant: Merchant = { mchId: "1900000001", appId: null, certSerial: "AB", publicKeyPem: "", apiV3Key: "", feeRate: 600 };
  const state = openState(directory);
  state.save("merchant", merchant);
  state.save("merchant", { ...merchant, feeRate: 380 });
  state.close();
  appendFileSync(join(directory, "state.jsonl"), '["merchant",{"mchId":"19000');
  const again = openState(directory);
  expect([...again.merchants.values()]).toEqual([{ ...merchant, feeRate: 380 }]);
  again.close();
  rmSync(directory, { recursive: true });
});

test("a payment that comes to light only after its refund", async () => {
  const account = await simulator.register();
  const inbox = await startInbox();
  const number = newNumber();
  await channel.pay(account, native(number, inbox.url));
  await simulator.control("POST faults", { kind: "reorder", number });
  await simulator.control("POST pay", { outTradeNo: number });
  const refund = newNumber();
  await channel.refund(account, {
    outTradeNo: number,
    outRefundNo: refund,
    amount_cents: 1_000,
    total_cents: 1_000,
    reason: "",
    notifyUrl: inbox.url,
  });
  await simulator.control("POST refund", { outRefundNo: refund });
  const told = read(account, await inbox.arrived(2)).map((one) => one.kind);
  expect(told).toEqual(["refund", "paid"]);
  await inbox.stop();
});

test("a lost notification never comes, and a hundred payments of the past are made in one call", async () => {
  const account = await simulator.register();
  const inbox = await startInbox();
  const numbers = Array.from({ length: 100 }, newNumber);
  for (const number of numbers) await channel.pay(account, native(number, inbox.url));
  await simulator.control("POST faults", { kind: "lost", number: numbers[0] });
  const orders = numbers.map((outTradeNo, day) => ({ outTradeNo, paidAt: new Date(Date.UTC(2026, 6, 1 + day)).toISOString() }));
  await simulator.control("POST pay", { orders });
  const told = read(account, await inbox.arrived(99));
  const days = told.flatMap((one) => (one.kind === "paid" ? [one.transaction.paidAt] : []));
  expect(new Set(days)).toEqual(new Set(orders.slice(1).map((order) => order.paidAt)));
  await inbox.stop();
});

test("an order cannot be paid twice, after it was closed, or when nobody knows it", async () => {
  const account = await simulator.register();
  const number = newNumber();
  const inbox = await startInbox();
  await channel.pay(account, native(number, inbox.url));
  await simulator.control("POST pay", { outTradeNo: number });
  await expect(simulator.control("POST pay", { outTradeNo: number })).rejects.toThrow("SUCCESS");
  await expect(simulator.control("POST pay", { outTradeNo: newNumber() })).rejects.toThrow("没有这个订单");
  const closed = newNumber();
  await channel.pay(account, native(closed, inbox.url));
  await channel.close(account, closed);
  await expect(simulator.control("POST pay", { outTradeNo: closed })).rejects.toThrow("CLOSED");
  await inbox.stop();
});

describe("the trade bill", () => {
  async function download(account: ChannelAccount, query: string): Promise<{ status: number; text: string }> {
    const get = async (target: string) => {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = createSign("RSA-SHA256").update(`GET\n${target}\n${timestamp}\nonce\n\n`).sign(account.privateKeyPem, "base64");
      const fields = `mchid="${account.mchId}",nonce_str="once",timestamp="${timestamp}",serial_no="${account.certSerial}",signature="${signature}"`;
      const headers = { Authorization: `WECHATPAY2-SHA256-RSA2048 ${fields}` };
      return testTransport({ method: "GET", url: account.baseUrl + target, headers, body: "", timeout_ms: 5_000 });
    };
    const asked = await get(`/v3/bill/tradebill?${query}`);
    if (asked.status !== 200) return { status: asked.status, text: asked.body.toString() };
    const { download_url, hash_value } = JSON.parse(asked.body.toString()) as { download_url: string; hash_value: string };
    const address = new URL(download_url);
    const file = (await get(address.pathname + address.search)).body;
    const plain = query.includes("GZIP") ? gunzipSync(file) : file;
    expect(createHash("sha1").update(plain).digest("hex")).toBe(hash_value);
    return { status: 200, text: plain.toString("utf8") };
  }

  test("has the header, the backticks, the rows and the sums that the channel documents", async () => {
    const account = await simulator.register();
    const inbox = await startInbox();
    const [paid, refund] = [newNumber(), newNumber()];
    await channel.pay(account, native(paid, inbox.url, { description: "拿铁,大杯", deviceId: "D01" }));
    await simulator.control("POST pay", { outTradeNo: paid, paidAt: "2026-10-20T13:51:31+08:00", openId: "oUser001" });
    await channel.refund(account, {
      outTradeNo: paid,
      outRefundNo: refund,
      amount_cents: 400,
      total_cents: 1_000,
      reason: "",
      notifyUrl: inbox.url,
    });
    await simulator.control("POST refund", { outRefundNo: refund, successAt: "2026-10-20T15:00:00+08:00" });
    const found = await channel.query(account, { outTradeNo: paid });
    const asked = await channel.queryRefund(account, refund);
    if (found.kind !== "ok" || asked.kind !== "ok") throw new Error("not found");

    const { text } = await download(account, `bill_date=2026-10-20&bill_type=ALL&sub_mchid=${account.subMchId}&tar_type=GZIP`);
    const whose = `${account.appId},\`${account.mchId},\`${account.subMchId},\`D01,\`${found.value.transactionId},\`${paid},\`oUser001,\`NATIVE`;
    expect(text).toBe(
      [
        "\u{feff}交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注",
        `\`2026-10-20 13:51:31,\`${whose},\`SUCCESS,\`OTHERS,\`CNY,\`10.00,\`0.00,\`0,\`0,\`0.00,\`0.00,\`,\`,\`拿铁 大杯,\`,\`0.06000,\`0.60%,\`10.00,\`0.00,\``,
        `\`2026-10-20 15:00:00,\`${whose},\`REFUND,\`OTHERS,\`CNY,\`0.00,\`0.00,\`${asked.value.refundId},\`${refund},\`4.00,\`0.00,\`ORIGINAL,\`SUCCESS,\`拿铁 大杯,\`,\`-0.02000,\`0.60%,\`0.00,\`4.00,\``,
        "总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额",
        "`2,`10.00,`4.00,`0.00,`0.04000,`10.00,`4.00",
        "",
      ].join("\r\n"),
    );
    const success = (await download(account, "bill_date=2026-10-20&bill_type=SUCCESS")).text.split("\r\n");
    expect(success).toHaveLength(5);
    expect(success[3]).toBe("`1,`10.00,`0.06000,`10.00");
    const [heading, row] = (await download(account, "bill_date=2026-10-20&bill_type=REFUND")).text.split("\r\n");
    expect(heading?.split(",")).toHaveLength(29);
    // 交易时间 is the payment's moment, and 退款申请时间 the refund's.
    const cells = row!.slice(1).split(",`");
    expect([cells[0], cells[14], cells[15]]).toEqual(["2026-10-20 13:51:31", "2026-10-20 15:00:00", "2026-10-20 15:00:00"]);
    await inbox.stop();
  });

  test("is not there for today, and not for an empty day", async () => {
    const account = await simulator.register();
    const today = new Date(Date.now() + 8 * 3600_000).toISOString().slice(0, 10);
    expect(await download(account, `bill_date=${today}&bill_type=ALL`)).toMatchObject({
      status: 400,
      text: expect.stringContaining("INVALID_REQUEST"),
    });
    expect(await download(account, "bill_date=2026-01-01&bill_type=ALL")).toMatchObject({
      status: 400,
      text: expect.stringContaining("NO_STATEMENT_EXIST"),
    });
  });
});

test("the page is served, and a call of another site's page is turned away", async () => {
  const page = await fetch(simulator.url);
  expect(await page.text()).toContain("顾客的手机");
  const foreign = await fetch(`${simulator.url}/_control/pay`, { method: "POST", headers: { "Content-Type": "text/plain" }, body: "{}" });
  expect(foreign.status).toBe(415);
});
