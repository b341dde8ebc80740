import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { linkToken } from "@zhangfang/server/files/signed-link.ts";
import { DEMO_PASSWORD } from "../../../../apps/demo/tree/tree-plan.ts";
import { NOT_FOUND, type Transfer } from "../../../channels/server/index.ts";
import {
  getOwnProfit,
  getPayoutPage,
  getPayoutSettings,
  getWithdrawal,
  notifyTransfer,
  recordWithdrawal,
  setPayoutSettings,
} from "../../contract/index.ts";
import { approveWithdrawal } from "../testing/approve-withdrawal.ts";
import { openCommissionWorld, type CommissionWorld } from "../testing/commission-world.ts";
import { chaseWithdrawal } from "./transfers/chase-withdrawal.ts";
import { CONFIRM } from "./confirm-link.ts";
import { settleTransfer } from "./transfers/settle-transfer.ts";

let world: CommissionWorld;
beforeAll(async () => void (world = await openCommissionWorld()));
afterAll(() => world.close());
beforeEach(async () => {
  await world.forget();
  world.payouts.sent.splice(0);
});

/** A withdrawal of 100.00 that was approved, with what its sending meets. */
async function approved(meets?: () => void): Promise<{ id: string; number: string; look: () => Promise<void> }> {
  const made = await approveWithdrawal(world, meets);
  const ref = { service_provider_id: world.till.tree.providers.sp01, id: made.id };
  return { ...made, look: () => chaseWithdrawal(world.till.services, ref) };
}
const found = (id: string) => world.as("sp01", getWithdrawal, { id });
const own = async () => {
  const { balanceCents, frozenCents, paidCents } = await world.as("agent01", getOwnProfit, {});
  return [balanceCents, frozenCents, paidCents];
};
const payFrom = (mchId: string) => world.till.owner("update payout_settings set mch_id = $1", [mchId]);
const pem = () => generateKeyPairSync("rsa", { modulusLength: 2048 });

test("a transfer that is on its way is never asked about, nor sent, from another merchant number", async () => {
  const { id, number, look } = await approved();
  await payFrom("1900000002");
  try {
    await look();
    expect(world.payouts.sent).toEqual([`1900000001 ${number}`]);
    const stopped = await found(id);
    expect([stopped.status, stopped.failure]).toEqual([2, expect.stringContaining("1900000001")]);
  } finally {
    await payFrom("1900000001");
  }
  world.payouts.decide(number, "success");
  await look();
  expect(await found(id)).toMatchObject({ status: 3, failure: null });
  await expect(world.till.owner("update withdrawals set mch_id = '1900000002' where id = $1", [id])).rejects.toMatchObject({
    code: "ZF003",
  });
});

test("the merchant number stays while transfers of it are on their way; new keys for it may be set", async () => {
  const { number, look } = await approved();
  const keys = { privateKey: pem().privateKey, publicKey: pem().publicKey };
  const given = async (mchId: string) => {
    const { channel: _channel, setByName: _name, updatedAt: _at, ...terms } = await world.as("sp01", getPayoutSettings, {});
    return {
      ...terms,
      setChannel: true,
      appId: "wx0123456789abcdef",
      mchId,
      sceneId: "1005",
      certSerial: "ABCDEF0123456789",
      privateKeyPem: keys.privateKey.export({ type: "pkcs8", format: "pem" }),
      platformKeyId: "PUB_KEY_ID_01",
      platformKeyPem: keys.publicKey.export({ type: "spki", format: "pem" }),
      apiV3Key: "k".repeat(32),
      appSecret: "a".repeat(32),
      password: DEMO_PASSWORD,
    } as never;
  };
  const set = async (mchId: string) => world.as("sp01", setPayoutSettings, await given(mchId));
  await expect(set("1900000002")).rejects.toMatchObject({ status: 409, message: expect.stringContaining("1 笔") });
  await set("1900000001");
  world.payouts.decide(number, "success");
  await look();
  await set("1900000002");
  await set("1900000001");
  // While platform certificate and public key change over, the channel signs with either: both are held, and shown.
  const cert = {
    platformCertSerial: "5157f09efdc096de15ebe81a47057a7232f1b8e1",
    platformCertPem: keys.publicKey.export({ type: "spki", format: "pem" }),
  };
  const both = { ...((await given("1900000001")) as object), ...cert };
  await expect(world.as("sp01", setPayoutSettings, { ...both, platformCertPem: undefined } as never)).rejects.toMatchObject({
    status: 400,
    fields: { platformCertPem: expect.any(String) },
  });
  await world.as("sp01", setPayoutSettings, both as never);
  expect((await world.as("sp01", getPayoutSettings, {})).channel).toMatchObject({ platformKeyTail: "D_01", platformCertTail: "B8E1" });
});

test("a transfer from before merchant numbers were kept has the one that it was sent from", async () => {
  const { id } = await approved();
  await world.till.owner("alter table withdrawals disable trigger guard_withdrawal");
  await world.till.owner("update withdrawals set mch_id = null");
  await world.till.owner("alter table withdrawals enable trigger guard_withdrawal");
  const migration = readFileSync(join(import.meta.dirname, "../../../../db/migrations/0033-payout-merchant.sql"), "utf8");
  await world.till.owner(/^update withdrawals[^;]+;/m.exec(migration)?.[0] ?? "");
  expect(await world.till.owner("select id, mch_id from withdrawals")).toEqual([{ id, mch_id: "1900000001" }]);
});

test("what the channel once had is never sent again on its not finding it, nor given up on a no: it waits for people", async () => {
  const { id, number, look } = await approved();
  world.payouts.fail("query", { refuse: NOT_FOUND });
  await look();
  expect(world.payouts.sent).toEqual([`1900000001 ${number}`]);
  expect(await found(id)).toMatchObject({ status: 2, failure: expect.stringContaining("不会重发") });
  await world.till.owner("update withdrawals set package_info = null where id = $1", [id]);
  world.payouts.fail("transfer", { refuse: "NO_AUTH" });
  await look();
  expect(await found(id)).toMatchObject({ status: 2, failure: expect.stringContaining("NO_AUTH") });
  expect(await own()).toEqual([24_000, 10_000, 0]);
});

test("what waits for people is ended by one of them, told to its payee, and what the channel says later is shown", async () => {
  const { id, number, look } = await approved();
  const record = (login: string, result: "paid" | "failed" | "returned", evidence = "10000120260001") =>
    world.as(login, recordWithdrawal, { id, result, evidence });
  // The channel's word counts as long as it answers.
  await expect(record("sp01", "failed")).rejects.toMatchObject({ status: 409 });
  expect(await found(id)).toMatchObject({ recordable: false });
  const waits = world.payouts.shown(number);
  world.payouts.fail("query", { refuse: NOT_FOUND });
  await look();
  expect(await found(id)).toMatchObject({ status: 2, recordable: true });
  // It answers again, and once more no longer.
  await look();
  expect(await found(id)).toMatchObject({ status: 2, recordable: false, failure: null });
  world.payouts.fail("query", { refuse: NOT_FOUND });
  await look();
  await expect(record("agent01", "failed")).rejects.toMatchObject({ status: 403 });
  await expect(record("sp02", "failed")).rejects.toMatchObject({ status: 404 });
  await expect(record("sp01", "returned")).rejects.toMatchObject({ status: 409 });
  // The payee may still confirm it: it would be paid twice.
  await expect(record("sp01", "failed")).rejects.toMatchObject({ status: 409, message: expect.stringContaining("24 小时") as string });
  world.till.services.clock.advance(86_400_000);
  await record("sp01", "failed", "商户平台显示已关闭");
  expect(await found(id)).toMatchObject({ status: 4, recordable: false, failure: "商户平台显示已关闭" });
  expect(await own()).toEqual([34_000, 0, 0]);
  const told = await world.till.owner("select title, body from messages where kind = 'withdrawal'");
  expect(told).toContainEqual({ title: expect.stringContaining("打款失败"), body: "商户平台显示已关闭" });
  await expect(record("sp01", "paid")).rejects.toMatchObject({ status: 409 });
  const late = { ...waits, state: "success" as const, channelState: "SUCCESS" };
  await world.till.look((tx) => settleTransfer(tx, world.till.services, { service_provider_id: world.till.tree.providers.sp01, id }, late));
  expect(await found(id)).toMatchObject({ status: 4, failure: expect.stringContaining("请核对") });
});

test("one that somebody found paid may still come back, and the channel's no to it is shown", async () => {
  const { id, number, look } = await approved();
  const waits = world.payouts.shown(number);
  world.payouts.fail("query", { refuse: NOT_FOUND });
  await look();
  await world.as("sp01", recordWithdrawal, { id, result: "paid", evidence: "10000120260001" });
  expect(await found(id)).toMatchObject({ status: 3, recordable: true });
  expect(await own()).toEqual([24_000, 0, 9_900]);
  const no = { ...waits, state: "failed" as const, channelState: "FAIL" };
  await world.till.look((tx) => settleTransfer(tx, world.till.services, { service_provider_id: world.till.tree.providers.sp01, id }, no));
  expect(await found(id)).toMatchObject({ status: 3, failure: expect.stringContaining("没有成功") });
  await world.as("sp01", recordWithdrawal, { id, result: "returned", evidence: "商户平台显示已退回" });
  expect(await own()).toEqual([34_000, 0, 0]);
});

test("a sending without an answer is not sent again after a month, when the query does not know it any more", async () => {
  const { id, number, look } = await approved(() => world.payouts.fail("transfer", "lost-reply"));
  world.till.services.clock.advance(31 * 86_400_000);
  world.payouts.fail("query", { refuse: NOT_FOUND });
  await look();
  expect(world.payouts.sent).toEqual([`1900000001 ${number}`]);
  const [row] = await world.till.owner("select status, failure from withdrawals where id = $1", [id]);
  expect(row).toEqual({ status: 2, failure: expect.stringContaining("不会重发") });
});

test("where the sending's answer was lost, the payee can confirm all the same: the same number is sent once more", async () => {
  const { id, number, look } = await approved(() => world.payouts.fail("transfer", "lost-reply"));
  await look();
  const page = await world.asNobody(getPayoutPage, { token: linkToken(world.till.services, CONFIRM, id) });
  expect(page).toMatchObject({ state: "waiting", invoke: { package: `package-of-${number}` } });
  await look();
  expect(world.payouts.sent).toEqual([`1900000001 ${number}`, `1900000001 ${number}`]);
  expect(world.payouts.transfers.size).toBe(1);
});

test("while WeChat says that the payee may try again, the page opens still", async () => {
  const { id } = await approved();
  await world.till.owner("update withdrawals set channel_state = 'TRANSFERING' where id = $1", [id]);
  const page = await world.asNobody(getPayoutPage, { token: linkToken(world.till.services, CONFIRM, id) });
  expect(page).toMatchObject({ state: "waiting", invoke: { mchId: "1900000001" } });
  expect(await found(id)).toMatchObject({ confirm: { url: expect.any(String) }, retractable: false });
});

test("word of success for what was given back is kept and shown, and moves nothing", async () => {
  const { id, number, look } = await approved();
  const waits = world.payouts.shown(number);
  world.payouts.decide(number, "failed");
  await look();
  expect((await found(id)).status).toBe(4);
  const providerId = world.till.tree.providers.sp01;
  const tell = (eventId: string, transfer: Transfer) =>
    world.asNobody(
      notifyTransfer,
      { providerId },
      {
        params: { providerId },
        body: undefined,
        rawBody: Buffer.from(JSON.stringify({ eventId, transfer })),
        headers: { "fake-signature": "1900000001" },
      },
    );
  await tell("E1", { ...waits, state: "failed", channelState: "FAIL" });
  await tell("E2", { ...waits, state: "success", channelState: "SUCCESS" });
  expect(await found(id)).toMatchObject({ status: 4, failure: expect.stringContaining("请核对") });
  const results = await world.till.owner<{ result: string }>("select result from payout_inbox order by event_id");
  expect(results.map(({ result }) => result)).toEqual(["unchanged", "mismatch"]);
  expect(await own()).toEqual([34_000, 0, 0]);
  expect(await world.verify()).toEqual([]);
});
