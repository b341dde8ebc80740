import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { waitsFor } from "../../../channels/server/index.ts";
import { dueRecords } from "./look-after-records.ts";
import { openShareWorld, type ShareWorld } from "../testing/share-world.ts";

let world: ShareWorld;
beforeAll(async () => {
  world = await openShareWorld();
});
beforeEach(async () => {
  await world.forget();
  await world.rule("auto");
  await world.owner("delete from messages");
});
afterEach(async () => {
  expect(await world.verify()).toEqual([]);
});
afterAll(() => world.close());

const DAY = 24 * 60;
const said = { happenedOn: "2026-11-20", note: "商家平台已查到" };
const balances = async () =>
  Object.fromEntries(
    (await world.owner<{ kind: string; cents: number }>("select kind, balance_cents::int as cents from ledger_accounts")).map(
      ({ kind, cents }) => [kind, cents],
    ),
  );
const told = async () =>
  world.owner<{ level: string; body: string }>(
    "select u.level, m.body from messages m join users u on u.id = m.owner_user_id where m.kind = 'sharingDiffers' and u.login in ('mch01', 'sp01') order by 1",
  );
const today = () => new Date(world.services.clock.now_ms() + 8 * 3_600_000).toISOString().slice(0, 10);
const details = (id: string) => world.as("mch01", "getShare", { id });

/** A share that the channel took and never answers for. @returns the channel's number, and its own side of it */
async function silentShare() {
  world.sharing.pace.shares = "slow";
  const order = await world.paid();
  await world.pass();
  const [number, made] = [...world.sharing.shares].find(([, { order: asked }]) => asked.outOrderNo.length > 0)!;
  world.sharing.shares.delete(number);
  const silence = async (minutes: number) => {
    for (let left = minutes; left > 0; left -= 60) {
      for (let n = 0; n < 3; n++) world.sharing.fail("share", { refuse: "NOT_ENOUGH" });
      await world.pass(Math.min(60, left));
      world.sharing.forget();
    }
  };
  await silence(DAY + 120);
  return { order, number, made, silence, id: order.shareId };
}
const record = async (login: string, id: string, aliases: readonly string[], more: object = {}) => {
  const { lines } = await details(id);
  const lineIds = lines.filter(({ alias }) => aliases.includes(alias)).map((line) => line.id);
  return world.as(login, "recordShare", { id, result: "done", channelNo: "3008450740201", lineIds, ...said, happenedOn: today(), ...more });
};

test("records of one account crowd nobody else's out", async () => {
  const at = (minutes: number): string => new Date(world.services.clock.now_ms() + minutes * 60_000).toISOString();
  const numbers: string[] = [];
  for (const [wallet, minutes] of [
    ["wechat", -30],
    ["wechat", -20],
    ["alipay", -10],
    ["wechat", 10],
  ] as const) {
    const { shareId } = await world.paid(10_000, wallet);
    numbers.push(shareId);
    await world.owner(
      `insert into sharing_records (service_provider_id, id, merchant_id, store_id, sharing_id, channel_try, number, result, happened_on, note, state, by_user, by_name,
        created_at, decided_by, decided_at, next_ask_at) select service_provider_id, gen_random_uuid(), merchant_id, store_id, id, 1, id::text, 'failed', now(), '已查',
        'settled', gen_random_uuid(), '甲', now(), gen_random_uuid(), now(), $2 from sharing_orders where id = $1`,
      [shareId, at(minutes)],
    );
  }
  const due = await world.look((tx) => dueRecords(tx, at(0)));
  expect(due.map(({ number }) => numbers.indexOf(number))).toEqual([0, 2, 1]);
  expect(due.map((one) => waitsFor(one)[0])).toEqual(["0 wechat", "0 alipay", "0 wechat"]);
});

describe("a share without an answer", () => {
  test("is recorded by one and confirmed by another, and then stands as by the channel's own answer", async () => {
    const { id, order } = await silentShare();
    expect(await details(id)).toMatchObject({ status: 1, recordable: true, records: [] });
    const before = await balances();
    const { recordId } = await record("mch01", id, ["服务商", "店长"]);
    expect(await balances()).toEqual(before);
    await expect(record("sp01", id, ["服务商"])).rejects.toMatchObject({ status: 409, message: "已有登记等待复核" });
    await expect(world.as("mch01", "decideShareRecord", { id: recordId, decision: "confirm" })).rejects.toMatchObject({ status: 403 });
    await expect(world.as("sp02", "decideShareRecord", { id: recordId, decision: "confirm" })).rejects.toMatchObject({ status: 404 });
    await expect(world.as("sp01", "decideReturnRecord", { id: recordId, decision: "confirm" })).rejects.toMatchObject({ status: 404 });
    await world.as("sp01", "decideShareRecord", { id: recordId, decision: "confirm" });
    await world.runJobs();
    const now = await details(id);
    expect([now.status, now.sharedCents, now.failedCents, now.channelNo, now.recordable]).toEqual([2, 1_295, 498, "3008450740201", false]);
    expect(now.lines.map((line) => [line.alias, line.result, line.failReason])).toEqual([
      ["服务商", "success", null],
      ["合作伙伴", "closed", "RECORDED"],
      ["店长", "success", null],
    ]);
    expect(now.records).toMatchObject([{ state: "settled", aliases: ["服务商", "店长"], difference: null, decidable: false }]);
    expect(now.records.map((one) => [one.byName, one.decidedByName])).toEqual([[expect.any(String), expect.any(String)]]);
    expect(await world.order(order.id)).toMatchObject({ sharing: 0, shared: 1_295 });
    expect(await balances()).toMatchObject({
      sharing: 0,
      channel: (before["channel"] ?? 0) + 1_295,
      merchant: (before["merchant"] ?? 0) + 498,
    });
    await expect(world.as("sp01", "decideShareRecord", { id: recordId, decision: "confirm" })).rejects.toMatchObject({ status: 409 });
  });

  test("is not recorded before a day is over, nor without a number, nor for others' receivers, nor by whoever may not", async () => {
    const { id } = await silentShare();
    await expect(record("mch01", id, ["服务商"], { channelNo: "1" })).rejects.toMatchObject({ status: 400 });
    await expect(record("mch01", id, [])).rejects.toMatchObject({ status: 400, message: "请选择已到账的接收方" });
    await expect(record("mch01", id, [], { lineIds: [randomUUID()] })).rejects.toMatchObject({ status: 400 });
    await expect(record("mch01", id, ["服务商"], { happenedOn: "2020-01-01" })).rejects.toMatchObject({ status: 400 });
    await expect(world.as("emp01", "recordShare", { id, result: "failed", ...said })).rejects.toMatchObject({ status: 403 });
    await expect(world.as("sp02", "recordShare", { id, result: "failed", ...said })).rejects.toMatchObject({ status: 404 });
    world.sharing.pace.shares = "slow";
    const order = await world.paid();
    await world.pass(10);
    await expect(record("mch01", order.shareId, ["服务商"])).rejects.toMatchObject({
      status: 409,
      message: "提交满一天仍没有结果，才能人工登记",
    });
    expect(await details(order.shareId)).toMatchObject({ recordable: false });
  });

  test("is asked about once more: the channel's own answer is taken and the record refused, before the second person too", async () => {
    const one = await silentShare();
    const { recordId } = await record("mch01", one.id, ["服务商"]);
    world.sharing.shares.set(one.number, one.made);
    await expect(world.as("sp01", "decideShareRecord", { id: recordId, decision: "confirm" })).rejects.toMatchObject({
      status: 409,
      message: "微信支付答复这笔分账仍在处理中，以通道为准，不能登记",
    });
    world.sharing.decideAll();
    await expect(world.as("sp01", "decideShareRecord", { id: recordId, decision: "confirm" })).rejects.toMatchObject({
      message: "微信支付已经给出结果，以通道为准，不再登记；一分钟内入账，请稍后刷新",
    });
    await world.runJobs();
    expect(await details(one.id)).toMatchObject({ status: 2, sharedCents: 1_793, records: [{ state: "overtaken", decidable: false }] });
    await expect(record("mch01", one.id, ["服务商"])).rejects.toMatchObject({ status: 409 });
    expect(await told()).toEqual([]);
  });

  test("that is recorded as failed may be sent again; the channel's other word later is told, and moves nothing by itself", async () => {
    const { id, number, made, order } = await silentShare();
    const { recordId } = await world.as("mch01", "recordShare", { id, result: "failed", ...said, happenedOn: today() });
    await world.as("sp01", "decideShareRecord", { id: recordId, decision: "confirm" });
    await world.runJobs();
    expect(await details(id)).toMatchObject({ status: 3, sharedCents: 0, failure: "人工登记未到账", retryable: true });
    world.sharing.shares.set(number, made);
    world.sharing.decideAll();
    await world.pass(DAY);
    expect(await details(id)).toMatchObject({ status: 3, records: [{ answeredAt: expect.any(String) }] });
    const [record] = (await details(id)).records;
    expect(record!.difference).toBe(
      "「服务商」登记为未到账，通道为已到账；「合作伙伴」登记为未到账，通道为已到账；「店长」登记为未到账，通道为已到账",
    );
    expect((await told()).map(({ level, body }) => [level, body.includes(`${number}：「服务商」登记为未到账`)])).toEqual([
      ["MCH", true],
      ["SP", true],
    ]);
    expect(await world.order(order.id)).toMatchObject({ sharing: 0, shared: 0 });
    // Sent again, the receivers would get theirs twice.
    expect(await details(id)).toMatchObject({ retryable: false });
    await expect(world.as("mch01", "retryShare", { requestId: randomUUID(), id })).rejects.toMatchObject({
      status: 409,
      message: "人工登记与通道结果不一致，重新提交可能重复出款，请先与通道核对",
    });
    expect([...world.sharing.shares.keys()]).toEqual([number]);
    world.sharing.clear();
  });

  test("whose last sending nobody heard the end of may arrive yet: people's word waits for ten minutes, and nothing is sent meanwhile", async () => {
    const { id } = await silentShare();
    const { recordId } = await world.as("mch01", "recordShare", { id, result: "failed", ...said, happenedOn: today() });
    world.sharing.fail("share", "lost-request");
    await world.pass(31);
    await world.as("sp01", "decideShareRecord", { id: recordId, decision: "confirm" });
    await world.runJobs();
    await world.pass(5);
    expect(await details(id)).toMatchObject({ status: 1, records: [{ state: "confirmed" }] });
    expect(world.sharing.shares.size).toBe(0);
    await world.pass(31);
    expect(await details(id)).toMatchObject({ status: 3, records: [{ state: "settled" }] });
    expect(world.sharing.shares.size).toBe(0);
  });

  test("that the channel answers the same later is settled for good", async () => {
    const { id, number, made } = await silentShare();
    const { recordId } = await record("mch01", id, ["服务商", "合作伙伴", "店长"]);
    await world.as("sp01", "decideShareRecord", { id: recordId, decision: "confirm" });
    await world.runJobs();
    world.sharing.shares.set(number, made);
    world.sharing.decideAll();
    await world.pass(DAY);
    expect(await details(id)).toMatchObject({ status: 2, records: [{ answeredAt: expect.any(String), difference: null }] });
    expect(await told()).toEqual([]);
  });

  test("that the channel speaks of is asked about within the minute, not only when its time comes", async () => {
    const { id, number, made } = await silentShare();
    const { recordId } = await record("mch01", id, ["服务商", "合作伙伴", "店长"]);
    await world.as("sp01", "decideShareRecord", { id: recordId, decision: "confirm" });
    await world.runJobs();
    world.sharing.shares.set(number, made);
    world.sharing.decideAll();
    await world.pass(1);
    expect(await details(id)).toMatchObject({ status: 2, records: [{ answeredAt: null }] });
    const merchant = world.tree.merchants.mch01.id;
    await world.notify(merchant, world.channel.notice(randomUUID(), world.settings.get(merchant)!.account.mchId, { number }));
    await world.pass(1);
    expect(await details(id)).toMatchObject({ records: [{ answeredAt: expect.any(String) }] });
  });

  test("a record that is turned down moves nothing, and another may follow", async () => {
    const { id } = await silentShare();
    const { recordId } = await record("mch01", id, ["服务商"]);
    await expect(world.as("sp01", "decideShareRecord", { id: recordId, decision: "reject" })).rejects.toMatchObject({ status: 400 });
    await world.as("sp01", "decideShareRecord", { id: recordId, decision: "reject", note: "流水号查不到" });
    expect(await details(id)).toMatchObject({
      status: 1,
      recordable: true,
      records: [{ state: "rejected", decisionNote: "流水号查不到" }],
    });
    await record("sp01", id, ["店长"]);
  });
});

describe("a return without an answer", () => {
  /** A refund that waits for a return which the channel took and never answers for. */
  async function silentReturn(before: () => Promise<unknown> = async () => {}) {
    await world.owner("update sharing_receivers set state = 'paused' where alias <> '合作伙伴'");
    await before();
    const order = await world.paid();
    await world.pass();
    world.sharing.pace.returns = "slow";
    const { refundId } = await world.as("mch01", "refundOrder", {
      requestId: randomUUID(),
      orderId: order.id,
      amountCents: 10_000,
      reason: "退菜",
    });
    await world.runJobs();
    const [number, back] = [...world.sharing.returns][0]!;
    world.sharing.returns.delete(number);
    for (let hour = 0; hour < 27; hour++) {
      for (let n = 0; n < 3; n++) world.sharing.fail("giveBack", { refuse: "NOT_ENOUGH" });
      await world.pass(60);
      world.sharing.forget();
    }
    const [row] = await world.owner<{ id: string }>("select id from sharing_returns where refund_id = $1", [refundId]);
    return { id: row!.id, refundId, order, number, back };
  }
  afterEach(() => world.owner("update sharing_receivers set state = 'active'"));
  const status = async (id: string) => (await world.as("mch01", "getReturn", { id })).status;
  const refundOf = async (id: string) => (await world.as("mch01", "getRefund", { id })).status;

  test("that people found came back lets its refund go on within the minute", async () => {
    const { id, refundId, order } = await silentReturn();
    expect(await world.as("mch01", "getReturn", { id })).toMatchObject({ status: 1, recordable: true });
    const { recordId } = await world.as("mch01", "recordReturn", { id, result: "done", channelNo: "3109", ...said, happenedOn: today() });
    await world.as("sp01", "decideReturnRecord", { id: recordId, decision: "confirm" });
    await world.pass(1);
    expect([await status(id), world.channel.refunds.size]).toEqual([2, 1]);
    world.channel.decide([...world.channel.refunds.keys()][0]!, "success");
    await world.pass(60);
    expect(await refundOf(refundId)).toBe(2);
    expect(await world.order(order.id)).toMatchObject({ returning: 0, returned: 498, refunded: 10_000 });
    expect(await world.as("mch01", "getReturn", { id })).toMatchObject({ channelNo: "3109", records: [{ state: "settled" }] });
  });

  test("that people found did not come back fails its refund, and what the channel says otherwise later is told", async () => {
    const { id, refundId, order, number, back } = await silentReturn();
    const { recordId } = await world.as("mch01", "recordReturn", { id, result: "failed", ...said, happenedOn: today() });
    await world.as("sp01", "decideReturnRecord", { id: recordId, decision: "confirm" });
    await world.pass(1);
    expect([await status(id), await refundOf(refundId)]).toEqual([3, 3]);
    expect(await world.order(order.id)).toMatchObject({ returning: 0, returned: 0, refunding: 0, refunded: 0 });
    world.sharing.returns.set(number, back);
    world.sharing.decideAll();
    await world.pass(DAY);
    const [record] = (await world.as("sp01", "getReturn", { id })).records;
    expect(record!.difference).toBe("登记为没有退回，通道为已退回");
    // It would come back twice; that the merchant bears it takes nothing from the receiver.
    const retry = { requestId: randomUUID(), id };
    await expect(world.as("mch01", "retryReturn", retry)).rejects.toMatchObject({ status: 409 });
    const again = { requestId: randomUUID(), id: refundId };
    await expect(world.as("mch01", "retryRefund", again)).rejects.toMatchObject({
      message: "人工登记与通道结果不一致，重新提交可能重复出款，请先与通道核对",
    });
    expect(await world.as("mch01", "previewRefundRetry", { id: refundId })).toMatchObject({
      refusal: "人工登记与通道结果不一致，重新提交可能重复出款，请先与通道核对",
    });
    expect([...world.sharing.returns.keys()]).toEqual([number]);
    expect((await told()).map(({ level }) => level)).toEqual(["MCH", "SP"]);
    expect(await status(id)).toBe(3);
  });
});
