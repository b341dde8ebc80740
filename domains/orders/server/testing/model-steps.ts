import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect } from "vitest";
import { Refusal } from "@zhangfang/server/errors.ts";
import type { TillWorld } from "./till-world.ts";

/** An order that the till may have, and what both sides call it. */
interface Order {
  readonly id: string;
  readonly orderNo: string;
  readonly tillNo: string;
}
/** A refund somebody was told of: who asked what under which number, and the number they heard. */
interface Told {
  readonly by: Asker;
  readonly orderId: string;
  readonly tillNo: string;
  readonly requestId: string;
  readonly amountCents: number;
  readonly refundNo: string;
}
type Asker = "mch01" | "emp01" | "till";
/** What one sequence made so far. */
export interface Run {
  readonly world: TillWorld;
  readonly orders: Order[];
  readonly refunds: { id: string; refundNo: string }[];
  readonly told: Told[];
}
const FAULTS = ["lost-request", "lost-reply", "crash-before", "crash-after"] as const;
const at = fc.nat({ max: 7 });
// Amounts around the limit of approval (500.00), around the fee's rounding, and the odd cent.
const cents = fc.constantFrom(1, 2, 99, 131, 132, 10_000, 60_000, 123_457);
// Of what is left of a paid order.
const part = fc.constantFrom("a cent", "a third", "half", "all", "all", "a cent too much");
/** One operation of a sequence. */
export const op = fc.oneof(
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
      by: fc.constantFrom<Asker[]>("mch01", "emp01", "till"),
      twice: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("ask again" as const), at, otherwise: fc.boolean() }) },
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
export type Op = typeof op extends fc.Arbitrary<infer T> ? T : never;

const storeOf = (world: TillWorld) => world.tree.merchants.mch01.stores[0]!;
const pick = <T>(all: readonly T[], index: number): T | undefined => all[index % Math.max(1, all.length)];
function tell(world: TillWorld, news: Parameters<TillWorld["channel"]["notice"]>[2], event: string): Promise<unknown> {
  const { merchantId } = storeOf(world);
  return world.notify(merchantId, world.channel.notice(event, world.settings.get(merchantId)!.account.mchId, news));
}
type Ask = Omit<Told, "refundNo">;
function askRefund(world: TillWorld, { by, orderId, tillNo, requestId, amountCents }: Ask): Promise<{ refundNo: string }> {
  if (by === "till") return world.till(storeOf(world), "refundTillOrder", { requestId, tillNo, amountCents, reason: "退菜" });
  return world.as(by, "refundOrder", { requestId, orderId, amountCents, reason: "退菜" });
}

/** What touches only the channel's side or what is yet to come, so that there is nothing to check afterwards. */
export const BESIDE_THE_BOOK: ReadonlySet<Op["op"]> = new Set(["customer pays", "channel decides", "fault", "crash"]);

export const STEPS: { readonly [K in Op["op"]]: (run: Run, given: Extract<Op, { op: K }>) => Promise<unknown> } = {
  order: async (run, given) => {
    const { world } = run;
    const tillNo = `P${randomUUID().slice(0, 18)}`;
    const way =
      given.way === "code"
        ? { tradeType: "NATIVE" as const }
        : { tradeType: "MICROPAY" as const, authCode: `13000000000000000${given.way === "scan" ? 2 : 1}` };
    const asked = { tillNo, subject: "午餐", grossCents: given.cents, ...way };
    // A till that heard nothing asks again with the same number.
    await world
      .till(storeOf(world), "createTillOrder", asked)
      .catch(() => world.till(storeOf(world), "createTillOrder", asked))
      .catch(() => {});
    const [row] = await world.owner<{ id: string; order_no: string }>("select id, order_no from pay_orders where till_no = $1", [tillNo]);
    if (row) run.orders.push({ id: row.id, orderNo: row.order_no, tillNo });
  },
  "customer pays": async (run, given) => {
    const { world } = run;
    const order = pick(run.orders, given.at);
    if (order && world.channel.trades.has(order.orderNo)) world.channel.customerPays(order.orderNo);
  },
  "tell payment": async (run, given) => {
    const { world } = run;
    const order = pick(run.orders, given.at);
    if (!order || !world.channel.trades.get(order.orderNo)?.transactionId) return;
    const event = randomUUID();
    for (let copy = 0; copy < given.copies; copy++)
      await tell(world, { transaction: { ...world.channel.customerPays(order.orderNo), tradeState: "SUCCESS" } }, event);
  },
  close: async (run, given) => {
    const { world } = run;
    const order = pick(run.orders, given.at);
    if (order) await world.till(storeOf(world), "closeTillOrder", { tillNo: order.tillNo });
  },
  refund: async (run, given) => {
    const { world } = run;
    const paid = run.orders.filter((one) => world.channel.trades.get(one.orderNo)?.transactionId);
    const order = pick(paid, given.at);
    if (!order) return;
    const [has] = await world.owner<{ left_cents: number }>(
      "select (paid_cents - refunded_cents - refunding_cents)::int as left_cents from pay_orders where id = $1",
      [order.id],
    );
    const amountCents = amountOf(given.part, has!.left_cents);
    const requestId = randomUUID();
    const ask: Ask = { by: given.by, orderId: order.id, tillNo: order.tillNo, requestId, amountCents };
    const heard = given.twice
      ? (await Promise.allSettled([askRefund(world, ask), askRefund(world, ask)])).flatMap((one) =>
          one.status === "fulfilled" ? [one.value] : [],
        )
      : [await askRefund(world, ask)];
    for (const { refundNo } of heard) run.told.push({ ...ask, refundNo });
    const [row] = await world.owner<{ id: string; refund_no: string }>("select id, refund_no from refunds where request_id = $1", [
      requestId,
    ]);
    if (row) run.refunds.push({ id: row.id, refundNo: row.refund_no });
  },
  // One number is one refund, for ever: the same words hear the same, other words are refused.
  "ask again": async (run, given) => {
    const told = pick(run.told, given.at);
    if (!told) return;
    const again = askRefund(run.world, given.otherwise ? { ...told, amountCents: told.amountCents + 1 } : told);
    if (given.otherwise) {
      const refusal = await again.then(
        () => expect.fail("one number was two refunds"),
        (error: unknown) => error,
      );
      if (refusal instanceof Refusal) expect(refusal.status).toBe(409);
      throw refusal;
    }
    expect((await again).refundNo).toBe(told.refundNo);
  },
  decide: async (run, given) => {
    const { world } = run;
    const refund = pick(await inStatus(run, 0), given.at) ?? pick(run.refunds, given.at);
    if (refund)
      await world.as("sp01", "decideRefundRequest", { id: refund.id, decision: given.approve ? "approve" : "reject", note: "已核实" });
  },
  "channel decides": async (run, given) => {
    const { world } = run;
    const refund = pick(run.refunds, given.at);
    const number = refund && lastNumber(world, refund.refundNo);
    if (number) world.channel.decide(number, given.result);
  },
  "tell refund": async (run, given) => {
    const { world } = run;
    const refund = pick(run.refunds, given.at);
    const number = refund && lastNumber(world, refund.refundNo);
    const known = number && world.channel.refunds.get(number);
    if (!known || known.status === "processing") return;
    const event = randomUUID();
    for (let copy = 0; copy < given.copies; copy++)
      await tell(world, { refund: { ...known, transactionId: null, userReceivedAccount: null } }, event);
  },
  retry: async (run, given) => {
    const { world } = run;
    const refund = pick(await inStatus(run, 3), given.at) ?? pick(run.refunds, given.at);
    if (refund) await world.as("mch01", "retryRefund", { id: refund.id });
  },
  jobs: ({ world }) => world.runJobs(),
  "time passes": async ({ world }, given) => {
    world.services.clock.advance(given.minutes * 60_000);
    await world.runJobs();
    await world.sweep();
  },
  fault: async ({ world }, given) => world.channel.fail(given.call, given.fault),
  crash: async ({ world }, given) => world.crashAt(given.transaction),
};
const inStatus = async ({ world, refunds }: Run, status: number) => {
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
/** Under which number the channel knows a refund at last. */
export const lastNumber = (world: TillWorld, refundNo: string) =>
  [...world.channel.refunds.keys()].filter((number) => number === refundNo || number.startsWith(`${refundNo}-`)).at(-1);
