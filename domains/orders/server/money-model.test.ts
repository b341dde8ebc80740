import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyAudit, sealAudit } from "@zhangfang/server/audit-seal.ts";
import { Refusal } from "@zhangfang/server/errors.ts";
import { Crash } from "./testing/fake-channel.ts";
import { BESIDE_THE_BOOK, lastNumber, op, STEPS, type Op, type Run } from "./testing/model-steps.ts";
import { openTillWorld, type TillWorld } from "./testing/till-world.ts";

// How many sequences of sixty operations; more at night. A failure prints its seed and path: each sequence begins with an
// empty book, so that it fails alone as it failed among the others.
const RUNS = Number(process.env["MODEL_RUNS"] ?? 200);
const OPERATIONS = 60;
const AGAIN = process.env["MODEL_SEED"] ? { seed: Number(process.env["MODEL_SEED"]), path: process.env["MODEL_PATH"] ?? "" } : {};

let world: TillWorld;
beforeAll(async () => {
  world = await openTillWorld();
});
afterAll(() => world.close());

/** Takes one step and checks the whole book after it, and that a call which was refused left everything as it was. */
async function step(run: Run, given: Op): Promise<void> {
  const digest = () =>
    world.owner(
      "select (select sum(hashtext(o::text)::bigint) from pay_orders o) as orders, (select sum(hashtext(r::text)::bigint) from refunds r) as refunds, (select count(*) from ledger_entries) as entries, (select count(*) from audit_log) as audits",
    );
  const take = () => (STEPS[given.op] as (run: Run, given: Op) => Promise<unknown>)(run, given);
  if (BESIDE_THE_BOOK.has(given.op)) return void (await take());
  const before = await digest();
  try {
    await take();
  } catch (error) {
    if (error instanceof Crash || (error instanceof Error && error.cause instanceof Crash)) return;
    // A refusal is part of the game; a session that ended would only mean that nobody played.
    if (!(error instanceof Refusal) || error.status >= 500 || error.status === 401) throw error;
    // A refused call leaves everything as it was; a conflict may have been found after the channel was asked.
    if (given.op !== "close") expect(await digest()).toEqual(before);
  } finally {
    expect([given.op, await world.verify()]).toEqual([given.op, []]);
  }
}

/** No more faults, enough time, and a channel that decides: everything comes to an end that both sides agree on. */
async function settleAll(run: Run): Promise<void> {
  world.channel.forget();
  world.crashAt(0);
  // Some were made in the moment before a crash, and nobody was told.
  const refunds = await world.owner<{ id: string; refundNo: string }>('select id, refund_no as "refundNo" from refunds');
  // What waits for approval holds its amount; a refund that the channel makes good late finds no room beside it, which is
  // reported to people, who decide the request first.
  for (const { id } of await world.owner<{ id: string }>("select id from refunds where status = 0")) {
    const no = { id, decision: "reject" as const, note: "收尾" };
    await world.as("mch01", "decideRefundRequest", no).catch(() => world.as("sp01", "decideRefundRequest", no));
  }
  for (let round = 0; round < 4; round++) {
    for (const refund of refunds) {
      const number = lastNumber(world, refund.refundNo);
      if (number && world.channel.refunds.get(number)?.status === "processing") world.channel.decide(number, "success");
    }
    world.services.clock.advance(45 * 60_000);
    await world.runJobs();
    await world.sweep();
  }
  // The channel repeats itself until it is heard; so comes the word of a refund that somebody put right there.
  for (const refund of refunds) await STEPS["tell refund"]({ ...run, refunds: [refund] }, { op: "tell refund", at: 0, copies: 1 });
  for (const order of run.orders) {
    const trade = world.channel.trades.get(order.orderNo);
    const given = [...world.channel.refunds.values()].filter((refund) => refund.outTradeNo === order.orderNo);
    const back = given.filter((refund) => refund.status === "success").reduce((sum, refund) => sum + refund.amount_cents, 0);
    const [row] = await world.owner<{ status: number; refunded_cents: number }>(
      "select status, refunded_cents from pay_orders where id = $1",
      [order.id],
    );
    const paid = trade !== undefined && trade.transactionId !== null && trade.state !== "REVOKED";
    expect([order.orderNo, row!.refunded_cents, row!.status]).toEqual([
      order.orderNo,
      back,
      paid ? (back === trade.total_cents ? 3 : 2) : 1,
    ]);
    expect(back).toBeLessThanOrEqual(trade?.total_cents ?? 0);
  }
  expect(await world.owner("select refund_no from refunds where status = 1")).toEqual([]);
}

/** What people see of it at the end: lists and sums equal the book, each refund was written down once, and the record is whole. */
async function readBack(run: Run): Promise<void> {
  const [book] = await world.owner<{ orders: number; paid: number; refunds: number; refunded: number }>(
    `select count(*) filter (where cause = 'payment')::int as orders, coalesce(sum(paid_cents), 0)::int as paid,
      count(*) filter (where cause = 'refund')::int as refunds, coalesce(sum(refund_cents), 0)::int as refunded from ledger_entries`,
  );
  const orders = await world.as("mch01", "summarisePayOrders", {});
  const refunds = await world.as("sp01", "summariseRefunds", {});
  expect([orders.count, orders.paidCount, orders.paidCents, orders.refundedCents]).toEqual([
    run.orders.length,
    book!.orders,
    book!.paid,
    book!.refunded,
  ]);
  expect([refunds.doneCount, refunds.doneCents]).toEqual([book!.refunds, book!.refunded]);
  const wrong = await world.owner(
    `select r.refund_no, count(a.id)::int as times from refunds r
      left join audit_log a on a.target_kind = 'refund' and a.target_id = r.id::text and a.title in ('退款', '收银退款') group by r.refund_no having count(a.id) <> 1`,
  );
  expect(wrong).toEqual([]);
  await sealAudit(world.services);
  expect(await verifyAudit(world.services)).toEqual([]);
}

test(
  `money neither appears nor disappears, whatever happens in whatever order (${RUNS} sequences)`,
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(op, { minLength: OPERATIONS, maxLength: OPERATIONS, size: "max" }), async (ops) => {
        await world.forget();
        const run: Run = { world, orders: [], refunds: [], told: [] };
        for (const paid of [10_000, 60_000] as const) await step(run, { op: "order", cents: paid, way: "scan" });
        for (const given of ops) await step(run, given);
        await settleAll(run);
        expect(await world.verify()).toEqual([]);
        await readBack(run);
      }),
      { ...AGAIN, numRuns: RUNS, endOnFailure: true },
    );
  },
  60_000 + RUNS * 10_000,
);
