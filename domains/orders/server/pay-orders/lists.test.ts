import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { InputOf } from "@zhangfang/contract/endpoint.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import type { ExportRow, ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { firstFence, parseScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { listPayOrders, type listRefunds } from "../../contract/index.ts";
import { refundRequestExport } from "../refunds/list/export-refunds.ts";
import { payOrderExport, refundExport } from "../index.ts";
import { openTillWorld, type TillWorld } from "../testing/till-world.ts";

type Filter = InputOf<typeof listPayOrders>;
interface Made {
  readonly id: string;
  readonly orderNo: string;
  readonly tillNo: string;
  readonly merchant: keyof TillWorld["tree"]["merchants"];
  readonly storeId: string;
  readonly cents: number;
  readonly paid: number;
}
let world: TillWorld;
const made: Made[] = [];
const LOGINS = [
  "admin",
  "sp01",
  "sp02",
  "agent01",
  "agent02",
  "group01",
  "group02",
  "team01",
  "team02",
  "team03",
  "sale01",
  "sale02",
  "sale03",
  "mch01",
  "mch02",
  "mch03",
  "mch04",
  "mch05",
  "mch08",
  "area01",
  "emp01",
  "fin01",
];

// Who sees whose orders, written from the tree's plan and not from the code under test.
const SEES: Readonly<Record<string, readonly string[]>> = {
  admin: ["mch01", "mch02", "mch03", "mch04", "mch05", "mch06", "mch07", "mch08"],
  sp01: ["mch01", "mch03", "mch04", "mch05", "mch06", "mch07"],
  sp02: ["mch02", "mch08"],
  agent01: ["mch01", "mch03"],
  agent02: ["mch06"],
  group01: ["mch01", "mch04"],
  group02: ["mch05"],
  team01: ["mch01", "mch04"],
  team02: ["mch05"],
  team03: ["mch02"],
  sale01: ["mch01", "mch04"],
  sale02: ["mch05"],
  sale03: ["mch02"],
  mch01: ["mch01"],
  mch02: ["mch02"],
  mch03: ["mch03"],
  mch04: ["mch04"],
  mch05: ["mch05"],
  mch08: ["mch08"],
  area01: ["mch01"],
  emp01: ["mch01"],
  fin01: ["mch01"],
};
const storesSeen = (login: string) => ({ area01: 2, emp01: 1, fin01: 2 })[login] ?? 99;
const seenBy = (login: string) =>
  made.filter((order) => {
    const at = world.tree.merchants[order.merchant].stores.findIndex((store) => store.id === order.storeId);
    return SEES[login]!.includes(order.merchant) && at < storesSeen(login);
  });

// Two orders at each store, one paid by a scan, one left open; every amount its own prime-like figure.
beforeAll(async () => {
  world = await openTillWorld();
  let n = 0;
  for (const [login, merchant] of Object.entries(world.tree.merchants)) {
    for (const store of merchant.stores) {
      for (const tradeType of ["MICROPAY", "NATIVE"] as const) {
        n++;
        const given = {
          tillNo: `TILL-${n}`,
          tradeType,
          subject: `商品${n}`,
          grossCents: 10_007 + n * 101,
          couponCents: n % 3 === 0 ? 100 : 0,
          ...(tradeType === "MICROPAY" && { authCode: "130000000000000009" }),
          ...(n % 4 === 0 && { cashierCode: store.cashiers[1]!.code }),
        };
        const { orderNo } = await world.till(store, "createTillOrder", given);
        const [row] = await world.owner<{ id: string }>("select id from pay_orders where order_no = $1", [orderNo]);
        made.push({
          id: row!.id,
          orderNo,
          tillNo: given.tillNo,
          merchant: login as Made["merchant"],
          storeId: store.id,
          cents: given.grossCents,
          paid: given.grossCents - given.couponCents,
        });
      }
      // A few stores share a moment, so that pages meet rows that only the id tells apart.
      if (n % 8 === 0) world.services.clock.advance(7 * 60_000);
    }
  }
  for (const order of made.filter((_order, at) => at % 6 === 0)) {
    const store = world.tree.merchants[order.merchant].stores.find((one) => one.id === order.storeId)!;
    const refund = await world.till(store, "refundTillOrder", {
      requestId: randomUUID(),
      tillNo: order.tillNo,
      amountCents: 1_003,
      reason: "退菜",
    });
    await world.runJobs();
    if (order.merchant !== "mch03" && refund.status === 1) world.channel.decide(refund.refundNo, "success");
  }
  world.services.clock.advance(60_000);
  await world.sweep();
});
afterAll(() => world.close());

async function allPages(login: string, filter: Filter, pageSize: 10 | 20 = 10) {
  const items = [];
  for (let cursor: string | undefined; ;) {
    const page = await world.as(login, "listPayOrders", { ...filter, pageSize, ...(cursor && { cursor }) });
    items.push(...page.items);
    if (page.next === null) return items;
    cursor = page.next;
  }
}
async function scopeOf(login: string): Promise<Scope> {
  const user = await world.owner<{ t: string }>(
    "select concat(level, '|', service_provider_id, '|', agent_id, '|', business_group_id, '|', business_team_id, '|', salesman_id, '|', merchant_id, '||', id) as t from users where login = $1",
    [login],
  );
  return parseScope(user[0]!.t);
}
async function exported(source: ExportSource, login: string, filter: object): Promise<{ count: number; rows: ExportRow[] }> {
  const scope = await scopeOf(login);
  return withScope(world.services.pool, scope, async (tx) => {
    const parsed = source.input.parse(filter);
    const rows: ExportRow[] = [];
    for await (const batch of source.rows(tx, scope, parsed)) rows.push(...batch);
    return { count: await source.count(tx, scope, parsed), rows };
  });
}

describe("两道围栏", () => {
  test.each(LOGINS)("%s sees just what is theirs: with both fences, with the first alone, with the second alone", async (login) => {
    const expected = seenBy(login)
      .map((order) => order.orderNo)
      .toSorted();
    const numbers = (page: { items: { orderNo: string }[] }) => page.items.map((row) => row.orderNo).toSorted();
    expect(numbers({ items: await allPages(login, {}) })).toEqual(expected);
    expect(numbers(await world.asUnfenced(login, "listPayOrders", { pageSize: 100 }))).toEqual(expected);
    firstFence.on = false;
    try {
      expect(numbers(await world.as(login, "listPayOrders", { pageSize: 100 }))).toEqual(expected);
      const refunds = await world.as(login, "listRefunds", { pageSize: 100 });
      expect(refunds.items.every((row) => expected.includes(row.orderNo))).toBe(true);
    } finally {
      firstFence.on = true;
    }
    expect((await world.as(login, "summarisePayOrders", {})).count).toBe(expected.length);
  });

  test.each(LOGINS)("%s finds by any number or id what is theirs and nothing else", async (login) => {
    const mine = new Set(seenBy(login).map((order) => order.id));
    for (const order of made.filter((_order, at) => at % 5 === 0)) {
      const details = await world.as(login, "getPayOrder", { id: order.id }).then(
        (row) => row.id,
        (error: { status: number }) => error.status,
      );
      expect(details).toBe(mine.has(order.id) ? order.id : 404);
    }
  });
});

describe("筛选", () => {
  const numbers = async (filter: Filter) => (await allPages("sp01", filter)).map((row) => row.orderNo).toSorted();
  const mine = () => seenBy("sp01");
  const where = (right: (order: Made, at: number) => boolean) =>
    mine()
      .filter((order) => right(order, made.indexOf(order)))
      .map((order) => order.orderNo)
      .toSorted();

  test("by level, store, device, cashier, way and amount", async () => {
    const { tree } = world;
    const store = tree.merchants.mch03.stores[1]!;
    expect(await numbers({ merchantId: store.merchantId })).toEqual(where((order) => order.merchant === "mch03"));
    expect(await numbers({ storeId: store.id })).toEqual(where((order) => order.storeId === store.id));
    expect(await numbers({ agentId: tree.agents.agent01 })).toEqual(where((order) => ["mch01", "mch03"].includes(order.merchant)));
    expect(await numbers({ businessTeamId: tree.teams.team01 })).toEqual(where((order) => ["mch01", "mch04"].includes(order.merchant)));
    expect(await numbers({ serviceProviderId: tree.providers.sp02 })).toEqual([]);
    expect(await numbers({ deviceId: store.devices[0]!.id })).toEqual(where((order) => order.storeId === store.id));
    expect(await numbers({ cashierId: store.cashiers[1]!.id })).toEqual(
      where((order, at) => order.storeId === store.id && (at + 1) % 4 === 0),
    );
    expect(await numbers({ tool: 2 })).toEqual(where((_order, at) => at % 2 === 0));
    expect(await numbers({ payMethod: "OTHER" })).toEqual(where((_order, at) => at % 2 === 1));
    expect(await numbers({ minCents: 11_000, maxCents: 11_500 })).toEqual(where((order) => order.paid >= 11_000 && order.paid <= 11_500));
    expect(await numbers({ refunded: true })).toEqual(where((_order, at) => at % 6 === 0));
  });

  test("by a whole number whatever the dates, and by its last digits", async () => {
    const order = mine()[0]!;
    const [row] = await allPages("sp01", { keyword: order.orderNo, from: "2020-01-01", to: "2020-01-02" });
    expect(row).toMatchObject({ id: order.id });
    expect((await allPages("sp01", { keyword: row!.channelNo! })).map((one) => one.id)).toEqual([order.id]);
    expect((await allPages("sp01", { keyword: order.orderNo.slice(-6) })).map((one) => one.id)).toEqual([order.id]);
    expect((await allPages("sp01", { keyword: order.tillNo })).map((one) => one.id)).toEqual([order.id]);
    const [refund] = (await world.as("sp01", "listRefunds", { keyword: order.orderNo })).items;
    expect((await allPages("sp01", { keyword: refund!.refundNo })).map((one) => one.id)).toEqual([order.id]);
    for (const keyword of ["%", "_", "' or 1=1 --", "99999999"]) expect(await allPages("sp01", { keyword })).toEqual([]);
  });

  test("Shanghai days begin at sixteen hundred UTC, for the moment of the order and for that of the payment", async () => {
    const order = made.find((one) => one.merchant === "mch05")!;
    const before = await world.owner<{ created_at: string; paid_at: string }>("select created_at, paid_at from pay_orders where id = $1", [
      order.id,
    ]);
    const set = (created: string, paid: string) =>
      world.owner("update pay_orders set created_at = $1, paid_at = $2 where id = $3", [created, paid, order.id]);
    await set("2026-10-31T15:59:59.999Z", "2026-10-31T16:00:00Z");
    const on = async (from: string, to: string, dateOf: "created" | "paid") =>
      (await allPages("mch05", { from, to, dateOf })).some((row) => row.id === order.id);
    expect([await on("2026-10-31", "2026-10-31", "created"), await on("2026-11-01", "2026-11-01", "created")]).toEqual([true, false]);
    expect([await on("2026-10-31", "2026-10-31", "paid"), await on("2026-11-01", "2026-11-01", "paid")]).toEqual([false, true]);
    await set(before[0]!.created_at, before[0]!.paid_at);
  });

  test("pages have neither gaps nor doubles, both ways, and a broken cursor is refused", async () => {
    const down = await allPages("sp01", {});
    const up = await allPages("sp01", { sort: "createdAt" }, 20);
    expect(down.map((row) => row.id)).toEqual(up.map((row) => row.id).toReversed());
    expect(new Set(down.map((row) => row.id)).size).toBe(mine().length);
    expect((await world.as("sp01", "listPayOrders", { withTotal: true })).total).toEqual({ count: mine().length, more: false });
    await expect(world.as("sp01", "listPayOrders", { cursor: "x" })).rejects.toMatchObject({ status: 400 });
  });
});

describe("合计与导出", () => {
  const CASES: readonly (readonly [string, Filter])[] = [
    ["sp01", {}],
    ["sp01", { status: 2 }],
    ["sp01", { tool: 2, minCents: 11_000 }],
    ["mch01", { refunded: true }],
    ["agent01", { status: 1 }],
    ["admin", { dateOf: "paid", from: "2026-11-20", to: "2026-11-20" }],
  ];
  test.each(CASES)("list, summary and file say the same: %s %j", async (login, filter) => {
    const rows = await allPages(login, filter);
    const sum = (key: "grossCents" | "discountCents" | "paidCents" | "refundedCents" | "feeCents", of = rows) =>
      of.reduce((total, row) => total + row[key], 0);
    const paid = rows.filter((row) => row.paidAt !== null);
    const summary = await world.as(login, "summarisePayOrders", filter);
    expect(summary).toMatchObject({
      count: rows.length,
      paidCount: paid.length,
      grossCents: sum("grossCents", paid),
      discountCents: sum("discountCents", paid),
      paidCents: sum("paidCents"),
      refundedCents: sum("refundedCents"),
      feeCents: sum("feeCents"),
    });
    const { status, ...rest } = filter;
    expect(summary.perStatus.reduce((total, one) => total + one.count, 0)).toBe((await allPages(login, rest)).length);
    expect(summary.perStatus.find((one) => one.status === status)?.count ?? rows.length).toBe(rows.length);
    const file = await exported(payOrderExport, login, filter);
    expect([file.count, file.rows.map((row) => row["orderNo"])]).toEqual([rows.length, rows.map((row) => row.orderNo)]);
    expect(file.rows.reduce((total, row) => total + Number(row["paidCents"]), 0)).toBe(summary.paidCents);
  });

  test("a file's cells are the labels that the screen shows, the payer masked", async () => {
    const { rows } = await exported(payOrderExport, "mch01", { status: 2 });
    expect(rows.find((row) => row["storeName"] === "春熙路店")).toMatchObject({
      merchantName: "蜀味川菜",
      status: "已完成",
      tool: "微信",
      payMethod: "扫码枪",
      channel: "微信支付",
      payer: "o-pa****6789",
    });
    for (const { key } of payOrderExport.columns) expect(rows[0]).toHaveProperty(key);
  });

  test("a file of what was ticked holds those and, of ids of others, none", async () => {
    const [own, theirs] = [await allPages("mch01", {}), await allPages("mch02", {})];
    const ids = [own[0]!.id, own[2]!.id, theirs[0]!.id];
    const { rows } = await exported(payOrderExport, "mch01", { ids });
    expect(rows.map((row) => row["orderNo"])).toEqual([own[0]!.orderNo, own[2]!.orderNo]);
  });

  test("orders of one till and one cashier: list, summary and file say the same", async () => {
    const store = world.tree.merchants.mch03.stores[1]!;
    for (const filter of [{ cashierId: store.cashiers[1]!.id }, { deviceId: store.devices[0]!.id }]) {
      const rows = await allPages("mch03", filter);
      const file = await exported(payOrderExport, "mch03", filter);
      expect(rows.length).toBeGreaterThan(0);
      expect((await world.as("mch03", "summarisePayOrders", filter)).count).toBe(rows.length);
      expect(file.rows.map((row) => row["orderNo"])).toEqual(rows.map((row) => row.orderNo));
      expect(await allPages("mch02", filter)).toEqual([]);
    }
  });

  test("refunds: list, summary and file say the same", async () => {
    const refunds = (await world.as("sp01", "listRefunds", { pageSize: 100 })).items;
    const tills = world.tree.stores.filter((one) => refunds.some((row) => row.storeId === one.id));
    const cases: readonly (readonly [InputOf<typeof listRefunds>, least: number])[] = [
      [{}, 4],
      [{ status: 2 }, 4],
      [{ minCents: 1_003, tool: 2 }, 4],
      [{ dateOf: "finished", from: "2026-11-20", to: "2026-11-20" }, 4],
      [{ dateOf: "finished", to: "2026-11-19" }, 0],
      [{ deviceId: tills[0]!.devices[0]!.id }, 1],
      [{ cashierId: tills[0]!.cashiers[0]!.id }, 0],
    ];
    for (const [filter, least] of cases) {
      const { items } = await world.as("sp01", "listRefunds", { ...filter, pageSize: 100 });
      const summary = await world.as("sp01", "summariseRefunds", filter);
      const file = await exported(refundExport, "sp01", filter);
      expect([items.length >= least, least > 0 || items.length < refunds.length]).toEqual([true, true]);
      expect([summary.count, file.count, file.rows.length]).toEqual([items.length, items.length, items.length]);
      expect(summary.doneCents).toBe(items.filter((row) => row.status === 2).reduce((total, row) => total + row.amountCents, 0));
      expect(file.rows.map((row) => row["refundNo"])).toEqual(items.map((row) => row.refundNo));
      if (filter.dateOf) expect(items.every((row) => row.status === 2)).toBe(true);
      if (filter.deviceId) expect(items.every((row) => row.storeId === tills[0]!.id)).toBe(true);
      if (file.rows[0]) for (const { key } of refundExport.columns) expect(file.rows[0]).toHaveProperty(key);
    }
  });

  test("refund requests: list, summary and file say the same", async () => {
    await world.owner(
      "update refunds set above_limit = true where id in (select id from refunds where service_provider_id = $1 order by id limit 3)",
      [world.tree.providers.sp01],
    );
    const counts: number[] = [];
    for (const filter of [{}, { state: "approved" }, { state: "pending" }] as const) {
      const { items } = await world.as("sp01", "listRefundRequests", { ...filter, pageSize: 100 });
      const summary = await world.as("sp01", "summariseRefundRequests", filter);
      const file = await exported(refundRequestExport, "sp01", filter);
      expect(file.rows.map((row) => row["refundNo"])).toEqual(items.map((row) => row.refundNo));
      expect([summary.count, file.count]).toEqual([items.length, items.length]);
      expect(summary.amountCents).toBe(items.reduce((total, row) => total + row.amountCents, 0));
      counts.push(items.length);
    }
    expect(counts).toEqual([3, 3, 0]);
  });
});

test("a merchant that was handed over leaves its past with the old agent, by name, and its future with the new one", async () => {
  const { merchants, agents } = world.tree;
  const store = merchants.mch03.stores[0]!;
  const before = (await allPages("agent01", {})).length;
  await world.owner("update merchants set agent_id = $1 where id = $2", [agents.agent02, merchants.mch03.id]);
  await world.till(store, "createTillOrder", { tillNo: "AFTER", tradeType: "NATIVE", subject: "交接后", grossCents: 999 });
  const past = await allPages("agent01", { merchantId: merchants.mch03.id });
  expect([past.length, new Set(past.map((row) => row.merchantName))]).toEqual([8, new Set(["晨光便利"])]);
  expect((await allPages("agent01", {})).length).toBe(before);
  expect((await allPages("agent02", { merchantId: merchants.mch03.id })).map((row) => row.subject)).toEqual(["交接后"]);
  expect(await world.verify()).toEqual([]);
});

test("what is not signed in, or does not hold the page, gets nothing", async () => {
  for (const name of ["listRefundRequests", "getShift"] as const)
    await expect(world.as("agent01", name, { storeId: made[0]!.storeId } as never)).rejects.toMatchObject({ status: 403 });
  await expect(world.as("fin01", "syncPayOrder", { id: made[1]!.id })).rejects.toMatchObject({ status: 403 });
  expect(listPayOrders.input.safeParse({ sort: "-paidCents" }).success).toBe(false);
});
