import { randomUUID } from "node:crypto";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { ShareWorld } from "@zhangfang/domains/profit-sharing/server/testing/share-world.ts";
import { orDone, sweepOf, type Sweep } from "./flow.ts";

interface Run {
  readonly order: { readonly id: string; readonly orderNo: string; readonly shareId: string };
  readonly requestId: string;
  readonly refundId?: string;
}
const LOOKS = ["query-refunds", "look-after-shares", "look-after-share-returns"];

/** Refunds, shares and returns of one order, from asking to the end on both sides. */
export function orderFlows(world: ShareWorld): readonly Sweep[] {
  const status = async (table: "refunds" | "sharing_orders", orderId: string): Promise<readonly number[]> =>
    (await world.owner<{ status: number }>(`select status from ${table} where order_id = $1`, [orderId])).map((row) => row.status);

  async function paid(cents = 10_000, wallet: "wechat" | "alipay" = "wechat"): Promise<Run> {
    world.sharing.pace.shares = world.sharing.pace.returns = "at once";
    world.sharing.penniless.clear();
    const order = await world.paid(cents, wallet);
    await world.pass();
    return { order, requestId: randomUUID() };
  }
  /** Its shares are out; what comes next is slow. */
  async function shared(wallet: "wechat" | "alipay"): Promise<Run> {
    const run = await paid(10_000, wallet);
    await world.as("mch01", "sendShare", { requestId: randomUUID(), id: run.order.shareId });
    await world.runJobs();
    world.sharing.pace.returns = "slow";
    return run;
  }
  function decide(): void {
    world.sharing.decideAll();
    for (const one of world.channel.refunds.values()) if (one.status === "processing") world.channel.decide(one.outRefundNo, "success");
  }
  /** Jobs, the channel's decision and time, until nothing of the order is on its way. */
  const until =
    (over: (run: Run) => Promise<boolean>, before: (run: Run) => Promise<unknown> = async () => {}) =>
    async (run: Run) => {
      for (let round = 0; round < 8; round++) {
        await before(run);
        await world.runJobs();
        if (await over(run)) return;
        decide();
        world.services.clock.advance(40 * 60_000);
        await world.sweep(...LOOKS);
      }
      throw new Error("it never came to its end");
    };
  const refunded = async ({ order }: Run) => (await status("refunds", order.id)).every((one) => one === 2);
  const sharesOver = async ({ order }: Run) => (await status("sharing_orders", order.id)).every((one) => one > 1);

  async function outcome({ order }: Run) {
    const all = (text: string) => world.owner(text, [order.id]);
    const back = [...world.channel.refunds.values()].filter((one) => one.outTradeNo === order.orderNo);
    return {
      order: await world.order(order.id),
      refunds: await all("select status, amount_cents, fee_cents, attempts, channel_try from refunds where order_id = $1"),
      shares: await all(
        "select status, kind, amount_cents, shared_cents, returned_cents, attempts from sharing_orders where order_id = $1",
      ),
      returns: await all("select status, amount_cents from sharing_returns where order_id = $1 order by amount_cents, status"),
      book: await all(
        "select cause, count(*)::int as n, sum(paid_cents + refund_cents)::int as cents from ledger_entries where order_id = $1 group by cause order by cause",
      ),
      events: await all(
        "select kind, count(*)::int as n from order_events where order_id = $1 and kind <> 'refund-accepted' group by kind order by kind",
      ),
      record: await all(`select endpoint, count(*)::int as n from audit_log where target_id in (
        select $1::text union select id::text from refunds where order_id = $1::text::uuid union select id::text from sharing_orders where order_id = $1::text::uuid) group by endpoint order by endpoint`),
      channel: [
        back.map((one) => [one.status, one.amount_cents]),
        world.sharing.sharedOf(world.channel.trades.get(order.orderNo)!.transactionId!),
      ],
    };
  }

  const seen = () => ({ happenedOn: shanghaiDay(world.services.clock.now_ms()), note: "商家平台查不到" });
  const refund = (login: "mch01" | "emp01", amountCents: number) => (run: Run) =>
    world.as(login, "refundOrder", { requestId: run.requestId, orderId: run.order.id, amountCents, reason: "退菜" });
  const flow = (name: string, least: number, given: { [K in "prepare" | "ask" | "go"]: Parameters<typeof sweepOf<Run>>[0][K] }) =>
    sweepOf<Run>({ name, least, outcome, ...given });

  /** What is shared goes by the channel that was paid. */
  const sharingFlows = (wallet: "wechat" | "alipay") => [
    flow(`${wallet}: a share is sent by hand`, 15, {
      prepare: async () => {
        const run = await paid(10_000, wallet);
        world.sharing.pace.shares = "slow";
        return run;
      },
      ask: ({ order, requestId }) => world.as("mch01", "sendShare", { requestId, id: order.shareId }),
      go: until(sharesOver),
    }),
    flow(`${wallet}: what is left of an order is let go`, 9, {
      prepare: () => paid(10_000, wallet),
      ask: ({ order, requestId }) => world.as("mch01", "finishSharing", { requestId, orderId: order.id }),
      go: until(sharesOver),
    }),
    flow(`${wallet}: a share that nobody answers for is recorded by two people`, 19, {
      prepare: async () => {
        const run = await paid(10_000, wallet);
        world.sharing.fail("share", "lost-request");
        await world.as("mch01", "sendShare", { requestId: run.requestId, id: run.order.shareId });
        await world.runJobs();
        world.services.clock.advance(25 * 3_600_000);
        return run;
      },
      ask: ({ order }) => orDone(world.as("mch01", "recordShare", { id: order.shareId, result: "failed", ...seen() })),
      go: until(sharesOver, async ({ order }) => {
        const { records } = await world.as("sp01", "getShare", { id: order.shareId });
        const open = records.find(({ state }) => state === "waiting");
        if (open) await orDone(world.as("sp01", "decideShareRecord", { id: open.id, decision: "confirm" }));
      }),
    }),
    flow(`${wallet}: a whole refund takes the shares back first`, 41, {
      prepare: () => shared(wallet),
      ask: refund("mch01", 10_000),
      go: until(refunded),
    }),
    flow(`${wallet}: a share that cannot come back is borne, and the refund sent again`, 21, {
      prepare: async () => {
        // Out of which it can bear it.
        await world.paid(10_000, wallet);
        const run = await shared(wallet);
        world.sharing.pace.returns = "at once";
        for (const poor of ["1900000001", "1900000077", "2088000000000101", "partner@example.cn"]) world.sharing.penniless.add(poor);
        const { refundId } = await refund("mch01", 10_000)(run);
        await world.runJobs();
        return { ...run, refundId };
      },
      ask: ({ refundId }) => {
        world.sharing.penniless.clear();
        return orDone(world.as("mch01", "retryRefund", { requestId: randomUUID(), id: refundId!, bear: true }));
      },
      go: until(refunded),
    }),
  ];

  return [
    flow("a part of a payment is refunded", 15, { prepare: () => paid(), ask: refund("mch01", 3_000), go: until(refunded) }),
    flow("a refund above the limit is approved, and the channel tells of its end", 19, {
      prepare: () => paid(60_000),
      ask: refund("emp01", 50_001),
      go: until(refunded, async ({ order }) => {
        const [row] = await world.owner<{ id: string; status: number; refund_no: string }>(
          "select id, status, refund_no from refunds where order_id = $1",
          [order.id],
        );
        if (row?.status === 0)
          await orDone(world.as("mch01", "decideRefundRequest", { requestId: randomUUID(), id: row.id, decision: "approve" }));
        const known = row && world.channel.refunds.get(row.refund_no);
        if (!known || known.status === "processing") return;
        const { merchantId } = world.tree.merchants.mch01.stores[0]!;
        const { mchId } = world.settings.get(merchantId)!.account;
        const told = { refund: { ...known, transactionId: null, userReceivedAccount: null } };
        await world.notify(merchantId, world.channel.notice(`E-${row.refund_no}`, mchId, told));
      }),
    }),
    flow("a refund that the channel refused is sent again", 21, {
      prepare: async () => {
        const run = await paid();
        world.channel.fail("refund", { refuse: "NOT_ENOUGH" });
        const { refundId } = await refund("mch01", 3_000)(run);
        await world.runJobs();
        return { ...run, refundId };
      },
      ask: ({ refundId }) => orDone(world.as("mch01", "retryRefund", { requestId: randomUUID(), id: refundId! })),
      go: until(refunded),
    }),
    ...sharingFlows("wechat"),
    ...sharingFlows("alipay"),
    refusedPayment(world),
  ];
}

/**
 * A code is read, the customer is charged, and the channel answers with a no. Whoever ends before the call never makes it, for a code is not
 * sent twice: what has to come out is that both sides say the same.
 */
function refusedPayment(world: ShareWorld): Sweep {
  const of = async (tillNo: string) =>
    (
      await world.owner<{ id: string; order_no: string; status: number }>(
        "select id, order_no, status from pay_orders where till_no = $1",
        [tillNo],
      )
    )[0];
  return sweepOf<{ readonly tillNo: string }>({
    name: "a code payment is refused though it was done",
    least: 13,
    // What is only read.
    final: ["query"],
    prepare: async () => {
      world.channel.forget();
      world.channel.fail("pay", "refuse-done");
      return { tillNo: `T${randomUUID().slice(0, 18)}` };
    },
    ask: async ({ tillNo }) => {
      const code = { tradeType: "MICROPAY" as const, authCode: "130000000000000009" };
      const order = { tillNo, ...code, subject: "午餐", grossCents: 10_000 };
      return (await world.till(world.tree.merchants.mch01.stores[0]!, "createTillOrder", order)).orderNo;
    },
    go: async ({ tillNo }) => {
      for (let round = 0; round < 8; round++) {
        await world.runJobs();
        if ((await of(tillNo))?.status !== 0) return;
        world.services.clock.advance(20_000);
        await world.sweep("query-payments");
      }
      throw new Error("it never came to its end");
    },
    outcome: async ({ tillNo }) => {
      const order = await of(tillNo);
      const charged = world.channel.trades.get(order!.order_no)?.state === "SUCCESS";
      const booked = await world.owner("select 1 from ledger_entries where order_id = $1 and cause = 'payment'", [order!.id]);
      return { right: order!.status === (charged ? 2 : 1), booked: booked.length === (charged ? 1 : 0) };
    },
  });
}
