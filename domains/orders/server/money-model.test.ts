import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Refusal } from "@zhangfang/server/errors.ts";
import { Crash } from "./testing/fake-channel.ts";
import { openTillWorld, type TillWorld } from "./testing/till-world.ts";

// How many sequences; more at night. A failure prints its seed.
const RUNS = Number(process.env["MODEL_RUNS"] ?? 12);

let world: TillWorld;
beforeAll(async () => {
  world = await openTillWorld();
});
afterAll(() => world.close());

interface Order {
  readonly id: string;
  readonly orderNo: string;
  readonly tillNo: string;
}
interface Run {
  readonly orders: Order[];
  readonly refunds: { id: string; refundNo: string }[];
}
const FAULTS = ["lost-request", "lost-reply", "crash-before", "crash-after"] as const;
const at = fc.nat({ max: 7 });
// Amounts around the limit of approval (500.00), around the fee's rounding, and the odd cent.
const cents = fc.constantFrom(1, 2, 99, 131, 132, 10_000, 60_000, 123_457);
// Of what is left of a paid order.
const part = fc.constantFrom("a cent", "a third", "half", "all", "all", "a cent too much");
const op = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ op: fc.constant("order" as const), cents, way: fc.constantFrom("code", "scan", "scan", "slow scan") }),
  },
  { weight: 4, arbitrary: fc.record({ op: fc.constant("customer pays" as const), at }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant("tell payment" as const), at, copies: fc.integer({ min: 1, max: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("close" as const), at }) },
  {
    weight: 9,
    arbitrary: fc.record({
      op: fc.constant("refund" as const),
      at,
      part,
      by: fc.constantFrom("mch01", "emp01", "till"),
      twice: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("decide" as const), at, approve: fc.boolean() }) },
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant("channel decides" as const),
      at,
      result: fc.constantFrom("success" as const, "closed" as const, "abnormal" as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ op: fc.constant("tell refund" as const), at, copies: fc.integer({ min: 1, max: 2 }) }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant("retry" as const), at }) },
  { weight: 5, arbitrary: fc.record({ op: fc.constant("jobs" as const) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("time passes" as const), minutes: fc.constantFrom(1, 5, 20) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant("fault" as const),
      call: fc.constantFrom("pay" as const, "query" as const, "close" as const, "refund" as const, "queryRefund" as const),
      fault: fc.constantFrom(...FAULTS),
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("crash" as const), transaction: fc.integer({ min: 1, max: 4 }) }) },
);
type Op = typeof op extends fc.Arbitrary<infer T> ? T : never;

const store = () => world.tree.merchants.mch01.stores[0]!;
const pick = <T>(all: readonly T[], index: number): T | undefined => all[index % Math.max(1, all.length)];
const tell = (news: Parameters<TillWorld["channel"]["notice"]>[2], event: string) =>
  world.notify(store().merchantId, world.channel.notice(event, world.settings.get(store().merchantId)!.account.mchId, news));

const STEPS: { readonly [K in Op["op"]]: (run: Run, given: Extract<Op, { op: K }>) => Promise<unknown> } = {
  order: async (run, given) => {
    const tillNo = `P${randomUUID().slice(0, 18)}`;
    const way =
      given.way === "code"
        ? { tradeType: "NATIVE" as const }
        : { tradeType: "MICROPAY" as const, authCode: `13000000000000000${given.way === "scan" ? 2 : 1}` };
    const asked = { tillNo, subject: "午餐", grossCents: given.cents, ...way };
    // A till that heard nothing asks again with the same number.
    await world
      .till(store(), "createTillOrder", asked)
      .catch(() => world.till(store(), "createTillOrder", asked))
      .catch(() => {});
    const [row] = await world.owner<{ id: string; order_no: string }>("select id, order_no from pay_orders where till_no = $1", [tillNo]);
    if (row) run.orders.push({ id: row.id, orderNo: row.order_no, tillNo });
  },
  "customer pays": async (run, given) => {
    const order = pick(run.orders, given.at);
    if (order && world.channel.trades.has(order.orderNo)) world.channel.customerPays(order.orderNo);
  },
  "tell payment": async (run, given) => {
    const order = pick(run.orders, given.at);
    if (!order || !world.channel.trades.get(order.orderNo)?.transactionId) return;
    const event = randomUUID();
    for (let copy = 0; copy < given.copies; copy++)
      await tell({ transaction: { ...world.channel.customerPays(order.orderNo), tradeState: "SUCCESS" } }, event);
  },
  close: async (run, given) => {
    const order = pick(run.orders, given.at);
    if (order) await world.till(store(), "closeTillOrder", { tillNo: order.tillNo });
  },
  refund: async (run, given) => {
    const paid = run.orders.filter((one) => world.channel.trades.get(one.orderNo)?.transactionId);
    const order = pick(paid, given.at);
    if (!order) return;
    const [has] = await world.owner<{ left_cents: number }>(
      "select (paid_cents - refunded_cents - refunding_cents)::int as left_cents from pay_orders where id = $1",
      [order.id],
    );
    const amountCents = amountOf(given.part, has!.left_cents);
    const requestId = randomUUID();
    const ask = async () => {
      if (given.by === "till")
        return world.till(store(), "refundTillOrder", { requestId, tillNo: order.tillNo, amountCents, reason: "退菜" });
      return world.as(given.by, "refundOrder", { requestId, orderId: order.id, amountCents, reason: "退菜" });
    };
    if (given.twice) await Promise.allSettled([ask(), ask()]);
    else await ask();
    const [row] = await world.owner<{ id: string; refund_no: string }>("select id, refund_no from refunds where request_id = $1", [
      requestId,
    ]);
    if (row) run.refunds.push({ id: row.id, refundNo: row.refund_no });
  },
  decide: async (run, given) => {
    const refund = pick(await inStatus(run, 0), given.at) ?? pick(run.refunds, given.at);
    if (refund)
      await world.as("sp01", "decideRefundRequest", { id: refund.id, decision: given.approve ? "approve" : "reject", note: "已核实" });
  },
  "channel decides": async (run, given) => {
    const refund = pick(run.refunds, given.at);
    const number = refund && lastNumber(refund.refundNo);
    if (number) world.channel.decide(number, given.result);
  },
  "tell refund": async (run, given) => {
    const refund = pick(run.refunds, given.at);
    const number = refund && lastNumber(refund.refundNo);
    const known = number && world.channel.refunds.get(number);
    if (!known || known.status === "processing") return;
    const event = randomUUID();
    for (let copy = 0; copy < given.copies; copy++)
      await tell({ refund: { ...known, transactionId: null, userReceivedAccount: null } }, event);
  },
  retry: async (run, given) => {
    const refund = pick(await inStatus(run, 3), given.at) ?? pick(run.refunds, given.at);
    if (refund) await world.as("mch01", "retryRefund", { id: refund.id });
  },
  jobs: () => world.runJobs(),
  "time passes": async (_run, given) => {
    world.services.clock.advance(given.minutes * 60_000);
    await world.runJobs();
    await world.sweep();
  },
  fault: async (_run, given) => world.channel.fail(given.call, given.fault),
  crash: async (_run, given) => world.crashAt(given.transaction),
};
const inStatus = async ({ refunds }: Run, status: number) => {
  const found = await world.owner<{ id: string }>("select id from refunds where status = $1 and id = any($2)", [
    status,
    refunds.map((refund) => refund.id),
  ]);
  return refunds.filter((refund) => found.some((one) => one.id === refund.id));
};
function amountOf(what: string, left_cents: number): number {
  if (what === "a cent") return 1;
  if (what === "a cent too much") return left_cents + 1;
  return Math.max(1, what === "all" ? left_cents : Math.floor(left_cents / (what === "half" ? 2 : 3)));
}
const lastNumber = (refundNo: string) =>
  [...world.channel.refunds.keys()].filter((number) => number === refundNo || number.startsWith(`${refundNo}-`)).at(-1);

async function step(run: Run, given: Op): Promise<void> {
  const digest = () =>
    world.owner(
      "select (select sum(hashtext(o::text)::bigint) from pay_orders o) as orders, (select sum(hashtext(r::text)::bigint) from refunds r) as refunds, (select count(*) from ledger_entries) as entries, (select count(*) from audit_log) as audits",
    );
  const before = await digest();
  try {
    await (STEPS[given.op] as (run: Run, given: Op) => Promise<unknown>)(run, given);
  } catch (error) {
    if (error instanceof Crash || (error instanceof Error && error.cause instanceof Crash)) return;
    // A refusal is part of the game; a session that ended would only mean that nobody played.
    if (!(error instanceof Refusal) || error.status >= 500 || error.status === 401) throw error;
    // A refused call leaves everything as it was; a conflict may have been found after the channel was asked.
    if (given.op !== "close") expect(await digest()).toEqual(before);
  }
}

/** No more faults, enough time, and a channel that decides: everything comes to an end that both sides agree on. */
async function settleAll(run: Run): Promise<void> {
  world.channel.forget();
  world.crashAt(0);
  for (let round = 0; round < 4; round++) {
    for (const refund of run.refunds) {
      const number = lastNumber(refund.refundNo);
      if (number && world.channel.refunds.get(number)?.status === "processing") world.channel.decide(number, "success");
    }
    world.services.clock.advance(45 * 60_000);
    await world.runJobs();
    await world.sweep();
  }
  // The channel repeats itself until it is heard; so comes the word of a refund that somebody put right there.
  for (const refund of run.refunds) await STEPS["tell refund"]({ orders: [], refunds: [refund] }, { op: "tell refund", at: 0, copies: 1 });
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
  const open = await world.owner("select refund_no from refunds where status = 1 and id = any($1)", [
    run.refunds.map((refund) => refund.id),
  ]);
  expect(open).toEqual([]);
}

test(`money neither appears nor disappears, whatever happens in whatever order (${RUNS} sequences)`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(op, { minLength: 20, maxLength: 50, size: "max" }), async (ops) => {
      const run: Run = { orders: [], refunds: [] };
      for (const paid of [10_000, 60_000] as const) await step(run, { op: "order", cents: paid, way: "scan" });
      for (const given of ops) {
        await step(run, given);
        expect([given.op, await world.verify()]).toEqual([given.op, []]);
      }
      await settleAll(run);
      expect(await world.verify()).toEqual([]);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
}, 60_000 + RUNS * 10_000);
