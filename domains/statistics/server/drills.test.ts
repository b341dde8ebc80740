import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays } from "@zhangfang/contract/time.ts";
import { listRefunds, summarisePayOrders, summariseRefunds } from "../../orders/contract/index.ts";
import { getDevices } from "../../devices/contract/index.ts";
import { devices } from "../../devices/server/index.ts";
import { orders } from "../../orders/server/index.ts";
import { listMerchantRows } from "../../organisation/contract/index.ts";
import { organisation } from "../../organisation/server/index.ts";
import { getDashboard, getOverview, getToday, type Drill, type Figures } from "../contract/index.ts";
import { payAround } from "./testing/pay-around.ts";
import { statisticsWorld } from "./testing/world.ts";

const TODAY = "2026-11-20";
let world: Awaited<ReturnType<typeof statisticsWorld>>;
beforeAll(async () => {
  world = await statisticsWorld([...orders.routes, ...organisation.routes, ...devices.routes]);
  world.at("2026-11-20T06:30:20.500Z");
  await payAround(world, TODAY);
});
afterAll(() => world.close());

/** What the list of refunds says of a figure's link: its sums, and the rows on its pages. */
async function refundsBehind(login: Parameters<typeof world.as>[0], { query }: Drill) {
  const sums = await world.as(login, summariseRefunds, query as never);
  const rows = [];
  for (let cursor: string | undefined; ;) {
    const page = await world.as(login, listRefunds, { ...query, pageSize: 100, ...(cursor && { cursor }) } as never);
    rows.push(...page.items);
    if (page.next === null) break;
    cursor = page.next;
  }
  expect([rows.length, rows.reduce((sum, row) => sum + row.amountCents, 0)]).toEqual([sums.count, sums.amountCents]);
  return { refundCount: sums.doneCount, refundCents: sums.doneCents, refundFeeCents: sums.doneFeeCents };
}
const refunded = ({ refundCount, refundCents, refundFeeCents }: Figures) => ({ refundCount, refundCents, refundFeeCents });

test.each(["sp01", "sp02", "mch01", "area01", "fin01"] as const)(
  "%s: one click on a figure shows the orders behind it, with the same total",
  async (login) => {
    const shown = (drill: Drill) => world.as(login, summarisePayOrders, drill.query as never);
    const month = await world.as(login, getOverview, { from: "2026-10-21", to: "2026-11-19" });
    expect(month.current.payCount).toBeGreaterThan(5);
    const { payCount: paidCount, grossCents, discountCents, paidCents, feeCents } = month.current;
    expect(await shown(month.drill.pay)).toMatchObject({ count: paidCount, paidCount, grossCents, discountCents, paidCents, feeCents });
    for (const figure of [...month.line, ...month.wallets, ...month.channels, ...month.ranking.rows]) {
      expect(await shown(figure.drill)).toMatchObject({ count: figure.payCount, paidCents: figure.paidCents });
    }
  },
);

test.each(["sp01", "sp02", "mch01", "area01", "fin01"] as const)(
  "%s: one click on what went back shows the refunds that arrived in those days, to the cent",
  async (login) => {
    const month = await world.as(login, getOverview, { from: "2026-10-21", to: "2026-11-19" });
    expect(month.current.refundCount).toBeGreaterThan(0);
    expect(await refundsBehind(login, month.drill.refund)).toEqual(refunded(month.current));
    const today = await world.as(login, getToday, {});
    expect(await refundsBehind(login, today.drill.refund)).toEqual(refunded(today.today));
    for (let day = "2026-10-21"; day <= "2026-11-19"; day = addDays(day, 1)) {
      const one = await world.as(login, getOverview, { from: day, to: day });
      expect(await refundsBehind(login, one.drill.refund), day).toEqual(refunded(one.current));
    }
  },
);

test.each(["admin", "agent01", "group01", "team01"] as const)("%s: the same for the steps of the trend and the rankings", async (login) => {
  const answer = await world.as(login, getDashboard, { from: "2026-10-21", to: "2026-11-19", by: "week" });
  const { payCount: count, paidCents, feeCents } = answer.current;
  expect(await world.as(login, summarisePayOrders, answer.drill.pay.query as never)).toMatchObject({ count, paidCents, feeCents });
  expect(await refundsBehind(login, answer.drill.refund)).toEqual(refunded(answer.current));
  for (const step of answer.trend) {
    const sums = { count: step.payCount, paidCents: step.paidCents, feeCents: step.feeCents };
    expect(await world.as(login, summarisePayOrders, step.drill.pay.query as never)).toMatchObject(sums);
    expect(await refundsBehind(login, step.drill.refund)).toMatchObject({ refundCents: step.refundCents });
  }
  for (const figure of answer.rankings.flatMap((ranking) => ranking.rows)) {
    expect(await world.as(login, summarisePayOrders, figure.drill.query as never)).toMatchObject({
      count: figure.payCount,
      paidCents: figure.paidCents,
    });
  }
});

test("one click on a count of merchants or devices shows as many of them, also after one of them changed hands", async () => {
  const { owner, tree } = world;
  const span = { from: "2026-10-21", to: "2026-11-19" };
  // Opened on the last day, on the day after, and before the first.
  for (const [at, merchant] of [tree.merchants.mch01, tree.merchants.mch02, tree.merchants.mch03].entries())
    await owner.query("update merchants set opened_at = $1 where id = $2", [
      ["2026-11-19T15:59:59Z", "2026-11-19T16:00:00Z", "2026-10-20T15:59:59Z"][at],
      merchant.id,
    ]);
  await owner.query("update merchants set agent_id = $1 where id = $2", [tree.agents.agent02, tree.merchants.mch03.id]);
  await owner.query("update devices set last_seen_at = $1, state = case when id = $2 then 'disabled' else state end where store_id = $3", [
    new Date(world.services.clock.now_ms() - 60_000),
    tree.merchants.mch01.stores[0]!.devices[0]!.id,
    tree.merchants.mch01.stores[0]!.id,
  ]);
  for (const login of ["admin", "agent01", "agent02", "group01", "team01"] as const) {
    const { merchants, devices, standing } = await world.as(login, getDashboard, span);
    for (const at of ["total", "new", "active"] as const) {
      const { items, total } = await world.as(login, listMerchantRows, { ...standing[at].query, withTotal: true, pageSize: 100 } as never);
      expect([login, at, items.length, total?.count]).toEqual([login, at, merchants[at], merchants[at]]);
    }
    // Groups and teams have no list of devices, and no link to it.
    if (login === "group01" || login === "team01") continue;
    const online = await world.as(login, getDevices, { ...standing.online.query, withTotal: true } as never);
    expect([login, online.total?.count]).toEqual([login, devices.online]);
    if (login === "admin")
      expect([merchants.total, merchants.new, merchants.active, devices.online].every((count) => count > 0)).toBe(true);
  }
});
