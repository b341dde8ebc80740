import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, dayStart } from "@zhangfang/contract/time.ts";
import { seededIds } from "@zhangfang/server/clock.ts";
import { withScope } from "@zhangfang/server/db.ts";
import { platformScope } from "@zhangfang/server/scope.ts";
import { listRefundRequests, listRefunds, summarisePayOrders, summariseRefunds } from "../../orders/contract/index.ts";
import { reserveRefund, routes as orderRoutes, settlePayment, settleRefund } from "../../orders/server/index.ts";
import { getDashboard, getOverview, getToday, type Drill, type Figures } from "../contract/index.ts";
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
    if (at % 3 === 0) await giveBack(store.serviceProviderId, id, order_no, { paid, paid_ms: made_ms + 200_000, at });
  }
}

/** A part goes back days later: some arrive on the stroke of midnight, some are refused, some are still on their way. */
async function giveBack(
  service_provider_id: string,
  id: string,
  outTradeNo: string,
  { paid, paid_ms, at }: { paid: number; paid_ms: number; at: number },
): Promise<void> {
  const { services } = world;
  const now_ms = services.clock.now_ms();
  const next_ms = Date.parse(dayStart(addDays(new Date(paid_ms).toISOString().slice(0, 10), 1 + (at % 4))));
  const done_ms = Math.min(next_ms + [0, -1_000, 1_000, 40_000_000][(at / 3) % 4]!, now_ms - 60_000);
  const then = { ...services, clock: { now_ms: () => Math.max(paid_ms, done_ms - 3_600_000) } };
  await withScope(services.pool, platformScope("test refund"), async (tx) => {
    const amount_cents = at % 2 === 0 ? paid : Math.ceil(paid / 3);
    const ask = { request_id: crypto.randomUUID(), amount_cents, reason: "退菜", requested_by: null, requested_by_name: "收银机" };
    const refund = await reserveRefund(tx, then, { ...ask, order: { service_provider_id, id }, mayDecide: at % 4 !== 0 });
    if (refund.status === 0 || at % 7 === 0) return;
    const status = at % 11 === 0 ? "abnormal" : "success";
    const successAt = status === "success" ? new Date(done_ms).toISOString() : null;
    const news = { outTradeNo, outRefundNo: refund.refund_no, transactionId: null, refundId: "5", userReceivedAccount: null };
    await settleRefund(tx, then, refund, { ...news, status, amount_cents, total_cents: paid, successAt });
  });
}
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
    for (const figure of [...month.line, ...month.tools, ...month.channels, ...month.ranking.rows]) {
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

test.each(["sp01", "mch01", "area01"] as const)("%s: what waits is what its list shows", async (login) => {
  const { todos } = await world.as(login, getOverview, {});
  const waiting = await world.as(login, listRefundRequests, { state: "pending", withTotal: true });
  const failed = await world.as(login, summariseRefunds, { status: 3 });
  expect(waiting.total).toEqual({ count: todos.find((todo) => todo.key === "refundsToApprove")!.count, more: false });
  expect(failed.count).toBe(todos.find((todo) => todo.key === "refundsFailed")!.count);
  if (login === "sp01") expect([waiting.total!.count > 0, failed.count > 0]).toEqual([true, true]);
});

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
