import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { hashPassword } from "../../../accounts/server/index.ts";
import { openTillWorld, type TillWorld } from "../testing/till-world.ts";

let world: TillWorld;
beforeAll(async () => void (world = await openTillWorld()));
afterAll(() => world.close());

/** An order that was paid. @returns its id */
async function paidOrder(cents: number, merchant: "mch01" | "mch03" = "mch01"): Promise<string> {
  const store = world.tree.merchants[merchant].stores[0]!;
  const tillNo = `T${randomUUID().replaceAll("-", "").slice(0, 20)}`;
  const { orderNo } = await world.till(store, "createTillOrder", {
    tillNo,
    tradeType: "MICROPAY",
    subject: "午餐",
    grossCents: cents as never,
    authCode: "130000000000000002",
  });
  await world.runJobs();
  return (await world.owner<{ id: string }>("select id from pay_orders where order_no = $1", [orderNo]))[0]!.id;
}
const refund = (login: string, orderId: string, cents: number, more: object = {}) =>
  world.as(login, "refundOrder", { requestId: randomUUID(), orderId, amountCents: cents as never, reason: "退菜", ...more });
/** All refunds so far are of a day that is over. */
const twoDaysAgo = () => world.owner("update refunds set created_at = created_at - interval '2 days', again_at = null");
const set = async (more: Record<string, unknown>) => {
  const { id, serviceProviderId } = world.tree.merchants.mch01;
  await world.owner("delete from merchant_settings");
  const columns = Object.keys(more);
  await world.owner(
    `insert into merchant_settings (service_provider_id, merchant_id, updated_at, ${columns.join(", ")}) values ($1, $2, now(), ${columns.map((_, n) => `$${n + 3}`).join(", ")})`,
    [serviceProviderId, id, ...Object.values(more)],
  );
};

test("where the merchant has a refund password, no refund leaves the office without it", async () => {
  const orderId = await paidOrder(1000);
  await set({ refund_password_hash: await hashPassword("135790") });
  expect(await world.as("mch01", "previewRefund", { orderId, amountCents: 100 })).toMatchObject({ needsPassword: true });
  for (const more of [{}, { refundPassword: "" }, { refundPassword: "135791" }])
    await expect(refund("mch01", orderId, 100, more)).rejects.toMatchObject({ fields: { refundPassword: expect.any(String) } });
  expect(await world.owner("select 1 from refunds where order_id = $1", [orderId])).toEqual([]);
  expect((await refund("mch01", orderId, 100, { refundPassword: "135790" })).status).toBe(1);
});

test("a refund that failed is not sent again without the password either", async () => {
  await world.owner("delete from merchant_settings");
  const id = await idOf(await settled(await paidOrder(1_000), 400, "closed"));
  await set({ refund_password_hash: await hashPassword("135790") });
  expect(await world.as("mch01", "previewRefundRetry", { id })).toMatchObject({ needsPassword: true, refusal: null });
  for (const more of [{}, { refundPassword: "135791" }])
    await expect(again(id, more)).rejects.toMatchObject({ status: 400, fields: { refundPassword: expect.any(String) } });
  expect(await world.as("mch01", "getRefund", { id })).toMatchObject({ status: 3, attempts: 1 });
  expect((await again(id, { refundPassword: "135790" })).status).toBe(1);
});

test("wrong passwords lock whoever tries them, and nobody else, and stand in the log though nothing was refunded", async () => {
  const orders: string[] = [];
  for (let n = 0; n < 8; n++) orders.push(await paidOrder(1_000));
  await set({ refund_password_hash: await hashPassword("135790") });
  await world.owner("delete from login_failures");
  world.services.clock.advance(1_000);
  const begun = new Date(world.services.clock.now_ms()).toISOString();
  const tried = async (login: string, ids: readonly string[], refundPassword: string) =>
    Promise.all(
      ids.map((id) =>
        refund(login, id, 100, { refundPassword }).then(
          () => 200,
          ({ status }: { status: number }) => status,
        ),
      ),
    );
  const times = (some: readonly number[]) => [200, 400, 429].map((status) => some.filter((one) => one === status).length);
  // One after the other for one order; all at once for several, where none is looked at before the last wrong one is counted.
  expect(
    times(
      await tried(
        "mch01",
        Array.from({ length: 4 }, () => orders[0]!),
        "135791",
      ),
    ),
  ).toEqual([0, 4, 0]);
  expect(times(await tried("mch01", orders, "135792"))).toEqual([0, 1, 7]);
  expect(await tried("mch01", orders.slice(0, 1), "135790")).toEqual([429]);
  const wrong = await world.owner(
    "select endpoint, detail->'after'->>'result' as result, merchant_id from audit_log where target_kind = 'merchant' and at >= $1",
    [begun],
  );
  const row = { endpoint: "/api/orders/refunds", result: "退款密码不正确", merchant_id: world.tree.merchants.mch01.id };
  expect(wrong).toEqual(Array.from({ length: 5 }, () => row));
  expect(await world.owner("select 1 from refunds where order_id = any($1)", [orders])).toEqual([]);

  expect(await tried("emp01", orders.slice(0, 1), "135790")).toEqual([200]);
  world.services.clock.advance(60_001);
  expect(await tried("mch01", orders.slice(1, 2), "135790")).toEqual([200]);
  expect(await world.owner("select 1 from login_failures")).toEqual([]);
});

test("a wrong password that cannot be counted because no connection is free is counted before the next is looked at", async () => {
  const orderId = await paidOrder(1_000);
  await set({ refund_password_hash: await hashPassword("135790") });
  await world.owner("delete from login_failures; delete from audit_log where target_kind = 'merchant'");
  const tried = (refundPassword: string) =>
    refund("mch01", orderId, 100, { refundPassword }).then(
      () => 200,
      ({ status }: { status: number }) => status,
    );
  const counted = async () => [
    await world.owner("select count from login_failures"),
    (await world.owner("select 1 from audit_log where target_kind = 'merchant'")).length,
  ];
  expect(await otherwiseBusy(() => tried("135791"))).toBe(400);
  expect(await counted()).toEqual([[], 0]);
  // Right or wrong, nothing is looked at, not even where it cannot be counted this time either.
  expect(await otherwiseBusy(() => tried("135790"))).toBe(429);
  expect(await counted()).toEqual([[], 0]);
  expect([await tried("135792"), await counted()]).toEqual([429, [[{ count: 1 }], 1]]);
  for (let n = 2; n <= 5; n++) expect([await tried("135791"), await counted()]).toEqual([400, [[{ count: n }], n]]);
  expect([await tried("135790"), await counted()]).toEqual([429, [[{ count: 5 }], 5]]);
  world.services.clock.advance(60_001);
  expect(await tried("135790")).toBe(200);
});
/** While this is done one who asks for a connection gets it; then others take the rest, and that one too as soon as it is free. */
async function otherwiseBusy<T>(fn: () => Promise<T>): Promise<T> {
  // The session is there by then.
  await world.as("mch01", "listRefunds", {});
  const { pool } = world.services;
  const connect = pool.connect;
  const taken: Promise<pg.PoolClient>[] = [];
  pool.connect = (async () => {
    pool.connect = connect;
    const mine = await pool.connect();
    for (let n = 0; n < 10; n++) taken.push(pool.connect());
    return mine;
  }) as typeof connect;
  try {
    return await fn();
  } finally {
    for (const client of await Promise.all(taken)) client.release();
  }
}

test("the day's limit holds over all stores, also for who sees one of them, and for two at once", async () => {
  const orderId = await paidOrder(5000);
  await world.owner("delete from merchant_settings");
  const before = (
    await world.owner<{ sum: number }>("select coalesce(sum(amount_cents), 0)::bigint as sum from refunds where status in (0, 1, 2)")
  )[0]!.sum;
  await set({ refund_daily_limit_cents: before + 1000 });
  await refund("emp01", orderId, 600);
  await expect(refund("emp01", orderId, 401)).rejects.toMatchObject({ fields: { amountCents: expect.stringContaining("还可退 ¥4.00") } });
  const preview = (amountCents: number) => world.as("emp01", "previewRefund", { orderId, amountCents });
  expect([(await preview(400)).refusal, (await preview(401)).refusal]).toEqual([null, expect.stringContaining("还可退 ¥4.00")]);
  const both = await Promise.allSettled([refund("mch01", orderId, 400), refund("emp01", orderId, 400)]);
  expect(both.filter((one) => one.status === "fulfilled")).toHaveLength(1);
  expect(await world.verify()).toEqual([]);
});

test("a request that waits for its approval counts to the day's limit as one that is out", async () => {
  const orderId = await paidOrder(120_000);
  await world.owner("delete from merchant_settings");
  const [{ sum: before }] = (await world.owner<{ sum: number }>(
    "select coalesce(sum(amount_cents), 0)::bigint as sum from refunds where status in (0, 1, 2)",
  )) as [{ sum: number }];
  await set({ refund_daily_limit_cents: before + 60_000 });
  expect(await refund("emp01", orderId, 50_001)).toMatchObject({ status: 0 });
  await expect(refund("mch01", orderId, 10_000)).rejects.toMatchObject({
    fields: { amountCents: expect.stringContaining("还可退 ¥99.99") },
  });
  expect(await refund("mch01", orderId, 9_999)).toMatchObject({ status: 1 });
});

test("the day's limit is the merchant's own, from midnight in Shanghai, of what is out or under way", async () => {
  const orderId = await paidOrder(10_000);
  await twoDaysAgo();
  await set({ refund_daily_limit_cents: 1_000 });
  const left = async () => (await world.as("mch01", "previewRefund", { orderId, amountCents: 1_001 as never })).refusal;
  const done = await settled(orderId, 300, "success");
  await settled(orderId, 200, "abnormal");
  expect(await left()).toContain("还可退 ¥7.00");
  const begun = dayStart(shanghaiDay(world.services.clock.now_ms()));
  const bornAt = (moment: string, add: string) =>
    world.owner(`update refunds set created_at = $1::timestamptz ${add} where refund_no = $2`, [moment, done]);
  await bornAt(begun, "");
  expect(await left()).toContain("还可退 ¥7.00");
  await bornAt(begun, "- interval '1 millisecond'");
  expect(await left()).toContain("还可退 ¥10.00");

  // Other merchants' limits are theirs, and what they give back is.
  const { mch02, mch03 } = world.tree.merchants;
  await world.owner("delete from merchant_settings");
  for (const { id, serviceProviderId } of [mch02, mch03])
    await world.owner(
      "insert into merchant_settings (service_provider_id, merchant_id, updated_at, refund_daily_limit_cents) values ($1, $2, now(), 1)",
      [serviceProviderId, id],
    );
  expect(await left()).toBeNull();
  expect((await refund("mch01", orderId, 100)).status).toBe(1);
  // The provider sees the settings of both.
  expect((await world.as("sp01", "previewRefund", { orderId, amountCents: 100 as never })).refusal).toBeNull();
  expect((await refund("sp01", orderId, 100)).status).toBe(1);
  await twoDaysAgo();
  await set({ refund_daily_limit_cents: 1_000 });
  expect(await refund("mch03", await paidOrder(1_000, "mch03"), 900)).toMatchObject({ status: 1 });
  expect(await refund("mch01", orderId, 1_000)).toMatchObject({ status: 1 });
});

test("ten orders of a merchant refunded at once take no more than is left of the day", async () => {
  const orders: string[] = [];
  for (let n = 0; n < 10; n++) orders.push(await paidOrder(1_000));
  await twoDaysAgo();
  await set({ refund_daily_limit_cents: 1_000 });
  const tried = await Promise.allSettled(orders.map((id) => refund("mch01", id, 600)));
  expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("a refund that failed and is sent again counts to the limit of the day on which it goes out", async () => {
  const [first, second, third] = [await paidOrder(1_000), await paidOrder(1_000), await paidOrder(2_000)];
  await twoDaysAgo();
  await set({ refund_daily_limit_cents: 1_000 });
  const id = await idOf(await settled(first, 900, "closed"));
  expect(await refund("mch01", second, 900)).toMatchObject({ status: 1 });
  expect((await world.as("mch01", "previewRefundRetry", { id })).refusal).toContain("还可退 ¥1.00");
  await expect(again(id)).rejects.toMatchObject({ fields: { amountCents: expect.stringContaining("还可退 ¥1.00") } });
  expect(await world.as("mch01", "getRefund", { id })).toMatchObject({ status: 3, attempts: 1 });

  world.services.clock.advance(86_400_000);
  expect((await world.as("mch01", "previewRefundRetry", { id })).refusal).toBeNull();
  expect(await again(id)).toMatchObject({ status: 1 });
  await expect(refund("mch01", third, 101)).rejects.toMatchObject({ fields: { amountCents: expect.stringContaining("还可退 ¥1.00") } });
  expect(await refund("mch01", third, 100)).toMatchObject({ status: 1 });
  expect(await world.verify()).toEqual([]);
});

test("of two that failed and are sent again at once, and one that is new, as many go out as the day has room for", async () => {
  const orders = [await paidOrder(1_000), await paidOrder(1_000), await paidOrder(1_000)] as const;
  await world.owner("delete from merchant_settings");
  const failed = [await idOf(await settled(orders[0], 600, "closed")), await idOf(await settled(orders[1], 600, "closed"))];
  await twoDaysAgo();
  await set({ refund_daily_limit_cents: 1_000 });
  const tried = await Promise.allSettled([...failed.map((id) => again(id)), refund("mch01", orders[2], 600)]);
  expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("the channel's free coupon goes back in parts that sum to it, whatever waits or is on its way", async () => {
  await world.owner("delete from merchant_settings");
  const id = await couponOrder("T-free-coupon");
  expect([await refund("emp01", id, 60_000), await refund("mch01", id, 60_000), await refund("mch01", id, 60_000)]).toMatchObject([
    { status: 0 },
    { status: 1 },
    { status: 1 },
  ]);
  expect(await couponParts(id)).toEqual([6_666, 6_667, 6_667]);
  expect(await world.verify()).toEqual([]);
});

test("of the channel's free coupon what is back already counts; what failed and another order's do not", async () => {
  await world.owner("delete from merchant_settings");
  const [id, other] = [await couponOrder("T-free-1"), await couponOrder("T-free-2")];
  await refund("mch01", other, 90_000);
  await settled(id, 60_000, "success");
  await settled(id, 30_000, "abnormal");
  for (let n = 0; n < 2; n++) await refund("mch01", id, 45_000);
  expect(await couponParts(id)).toEqual([5_000, 5_000, 6_667]);
  expect(await world.verify()).toEqual([]);
});

/** An order of 2,000.00 of which the channel took 200.00 off by itself. @returns its id */
async function couponOrder(tillNo: string): Promise<string> {
  const store = world.tree.merchants.mch01.stores[0]!;
  const order = { tillNo, tradeType: "NATIVE" as const, subject: "午餐", grossCents: 200_000 as never };
  const { orderNo } = await world.till(store, "createTillOrder", order);
  const coupon = { couponId: "C1", name: "满减券", type: "NOCASH" as const, amount_cents: 20_000, stockId: null };
  const promotions = [{ ...coupon, channel_cents: 20_000, merchant_cents: 0, other_cents: 0 }];
  const transaction = { ...world.channel.customerPays(orderNo), promotions };
  const { mchId } = world.settings.get(store.merchantId)!.account;
  await world.notify(store.merchantId, world.channel.notice(`E-${orderNo}`, mchId, { transaction }));
  return (await world.owner<{ id: string }>("select id from pay_orders where order_no = $1", [orderNo]))[0]!.id;
}
/** What of the coupon goes back with each refund that did not fail, the smallest first. */
const couponParts = async (orderId: string) =>
  (
    await world.owner<{ cents: number }>(
      "select free_coupon_cents as cents from refunds where order_id = $1 and status in (0, 1, 2) order by 1",
      [orderId],
    )
  ).map(({ cents }) => cents);
const again = (id: string, more: object = {}) => world.as("mch01", "retryRefund", { requestId: randomUUID(), id, ...more });
const idOf = async (refundNo: string): Promise<string> =>
  (await world.owner<{ id: string }>("select id from refunds where refund_no = $1", [refundNo]))[0]!.id;
/** A refund of which the channel says so. @returns its number */
async function settled(orderId: string, cents: number, outcome: "success" | "abnormal" | "closed"): Promise<string> {
  const { refundNo } = await refund("mch01", orderId, cents);
  await world.runJobs();
  world.channel.decide(refundNo, outcome);
  world.services.clock.advance(60_000);
  await world.sweep("query-refunds");
  await world.runJobs();
  return refundNo;
}
