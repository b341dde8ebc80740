import { randomUUID } from "node:crypto";
import type { ShareWorld } from "@zhangfang/domains/profit-sharing/server/testing/share-world.ts";
import { type Flow, sweepOf, type Sweep } from "./flow.ts";

interface Run {
  readonly tillNo: string;
  readonly quote: string;
  readonly requestId: string;
}

/** Orders of which a coupon and points take their part: placed, paid, closed, given back. */
export function pricedFlows(world: ShareWorld): readonly Sweep[] {
  const store = () => world.tree.merchants.mch01.stores[0]!;
  const merchant = () => world.tree.merchants.mch01.id;
  /** A coupon and 1,000 points, of which no earlier run has anything. */
  async function prepare(): Promise<Run> {
    const ref = `C${randomUUID().slice(0, 8)}`;
    await world.owner("insert into test_coupons (ref, off_cents, provider_rate) values ($1, 1999, 70000)", [ref]);
    await world.owner("update test_points set points = points + 1000, given = given + 1000 where merchant_id = $1", [merchant()]);
    const tillNo = `Q${randomUUID().slice(0, 18)}`;
    const { quote } = await world.till(store(), "quotePrice", { tillNo, grossCents: 10_000 as never, coupons: [ref], points: 1_000 });
    return { tillNo, quote, requestId: randomUUID() };
  }
  const place =
    (more: object) =>
    async ({ tillNo, quote }: Run) => {
      const asked = { tillNo, tradeType: "NATIVE" as const, subject: "午餐", grossCents: 10_000, quote, ...more };
      return (await world.till(store(), "createTillOrder", asked as never)).orderNo;
    };
  const placeAndPay = place({ tradeType: "MICROPAY", authCode: "130000000000000009" });
  const row = async (run: Run) =>
    (
      await world.owner<{ id: string; order_no: string; status: number }>(
        "select id, order_no, status from pay_orders where till_no = $1",
        [run.tillNo],
      )
    )[0];
  const until =
    (status: number, before: (run: Run) => Promise<unknown> = async () => {}) =>
    async (run: Run) => {
      for (let round = 0; round < 8; round++) {
        await before(run);
        await world.runJobs();
        for (const one of world.channel.refunds.values()) if (one.status === "processing") world.channel.decide(one.outRefundNo, "success");
        if ((await row(run))?.status === status && (await open(run)) === 0) return;
        world.services.clock.advance(40 * 60_000);
        await world.sweep("query-payments", "query-refunds");
      }
      throw new Error("it never came to its end");
    };
  const open = async (run: Run) =>
    (
      await world.owner("select 1 from refunds r join pay_orders o on o.id = r.order_id where o.till_no = $1 and r.status = 1", [
        run.tillNo,
      ])
    ).length;
  const paid = async () => {
    const run = await prepare();
    await placeAndPay(run);
    return run;
  };
  async function outcome(run: Run) {
    const { id } = (await row(run))!;
    const all = (text: string) => world.owner(text, [id]);
    return {
      order: await all(
        "select status, paid_cents, coupon_cents, points_cents, short_cents, refunded_cents, refunding_cents from pay_orders where id = $1",
      ),
      parts: await all("select source, off_cents, provider_cents, points from price_parts where order_id = $1 order by n"),
      backs: await all("select source, cents, points, provider_cents from price_backs where order_id = $1 order by source"),
      coupon: await all("select state from test_coupons where order_id = $1"),
      points: await all("select points from test_points_moves where order_id = $1 order by points"),
    };
  }
  const refund = (amountCents: number) => async (run: Run) =>
    world.as("mch01", "refundOrder", {
      requestId: run.requestId,
      orderId: (await row(run))!.id,
      amountCents: amountCents as never,
      reason: "退菜",
    });
  const flow = (name: string, least: number, given: Pick<Flow<Run>, "prepare" | "ask" | "go" | "final">) =>
    sweepOf<Run>({ name, least, outcome, ...given });
  return [
    // The till that heard nothing asks again with the same number.
    flow("an order with a quote is paid", 9, {
      prepare,
      ask: place({}),
      final: ["pay"],
      go: until(2, async (run) => world.channel.customerPays(await place({})(run))),
    }),
    flow("an order with a quote is never paid, and lets go", 9, { prepare, ask: place({}), go: until(1) }),
    flow("a part of an order with a quote goes back", 15, { prepare: paid, ask: refund(2_333), go: until(2) }),
    flow("an order with a quote goes back whole", 15, { prepare: paid, ask: refund(7_001), go: until(3) }),
  ];
}
