import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { NOT_FOUND, type ChannelAccount } from "../channel.ts";
import type { TransferOrder } from "../payout-channel.ts";
import { startSimulator, testTransport } from "../simulator-for-tests.ts";
import { wechatTransfers } from "./transfers.ts";

const channel = wechatTransfers(testTransport);
let simulator: Awaited<ReturnType<typeof startSimulator>>;
let account: ChannelAccount;
beforeAll(async () => {
  simulator = await startSimulator();
  account = await simulator.register({ mode: "direct" });
}, 60_000);
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
