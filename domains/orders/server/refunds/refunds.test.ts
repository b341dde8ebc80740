import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openTillWorld, type TillWorld } from "../testing/till-world.ts";

let world: TillWorld;
beforeAll(async () => {
  world = await openTillWorld();
});
afterEach(async () => {
  world.channel.forget();
  expect(await world.verify()).toEqual([]);
});
afterAll(() => world.close());

let n = 0;
async function paidOrder(grossCents = 10_000, merchant: "mch01" | "mch02" | "mch03" = "mch01", storeNumber = 0) {
  const store = world.tree.merchants[merchant].stores[storeNumber]!;
  const tillNo = `T${++n}`;
  const made = await world.till(store, "createTillOrder", {
    tillNo,
    tradeType: "MICROPAY",
    subject: "午餐",
    grossCents,
    authCode: "130000000000000002",
  });
  const [row] = await world.owner<{ id: string }>("select id from pay_orders where order_no = $1", [made.orderNo]);
  return { id: row!.id, orderNo: made.orderNo, tillNo, store };
}
const ask = (login: string, orderId: string, amountCents: number, requestId: string = randomUUID()) =>
  world.as(login, "refundOrder", { requestId, orderId, amountCents, reason: "顾客不要了" });
const refundOf = (id: string) => world.as("mch01", "getRefund", { id });
const later = async (minutes: number) => {
  world.services.clock.advance(minutes * 60_000);
  await world.runJobs();
  await world.sweep();
};

describe("发起", () => {
  test("the provider, the merchant and the store's own staff may; each leaves an audit row", async () => {
    const order = await paidOrder();
    for (const login of ["sp01", "mch01", "emp01"]) expect(await ask(login, order.id, 100)).toMatchObject({ status: 1 });
    const rows = await world.owner<{ login: string }>(
      "select login from audit_log where title = '退款' and detail->'after'->>'orderId' = $1 order by at, id",
      [order.id],
    );
    expect(rows.map((row) => row.login).toSorted()).toEqual(["emp01", "mch01", "sp01"]);
  });

  test.each(["agent01", "group01", "team01", "sale01", "admin"])("%s sees the order and may not refund it", async (login) => {
    const order = await paidOrder();
    await expect(ask(login, order.id, 100)).rejects.toMatchObject({ status: 403 });
    expect((await world.as(login, "listPayOrders", { keyword: order.orderNo })).items[0]).toMatchObject({
      id: order.id,
      refundable: false,
    });
  });

  test("another tree, another merchant, another store and an unknown order are one answer, and nothing moves", async () => {
    const order = await paidOrder(10_000, "mch01", 2);
    for (const login of ["sp02", "mch02", "mch03", "emp01", "fin01"]) {
      const refused = await ask(login, order.id, 100).catch((error: { status: number }) => error.status);
      expect([login, refused]).toEqual([login, login === "fin01" ? 403 : 404]);
    }
    await expect(ask("mch01", randomUUID(), 100)).rejects.toMatchObject({ status: 404 });
    expect(await world.owner("select 1 from refunds where order_id = $1", [order.id])).toHaveLength(0);
  });

  test("the same request twice is one refund; with another amount it is refused", async () => {
    const order = await paidOrder();
    const requestId = randomUUID();
    const first = await ask("mch01", order.id, 100, requestId);
    expect(await ask("mch01", order.id, 100, requestId)).toEqual(first);
    await expect(ask("mch01", order.id, 101, requestId)).rejects.toMatchObject({ status: 409 });
    await expect(ask("sp01", order.id, 100, requestId)).rejects.toMatchObject({ status: 409 });
    expect(await world.owner("select 1 from refunds where order_id = $1", [order.id])).toHaveLength(1);
  });

  test("the form is told why not", async () => {
    const order = await paidOrder();
    await expect(ask("mch01", order.id, 10_001)).rejects.toMatchObject({ status: 400, fields: { amountCents: "最多可退 100.00 元" } });
    await world.owner("update pay_orders set refund_count = 50 where id = $1", [order.id]);
    await expect(ask("mch01", order.id, 1)).rejects.toMatchObject({ message: "已退款 50 次，达到通道上限" });
    expect(await world.as("mch01", "previewRefund", { orderId: order.id, amountCents: 1 })).toMatchObject({
      refusal: "已退款 50 次，达到通道上限",
      feeBackCents: 0,
    });
    await world.owner("update pay_orders set refund_count = 0 where id = $1", [order.id]);
  });
});

describe("审批", () => {
  const above = async () => {
    const order = await paidOrder(60_000);
    const refund = await ask("emp01", order.id, 50_001);
    return { order, refund };
  };

  test("above the limit it waits, holds the amount, and goes out when somebody else agrees", async () => {
    const { order, refund } = await above();
    expect(refund.status).toBe(0);
    expect((await world.as("mch01", "listPayOrders", { keyword: order.orderNo })).items[0]).toMatchObject({
      refundingCents: 50_001,
      refundableCents: 9_999,
    });
    const { items } = await world.as("mch01", "listRefundRequests", { state: "pending" });
    expect(items[0]).toMatchObject({ id: refund.refundId, decidable: true, requestedByName: "店员李秀英" });
    const sums = await world.as("mch01", "summariseRefundRequests", { state: "pending" });
    expect([sums.count, sums.amountCents]).toEqual([items.length, items.reduce((sum, { amountCents }) => sum + amountCents, 0)]);
    expect(sums.perState.find(({ status }) => status === "pending")?.count).toBe(items.length);
    await expect(
      world.as("emp01", "decideRefundRequest", { requestId: randomUUID(), id: refund.refundId, decision: "approve" }),
    ).rejects.toMatchObject({
      status: 403,
    });
    expect(
      await world.as("mch01", "decideRefundRequest", { requestId: randomUUID(), id: refund.refundId, decision: "approve", note: "属实" }),
    ).toMatchObject({
      status: 1,
    });
    await world.runJobs();
    world.channel.decide(refund.refundNo, "success");
    await later(1);
    expect(await refundOf(refund.refundId)).toMatchObject({ status: 2, decidedByName: "蜀味川菜老板", decisionNote: "属实" });
    await expect(
      world.as("sp01", "decideRefundRequest", { requestId: randomUUID(), id: refund.refundId, decision: "reject", note: "晚了" }),
    ).rejects.toMatchObject({
      status: 409,
    });
  });

  test("a rejection needs a reason, gives everything back and ends it", async () => {
    const { order, refund } = await above();
    await expect(
      world.as("mch01", "decideRefundRequest", { requestId: randomUUID(), id: refund.refundId, decision: "reject" }),
    ).rejects.toMatchObject({
      status: 400,
      fields: { note: "请填写驳回原因" },
    });
    expect(
      await world.as("sp01", "decideRefundRequest", { requestId: randomUUID(), id: refund.refundId, decision: "reject", note: "不属实" }),
    ).toMatchObject({
      status: 4,
    });
    expect((await world.as("mch01", "listPayOrders", { keyword: order.orderNo })).items[0]).toMatchObject({
      refundingCents: 0,
      refundableCents: 60_000,
    });
    await world.runJobs();
    expect(world.channel.refunds.has(refund.refundNo)).toBe(false);
    await expect(world.as("mch01", "retryRefund", { requestId: randomUUID(), id: refund.refundId })).rejects.toMatchObject({ status: 409 });
  });

  test("whoever decides asks without waiting, and nobody decides their own request", async () => {
    const order = await paidOrder(60_000);
    expect(await world.as("mch01", "previewRefund", { orderId: order.id, amountCents: 50_001 })).toMatchObject({ needsApproval: false });
    expect(await world.as("emp01", "previewRefund", { orderId: order.id, amountCents: 50_001 })).toMatchObject({ needsApproval: true });
    expect(await ask("mch01", order.id, 50_001)).toMatchObject({ status: 1 });
    const own = await above();
    await world.owner("update refunds set requested_by = $1 where id = $2", [world.tree.users.mch01, own.refund.refundId]);
    await expect(
      world.as("mch01", "decideRefundRequest", { requestId: randomUUID(), id: own.refund.refundId, decision: "approve" }),
    ).rejects.toMatchObject({
      status: 403,
      code: "refund.self-approval",
    });
    expect((await world.as("mch01", "listRefundRequests", {})).items.find((row) => row.id === own.refund.refundId)).toMatchObject({
      decidable: false,
    });
    await world.as("sp01", "decideRefundRequest", { requestId: randomUUID(), id: own.refund.refundId, decision: "reject", note: "重复" });
  });

  test("whoever asked takes it back while nobody has decided, and nobody else does; the amount is free again", async () => {
    const { order, refund } = await above();
    const cancel = (login: string, requestId: string = randomUUID()) =>
      world.as(login, "cancelRefundRequest", { requestId, id: refund.refundId });
    await expect(cancel("mch01")).rejects.toMatchObject({ status: 403, code: "refund.not-asker" });
    await expect(cancel("mch02")).rejects.toMatchObject({ status: 404 });
    const requestId = randomUUID();
    const done = await cancel("emp01", requestId);
    expect(done).toMatchObject({ status: 5 });
    // The same click, whose answer nobody heard.
    expect(await cancel("emp01", requestId)).toEqual(done);
    await expect(cancel("emp01")).rejects.toMatchObject({ status: 409 });
    expect((await world.as("mch01", "listPayOrders", { keyword: order.orderNo })).items[0]).toMatchObject({
      refundingCents: 0,
      refundableCents: 60_000,
    });
    expect((await world.as("mch01", "listRefundRequests", { state: "cancelled" })).items[0]).toMatchObject({
      id: refund.refundId,
      decidable: false,
    });
    const decide = { requestId: randomUUID(), id: refund.refundId, decision: "approve" as const };
    await expect(world.as("mch01", "decideRefundRequest", decide)).rejects.toMatchObject({ status: 409 });
    expect(await ask("emp01", order.id, 50_001)).toMatchObject({ status: 0 });
  });

  test("the same click of a decision or of a retry, made again, hears the first answer; another one hears that it is over", async () => {
    const { refund } = await above();
    const decide = { requestId: randomUUID(), id: refund.refundId, decision: "approve" as const };
    const first = await world.as("mch01", "decideRefundRequest", decide);
    expect(await world.as("mch01", "decideRefundRequest", decide)).toEqual(first);
    await expect(world.as("mch01", "decideRefundRequest", { ...decide, decision: "reject", note: "不" })).rejects.toMatchObject({
      code: "idempotency.reused",
    });
    await world.runJobs();
    world.channel.decide(refund.refundNo, "closed");
    await later(1);
    const retry = { requestId: randomUUID(), id: refund.refundId };
    const again = await world.as("mch01", "retryRefund", retry);
    expect(await world.as("mch01", "retryRefund", retry)).toEqual(again);
    await expect(world.as("mch01", "retryRefund", { ...retry, requestId: randomUUID() })).rejects.toMatchObject({ status: 409 });
    expect((await refundOf(refund.refundId)).attempts).toBe(2);
  });

  test("another merchant decides nothing here", async () => {
    const { refund } = await above();
    for (const login of ["mch02", "sp02", "mch03"])
      await expect(
        world.as(login, "decideRefundRequest", { requestId: randomUUID(), id: refund.refundId, decision: "approve" }),
      ).rejects.toMatchObject({
        status: 404,
      });
    await world.as("mch01", "decideRefundRequest", { requestId: randomUUID(), id: refund.refundId, decision: "reject", note: "测试" });
  });
});

describe("失败与重试", () => {
  test("a refund that the channel closed gives back, and goes again under a new number of the channel's", async () => {
    const order = await paidOrder();
    const refund = await ask("mch01", order.id, 3_000);
    await world.runJobs();
    world.channel.decide(refund.refundNo, "closed");
    await later(1);
    expect(await refundOf(refund.refundId)).toMatchObject({ status: 3, retryable: true, channelStatus: "CLOSED" });
    expect((await world.as("mch01", "listPayOrders", { keyword: order.orderNo })).items[0]).toMatchObject({
      refundingCents: 0,
      refundableCents: 10_000,
    });
    await expect(world.as("emp01", "retryRefund", { requestId: randomUUID(), id: refund.refundId })).resolves.toMatchObject({
      status: 1,
      refundNo: refund.refundNo,
    });
    await expect(world.as("mch01", "retryRefund", { requestId: randomUUID(), id: refund.refundId })).rejects.toMatchObject({ status: 409 });
    await world.runJobs();
    expect(world.channel.refunds.get(`${refund.refundNo}-2`)).toMatchObject({ status: "processing", amount_cents: 3_000 });
    world.channel.decide(`${refund.refundNo}-2`, "success");
    await later(1);
    expect(await refundOf(refund.refundId)).toMatchObject({ status: 2, attempts: 2 });
  });

  test("an abnormal one stays with the channel under its number: after somebody put it right the retry finds it", async () => {
    const order = await paidOrder();
    const refund = await ask("mch01", order.id, 10_000);
    await world.runJobs();
    world.channel.decide(refund.refundNo, "abnormal");
    await later(1);
    expect(await refundOf(refund.refundId)).toMatchObject({ status: 3, channelStatus: "ABNORMAL" });
    world.channel.decide(refund.refundNo, "success");
    await world.as("mch01", "retryRefund", { requestId: randomUUID(), id: refund.refundId });
    await world.runJobs();
    expect(await refundOf(refund.refundId)).toMatchObject({ status: 2 });
    expect([...world.channel.refunds.keys()].filter((no) => no.startsWith(refund.refundNo))).toHaveLength(1);
  });

  test("a definite no fails it with the channel's words; the retry may not take what is gone by then", async () => {
    const order = await paidOrder();
    world.channel.fail("refund", { refuse: "NOT_ENOUGH" });
    const refund = await ask("mch01", order.id, 6_000);
    await world.runJobs();
    expect(await refundOf(refund.refundId)).toMatchObject({ status: 3, failure: "通道拒绝：NOT_ENOUGH", retryable: true });
    const waits = async () => (await world.as("mch01", "listRefunds", { failed: "open" })).items.map(({ id }) => id);
    expect(await waits()).toContain(refund.refundId);
    await ask("mch01", order.id, 5_000);
    expect(await refundOf(refund.refundId)).toMatchObject({ status: 3, retryable: false });
    expect(await waits()).not.toContain(refund.refundId);
    await expect(world.as("mch01", "retryRefund", { requestId: randomUUID(), id: refund.refundId })).rejects.toMatchObject({
      message: "最多可退 50.00 元",
    });
    await world.runJobs();
  });

  test.each(["lost-request", "lost-reply"] as const)("%s: sent once in the end, whatever was heard", async (fault) => {
    const order = await paidOrder();
    world.channel.fail("refund", fault);
    const refund = await ask("mch01", order.id, 2_500);
    await world.runJobs();
    await later(1);
    expect(world.channel.refunds.get(refund.refundNo)).toMatchObject({ status: "processing" });
    world.channel.decide(refund.refundNo, "success");
    await later(2);
    expect(await refundOf(refund.refundId)).toMatchObject({ status: 2 });
    expect(world.channel.refunds.size).toBe(new Set(world.channel.refunds.keys()).size);
  });

  test("a no after a lost answer is not believed before the channel was asked", async () => {
    const order = await paidOrder();
    world.channel.fail("refund", "lost-reply");
    const refund = await ask("mch01", order.id, 2_500);
    await world.runJobs();
    // The query is not answered, so that the sending comes again and is refused, while the first one went through.
    world.channel.fail("queryRefund", { refuse: "NOT_FOUND" });
    world.channel.fail("refund", { refuse: "INVALID_REQUEST" });
    await world.owner("update channel_calls set ended_at = ended_at + interval '1 minute' where refund_id = $1 and operation = 'refund'", [
      refund.refundId,
    ]);
    world.services.clock.advance(10_000);
    await world.sweep();
    expect(await refundOf(refund.refundId)).toMatchObject({ status: 1, channelStatus: "PROCESSING" });
    world.channel.decide(refund.refundNo, "success");
    await later(2);
    expect(await refundOf(refund.refundId)).toMatchObject({ status: 2 });
  });

  // Given up at once it would go out under its next number, and the first request may still arrive.
  test("a lost request that the channel has never heard of is given up only after ten minutes", async () => {
    const order = await paidOrder();
    world.channel.fail("refund", "lost-request");
    const refund = await ask("mch01", order.id, 2_500);
    await world.runJobs();
    // What is prepared for this one no other takes.
    await world.owner("update refunds set next_query_at = next_query_at + interval '1 year' where status = 1 and id <> $1", [
      refund.refundId,
    ]);
    const looks: { readonly minutes: number; readonly status: number }[] = [];
    for (const minutes of [2, 5, 12]) {
      world.channel.fail("refund", { refuse: "INVALID_REQUEST" });
      world.channel.fail("queryRefund", { refuse: "NOT_FOUND" });
      world.services.clock.advance((minutes - (looks.at(-1)?.minutes ?? 0)) * 60_000);
      await world.sweep();
      looks.push({ minutes, status: (await refundOf(refund.refundId)).status });
    }
    expect(looks.map(({ status }) => status)).toEqual([1, 1, 3]);
  });

  test("a payment older than a year is not refunded any more", async () => {
    const order = await paidOrder();
    world.services.clock.advance(365 * 86_400_000);
    const asked = world.till(order.store, "refundTillOrder", {
      requestId: randomUUID(),
      tillNo: order.tillNo,
      amountCents: 100,
      reason: "退货",
    });
    await expect(asked).rejects.toMatchObject({ status: 400, message: "支付已超过 365 天，不能退款" });
  });
});
