import { afterAll, beforeAll, expect, test } from "vitest";
import type { DemoLogin } from "../../../apps/demo/tree/tree.ts";
import { seededIds } from "@zhangfang/server/clock.ts";
import { addDays, dayStart } from "@zhangfang/contract/time.ts";
import { openPool, withScope } from "@zhangfang/server/database/db.ts";
import { firstFence, parseScope } from "@zhangfang/server/database/scope.ts";
import { walletOf } from "../../channels/contract.ts";
import { getDashboard, getOverview, getToday } from "../contract/index.ts";
import { readDays } from "./takings/read-takings.ts";
import { readStandings } from "./rankings/read-standings.ts";
import { foldTakings } from "./takings/fold-takings.ts";
import { dayOf, hourOf, seenBy, statisticsWorld, summed, type Fact } from "./testing/world.ts";

// Friday, half past two in the afternoon and twenty and a half seconds.
const NOW = "2026-11-20T06:30:20.500Z";
const TODAY = "2026-11-20";
const OVERVIEWS = ["sp01", "sp02", "mch01", "mch02", "area01", "emp01", "fin01"] as const;
const DASHBOARDS = ["admin", "agent01", "agent02", "group01", "group02", "team01", "team03", "sale01", "sale03"] as const;

let world: Awaited<ReturnType<typeof statisticsWorld>>;
beforeAll(async () => {
  world = await statisticsWorld();
  world.at(NOW);
  await fill();
});
afterAll(() => world.close());

/** Every store, 70 days, all hours; on each border of a day two movements, and one merchant handed over on the way. */
async function fill(): Promise<void> {
  const random = seededIds(7);
  const between = (from: number, to: number) => from + Math.floor(random.next() * (to - from + 1));
  const { tree } = world;
  const payment = () => {
    const [paid, discount, stored] = [between(1, 50_000), between(0, 900), Math.max(0, between(-400, 400))];
    return {
      cause: "payment" as const,
      tool: between(1, 9),
      channel: between(0, 1),
      paid,
      discount,
      stored,
      gross: paid + discount + stored,
      fee: Math.round(paid * 0.0038),
    };
  };
  for (let at = 0; at < 900; at++) {
    const store = tree.stores[between(0, tree.stores.length - 1)]!;
    // Half of them where today is compared with: today, yesterday, a week ago.
    const day = addDays(TODAY, random.next() < 0.5 ? -[0, 1, 7][between(0, 2)]! : -between(0, 70));
    const last_ms = day === TODAY ? Date.parse(NOW) - Date.parse(dayStart(day)) : 86_399_999;
    const moment = new Date(Date.parse(dayStart(day)) + between(0, last_ms)).toISOString();
    // mch03 belonged to the other agent until two weeks ago.
    const handed = store.merchantId === tree.merchants.mch03.id && day < addDays(TODAY, -14) ? { agent: tree.agents.agent02 } : {};
    if (random.next() < 0.8) await world.add(store, moment, { ...payment(), ...handed });
    else
      await world.add(store, moment, {
        cause: "refund",
        tool: between(1, 9),
        refund: between(1, 9_000),
        refundFee: between(0, 30),
        ...handed,
      });
  }
  const [store, other] = [tree.merchants.mch01.stores[0]!, tree.merchants.mch02.stores[0]!];
  for (const back of [0, 1, 2, 7, 8, 30, 31]) {
    const start_ms = Date.parse(dayStart(addDays(TODAY, -back)));
    for (const at_ms of [start_ms - 1, start_ms])
      for (const where of [store, other]) await world.add(where, new Date(at_ms).toISOString(), payment());
  }
  // Around the very moment of day that today is compared at.
  for (const back of [1, 7])
    for (const off of [-1, 0, 1]) await world.add(store, new Date(Date.parse(NOW) - back * 86_400_000 + off).toISOString(), payment());
}
const seen = (login: DemoLogin, which: (fact: Fact) => boolean = () => true) => world.facts.filter(seenBy(login, world.tree)).filter(which);
const inSpan =
  (from: string, to = from) =>
  (fact: Fact) =>
    dayOf(fact) >= from && dayOf(fact) <= to;
const added = (rows: readonly { paidCents: number }[]) => rows.reduce((total, row) => total + row.paidCents, 0);

test.each(OVERVIEWS)(
  "%s: yesterday, the days before, the line, the curve, the shares and the ranking are the facts to the cent",
  async (login) => {
    const answer = await world.as(login, getOverview, {});
    expect(answer.span).toEqual({ from: "2026-11-19", to: "2026-11-19" });
    expect(answer.current).toEqual(summed(seen(login, inSpan("2026-11-19"))));
    expect(answer.previous).toEqual(summed(seen(login, inSpan("2026-11-18"))));
    expect(answer.weekAgo).toEqual(summed(seen(login, inSpan("2026-11-12"))));
    expect(answer.line).toHaveLength(30);
    for (const point of answer.line) {
      const { payCount, paidCents, refundCents, netCents } = summed(seen(login, inSpan(point.day)));
      expect(point).toMatchObject({
        payCount,
        paidCents,
        refundCents,
        netCents,
        drill: { query: { from: point.day, to: point.day, dateOf: "paid" } },
      });
    }
    for (const point of answer.hourly.hours) {
      const of = (day: string) => summed(seen(login, (fact) => dayOf(fact) === day && hourOf(fact) === point.hour));
      const [own, compared] = [of("2026-11-19"), of("2026-11-18")];
      expect(point).toEqual({
        hour: point.hour,
        payCount: own.payCount,
        paidCents: own.paidCents,
        comparePayCount: compared.payCount,
        comparePaidCents: compared.paidCents,
      });
    }
    for (const part of answer.wallets)
      expect(part.paidCents).toBe(
        summed(seen(login, (fact) => inSpan("2026-11-19")(fact) && walletOf(fact.tool) === part.wallet)).paidCents,
      );
    expect([added(answer.wallets), added(answer.channels)]).toEqual([answer.current.paidCents, answer.current.paidCents]);
    const key = answer.ranking.kind;
    expect(key).toBe(login.startsWith("sp") ? "merchant" : "store");
    expect(answer.ranking.count).toBe(new Set(seen(login, inSpan("2026-11-19")).map((fact) => fact[key])).size);
    for (const row of answer.ranking.rows) {
      expect(row).toMatchObject({
        netCents: summed(seen(login, (fact) => inSpan("2026-11-19")(fact) && fact[key] === row.id)).netCents,
        drill: { query: { [`${key}Id`]: row.id } },
      });
    }
    expect(answer.ranking.rows.map((row) => row.paidCents)).toEqual(
      answer.ranking.rows.map((row) => row.paidCents).toSorted((a, b) => b - a),
    );
  },
);

test.each(["sp01", "mch01", "emp01"] as const)("%s: a week of its own is compared with the week before", async (login) => {
  const answer = await world.as(login, getOverview, { from: "2026-11-09", to: "2026-11-15", compareDay: "2026-11-08" });
  expect(answer).toMatchObject({
    previousSpan: { from: "2026-11-02", to: "2026-11-08" },
    weekAgoSpan: { from: "2026-11-02", to: "2026-11-08" },
  });
  expect(answer.current).toEqual(summed(seen(login, inSpan("2026-11-09", "2026-11-15"))));
  expect(answer.previous).toEqual(summed(seen(login, inSpan("2026-11-02", "2026-11-08"))));
  expect(answer.hourly).toMatchObject({ day: "2026-11-15", compareDay: "2026-11-08" });
});

test.each([...OVERVIEWS, ...DASHBOARDS])("%s: today so far against the past up to the same millisecond, and whole", async (login) => {
  const answer = await world.as(login, getToday, {});
  const until = (back: number) => (fact: Fact) =>
    inSpan(addDays(TODAY, -back))(fact) && Date.parse(fact.at) < Date.parse(NOW) - back * 86_400_000;
  expect(answer).toMatchObject({
    asOf: NOW,
    day: TODAY,
    drill: { pay: { path: "/dataCentre/payOrder", query: { dateOf: "paid", from: TODAY, to: TODAY } } },
  });
  expect(answer.today).toEqual(summed(seen(login, inSpan(TODAY))));
  expect(answer.yesterdaySoFar).toEqual(summed(seen(login, until(1))));
  expect(answer.yesterday).toEqual(summed(seen(login, inSpan("2026-11-19"))));
  expect(answer.lastWeekSoFar).toEqual(summed(seen(login, until(7))));
  expect(answer.lastWeek).toEqual(summed(seen(login, inSpan("2026-11-13"))));
});

test("at midnight and on a whole hour nothing of the hour is looked for, and yesterday so far is nothing at midnight", async () => {
  world.at("2026-11-20T16:00:00.000Z");
  const midnight = await world.as("sp02", getToday, {});
  expect([midnight.day, midnight.yesterdaySoFar.payCount, midnight.yesterday]).toEqual([
    "2026-11-21",
    0,
    summed(seen("sp02", inSpan(TODAY))),
  ]);
  world.at("2026-11-20T06:00:00.000Z");
  const hour = await world.as("mch02", getToday, {});
  expect(hour.yesterdaySoFar).toEqual(summed(seen("mch02", (fact) => dayOf(fact) === "2026-11-19" && hourOf(fact) < 14)));
  world.at(NOW);
});

test.each(DASHBOARDS)("%s: 30 days, the 30 before, the trend, provinces and rankings are the facts to the cent", async (login) => {
  const answer = await world.as(login, getDashboard, {});
  const [span, before] = [inSpan("2026-10-21", "2026-11-19"), inSpan("2026-09-21", "2026-10-20")];
  expect([answer.span, answer.previousSpan]).toEqual([
    { from: "2026-10-21", to: "2026-11-19" },
    { from: "2026-09-21", to: "2026-10-20" },
  ]);
  expect(answer.current).toEqual(summed(seen(login, span)));
  expect(answer.previous).toEqual(summed(seen(login, before)));
  expect(answer.trend).toHaveLength(30);
  for (const step of answer.trend) {
    const { payCount, paidCents, refundCents, feeCents, netCents } = summed(seen(login, inSpan(step.from, step.to)));
    expect(step).toMatchObject({ payCount, paidCents, refundCents, feeCents, netCents });
  }
  // Who took something under the caller and is the caller's yet: mch03 went to another agent.
  const { rows } = await world.owner.query<{ id: string; agent: string | null }>("select id, agent_id as agent from merchants");
  const agentNow = new Map(rows.map(({ id, agent }) => [id, agent]));
  const still = seenBy(login, world.tree);
  const active = (which: (fact: Fact) => boolean) =>
    new Set(
      seen(login, which).flatMap((fact) =>
        fact.cause === "payment" && still({ ...fact, agent: agentNow.get(fact.merchant) ?? null }) ? [fact.merchant] : [],
      ),
    ).size;
  expect(answer.merchants).toMatchObject({ active: active(span), previousActive: active(before) });
  expect(added(answer.provinces)).toBe(answer.current.paidCents);
  const columns = { provider: "provider", agent: "agent", team: "team", merchant: "merchant" } as const;
  for (const ranking of answer.rankings) {
    const ids = new Set(seen(login, span).flatMap((fact) => fact[columns[ranking.kind]] ?? []));
    expect(ranking.count).toBe(ids.size);
    expect(new Set(ranking.rows.map((row) => row.id))).toEqual(ids);
    for (const row of ranking.rows) {
      const { payCount, paidCents, refundCents, netCents } = summed(
        seen(login, (fact) => span(fact) && fact[columns[ranking.kind]] === row.id),
      );
      expect(row).toMatchObject({ payCount, paidCents, refundCents, netCents, name: expect.stringMatching(/./) });
    }
  }
});

test("what each level ranks, and the week and month steps of a trend", async () => {
  const kinds = async (login: (typeof DASHBOARDS)[number]) =>
    (await world.as(login, getDashboard, {})).rankings.map((ranking) => ranking.kind);
  expect(await Promise.all([kinds("admin"), kinds("agent01"), kinds("group01"), kinds("team01"), kinds("sale01")])).toEqual([
    ["provider", "agent", "merchant"],
    ["merchant"],
    ["team", "merchant"],
    ["merchant"],
    ["merchant"],
  ]);
  const weeks = await world.as("admin", getDashboard, { from: "2026-10-28", to: "2026-11-10", by: "week" });
  expect(weeks.trend.map((step) => [step.from, step.to])).toEqual([
    ["2026-10-28", "2026-11-01"],
    ["2026-11-02", "2026-11-08"],
    ["2026-11-09", "2026-11-10"],
  ]);
  const months = await world.as("admin", getDashboard, { from: "2026-10-28", to: "2026-11-10", by: "month" });
  expect(months.trend.map((step) => step.paidCents)).toEqual([
    summed(seen("admin", inSpan("2026-10-28", "2026-10-31"))).paidCents,
    summed(seen("admin", inSpan("2026-11-01", "2026-11-10"))).paidCents,
  ]);
});

test("merchants and devices are counted as they are now; an agent's commission is its part of the fee that stayed", async () => {
  const { owner, tree } = world;
  await owner.query("update merchants set opened_at = '2026-11-19T15:59:59.999Z' where id = $1", [tree.merchants.mch01.id]);
  await owner.query("update merchants set opened_at = '2026-11-19T16:00:00.000Z' where id = $1", [tree.merchants.mch03.id]);
  await owner.query("update merchants set opened_at = '2026-10-20T15:59:59.999Z' where id not in ($1, $2)", [
    tree.merchants.mch01.id,
    tree.merchants.mch03.id,
  ]);
  await owner.query("update devices set last_seen_at = $1 where store_id = $2", [
    new Date(Date.parse(NOW) - 180_000),
    tree.merchants.mch01.stores[0]!.id,
  ]);
  await owner.query("update devices set last_seen_at = $1 where store_id = $2", [
    new Date(Date.parse(NOW) - 180_001),
    tree.merchants.mch01.stores[1]!.id,
  ]);
  const admin = await world.as("admin", getDashboard, {});
  expect(admin.merchants).toMatchObject({ total: 7, new: 1, previousNew: 6 });
  expect(admin.devices).toEqual({ online: 3, total: 60 });
  expect(admin.commissionCents).toBe(null);
  const agent = await world.as("agent01", getDashboard, {});
  expect(agent.merchants).toMatchObject({ total: 1, new: 1, previousNew: 0 });
  expect(agent.devices).toEqual({ online: 3, total: 24 });
  expect(agent.commissionCents).toBe(0);
  for (const [login, id, day, cents] of [
    ["agent", tree.agents.agent01, "2026-11-19", 137],
    ["agent", tree.agents.agent01, "2026-10-20", 20],
    ["agent", tree.agents.agent02, "2026-11-19", 1_000_003],
  ] as const)
    await owner.query(
      `insert into commission_daily (service_provider_id, receiver, receiver_id, agent_id, day, ratio_cents) values ($1, $2, $3, $3, $4, $5)`,
      [tree.providers.sp01, login, id, day, cents],
    );
  expect(await world.as("agent01", getDashboard, {})).toMatchObject({ commissionCents: 137, previousCommissionCents: 20 });
  await owner.query("delete from commission_daily");
});

test("each home is for its own levels, and spans are whole, in order and not endless", async () => {
  for (const login of DASHBOARDS) await expect(world.as(login, getOverview, {})).rejects.toMatchObject({ status: 403 });
  for (const login of OVERVIEWS) await expect(world.as(login, getDashboard, {})).rejects.toMatchObject({ status: 403 });
  for (const given of [{ from: "2026-11-02" }, { from: "2026-11-02", to: "2026-11-01" }, { from: "2025-10-16", to: "2026-11-20" }]) {
    await expect(world.as("sp01", getOverview, given)).rejects.toMatchObject({ status: 400 });
    await expect(world.as("admin", getDashboard, given)).rejects.toMatchObject({ status: 400 });
  }
});

test("each fence alone narrows to the same figures", async () => {
  const everybody = [...OVERVIEWS, ...DASHBOARDS];
  const span = { from: addDays(TODAY, -70), to: TODAY };
  const truth = (login: DemoLogin) => summed(seen(login)).paidCents;
  const dashboards = await Promise.all(DASHBOARDS.map((login) => world.as(login, getDashboard, span)));
  firstFence.on = false;
  try {
    for (const login of OVERVIEWS) expect((await world.as(login, getOverview, span)).current.paidCents, login).toBe(truth(login));
    for (const login of everybody)
      expect((await world.as(login, getToday, {})).yesterdaySoFar.paidCents, login).toBe(
        summed(seen(login, (fact) => inSpan("2026-11-19")(fact) && Date.parse(fact.at) < Date.parse(NOW) - 86_400_000)).paidCents,
      );
    for (const [at, login] of DASHBOARDS.entries()) expect(await world.as(login, getDashboard, span), login).toEqual(dashboards[at]);
  } finally {
    firstFence.on = true;
  }
  // The owner is past row-level security: only the first fence is left.
  const pool = openPool({ connection: world.services.owner, size: 1 });
  const scopes = new Map(
    (await world.owner.query("select u.login, app.scope_of(u) as scope from users u")).rows.map((row) => [
      row.login as string,
      parseScope(row.scope as string),
    ]),
  );
  for (const login of everybody) {
    const scope = scopes.get(login)!;
    await withScope(pool, scope, async (tx) => {
      expect(
        (await readDays(tx, scope, span)).reduce((total, row) => total + row.paid_cents, 0),
        login,
      ).toBe(truth(login));
      expect(added((await readStandings(tx, scope, span)).provinces), login).toBe(truth(login));
    });
  }
  await pool.end();
});

test("an employee of several stores sees the sum of its stores, and one without a store nothing", async () => {
  const two = await world.as("area01", getOverview, {});
  const stores = two.ranking.rows.map((row) => row.paidCents);
  expect(stores.reduce((a, b) => a + b, 0)).toBe(two.current.paidCents);
  await world.owner.query("delete from user_stores where user_id = $1", [world.tree.users.emp01]);
  const none = await world.as("emp01", getOverview, {});
  expect([none.current.payCount, none.line.every((point) => point.paidCents === 0), none.ranking]).toEqual([
    0,
    true,
    { kind: "store", count: 0, rows: [] },
  ]);
  expect((await world.as("emp01", getToday, {})).yesterdaySoFar.payCount).toBe(0);
});

test("no more than six statements for each", async () => {
  const asked: string[] = [];
  const listened = new Set<unknown>();
  world.services.pool.on("acquire", (client) => {
    if (listened.has(client)) return;
    listened.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    Object.assign(client, {
      query: (...given: unknown[]) => (asked.push(String((given[0] as { text?: string }).text ?? given[0])), query(...given)),
    });
  });
  const count = async (run: () => Promise<unknown>) => {
    asked.length = 0;
    await run();
    return asked.filter((text) => !/^(begin|commit)/.test(text)).length;
  };
  const counts = [
    await count(() => world.as("mch01", getToday, {})),
    await count(() => world.as("mch01", getOverview, {})),
    await count(() => world.as("admin", getDashboard, {})),
  ];
  expect(counts).toEqual([2, 4, 3]);
});

test("adding fresh rows to the sums changes no figure, and what comes later or late is counted at once", async () => {
  const span = { from: addDays(TODAY, -70), to: TODAY };
  const everything = () =>
    Promise.all([
      ...DASHBOARDS.map((login) => world.as(login, getDashboard, span)),
      ...OVERVIEWS.map((login) => world.as(login, getOverview, {})),
      ...OVERVIEWS.map((login) => world.as(login, getToday, {})),
    ]);
  const fresh = async () => (await world.owner.query("select count(*)::int as n from takings_fresh")).rows[0].n;
  const before = await everything();
  expect(await fresh()).toBeGreaterThan(100);
  await foldTakings.run(world.services, {});
  expect(await fresh()).toBe(0);
  expect(await everything()).toEqual(before);
  for (const at of ["2026-11-01T04:00:00.000Z", new Date(world.services.clock.now_ms()).toISOString()])
    await world.add(world.tree.merchants.mch07.stores[0]!, at, { cause: "payment", paid: 1_234, gross: 1_234, fee: 5 });
  expect(await fresh()).toBe(2);
  const current = summed(seen("admin", inSpan(span.from, span.to)));
  expect((await world.as("admin", getDashboard, span)).current).toEqual(current);
  await foldTakings.run(world.services, {});
  expect((await world.as("admin", getDashboard, span)).current).toEqual(current);
});

test("rows that are added while others are on their way are counted once", async () => {
  const store = world.tree.merchants.mch07.stores[0]!;
  const paid = { cause: "payment", paid: 100, gross: 100 } as const;
  const pay = async () => {
    for (let n = 0; n < 20; n++) await world.add(store, "2026-11-02T04:00:00.000Z", paid);
  };
  await Promise.all([pay(), ...Array.from({ length: 10 }, () => foldTakings.run(world.services, {}))]);
  const day = { from: "2026-11-02", to: "2026-11-02" };
  expect((await world.as("admin", getDashboard, day)).current).toEqual(summed(seen("admin", inSpan(day.from, day.to))));
});
