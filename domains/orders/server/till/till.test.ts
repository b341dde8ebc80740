import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Crash } from "../testing/fake-channel.ts";
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
const native = (more: object = {}) => ({ tillNo: `N${++n}`, tradeType: "NATIVE" as const, subject: "午餐", grossCents: 2_000, ...more });
const micropay = (authCode: string, more: object = {}) => ({
  tillNo: `M${++n}`,
  tradeType: "MICROPAY" as const,
  subject: "午餐",
  grossCents: 2_000,
  authCode,
  ...more,
});
const PAYS = "130000000000000002";
const TYPES = "130000000000000001";
const store = () => world.tree.merchants.mch01.stores[0]!;
const other = () => world.tree.merchants.mch02.stores[0]!;

describe("创建", () => {
  test("a code to show, the parameters of a page, or paid at once", async () => {
    expect(await world.till(store(), "createTillOrder", native())).toMatchObject({ status: 0, message: "等待顾客支付" });
    const page = await world.till(store(), "createTillOrder", { ...native(), tradeType: "JSAPI", openId: "o-1" });
    expect(page.clientParams).toMatchObject({ package: "prepay_id=1" });
    expect(await world.till(store(), "createTillOrder", micropay(PAYS))).toMatchObject({ status: 2, paidCents: 2_000, message: null });
  });

  test("the same number with the same body is the same order, with another body a conflict, in another store another order", async () => {
    const given = native();
    const first = await world.till(store(), "createTillOrder", given);
    expect(await world.till(store(), "createTillOrder", given)).toEqual(first);
    await expect(world.till(store(), "createTillOrder", { ...given, grossCents: 2_001 })).rejects.toMatchObject({
      status: 409,
      code: "till.reused",
    });
    expect((await world.till(other(), "createTillOrder", given)).orderNo).not.toBe(first.orderNo);
    expect(
      await world.owner(
        "select 1 from audit_log where title = '收银下单' and target_id = (select id::text from pay_orders where order_no = $1)",
        [first.orderNo],
      ),
    ).toHaveLength(1);
  });

  test("ten tills at once with one number make one order and one payment", async () => {
    const given = micropay(PAYS);
    const answers = await Promise.all(Array.from({ length: 10 }, () => world.till(store(), "createTillOrder", given)));
    expect(new Set(answers.map((answer) => answer.orderNo)).size).toBe(1);
    expect(await world.till(store(), "getTillOrder", { tillNo: given.tillNo })).toMatchObject({ status: 2 });
    expect(await world.owner("select 1 from channel_calls where operation = 'pay' and number = $1", [answers[0]!.orderNo])).toHaveLength(1);
  });

  test("what the channel refuses is closed with its reason", async () => {
    world.channel.fail("pay", { refuse: "NOT_ENOUGH" });
    const given = micropay(PAYS);
    expect(await world.till(store(), "createTillOrder", given)).toMatchObject({ status: 1, message: "NOT_ENOUGH" });
  });

  test.each([
    ["nothing left to pay", native({ couponCents: 2_000 }), 400],
    ["no code of the customer's", { ...micropay(PAYS), authCode: undefined }, 400],
    ["no payer", { ...native(), tradeType: "JSAPI" as const }, 400],
    ["a cashier of another store", native({ cashierCode: "C991" }), 400],
  ])("refused: %s", async (_what, given, status) => {
    await expect(world.till(store(), "createTillOrder", given)).rejects.toMatchObject({ status });
    expect(await world.owner("select 1 from pay_orders where till_no = $1", [given.tillNo])).toHaveLength(0);
  });

  test("a closed store and a merchant without a channel take no money", async () => {
    const shop = world.tree.merchants.mch07.stores[0]!;
    await world.owner("update stores set state = 'disabled' where id = $1", [shop.id]);
    await expect(world.till(shop, "createTillOrder", native())).rejects.toMatchObject({ status: 409, code: "store.disabled" });
    await world.owner("update channel_settings set state = 'disabled' where merchant_id = $1", [shop.merchantId]);
    await expect(world.till(world.tree.merchants.mch07.stores[1]!, "createTillOrder", native())).rejects.toMatchObject({
      status: 409,
      code: "channel.missing",
    });
  });
});

describe("结果未知", () => {
  test("a lost answer to a code is asked for again under the same number", async () => {
    world.channel.fail("pay", "lost-reply");
    const given = native();
    expect(await world.till(store(), "createTillOrder", given)).toMatchObject({
      status: 0,
      codeUrl: null,
      message: "通道没有应答，请用同一单号重试",
    });
    expect(await world.till(store(), "createTillOrder", given)).toMatchObject({
      status: 0,
      codeUrl: expect.stringContaining("weixin") as string,
    });
  });

  test.each(["lost-reply", "crash-after"] as const)("a code-pay that went through is found by the query: %s", async (fault) => {
    world.channel.fail("pay", fault);
    const given = micropay(PAYS);
    const asked = world.till(store(), "createTillOrder", given);
    if (fault === "crash-after") await expect(asked).rejects.toBeInstanceOf(Crash);
    else expect(await asked).toMatchObject({ status: 0 });
    world.services.clock.advance(3_000);
    if (fault === "lost-reply") await world.runJobs();
    else await world.sweep();
    expect(await world.till(store(), "getTillOrder", { tillNo: given.tillNo })).toMatchObject({ status: 2, paidCents: 2_000 });
  });

  test.each(["lost-request", "crash-before"] as const)("a code-pay that never arrived is closed after its minute: %s", async (fault) => {
    world.channel.fail("pay", fault);
    const given = micropay(PAYS);
    await world.till(store(), "createTillOrder", given).catch(() => {});
    world.services.clock.advance(61_000);
    await world.runJobs();
    await world.sweep();
    expect(await world.till(store(), "getTillOrder", { tillNo: given.tillNo })).toMatchObject({ status: 1 });
  });

  test("a customer who types the password in time has paid, one who does not is taken back", async () => {
    const slow = await world.till(store(), "createTillOrder", micropay(TYPES));
    const never = await world.till(store(), "createTillOrder", micropay(TYPES));
    expect([slow.status, never.status]).toEqual([0, 0]);
    world.services.clock.advance(2_000);
    await world.runJobs();
    world.channel.customerPays(slow.orderNo);
    for (let looks = 0; looks < 40; looks++) {
      world.services.clock.advance(2_000);
      await world.runJobs();
    }
    await world.sweep();
    expect(await world.till(store(), "getTillOrder", { tillNo: slow.tillNo })).toMatchObject({ status: 2 });
    expect(await world.till(store(), "getTillOrder", { tillNo: never.tillNo })).toMatchObject({ status: 1 });
    expect(world.channel.trades.get(never.orderNo)).toMatchObject({ state: "REVOKED" });
    expect(await world.owner("select 1 from test_jobs")).toHaveLength(0);
  });

  test("a channel that is silent leaves an order open, and one order that cannot be asked does not hold up the rest", async () => {
    const given = native();
    const made = await world.till(store(), "createTillOrder", given);
    const poison = await world.till(world.tree.merchants.mch03.stores[0]!, "createTillOrder", native());
    await world.owner("update channel_settings set private_key_sealed = 'v1.broken' where merchant_id = $1", [
      world.tree.merchants.mch03.id,
    ]);
    world.services.clock.advance(16 * 60_000);
    world.channel.fail("query", "lost-request");
    await world.sweep();
    world.services.clock.advance(60_000);
    await world.sweep();
    expect(await world.till(store(), "getTillOrder", { tillNo: given.tillNo })).toMatchObject({ status: 1 });
    expect(world.channel.trades.get(made.orderNo)).toMatchObject({ state: "CLOSED" });
    expect(await world.owner("select status from pay_orders where order_no = $1", [poison.orderNo])).toEqual([{ status: 0 }]);
  });
});

describe("关单", () => {
  test("closes at the channel and here, and again changes nothing", async () => {
    const given = native();
    const made = await world.till(store(), "createTillOrder", given);
    expect(await world.till(store(), "closeTillOrder", { tillNo: given.tillNo })).toMatchObject({ status: 1, codeUrl: null });
    expect(await world.till(store(), "closeTillOrder", { tillNo: given.tillNo })).toMatchObject({ status: 1 });
    expect(world.channel.trades.get(made.orderNo)).toMatchObject({ state: "CLOSED" });
    expect(await world.owner("select 1 from audit_log where title = '收银关单'")).toHaveLength(1);
  });

  test("a payment that was faster wins, also where it comes between the query and the close", async () => {
    const given = native();
    const made = await world.till(store(), "createTillOrder", given);
    world.channel.fail("query", { refuse: "RULE_LIMIT" });
    world.channel.customerPays(made.orderNo);
    expect(await world.till(store(), "closeTillOrder", { tillNo: given.tillNo })).toMatchObject({ status: 2 });
  });

  test("without a word from the channel it stays open, and is closed at the next look", async () => {
    const given = native();
    await world.till(store(), "createTillOrder", given);
    world.channel.fail("close", "lost-reply");
    expect(await world.till(store(), "closeTillOrder", { tillNo: given.tillNo })).toMatchObject({ status: 0 });
    world.services.clock.advance(60_000);
    await world.sweep();
    expect(await world.till(store(), "getTillOrder", { tillNo: given.tillNo })).toMatchObject({ status: 1 });
  });
});

describe("退款", () => {
  test("a till refunds its store's order once for each request, and sees how it ends", async () => {
    const paid = await world.till(store(), "createTillOrder", micropay(PAYS));
    const request = { requestId: randomUUID(), tillNo: paid.tillNo, amountCents: 500, reason: "少找零" };
    const first = await world.till(store(), "refundTillOrder", request);
    expect(first).toMatchObject({ status: 1, amountCents: 500 });
    expect(await world.till(store(), "refundTillOrder", request)).toEqual(first);
    await expect(world.till(store(), "refundTillOrder", { ...request, amountCents: 501 })).rejects.toMatchObject({ status: 409 });
    await world.runJobs();
    world.channel.decide(first.refundNo, "success");
    world.services.clock.advance(60_000);
    await world.sweep();
    expect(await world.till(store(), "getTillRefund", { requestId: request.requestId })).toMatchObject({ status: 2, failure: null });
    expect(await world.till(store(), "getTillOrder", { tillNo: paid.tillNo })).toMatchObject({ status: 2, refundedCents: 500 });
    expect(await world.owner("select 1 from audit_log where title = '收银退款'")).toHaveLength(1);
  });

  test("above the merchant's limit it waits for somebody's approval", async () => {
    const paid = await world.till(store(), "createTillOrder", micropay(PAYS, { grossCents: 60_000 }));
    const asked = await world.till(store(), "refundTillOrder", {
      requestId: randomUUID(),
      tillNo: paid.tillNo,
      amountCents: 50_001,
      reason: "退桌",
    });
    expect(asked.status).toBe(0);
    await world.runJobs();
    expect(world.channel.refunds.has(asked.refundNo)).toBe(false);
  });

  test("no till reaches into another store, of its own merchant or of another", async () => {
    const paid = await world.till(store(), "createTillOrder", micropay(PAYS));
    const request = { requestId: randomUUID(), tillNo: paid.tillNo, amountCents: 500, reason: "少找零" };
    await world.till(store(), "refundTillOrder", request);
    for (const foreign of [world.tree.merchants.mch01.stores[1]!, other()]) {
      await expect(world.till(foreign, "getTillOrder", { tillNo: paid.tillNo })).rejects.toMatchObject({ status: 404 });
      await expect(world.till(foreign, "closeTillOrder", { tillNo: paid.tillNo })).rejects.toMatchObject({ status: 404 });
      await expect(world.till(foreign, "refundTillOrder", { ...request, requestId: randomUUID() })).rejects.toMatchObject({ status: 404 });
      await expect(world.till(foreign, "getTillRefund", { requestId: request.requestId })).rejects.toMatchObject({ status: 404 });
    }
  });
});
