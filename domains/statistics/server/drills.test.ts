import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, dayStart } from "@zhangfang/contract/time.ts";
import { seededIds } from "@zhangfang/server/clock.ts";
import { withScope } from "@zhangfang/server/db.ts";
import { platformScope } from "@zhangfang/server/scope.ts";
import { summarisePayOrders } from "../../orders/contract/index.ts";
import { routes as orderRoutes, settlePayment } from "../../orders/server/index.ts";
import { getDashboard, getOverview, type Drill } from "../contract/index.ts";
import { statisticsWorld } from "./testing/world.ts";

const TODAY = "2026-11-20";
let world: Awaited<ReturnType<typeof statisticsWorld>>;
beforeAll(async () => {
  world = await statisticsWorld(orderRoutes);
  world.at("2026-11-20T06:30:20.500Z");
  await pay();
}, 60_000);
afterAll(() => world.close());

/** Orders that are made, some late in the evening, and paid the way every payment is; a few are never paid. */
async function pay(): Promise<void> {
  const { owner, tree, services } = world;
  const random = seededIds(5);
  const between = (from: number, to: number) => from + Math.floor(random.next() * (to - from + 1));
  // From here on every trigger works: payments are posted in full.
  await owner.query("set session_replication_role = default; alter table ledger_entries enable trigger add_up");
  for (let at = 0; at < 240; at++) {
    const store = tree.stores[between(0, tree.stores.length - 1)]!;
    const [id, order_no, gross] = [crypto.randomUUID(), `P${random.digits(27)}`, between(2, 60_000)];
    const paid = gross - between(0, Math.floor(gross / 4));
    const made_ms = Date.parse(dayStart(addDays(TODAY, -between(1, 32)))) + [between(0, 86_000_000), 86_399_000][at % 2]!;
    await owner.query(
      `insert into pay_orders (service_provider_id, id, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id, order_no, trade_type, pay_method, channel, tool, subject,
        gross_cents, coupon_cents, paid_cents, fee_rate, created_at, expires_at, next_query_at)
       select service_provider_id, $1, id, $2, agent_id, business_group_id, business_team_id, salesman_id, $3, 'NATIVE', 'OTHER', 0, $4, 'x', $5, $6, $7, 380, $8, $8, $8 from merchants where id = $9`,
      [id, store.id, order_no, between(1, 9), gross, gross - paid, paid, new Date(made_ms), store.merchantId],
    );
    if (at % 10 === 0) continue;
    const paidAt = new Date(made_ms + [0, 999, 1_000, between(1_000, 200_000)][at % 4]!).toISOString();
    const trade = {
      tradeState: "SUCCESS",
      outTradeNo: order_no,
      total_cents: paid,
      transactionId: random.digits(28),
      openId: null,
      paidAt,
      promotions: [],
    } as unknown as Parameters<typeof settlePayment>[3];
    const settled = await withScope(services.pool, platformScope("test payment"), (tx) =>
      settlePayment(tx, services, { service_provider_id: store.serviceProviderId, id }, trade),
    );
    expect(settled).toBe("settled");
  }
}

test.each(["sp01", "sp02", "mch01", "area01", "fin01"] as const)(
  "%s: one click on a figure shows the orders behind it, with the same total",
  async (login) => {
    const shown = (drill: Drill) => world.as(login, summarisePayOrders, drill.query as never);
    const month = await world.as(login, getOverview, { from: "2026-10-21", to: "2026-11-19" });
    expect(month.current.payCount).toBeGreaterThan(5);
    const { payCount: paidCount, grossCents, discountCents, paidCents, feeCents } = month.current;
    expect(await shown(month.drill.pay)).toMatchObject({ count: paidCount, paidCount, grossCents, discountCents, paidCents, feeCents });
    for (const figure of [...month.line, ...month.tools, ...month.channels, ...month.ranking.rows]) {
      expect(await shown(figure.drill)).toMatchObject({ count: figure.payCount, paidCents: figure.paidCents });
    }
  },
);

test.each(["admin", "agent01", "group01", "team01"] as const)("%s: the same for the steps of the trend and the rankings", async (login) => {
  const answer = await world.as(login, getDashboard, { from: "2026-10-21", to: "2026-11-19", by: "week" });
  for (const figure of [...answer.trend, ...answer.rankings.flatMap((ranking) => ranking.rows)]) {
    expect(await world.as(login, summarisePayOrders, figure.drill.query as never)).toMatchObject({
      count: figure.payCount,
      paidCents: figure.paidCents,
    });
  }
});
