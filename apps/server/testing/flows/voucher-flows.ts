import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { randomUUID } from "node:crypto";
import type { VoucherWorld } from "../../../platform-simulator/testing/voucher-world.ts";
import { resetTestOffers } from "@zhangfang/domains/pricing/server/testing/test-offers.ts";
import { openVoucherWorld } from "../../../platform-simulator/testing/voucher-world.ts";
import { sweepOf, type Flow, type Sweep } from "./flow.ts";

interface Run {
  readonly tillNo: string;
  readonly vouchers: readonly string[];
  readonly quote: string;
  readonly requestId: string;
}
const GROSS = 30_000;

export async function openVoucherFlows(): Promise<VoucherWorld> {
  const world = await openVoucherWorld();
  await world.anew();
  await resetTestOffers(world.owner, world.tree.merchants.mch01.id, 0, []);
  return world;
}

/** Orders that vouchers of a platform pay for in part, and their refunds: the voucher first, then the money. */
export function voucherFlows(world: VoucherWorld): readonly Sweep[] {
  const store = () => world.tree.merchants.mch01.stores[0]!;
  let serial = 0;
  const prepare = (ends: readonly string[]) => async (): Promise<Run> => {
    const tillNo = `V${serial++}`;
    const vouchers: string[] = [];
    // A token that ends within a run would be one more point.
    await emptyTables(world.owner, "platform_tokens");
    for (const [n, end] of ends.entries()) {
      // Their ids come in this order, each time.
      world.services.clock.advance(1_000);
      vouchers.push((await world.use(n === 0 ? "set" : "cash", end)).id);
    }
    const quoted = await world.till(store(), "quotePrice", { tillNo, grossCents: GROSS, platformVouchers: vouchers });
    return { tillNo, vouchers, quote: quoted.quote, requestId: randomUUID() };
  };
  const place = ({ tillNo, quote }: Run) =>
    world.till(store(), "createTillOrder", { tillNo, subject: "晚餐", grossCents: GROSS, quote, tradeType: "NATIVE" });
  const number = async (run: Run) => (await place(run)).orderNo;
  const row = async ({ tillNo }: Run) =>
    (await world.owner<{ id: string; status: number }>("select id, status from pay_orders where till_no = $1", [tillNo]))[0];
  const until =
    (status: number, before: (run: Run) => Promise<unknown> = async () => {}) =>
    async (run: Run) => {
      for (let round = 0; round < 12; round++) {
        await before(run);
        await world.runJobs();
        if ((await row(run))?.status === status) return;
        for (const one of world.channel.refunds.values()) if (one.status === "processing") world.channel.decide(one.outRefundNo, "success");
        world.services.clock.advance(61_000);
        await world.sweep("query-payments", "query-refunds", "ask-vouchers");
      }
      throw new Error("it never came to its end");
    };
  const pay = async (run: Run) => void world.channel.customerPays((await place(run)).orderNo);
  const paid = (ends: readonly string[]) => async () => {
    const run = await prepare(ends)();
    await until(2, pay)(run);
    return run;
  };
  const refund = async (run: Run) =>
    world.as("mch01", "refundOrder", {
      requestId: run.requestId,
      orderId: (await row(run))!.id,
      amountCents: 3_200 as never,
      reason: "退菜",
    });
  async function outcome(run: Run) {
    const { id } = (await row(run))!;
    const all = (text: string) => world.owner(text, [id]);
    return {
      order: await all(
        "select status, order_type, paid_cents, voucher_cents, short_cents, refunded_cents, refunding_cents from pay_orders where id = $1",
      ),
      uses: await world.owner(
        "select status, order_id = $1 as here from voucher_verifications where id = any($2::uuid[]) order by status",
        [id, run.vouchers],
      ),
      facts: await world.owner(
        "select kind, count(*)::int as n from platform_entries where attempt_id = any($1::uuid[]) group by kind order by kind",
        [run.vouchers],
      ),
      refunds: await all("select status, waits_for, amount_cents from refunds where order_id = $1"),
      backs: await all("select state from voucher_backs where order_id = $1 order by state"),
      events: await all(
        "select kind, count(*)::int as n from order_events where order_id = $1 and kind <> 'refund-accepted' group by kind order by kind",
      ),
    };
  }
  const flow = (name: string, least: number, given: Pick<Flow<Run>, "prepare" | "ask" | "go" | "final">) =>
    sweepOf<Run>({ name, least, outcome, ...given });
  return [
    flow("an order takes two vouchers and the rest is paid", 7, {
      prepare: prepare(["20", "20"]),
      ask: number,
      final: ["pay"],
      go: until(2, pay),
    }),
    flow("an order with a voucher is never paid, and lets it go", 7, {
      prepare: prepare(["20"]),
      ask: number,
      go: until(1, async () => world.services.clock.advance(3_600_000)),
    }),
    flow("two vouchers are taken back, then the money", 15, { prepare: paid(["20", "20"]), ask: refund, go: until(3) }),
    flow("the platform refuses one, and the money goes back", 13, { prepare: paid(["06", "20"]), ask: refund, go: until(3) }),
  ];
}
