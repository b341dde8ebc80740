import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { domain, tie, tiedTo } from "@zhangfang/server/calls/domain.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { openTillWorld, type TillWorld } from "../../orders/server/testing/till-world.ts";
import type { CustomerDoor } from "../../pricing/server/index.ts";
import { addPoints, valueBook, verifyValue } from "../../value-book/server/index.ts";
import type { PointRule } from "../contract/index.ts";
import { merchantScope } from "@zhangfang/server/database/scope.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { tellClears } from "./clears/clear-points.ts";
import { followPoints, points, verifyPoints } from "./index.ts";
import { expiresOn } from "./rules/expiry-rules.ts";
import { runPointTask } from "./tasks/run-task.ts";

// Points over real orders, refunds and the real book: what a till earns and spends, what hands, tasks and clearings do.
let world: TillWorld;
let member: { id: string; no: string };
const mch = () => world.tree.merchants.mch01;
const store = () => mch().stores[0]!;
const today = () => shanghaiDay(world.services.clock.now_ms());
const customers: CustomerDoor = {
  open: async (_tx, _services, _where, ticket) => ({ member_id: ticket, proof: "full" }),
  prove: async () => {},
  admit: async () => {},
  use: async () => {},
};
const RULE = {
  earn: {
    on: true,
    points: 150,
    perCents: 10_000,
    storeIds: [],
    storeMultiple: 100,
    weekdays: [],
    weekdayMultiple: 100,
    birthdayMultiple: 100,
    pendingDays: 0,
    dayCap: null,
    onRecharge: false,
  },
  spend: {
    on: true,
    points: 100,
    cents: 100,
    stepPoints: 100,
    leastPoints: 0,
    mostRate: 50_000,
    mostCents: null,
    storeIds: [],
    weekdays: [],
  },
  expiry: { kind: "never", months: 12, monthDay: "12-31", yearsBack: 1 },
  graceDays: 30,
  secondAbove: 10_000,
} as unknown as PointRule;

let nextNo = 1_000_000_000;
async function addMember(at = mch()): Promise<{ id: string; no: string }> {
  const made = { id: randomUUID(), no: String(nextNo++) };
  await world.owner(
    "insert into members (service_provider_id, id, merchant_id, no, stage, source, created_at) values ($1, $2, $3, $4, 1, 2, now() - interval '1 year')",
    [at.serviceProviderId, made.id, at.id, made.no],
  );
  return made;
}
const routeOf = (path: string, verb = "POST") => points.routes.find(({ endpoint }) => endpoint.path === path && endpoint.verb === verb)!;
const post = (path: string, input: object, login = "mch01") => world.ask(login, routeOf(path), input) as Promise<Record<string, never>>;
const get = (path: string, input: object = {}, login = "mch01") =>
  world.ask(login, routeOf(path, "GET"), input) as Promise<Record<string, never>>;
async function save(change: { [K in keyof PointRule]?: object | number } = {}): Promise<void> {
  const { version } = (await get("/api/points/rule")) as unknown as { version: number };
  const rule = Object.fromEntries(
    Object.entries(RULE).map(([key, value]) => {
      const given = change[key as keyof PointRule];
      return [key, typeof value === "object" ? { ...value, ...(given as object) } : (given ?? value)];
    }),
  );
  await post("/api/points/rule", { version, rule });
}
const adjust = (n: number, more: object = {}) =>
  post("/api/points/adjustments", { requestId: randomUUID(), memberNo: member.no, points: n, reason: "event", note: "周年", ...more });
const balances = async (id = member.id) =>
  Object.fromEntries(
    (
      await world.owner<{ kind: string; n: number }>(
        "select kind, balance::int as n from value_accounts where owner_id = $1 and balance <> 0 order by kind",
        [id],
      )
    ).map(({ kind, n }) => [kind, n]),
  );
const poster = () => ({ ids: world.services.ids, now_ms: world.services.clock.now_ms() });
const holder = () => ({ service_provider_id: mch().serviceProviderId, merchant_id: mch().id, member_id: member.id });
/** Sells to the member, paid at once by code. */
async function sell(tillNo: string, grossCents: number, use: number | "most" = 0) {
  const quoted = await world.till(store(), "quotePrice", { tillNo, grossCents, ticket: member.id, points: use } as never);
  await world.till(store(), "createTillOrder", {
    tillNo,
    subject: "午餐",
    grossCents,
    quote: quoted.quote,
    ticket: member.id,
    tradeType: "MICROPAY",
    authCode: "130000000000000009",
  } as never);
  await world.runJobs();
  return quoted;
}
async function refund(tillNo: string, amountCents: number): Promise<void> {
  const done = await world.till(store(), "refundTillOrder", { requestId: randomUUID(), tillNo, reason: "退菜", amountCents });
  await world.runJobs();
  if (done.status === 1) world.channel.decide(done.refundNo, "success");
  world.services.clock.advance(60_000);
  await world.sweep("query-refunds");
  await world.runJobs();
}
const idOf = async (tillNo: string) => (await world.owner<{ id: string }>("select id from pay_orders where till_no = $1", [tillNo]))[0]!.id;

beforeAll(async () => {
  world = await openTillWorld({ above: [valueBook, points] });
  tie(world.services, [...tiedTo(world.services), domain({ customers })]);
});
beforeEach(async () => {
  await world.forget();
  await emptyTables(
    world.owner,
    "point_clear_rows, point_clears, point_task_rows, point_tasks, point_adjustments, point_earnings, point_rules, point_draws, point_lots, value_postings, value_entries, value_accounts",
  );
  member = await addMember();
  await save();
  world.services.clock.advance(60_000);
});
afterEach(async () =>
  expect([...(await world.verify()), ...(await world.look(verifyValue)), ...(await world.look(verifyPoints))]).toEqual([]),
);
afterAll(() => world.close());

describe("an order", () => {
  test("earns by its money, told in the quote, booked once however often it is followed", async () => {
    const quoted = await sell("A", 24_500);
    expect(quoted.earns).toBe(367);
    expect(await balances()).toEqual({ points: 367 });
    for (let n = 0; n < 3; n++)
      await followPoints(world.services, { service_provider_id: mch().serviceProviderId, order_id: await idOf("A") });
    expect(await balances()).toEqual({ points: 367 });
  });
  test("spends whole steps up to half of what is left, and gives them back with its refund", async () => {
    await adjust(1_000);
    const quoted = await sell("A", 1_500, "most");
    expect(quoted).toMatchObject({ paidCents: 800 });
    expect(await balances()).toEqual({ points: 1_000 - 700 + 12 });
    await refund("A", 800);
    expect(await balances()).toEqual({ points: 1_000 });
  });
  test("that is wholly refunded after its points were spent leaves a debt, which later points pay first", async () => {
    await sell("A", 24_500);
    await adjust(-367);
    expect(await balances()).toEqual({});
    await refund("A", 24_500);
    expect(await balances()).toEqual({ "points-debt": -367 });
    await adjust(100);
    expect(await balances()).toEqual({ "points-debt": -267 });
  });
  test("keeps its share of what is left: refunds in parts take back what one would", async () => {
    await sell("A", 10_007);
    expect(await balances()).toEqual({ points: 150 });
    await refund("A", 3_333);
    expect(await balances()).toEqual({ points: Math.floor((150 * 6_674) / 10_007) });
    await refund("A", 6_674);
    expect(await balances()).toEqual({});
  });
  test("that nobody followed until after its refund ends the same", async () => {
    await sell("A", 10_000);
    await refund("A", 4_000);
    const kept = await balances();
    await emptyTables(world.owner, "point_earnings, point_lots, value_postings, value_entries, value_accounts");
    await followPoints(world.services, { service_provider_id: mch().serviceProviderId, order_id: await idOf("A") });
    expect(await balances()).toEqual(kept);
  });
  test("earns no more than a day's cap leaves, however many are followed at once, and a refund frees it", async () => {
    await save({ earn: { dayCap: 200 } });
    world.services.clock.advance(60_000);
    await Promise.all(["A", "B", "C"].map((tillNo) => sell(tillNo, 10_000)));
    expect(await balances()).toEqual({ points: 200 });
    await emptyTables(world.owner, "point_earnings, point_lots, value_postings, value_entries, value_accounts");
    const orders = await Promise.all(["A", "B", "C", "A", "B", "C"].map(idOf));
    await Promise.all(orders.map((order_id) => followPoints(world.services, { service_provider_id: mch().serviceProviderId, order_id })));
    expect(await balances()).toEqual({ points: 200 });
    await refund("A", 10_000);
    await refund("B", 10_000);
    await refund("C", 10_000);
    expect(await balances()).toEqual({});
    await sell("D", 20_000);
    expect(await balances()).toEqual({ points: 200 });
  });
  test("spends points at a till also before the night has cleared what ended and let in what has ripened", async () => {
    await save({ earn: { pendingDays: 1 } });
    world.services.clock.advance(60_000);
    await adjust(1_000);
    await adjust(300);
    await world.owner("update point_lots set expires_on = $1 where points = 300", [today()]);
    await sell("A", 10_000);
    expect(await balances()).toEqual({ points: 1_300, "points-pending": 150 });
    world.services.clock.advance(86_400_000);
    expect(await sell("B", 2_200, "most")).toMatchObject({ paidCents: 1_100 });
    expect(await balances()).toEqual({ points: 50, "points-pending": 16 });
  });
  test("of somebody who is not of this merchant earns by no rule of it", async () => {
    member = await addMember(world.tree.merchants.mch03);
    await expect(
      post("/api/points/adjustments", { requestId: randomUUID(), memberNo: member.no, points: 1, reason: "event", note: "x" }),
    ).rejects.toMatchObject({
      fields: { memberNo: "没有此会员" },
    });
    expect(await balances()).toEqual({});
  });
});

describe("by hand", () => {
  test("a deduction takes at most what is there, once for its number, and is in the audit", async () => {
    await adjust(50);
    world.services.clock.advance(1);
    const requestId = randomUUID();
    expect(await adjust(-80, { requestId })).toMatchObject({ status: 1, donePoints: -50 });
    expect(await adjust(-80, { requestId })).toMatchObject({ donePoints: -50 });
    await expect(adjust(-1)).rejects.toMatchObject({ status: 409, code: "points.gone" });
    expect(await world.owner("select count(*)::int as n from audit_log where target_kind = 'member'")).toEqual([{ n: 2 }]);
    const { items } = (await get("/api/points/entries", { memberNo: member.no })) as unknown as {
      items: { after: number; points: number }[];
    };
    expect(items.map(({ points: n, after }) => [n, after])).toEqual([
      [-50, 0],
      [50, 50],
    ]);
  });
  test("what one person gives or takes of a member in a day without another stays within the line, however it is cut", async () => {
    await adjust(10_000);
    world.services.clock.advance(1);
    expect(await adjust(1)).toMatchObject({ status: 0 });
    // Each way has a line of its own.
    world.services.clock.advance(1);
    expect(await adjust(-6_000)).toMatchObject({ status: 1 });
    world.services.clock.advance(1);
    expect(await adjust(-4_001)).toMatchObject({ status: 0 });
    world.services.clock.advance(86_400_000);
    expect(await adjust(1)).toMatchObject({ status: 1 });
    const both = await Promise.all([adjust(6_000), adjust(6_000)]);
    expect(both.reduce((sum, { status }) => sum + Number(status), 0)).toBe(1);
    expect(await balances()).toEqual({ points: 10_001 });
  });
  test("and tasks of the same day count together with adjustments", async () => {
    const task = (points: number, fileHash: string) =>
      post("/api/points/tasks", {
        requestId: randomUUID(),
        name: "周年",
        reason: "event",
        rows: [{ memberNo: member.no, points }],
        fileHash: fileHash.repeat(64),
      });
    await task(6_000, "a");
    await expect(task(4_001, "b")).rejects.toMatchObject({
      fields: { rows: "第 1 行的会员今天已给 6000 积分，加上这次超过每人 10000 积分，请用「积分调整」由另一人审核" },
    });
    expect(await adjust(4_001)).toMatchObject({ status: 0 });
    await world.runJobs();
    expect(await adjust(4_001)).toMatchObject({ status: 0 });
    expect(await adjust(4_000)).toMatchObject({ status: 1 });
    const everybody = { requestId: randomUUID(), name: "全员", reason: "event", filter: {}, points: 1 };
    await expect(post("/api/points/tasks", everybody)).rejects.toMatchObject({ fields: { points: expect.stringContaining("今天已给") } });
    expect(await balances()).toEqual({ points: 10_000 });
  });
  test("above the line another person decides, and never who asked", async () => {
    const asked = (await adjust(10_001)) as unknown as { id: string };
    expect(asked).toMatchObject({ status: 0, donePoints: 0 });
    expect(await balances()).toEqual({});
    const decide = { id: asked.id, decision: "approve" };
    await expect(post("/api/points/adjustments/decide", decide)).rejects.toMatchObject({ status: 403 });
    await expect(post("/api/points/adjustments/decide", decide, "mch02")).rejects.toMatchObject({ status: 404 });
    await world.owner("update point_adjustments set asked_by = $1", [randomUUID()]);
    expect(await post("/api/points/adjustments/decide", decide)).toMatchObject({ donePoints: 10_001 });
    await expect(post("/api/points/adjustments/decide", decide)).rejects.toMatchObject({ status: 409 });
    expect(await balances()).toEqual({ points: 10_001 });
  });
});

test("before any rule was saved the line of who gives by hand is 10,000 all the same", async () => {
  await emptyTables(world.owner, "point_rules");
  expect(await adjust(10_001)).toMatchObject({ status: 0, donePoints: 0 });
  const many = { requestId: randomUUID(), name: "周年", reason: "event", fileHash: "b".repeat(64) };
  const rows = (n: number) => [{ memberNo: member.no, points: n }];
  await expect(post("/api/points/tasks", { ...many, rows: rows(10_001) })).rejects.toMatchObject({
    fields: { rows: expect.stringContaining("每人超过 10000 积分") },
  });
  await post("/api/points/tasks", { ...many, rows: rows(10_000) });
  await world.runJobs();
  expect(await balances()).toEqual({ points: 10_000 });
});

describe("a task", () => {
  const create = (rows: object[], more: object = {}) =>
    post("/api/points/tasks", {
      requestId: randomUUID(),
      name: "周年",
      reason: "event",
      rows,
      fileHash: "a".repeat(64),
      ...more,
    }) as unknown as Promise<{
      id: string;
    }>;
  test("sends each row once at two workers, keeps whom nobody knows as failed, and the same sheet asks first", async () => {
    const all = [member, ...(await Promise.all(Array.from({ length: 9 }, () => addMember())))];
    const rows = [...all.map(({ no }) => ({ memberNo: no, points: 7 })), { memberNo: "0000000000", points: 7 }];
    const { id } = await create(rows);
    const which = { service_provider_id: mch().serviceProviderId, id };
    await Promise.all([1, 2, 3].map(() => runPointTask.run(world.services, which)));
    await world.runJobs();
    expect(await get("/api/points/tasks/:id", { id })).toMatchObject({ status: 2, sent: 10, failed: 1, pointsSent: 70 });
    for (const one of all) expect(await balances(one.id)).toEqual({ points: 7 });
    await expect(create(rows)).rejects.toMatchObject({ status: 409, code: "task.again" });
    await create([rows[0]!], { again: true });
    await world.runJobs();
    expect(await balances()).toEqual({ points: 14 });
  });
  test("stands still when it is paused or its owner may not do this any more, and goes on where it was", async () => {
    const { id } = await create([{ memberNo: member.no, points: 7 }]);
    await post("/api/points/tasks/steer", { id, act: "pause" });
    await world.runJobs();
    expect(await balances()).toEqual({});
    await world.owner("update point_tasks set owner_id = $1", [randomUUID()]);
    await post("/api/points/tasks/steer", { id, act: "resume" });
    await world.runJobs();
    expect(await get("/api/points/tasks/:id", { id })).toMatchObject({
      status: 1,
      waiting: 1,
      pausedWhy: expect.stringContaining("没有权限"),
    });
    expect(await balances()).toEqual({});
  });
  test("tries all that failed again, however many", async () => {
    const others = [await addMember(), await addMember()];
    const { id } = await create(others.map(({ no }) => ({ memberNo: no, points: 7 })));
    await world.owner("update point_task_rows set status = 2, failure = '系统繁忙' where task_id = $1", [id]);
    await world.owner("update point_tasks set status = 2 where id = $1", [id]);
    await post("/api/points/tasks/steer", { id, act: "retry" });
    await world.runJobs();
    for (const one of others) expect(await balances(one.id)).toEqual({ points: 7 });
    await expect(post("/api/points/tasks/steer", { id, act: "retry" })).rejects.toMatchObject({ status: 409 });
  });
  test("names who stands in the sheet twice", async () => {
    const row = { memberNo: member.no, points: 7 };
    await expect(create([row, row])).rejects.toMatchObject({ status: 400, fields: { rows: expect.stringContaining("第 2 行和第 1 行") } });
  });
});

describe("a clearing", () => {
  /** Until a statement of another connection waits for a lock. */
  const someoneWaits = async () => {
    const waits = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    while ((await world.owner(waits)).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const night = async () => {
    await world.sweep("tend-points");
    await tellClears.run(world.services, {});
  };
  test("takes what its list froze: what was spent since is not cleared, what is new is not either", async () => {
    await adjust(500);
    world.services.clock.advance(86_400_000);
    await save({
      expiry: { kind: "yearly", yearsBack: 0, monthDay: shanghaiDay(world.services.clock.now_ms() + 60 * 86_400_000).slice(5) },
    });
    const end = addDays(today(), 60);
    world.services.clock.advance(30 * 86_400_000);
    await night();
    expect(await get("/api/points/clears")).toMatchObject({ items: [{ kind: "yearly", status: 1, endsOn: end, points: 500, left: 500 }] });
    await adjust(-200);
    await adjust(40);
    // Law 25: what the run takes is what the list said would go, row by row.
    const rows = async () => {
      const { items } = (await get("/api/points/clears")) as unknown as { items: { id: string }[] };
      const found = await world.ask("mch01", routeOf("/api/points/clears/:clearId/rows", "GET"), { clearId: items[0]!.id });
      return (found as { items: { id: string; points: number; left: number; cleared: number }[] }).items;
    };
    const preview = await rows();
    expect(preview).toMatchObject([{ points: 500, left: 300, cleared: 0 }]);
    world.services.clock.advance(31 * 86_400_000);
    await night();
    expect((await rows()).map(({ id, cleared }) => [id, cleared])).toEqual(preview.map(({ id, left }) => [id, left]));
    expect(await balances()).toEqual({ points: 40 });
    expect(await get("/api/points/clears")).toMatchObject({ items: [{ status: 2, used: 200, left: 0, cleared: 300 }] });
  });
  test("at once needs another person and seven days, tells the merchant, and can be taken back", async () => {
    await adjust(500);
    const { id } = (await post("/api/points/clears", { requestId: randomUUID(), reason: "停业" })) as unknown as { id: string };
    // Who decides sees what it would take.
    const detail = () => world.ask("mch01", routeOf("/api/points/clears/:id", "GET"), { id });
    expect(await detail()).toMatchObject({ status: 0, points: 0, would: { members: 1, points: 500, worthCents: 500 } });
    await expect(post("/api/points/clears/decide", { id, decision: "approve" })).rejects.toMatchObject({ status: 403 });
    await world.owner("update point_clears set asked_by = $1", [randomUUID()]);
    await post("/api/points/clears/decide", { id, decision: "approve" });
    expect(await detail()).toMatchObject({ status: 1, points: 500, would: null });
    expect(await world.owner("select expires_on as ends from point_lots")).toEqual([{ ends: addDays(today(), 7) }]);
    expect((await world.owner("select from messages where kind = 'pointsEnd'")).length).toBeGreaterThan(0);
    await post("/api/points/clears/cancel", { id });
    expect(await world.owner("select expires_on as ends, told_points as told from point_lots")).toEqual([{ ends: null, told: null }]);
    world.services.clock.advance(9 * 86_400_000);
    await night();
    expect(await balances()).toEqual({ points: 500 });
  });
  test("at once leaves alone what arrives while its list is frozen", async () => {
    await adjust(500);
    const { id } = (await post("/api/points/clears", { requestId: randomUUID(), reason: "停业" })) as unknown as { id: string };
    await world.owner("update point_clears set asked_by = $1", [randomUUID()]);
    // Between the list and its lots: a lock of the lots' list that another connection lets go of once it has given more.
    const keeper = await world.services.pool.connect();
    try {
      await keeper.query("begin");
      await keeper.query("select set_config('app.scope', 'PLATFORM||||||||', true)");
      await keeper.query("select from point_lots where points = 500 for update");
      const frozen = post("/api/points/clears/decide", { id, decision: "approve" });
      await someoneWaits();
      await adjust(40);
      await keeper.query("commit");
      await frozen;
    } finally {
      keeper.release();
    }
    expect(
      await world.owner("select points::int, told_points::int as told, expires_on is not null as ends from point_lots order by points"),
    ).toEqual([
      { points: 40, told: null, ends: false },
      { points: 500, told: 500, ends: true },
    ]);
    world.services.clock.advance(9 * 86_400_000);
    await night();
    expect(await balances()).toEqual({ points: 40 });
  });
  test("at once that is taken back leaves points to the rule that holds by then", async () => {
    await adjust(500);
    const { id } = (await post("/api/points/clears", { requestId: randomUUID(), reason: "停业" })) as unknown as { id: string };
    await world.owner("update point_clears set asked_by = $1", [randomUUID()]);
    await post("/api/points/clears/decide", { id, decision: "approve" });
    world.services.clock.advance(60_000);
    await save({ expiry: { kind: "months", months: 6 } });
    await post("/api/points/clears/cancel", { id });
    expect(await world.owner("select expires_on as ends, told_points as told from point_lots")).toEqual([
      { ends: expiresOn({ ...RULE.expiry, kind: "months", months: 6 }, today(), today()), told: null },
    ]);
  });
  test("and many who spend at once: nothing is cleared twice or spent after", async () => {
    await adjust(500);
    const { id } = (await post("/api/points/clears", { requestId: randomUUID(), reason: "停业" })) as unknown as { id: string };
    await world.owner("update point_clears set asked_by = $1", [randomUUID()]);
    await post("/api/points/clears/decide", { id, decision: "approve" });
    world.services.clock.advance(8 * 86_400_000);
    await Promise.allSettled([night(), ...Array.from({ length: 5 }, () => adjust(-100))]);
    await night();
    expect(await balances()).toEqual({});
  });
});

test("the summary is the book: its flows come to what is outstanding", async () => {
  await sell("A", 24_500);
  await adjust(500);
  // A tier of a recharge.
  const given = { cause: "points-given" as const, cause_id: randomUUID(), points: 100, usable_from: today(), expires_on: null };
  await world.look((tx) => addPoints(tx, poster(), holder(), given));
  await refund("A", 10_000);
  const summary = (await get("/api/points/summary", { from: addDays(today(), -1), to: today(), by: "reason" })) as unknown as {
    total: { net: number };
    outstanding: { total: number };
  };
  expect(summary.total.net).toBe(summary.outstanding.total);
  expect(summary).toMatchObject({ total: { issued: 467, clawed: 150, adjusted: 500 } });
  // Of one store what moved there, and the file has the rows of the screen.
  const asked = { from: addDays(today(), -1), to: today(), by: "reason" as const, storeId: store().id };
  const there = (await get("/api/points/summary", asked)) as unknown as { total: object; rows: { id: string }[]; outstanding: null };
  expect(there).toMatchObject({ total: { issued: 367, clawed: 150, adjusted: 0 }, outstanding: null });
  const filed: object[] = [];
  await world.look(async (tx) => {
    const { rows } = points.exports!.find(({ name }) => name === "points-summary")!;
    for await (const batch of rows(tx, merchantScope(holder().service_provider_id, holder().merchant_id), asked)) filed.push(...batch);
  });
  expect(filed).toEqual(there.rows.map(({ id: _id, ...row }) => row));
  expect(filed.length).toBeGreaterThan(1);
});
test("a rule whose step is no whole cent is refused at its field, and a version that somebody else saved too", async () => {
  await expect(save({ spend: { points: 3, stepPoints: 1 } })).rejects.toMatchObject({
    fields: { "rule.spend.stepPoints": expect.any(String) },
  });
  await expect(post("/api/points/rule", { version: 0, rule: RULE })).rejects.toMatchObject({ status: 409 });
});

// membership.md 9, example 4.
test("of points used 500 had ended on 12-31: a full refund on 01-05 gives a new lot of 500, good through 02-04", async () => {
  world.services.clock.set("2027-11-20T06:00:00.000Z");
  await save({ earn: { on: false }, expiry: { kind: "yearly", yearsBack: 0 } });
  world.services.clock.advance(60_000);
  await adjust(500);
  world.services.clock.advance(60_000);
  await adjust(300);
  await world.owner("update point_lots set expires_on = null where points = 300");
  expect(await sell("A", 10_000, 800)).toMatchObject({ paidCents: 9_200 });
  const lots = () =>
    world.owner<{ left: number; ends: string | null }>(
      "select left_points::int as left, to_char(expires_on, 'YYYY-MM-DD') as ends from point_lots order by created_at, id",
    );
  expect(await lots()).toEqual([
    { left: 0, ends: "2027-12-31" },
    { left: 0, ends: null },
  ]);
  world.services.clock.set("2028-01-05T04:00:00.000Z");
  await refund("A", 9_200);
  expect(await balances()).toEqual({ points: 800 });
  expect(await lots()).toEqual([
    { left: 0, ends: "2027-12-31" },
    { left: 300, ends: null },
    { left: 500, ends: "2028-02-04" },
  ]);
  // Good through 23:59:59 of its last day, gone a second later, cleared by the night.
  const most = async (tillNo: string) =>
    (await world.till(store(), "quotePrice", { tillNo, grossCents: 10_000, ticket: member.id, points: "most" } as never)).paidCents;
  world.services.clock.set("2028-02-04T15:59:59.000Z");
  expect(await most("B")).toBe(9_200);
  world.services.clock.set("2028-02-04T16:00:00.000Z");
  expect(await most("C")).toBe(9_700);
  world.services.clock.set("2028-02-04T16:06:00.000Z");
  await world.sweep("tend-points");
  expect(await balances()).toEqual({ points: 300 });
});
