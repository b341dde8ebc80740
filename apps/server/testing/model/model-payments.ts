import { randomUUID } from "node:crypto";
import { Crash } from "@zhangfang/domains/orders/server/testing/fake-channel.ts";
import { TEST_COUPONS } from "../money-world.ts";
import { type Order, pick, pickFitting, type Run, type Steps, storeOf, tell } from "./model-run.ts";

/** How the code on a customer's phone begins. */
const CODES = { wechat: "13", alipay: "28" } as const;

async function tellPayment(run: Run, { orderNo }: Order, copies: number): Promise<void> {
  const { channel } = run.world;
  if (!channel.trades.get(orderNo)?.transactionId) return;
  run.said.add(orderNo);
  await tell(run, { transaction: { ...channel.customerPays(orderNo), tradeState: "SUCCESS" } }, randomUUID(), copies);
}

/** What comes off by points, or by the best of the coupons that nobody has. */
async function quoteFor(
  { world }: Run,
  { cents, off, tillNo }: { readonly cents: number; readonly off: "nothing" | "points" | "coupon"; readonly tillNo: string },
): Promise<{ quote?: string }> {
  if (off === "nothing") return {};
  // The best of the coupons that nobody has is looked for among those that were read.
  const asked = off === "points" ? { points: 1_000 } : { coupons: [...TEST_COUPONS] };
  const { quote, paidCents } = await world.till(storeOf(world), "quotePrice", { tillNo, grossCents: cents as never, ...asked });
  return paidCents > 0 ? { quote } : {};
}

/** Orders and what the channel says of them, the jobs, time, and what goes wrong. */
export const PAYMENT_STEPS: Steps<
  "order" | "customer pays" | "tell payment" | "close" | "old notice" | "jobs" | "time passes" | "next day" | "fault" | "crash"
> = {
  order: async (run, given) => {
    const { world } = run;
    const tillNo = `P${randomUUID().slice(0, 18)}`;
    const way =
      given.way === "code"
        ? { tradeType: "NATIVE" as const, wallet: given.wallet }
        : { tradeType: "MICROPAY" as const, authCode: `${CODES[given.wallet]}000000000000000${given.way === "scan" ? 2 : 1}` };
    const asked = { tillNo, subject: "午餐", grossCents: given.cents, ...way, ...(await quoteFor(run, { ...given, tillNo })) };
    // A till that heard nothing asks again with the same number.
    await world
      .till(storeOf(world), "createTillOrder", asked)
      .catch(() => world.till(storeOf(world), "createTillOrder", asked))
      .catch(() => {});
    const [row] = await world.owner<{ id: string; order_no: string }>("select id, order_no from pay_orders where till_no = $1", [tillNo]);
    if (row) run.orders.push({ id: row.id, orderNo: row.order_no, tillNo });
  },
  "customer pays": async (run, given) => {
    const { world, orders } = run;
    const order = pickFitting(orders, (one) => world.channel.trades.get(one.orderNo)?.transactionId === null, given.at);
    if (!order || !world.channel.trades.has(order.orderNo)) return;
    world.channel.customerPays(order.orderNo);
    if (given.told) await tellPayment(run, order, 1);
  },
  "tell payment": async (run, given) => {
    const unsaid = ({ orderNo }: Order) => typeof run.world.channel.trades.get(orderNo)?.paidAt === "string" && !run.said.has(orderNo);
    const order = pickFitting(run.orders, unsaid, given.at);
    if (order) await tellPayment(run, order, given.copies);
  },
  close: async ({ world, orders }, given) => {
    const order = pick(orders, given.at);
    if (order) await world.till(storeOf(world), "closeTillOrder", { tillNo: order.tillNo });
  },
  "old notice": async ({ world, notices }, given) => {
    const notice = pick(notices, given.at);
    if (notice) await world.notify(storeOf(world).merchantId, notice);
  },
  jobs: ({ world }) => world.runJobs(),
  "time passes": async ({ world }, given) => {
    world.services.clock.advance(given.minutes * 60_000);
    await world.runJobs();
    await world.sweep();
  },
  "next day": ({ world }) => world.nextDay(),
  fault: async ({ world }, { call: [side, call], fault }) => {
    if (side === "payment") return world.channel.fail(call, fault);
    const other =
      fault === "crash-before" || fault === "crash-after"
        ? ({ crash: fault === "crash-before" ? "before" : "after", error: new Crash() } as const)
        : fault;
    if (side === "sharing") return world.sharing.fail(call, other);
    return side === "payout" ? world.payouts.fail(call, other) : world.bills.fail(other);
  },
  crash: async (run, given) => void (run.endsAt = given.point),
};
