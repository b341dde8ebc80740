import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { NOT_FOUND, type ChannelAccount } from "../channel.ts";
import type { TransferOrder } from "../payout-channel.ts";
import { startInbox, startSimulator, testTransport, type Received } from "../simulator-for-tests.ts";
import { scriptDoor } from "./script-door.ts";
import { wechatTransfers } from "./transfers.ts";

const channel = wechatTransfers(testTransport);
let simulator: Awaited<ReturnType<typeof startSimulator>>;
let account: ChannelAccount;
beforeAll(async () => {
  simulator = await startSimulator();
  account = await simulator.register({ mode: "direct" });
});
afterAll(() => simulator.stop());

const order = (given: Partial<TransferOrder> = {}): TransferOrder => ({
  outBillNo: `W${randomBytes(12).toString("hex")}`,
  openId: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o",
  payeeName: "周锦",
  amount_cents: 12_345,
  remark: "分润提现",
  sceneId: "1005",
  ...given,
});

test("a transfer waits for its payee; the same number again is the same transfer, and the query tells how it ended", async () => {
  const asked = order();
  const first = await channel.transfer(account, asked);
  expect(first).toMatchObject({ kind: "ok", value: { state: "waiting", channelState: "WAIT_USER_CONFIRM", amount_cents: 12_345 } });
  expect(await channel.transfer(account, asked)).toEqual(first);
  await simulator.control("POST transfer", { outBillNo: asked.outBillNo });
  expect(await channel.queryTransfer(account, asked.outBillNo)).toMatchObject({ kind: "ok", value: { state: "success" } });
  const failing = order();
  await channel.transfer(account, failing);
  await simulator.control("POST transfer", { outBillNo: failing.outBillNo, result: "FAIL" });
  expect(await channel.queryTransfer(account, failing.outBillNo)).toMatchObject({
    value: { state: "failed", failReason: "PAYEE_ACCOUNT_ABNORMAL" },
  });
  expect(await channel.queryTransfer(account, "NEVER0HEARD0OF")).toMatchObject({ kind: "refused", code: NOT_FOUND });
});

test.each([
  ["lost-reply", true],
  ["lost-request", false],
  ["error-500", false],
  ["error-500-done", true],
  ["rate-limited-done", true],
  ["forged-answer", true],
  ["unsigned-answer", true],
  ["stale-answer", true],
  ["garbled-answer", true],
])("%s leaves it unknown, and a query tells that it is there: %s", async (kind, there) => {
  const asked = order();
  await simulator.control("POST faults", { kind, operation: "transfer", number: asked.outBillNo });
  expect((await channel.transfer(account, asked)).kind).toBe("unknown");
  expect((await channel.queryTransfer(account, asked.outBillNo)).kind).toBe(there ? "ok" : "refused");
});

test("only what is refused at the gate is a no; that the money is not enough is not", async () => {
  const refused = async (code: string, status: number) => {
    const asked = order();
    await simulator.control("POST faults", { kind: "refuse", operation: "transfer", number: asked.outBillNo, status, code });
    return (await channel.transfer(account, asked)).kind;
  };
  expect(await refused("NO_AUTH", 403)).toBe("refused");
  expect(await refused("NOT_ENOUGH", 403)).toBe("unknown");
  expect(await refused("INVALID_REQUEST", 400)).toBe("unknown");
  const used = order();
  await channel.transfer(account, used);
  expect((await channel.transfer(account, { ...used, amount_cents: 1 })).kind).toBe("unknown");
});

test("a transfer that nobody confirmed is taken back: first it is being done, then it is, and it can't be confirmed any more", async () => {
  const asked = order();
  const made = await channel.transfer(account, asked);
  expect(made).toMatchObject({ value: { packageInfo: expect.stringMatching(/^sim_/), createdAt: expect.any(String) } });
  // What opens the payee's page comes with the sending alone.
  expect(await channel.queryTransfer(account, asked.outBillNo)).toMatchObject({ value: { state: "waiting", packageInfo: null } });
  expect(await channel.cancelTransfer(account, asked.outBillNo)).toMatchObject({ kind: "ok", value: { channelState: "CANCELING" } });
  await expect
    .poll(() => channel.queryTransfer(account, asked.outBillNo))
    .toMatchObject({ value: { state: "cancelled", failReason: "MCH_CANCEL", packageInfo: null } });
  const paid = order();
  await channel.transfer(account, paid);
  await simulator.control("POST transfer", { outBillNo: paid.outBillNo });
  expect(await channel.cancelTransfer(account, paid.outBillNo)).toMatchObject({ kind: "refused", code: "INVALID_REQUEST" });
  expect(await channel.queryTransfer(account, paid.outBillNo)).toMatchObject({ value: { state: "success" } });
});

test("the end is told to the address that was given, sealed and signed; nothing else is taken for it", async () => {
  const inbox = await startInbox();
  const asked = order({ notifyUrl: inbox.url });
  await channel.transfer(account, asked);
  await simulator.control("POST transfer", { outBillNo: asked.outBillNo });
  const [{ headers, rawBody }] = (await inbox.arrived(1)) as [Received];
  await inbox.stop();
  const read = (accounts: ChannelAccount[], body = rawBody, at = new Date()) => channel.readTransferNews(accounts, headers, body, at);
  expect(read([account])).toMatchObject({
    kind: "transfer",
    transfer: { outBillNo: asked.outBillNo, state: "success", amount_cents: asked.amount_cents },
  });
  expect(read([])).toMatchObject({ code: "SERIAL" });
  expect(read([account], Buffer.from(`${rawBody.toString()} `))).toMatchObject({ code: "SIGNATURE" });
  expect(read([account], rawBody, new Date(Date.now() + 600_000))).toMatchObject({ code: "CLOCK" });
  expect(read([{ ...account, apiV3Key: "x".repeat(32) }])).toMatchObject({ code: "DECRYPT" });
  expect(read([{ ...account, mchId: "1999999999" }])).toMatchObject({ code: "MERCHANT" });
});

test("a page inside WeChat is signed as its JS-SDK asks for it, with one ticket for all pages", async () => {
  const door = scriptDoor(testTransport);
  const [url, at] = ["https://pay.example.com/payout/abc?from=x", 1_763_700_000_000];
  const said = await door.configOf(account, "a".repeat(32), url, at);
  if (said.kind !== "ok") throw new Error("no config");
  const text = `jsapi_ticket=sim_jsapi_ticket&noncestr=${said.value.nonceStr}&timestamp=1763700000&url=${url}`;
  expect(said.value).toMatchObject({ appId: account.appId, signature: createHash("sha1").update(text).digest("hex") });
});

test("a ticket is kept for whoever has the app's secret: another secret for the same app is asked about first", async () => {
  const secrets: string[] = [];
  const door = scriptDoor((request) => {
    if (request.method === "POST") secrets.push((JSON.parse(String(request.body)) as { secret: string }).secret);
    return testTransport(request);
  });
  for (const secret of ["a", "b", "a"])
    await door.configOf(account, secret.repeat(32), "https://pay.example.com/payout/abc", 1_763_700_000_000);
  expect(secrets).toEqual(["a".repeat(32), "b".repeat(32)]);
});
