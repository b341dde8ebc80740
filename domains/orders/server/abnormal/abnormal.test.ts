import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { hashPassword } from "../../../accounts/server/index.ts";
import { giveAbnormalRefundChannel, type Outcome, type Refund } from "../../../channels/server/index.ts";
import { openTillWorld, type TillWorld } from "../testing/till-world.ts";

let world: TillWorld;
const asked: { card: unknown }[] = [];
let says: "yes" | "no" | "nothing" = "yes";
beforeAll(async () => {
  world = await openTillWorld();
  giveAbnormalRefundChannel(world.services, {
    redirect: async (_account, { outRefundNo, card }): Promise<Outcome<Refund>> => {
      asked.push({ card });
      const refund = world.channel.refunds.get(outRefundNo)!;
      if (says === "no") return { kind: "refused", code: "PARAM_ERROR", message: "银行卡号不正确" };
      refund.status = "processing";
      if (says === "nothing") return { kind: "unknown", reason: "没有收到应答" };
      return { kind: "ok", value: { ...refund, transactionId: null, userReceivedAccount: "银行卡" } };
    },
  });
});
afterEach(async () => {
  says = "yes";
  expect(await world.verify()).toEqual([]);
});
afterAll(() => world.close());

/** A refund that the channel could not bring back the way the money came. */
async function abnormal(): Promise<{ id: string; refundNo: string; orderId: string }> {
  const tillNo = `T${randomUUID().slice(0, 18)}`;
  const store = world.tree.merchants.mch01.stores[0]!;
  const { orderNo } = await world.till(store, "createTillOrder", {
    tillNo,
    tradeType: "MICROPAY",
    subject: "午餐",
    grossCents: 8_800,
    authCode: "130000000000000009",
  });
  const [order] = await world.owner<{ id: string }>("select id from pay_orders where order_no = $1", [orderNo]);
  const { refundId, refundNo } = await world.as("mch01", "refundOrder", {
    requestId: randomUUID(),
    orderId: order!.id,
    amountCents: 8_800,
    reason: "退桌",
  });
  await world.runJobs();
  world.channel.decide(refundNo, "abnormal");
  world.services.clock.advance(60_000);
  await world.sweep();
  expect(await world.as("mch01", "getRefund", { id: refundId })).toMatchObject({ status: 3, channelStatus: "ABNORMAL" });
  return { id: refundId, refundNo, orderId: order!.id };
}
const CARD = { to: "card", bank: "ICBC_DEBIT", account: "6222021234567890123", name: "李四光" } as const;
const statusOf = async (id: string) => (await world.as("mch01", "getRefund", { id })).status;

test("to a debit card of the payer: sealed for the channel, kept by its end alone, and done when the channel says so", async () => {
  const { id, refundNo } = await abnormal();
  expect(await world.as("mch01", "redirectRefund", { id, ...CARD })).toMatchObject({ status: 1, message: "通道已受理" });
  expect(asked.at(-1)?.card).toEqual({ bankType: "ICBC_DEBIT", account: CARD.account, name: CARD.name });
  const { items } = await world.as("mch01", "listRefundEvidence", { refundId: id });
  expect(items.map((one) => [one.kind, one.bank, one.accountTail, one.name, one.state])).toEqual([
    ["card", "工商银行", "0123", "李**", "sent"],
  ]);
  for (const table of ["refund_evidence", "audit_log", "order_events", "channel_calls", "idempotency_keys"])
    expect(JSON.stringify(await world.owner(`select t::text from ${table} t`))).not.toMatch(/6222021234567890123|李四光/);
  await expect(world.as("sp01", "redirectRefund", { id, ...CARD })).rejects.toMatchObject({ status: 409 });
  world.channel.decide(refundNo, "success");
  world.services.clock.advance(60_000);
  await world.sweep();
  expect(await statusOf(id)).toBe(2);
});

test("a no of the channel puts it back where it was; no answer is asked about", async () => {
  const { id, refundNo } = await abnormal();
  says = "no";
  expect(await world.as("mch01", "redirectRefund", { id, ...CARD })).toMatchObject({ status: 3, message: "通道拒绝：银行卡号不正确" });
  expect(await world.as("mch01", "listRefundEvidence", { refundId: id })).toMatchObject({ redirectable: true });
  says = "nothing";
  expect(await world.as("mch01", "redirectRefund", { id, to: "merchant" })).toMatchObject({ status: 1 });
  world.channel.decide(refundNo, "success");
  world.services.clock.advance(60_000);
  await world.sweep();
  expect(await statusOf(id)).toBe(2);
});

test("it is sent on with the merchant's refund password alone, and within the day's limit", async () => {
  const { id } = await abnormal();
  const { id: merchant, serviceProviderId } = world.tree.merchants.mch01;
  const [sum] = await world.owner<{ cents: number }>("select coalesce(sum(value_cents), 0)::bigint as cents from refunds where status < 3");
  await world.owner(
    "insert into merchant_settings (service_provider_id, merchant_id, updated_at, refund_password_hash, refund_daily_limit_cents) values ($1, $2, now(), $3, $4)",
    [serviceProviderId, merchant, await hashPassword("135790"), sum!.cents + 8_799],
  );
  says = "yes";
  const calls = asked.length;
  const send = (refundPassword?: string) => world.as("mch01", "redirectRefund", { id, ...CARD, refundPassword });
  expect(await world.as("mch01", "listRefundEvidence", { refundId: id })).toMatchObject({ redirectable: true, needsPassword: true });
  await expect(send()).rejects.toMatchObject({ fields: { refundPassword: "请输入退款密码" } });
  await expect(send("135791")).rejects.toMatchObject({ fields: { refundPassword: "退款密码不正确" } });
  expect(await world.owner("select count from login_failures")).toEqual([{ count: 1 }]);
  await expect(send("135790")).rejects.toMatchObject({ fields: { amountCents: expect.stringContaining("还可退 ¥87.99") } });
  expect([asked.length, await statusOf(id)]).toEqual([calls, 3]);
  await world.owner("update merchant_settings set refund_daily_limit_cents = refund_daily_limit_cents + 1");
  expect(await send("135790")).toMatchObject({ status: 1 });
  await world.owner("delete from merchant_settings");
});

test("paid outside of the channel: proved by one, confirmed by another, and then it stands in the book", async () => {
  const { id } = await abnormal();
  const proof = { requestId: randomUUID(), id, transferNo: "20261120000123", transferredOn: "2026-11-20", note: "电汇给付款人" };
  const { evidenceId } = await world.as("mch01", "proveRefund", proof);
  await expect(world.as("mch01", "proveRefund", { ...proof, requestId: randomUUID() })).rejects.toMatchObject({ status: 409 });
  await expect(world.as("mch01", "decideEvidence", { id: evidenceId, decision: "confirm" })).rejects.toMatchObject({ status: 403 });
  await expect(world.as("sp02", "decideEvidence", { id: evidenceId, decision: "confirm" })).rejects.toMatchObject({ status: 404 });
  expect(await statusOf(id)).toBe(3);
  await world.as("sp01", "decideEvidence", { id: evidenceId, decision: "confirm" });
  expect(await statusOf(id)).toBe(2);
  const [entry] = await world.owner("select refund_cents::int as cents from ledger_entries where refund_id = $1 and cause = 'refund'", [
    id,
  ]);
  expect(entry).toEqual({ cents: 8_800 });
  await expect(world.as("sp01", "decideEvidence", { id: evidenceId, decision: "confirm" })).rejects.toMatchObject({ status: 409 });
});

test("what was paid outside of the channel and arrives through it after all is money twice: it is said, and booked once", async () => {
  const { id, refundNo, orderId } = await abnormal();
  const proof = { requestId: randomUUID(), id, transferNo: "20261120000125", transferredOn: "2026-11-20", note: "电汇给付款人" };
  const { evidenceId } = await world.as("mch01", "proveRefund", proof);
  await world.as("sp01", "decideEvidence", { id: evidenceId, decision: "confirm" });
  const { merchantId } = world.tree.merchants.mch01.stores[0]!;
  const account = world.settings.get(merchantId)!.account;
  for (const event of ["twice-1", "twice-2"])
    await world.notify(merchantId, world.channel.notice(event, account.mchId, { refund: world.channel.decide(refundNo, "success") }));
  const said = await world.owner("select note from order_events where order_id = $1 and kind = 'mismatch'", [orderId]);
  expect(said).toEqual([{ note: `退款 ${refundNo} 已凭线下转账确认，通道又退款到账` }]);
  expect(await statusOf(id)).toBe(2);
});

test("a proof that is turned down moves nothing, and another may follow", async () => {
  const { id } = await abnormal();
  const proof = { id, transferNo: "20261120000124", transferredOn: "2026-11-20", note: "电汇" };
  const { evidenceId } = await world.as("mch01", "proveRefund", { ...proof, requestId: randomUUID() });
  await expect(world.as("sp01", "decideEvidence", { id: evidenceId, decision: "reject" })).rejects.toMatchObject({ status: 400 });
  await world.as("sp01", "decideEvidence", { id: evidenceId, decision: "reject", note: "流水号查不到" });
  expect(await statusOf(id)).toBe(3);
  await world.as("mch01", "proveRefund", { ...proof, requestId: randomUUID() });
  for (const wrong of ["2099-01-01", "2020-01-01"])
    await expect(world.as("sp01", "proveRefund", { ...proof, requestId: randomUUID(), transferredOn: wrong })).rejects.toMatchObject({
      status: 400,
    });
});

test("a proof may be sent and turned down as often as somebody tries, also once the database keeps its plan", async () => {
  const { id } = await abnormal();
  const proof = { id, transferNo: "20261120000126", transferredOn: "2026-11-20", note: "电汇" };
  for (let n = 0; n < 12; n++) {
    const { evidenceId } = await world.as("mch01", "proveRefund", { ...proof, requestId: randomUUID() });
    await world.as("sp01", "decideEvidence", { id: evidenceId, decision: "reject", note: "流水号查不到" });
  }
  expect((await world.as("mch01", "listRefundEvidence", { refundId: id })).items).toHaveLength(12);
});

test("only a refund that the channel calls abnormal, and only whoever may", async () => {
  const { id, refundNo } = await abnormal();
  await expect(world.as("emp01", "redirectRefund", { id, to: "merchant" })).rejects.toMatchObject({ status: 403 });
  world.channel.decide(refundNo, "success");
  await world.as("mch01", "retryRefund", { requestId: randomUUID(), id });
  await world.runJobs();
  await expect(world.as("mch01", "redirectRefund", { id, to: "merchant" })).rejects.toMatchObject({ status: 409 });
});
