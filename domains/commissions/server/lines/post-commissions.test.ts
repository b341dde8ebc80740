import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addDays } from "@zhangfang/contract/time.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { setAgentRatio, getAgent, getProvider, updateProvider } from "../../../organisation/contract/index.ts";
import { openCommissionWorld, type CommissionWorld } from "../testing/commission-world.ts";
import { clawbackOf, commissionsOf } from "../index.ts";
import { nightlyDays } from "./recompute-lines.ts";

let world: CommissionWorld;
beforeAll(async () => void (world = await openCommissionWorld()));
afterAll(() => world.close());
beforeEach(() => world.forget());

const stores = () => world.till.tree.merchants;
interface Found {
  receiver: string;
  fact: string;
  amount_cents: number;
  day: string;
}
const linesOf = (order: { id: string }) =>
  world.till.owner<Found>(
    "select receiver, fact, amount_cents::int, day::text from commission_lines where order_id = $1 order by occurred_at, receiver",
    [order.id],
  );
const shares = (rows: readonly Found[], fact = "payment") =>
  Object.fromEntries(rows.filter((row) => row.fact === fact).map((row) => [row.receiver, row.amount_cents]));
/** Everything that a run leaves behind. */
const digest = async () =>
  world.till
    .owner(`select (select md5(string_agg(l::text, '' order by fact_id, receiver)) from (select fact_id, receiver, amount_cents, day from commission_lines) l) as lines,
    (select md5(string_agg(a::text, '' order by receiver_id, kind)) from (select receiver_id, kind, balance_cents from commission_accounts) a) as balances`);

test("yesterday's payment is shared by the chain of its merchant, and a refund takes back on its own day", async () => {
  const order = await world.pay(stores().mch01.stores[0]!, 100_000);
  expect(await world.post()).toEqual({ facts: 0 });
  world.nextDay();
  expect(await world.post()).toEqual({ facts: 1 });
  // Fee 3.80, cost 2.10, margin 1.70, of which the agent has 40 %.
  expect(shares(await linesOf(order))).toEqual({ cost: 210, agent: 68, provider: 102 });
  await world.refund(order, 33_333);
  world.nextDay();
  expect(await world.post()).toEqual({ facts: 1 });
  const taken = (await linesOf(order)).filter(({ fact }) => fact === "refund");
  expect(taken.every(({ day }) => day === "2026-11-21")).toBe(true);
  expect(shares(taken, "refund")).toEqual({ cost: -70, agent: -23, provider: -34 });
  await world.refund(order, 66_667);
  world.nextDay();
  await world.post();
  const all = await linesOf(order);
  expect(all.reduce((sum, line) => sum + line.amount_cents, 0)).toBe(0);
  expect(await world.verify()).toEqual([]);
});

test("a provider's new rate begins today: yesterday keeps its own, shared before the change or after it", async () => {
  const id = world.till.tree.providers.sp01;
  const rate = async (feeRate: number) => {
    const { version, name, shortName, quotas } = await world.as("admin", getProvider, { id });
    await world.as("admin", updateProvider, { id, version, name, shortName, quotas, feeRate });
  };
  const [first, second] = [await world.pay(stores().mch01.stores[0]!, 100_000), await world.pay(stores().mch04.stores[0]!, 100_000)];
  world.nextDay();
  await rate(300);
  await rate(250);
  await world.post();
  for (const order of [first, second]) expect(shares(await linesOf(order))["cost"]).toBe(210);
  const later = await world.pay(stores().mch01.stores[0]!, 100_000);
  world.nextDay();
  await world.post();
  await rate(210);
  expect(shares(await linesOf(later))["cost"]).toBe(250);
  expect(await world.verify()).toEqual([]);
  // The next test begins on the first day again.
  await emptyTables(world.till.owner, "provider_rates");
});

test("a payment that becomes known when its day was posted already is shared by the next run, and no breach until then", async () => {
  const { till } = world;
  const asked = { tillNo: "LATE", tradeType: "NATIVE" as const, subject: "午餐", grossCents: 100_000 };
  const { orderNo } = await till.till(stores().mch01.stores[0]!, "createTillOrder", asked);
  till.channel.customerPays(orderNo);
  world.nextDay();
  await world.post();
  till.services.clock.advance(120_000);
  await world.work();
  const [order] = await till.owner<{ id: string; day: string }>(
    "select id, (paid_at at time zone 'Asia/Shanghai')::date::text as day from pay_orders",
  );
  expect([order!.day, await linesOf(order!), await world.verify()]).toEqual(["2026-11-20", [], []]);
  world.nextDay();
  // One that was known and is left out all the same is found.
  await till.owner("update commission_progress set through = '2026-11-21', updated_at = now() + interval '100 years'");
  expect(await world.verify()).toMatchObject([{ rule: "each fee is shared to the cent, once", count: 1 }]);
  expect(await world.post()).toEqual({ facts: 1 });
  expect(shares(await linesOf(order!))).toEqual({ cost: 210, agent: 68, provider: 102 });
  expect(await world.verify()).toEqual([]);
});

test("a run that was done is done: twice after each other, and in three workers at once, it leaves the same book", async () => {
  for (let n = 0; n < 12; n++) await world.pay(stores()[n % 2 ? "mch01" : "mch04"].stores[n % 3]!, 10_007 * (n + 1));
  world.nextDay();
  const runs = await Promise.all([world.post(), world.post(), world.post()]);
  // One that finds another at work, also between its payments and its refunds, leaves the rest and still says what it posted.
  expect(runs.reduce((sum, { facts }) => sum + facts, 0)).toBe(12);
  const once = await digest();
  await world.post();
  expect(await digest()).toEqual(once);
  expect(await world.verify()).toEqual([]);
});

test("days that were missed are caught up with, each on its own day; a provider's run leaves the other's alone", async () => {
  await world.pay(stores().mch01.stores[0]!, 50_000);
  world.nextDay();
  await world.pay(stores().mch01.stores[0]!, 60_000);
  await world.pay(stores().mch02.stores[0]!, 70_000);
  world.nextDay(3);
  await world.post();
  const days = await world.till.owner("select day::text, count(distinct fact_id)::int as n from commission_lines group by 1 order by 1");
  expect(days).toEqual([
    { day: "2026-11-20", n: 1 },
    { day: "2026-11-21", n: 1 },
  ]);
  expect(await world.post("sp02")).toEqual({ facts: 1 });
  expect(await world.verify()).toEqual([]);
});

test("a ratio that changes between payment and posting counts from its own day on", async () => {
  const order = await world.pay(stores().mch01.stores[0]!, 100_000);
  world.nextDay();
  const { version } = await world.as("sp01", getAgent, { id: world.till.tree.agents.agent01 });
  await world.as("sp01", setAgentRatio, { id: world.till.tree.agents.agent01, version, profitRatio: 90_000, start: "today" });
  const later = await world.pay(stores().mch01.stores[0]!, 100_000);
  world.nextDay();
  await world.post();
  expect(shares(await linesOf(order))["agent"]).toBe(68);
  expect(shares(await linesOf(later))["agent"]).toBe(153);
  // The refund of the first goes by the first.
  await world.refund(order, 100_000);
  world.nextDay();
  await world.post();
  expect(shares(await linesOf(order), "refund")["agent"]).toBe(-68);
  expect(await world.verify()).toEqual([]);
});

test("a merchant that is handed over leaves what is past with whom it was", async () => {
  const { agents, merchants } = world.till.tree;
  const order = await world.pay(merchants.mch03.stores[0]!, 100_000);
  await world.till.owner("update merchants set agent_id = $1 where id = $2", [agents.agent02, merchants.mch03.id]);
  const later = await world.pay(merchants.mch03.stores[0]!, 100_000);
  world.nextDay();
  await world.refund(order, 50_000);
  world.nextDay();
  await world.post();
  const who = await world.till.owner(
    "select order_id, receiver_id, sum(amount_cents)::int as cents from commission_lines where receiver = 'agent' group by 1, 2",
  );
  await world.till.owner("update merchants set agent_id = $1 where id = $2", [agents.agent01, merchants.mch03.id]);
  expect(who).toHaveLength(2);
  expect(who).toContainEqual(expect.objectContaining({ order_id: order.id, receiver_id: agents.agent01 }));
  expect(who).toContainEqual(expect.objectContaining({ order_id: later.id, receiver_id: agents.agent02 }));
});

test("what an order's fee is shared into is known before it is posted, and is what is posted; each learns of their own part", async () => {
  const order = await world.pay(stores().mch01.stores[0]!, 123_457);
  const ref = { service_provider_id: world.till.tree.providers.sp01, id: order.id };
  const shown = () => world.till.look((tx) => commissionsOf(tx, ref.service_provider_id, order.id));
  const expected = await shown();
  const claw = await world.till.look((tx) => clawbackOf(tx, ref, 23_457));
  world.nextDay();
  await world.post();
  const posted = await shown();
  expect(posted.map((part) => ({ ...part, posted: false }))).toEqual(expected);
  expect(posted.every((part) => part.posted)).toBe(true);
  await world.refund(order, 23_457);
  const after = await shown();
  expect(after.map(({ part, clawedCents }) => [part, clawedCents])).toEqual(claw.map(({ part, cents }) => [part, cents]));
  expect(claw.find(({ part }) => part === "agent")?.name).toBe("锦城商务代理");
});

test("lines are shared once more by the terms of their day: a line that is not what they make of the fee is named", async () => {
  const orders: { id: string; orderNo: string }[] = [];
  for (let n = 0; n < 6; n++) orders.push(await world.pay(stores()[n % 2 ? "mch04" : "mch01"].stores[0]!, 33_337 * (n + 1)));
  world.nextDay();
  await world.post();
  await world.refund(orders[0]!, 11_111);
  await world.refund(orders[0]!, 5_000);
  await world.refund(orders[1]!, 66_674);
  world.nextDay();
  await world.post();
  expect(await world.verify()).toEqual([]);
  const rule = "each line is what the terms of its payment's day make of its fee";
  /** Changes a line behind the book's back, with all that would betray it by sums alone. */
  const shift = async (fact: "payment" | "refund", by: number) => {
    const line = (receiver: string) =>
      `select id from commission_lines where receiver = '${receiver}' and fact = '${fact}' and order_id = '${orders[0]!.id}' order by occurred_at limit 1`;
    await world.till.owner("alter table commission_lines disable trigger frozen");
    await world.till.owner(`update commission_lines set amount_cents = amount_cents + ${by} where id = (${line("agent")})`);
    await world.till.owner(`update commission_lines set amount_cents = amount_cents - ${by} where id = (${line("provider")})`);
    await world.till.owner("alter table commission_lines enable trigger frozen");
    return (await world.till.owner<{ id: string }>(line("agent")))[0]!.id;
  };
  for (const fact of ["payment", "refund"] as const) {
    const id = await shift(fact, 1);
    const found = (await world.verify()).find((one) => one.rule === rule);
    expect([fact, found?.count, found?.example]).toEqual([fact, 2, expect.stringContaining(`${id} (agent of ${fact} `)]);
    await shift(fact, -1);
  }
  expect(await world.verify()).toEqual([]);
  // A history that was changed afterwards shows in every line of its chain: three payments and two refunds, agent and provider.
  const history = (by: number) =>
    world.till.owner(`update agent_ratios set profit_ratio = profit_ratio + ${by} where agent_id = '${world.till.tree.agents.agent01}'`);
  await history(10_000);
  expect((await world.verify()).map(({ rule: told, count }) => [told, count])).toEqual([[rule, 10]]);
  await history(-10_000);
});

test("one night looks at the day before and at one of the year before that; each is looked at again within a year", () => {
  const nights = Array.from({ length: 730 }, (_all, n) => nightlyDays(addDays("2026-11-20", n)));
  expect(nights[0]![0]).toBe("2026-11-20");
  const again = nights.map(([, other]) => other!).filter((day) => day >= "2026-11-20" && day < "2027-11-20");
  expect([again.length, new Set(again).size]).toEqual([365, 365]);
});
