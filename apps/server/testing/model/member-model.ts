import { randomUUID } from "node:crypto";
import { points } from "@zhangfang/domains/points/server/index.ts";
import {
  adjustBalance,
  askCardRefund,
  confirmCardRefund,
  createTillRecharge,
  decideAdjust,
  decideCardRefund,
  previewCardRefund,
  proveCardRefund,
  transferBalance,
  withdrawCardRefund,
} from "@zhangfang/domains/stored-value/contract/index.ts";
import { type MemberOp, type MemberRun, type MemberSteps, paying, place, row, storeOf } from "./member-op.ts";
import { MERGE_STEPS } from "./member-merges.ts";
import { lastNight, passTime, TERM_STEPS } from "./member-terms.ts";
import { TIMES_STEPS } from "./member-times.ts";
import { amountOf, pick } from "./model-run.ts";

const routeOf = (path: string) => points.routes.find(({ endpoint }) => endpoint.path === path && endpoint.verb === "POST")!;
export const MEMBER_STEPS: MemberSteps = {
  ...MERGE_STEPS,
  ...TERM_STEPS,
  ...TIMES_STEPS,
  recharge: async (run, given) => {
    const tillNo = `R${randomUUID().slice(0, 18)}`;
    const asked = { tillNo, ticket: run.members[given.who]!.id, amountCents: given.cents as never, ...paying(given.how) };
    await place(run, tillNo, given.store, () => run.world.atTill(createTillRecharge, asked, given.store));
  },
  spend: async (run, given) => {
    const { world } = run;
    const tillNo = `S${randomUUID().slice(0, 18)}`;
    const ticket = run.members[given.who]!.id;
    const wishes = {
      ...(given.points === "most" && { points: "most" }),
      ...(given.stored !== "nothing" && {
        storedValueCents: given.stored === "most" ? "most" : given.stored === "half" ? Math.ceil(given.cents / 2) : 1,
      }),
    };
    const asked = { tillNo, grossCents: given.cents, ticket };
    const priced = await world.till(storeOf(run, given.store), "quotePrice", { ...asked, ...wishes } as never);
    const order = { ...asked, subject: "午餐", quote: priced.quote, ...(priced.paidCents > 0 && paying(given.how)) };
    await place(run, tillNo, given.store, () => world.till(storeOf(run, given.store), "createTillOrder", order as never));
  },
  "customer pays": async (run, given) => {
    const { world } = run;
    const order = pick(
      run.orders.filter(({ orderNo }) => world.channel.trades.get(orderNo)?.transactionId === null),
      given.at,
    );
    if (!order) return;
    const transaction = { ...world.channel.customerPays(order.orderNo), tradeState: "SUCCESS" as const };
    const { merchantId } = storeOf(run, 0);
    // A trade that was closed there can't be paid any more.
    if (given.told && world.channel.trades.get(order.orderNo)?.transactionId)
      await world.notify(merchantId, world.channel.notice(randomUUID(), world.settings.get(merchantId)!.account.mchId, { transaction }));
  },
  close: async (run, given) => {
    const order = pick(run.orders, given.at);
    if (order) await run.world.till(storeOf(run, order.store), "closeTillOrder", { tillNo: order.tillNo });
  },
  refund: async (run, given) => {
    const order = await row<{ id: string; left: number }>(
      run,
      `select id, (paid_cents + principal_cents + gift_cents - value_refunded_cents - value_refunding_cents)::int as left from pay_orders
        where purpose = 0 and status in (2, 3) order by created_at, till_no`,
      given.at,
    );
    if (!order) return;
    const ask = { requestId: randomUUID(), orderId: order.id, amountCents: amountOf(given.part, order.left) as never, reason: "退菜" };
    await run.world.as(given.by, "refundOrder", ask);
    if (given.sent) await run.world.runJobs();
  },
  "decide refund": async (run, given) => {
    const waiting = await row<{ id: string }>(run, "select id from refunds where status = 0 order by created_at, refund_no", given.at);
    const decision = given.approve ? ("approve" as const) : ("reject" as const);
    if (waiting) await run.world.as("sp01", "decideRefundRequest", { requestId: randomUUID(), id: waiting.id, decision, note: "见单" });
  },
  retry: async (run, given) => {
    const failed = await row<{ id: string }>(run, "select id from refunds where status = 3 order by created_at, refund_no", given.at);
    if (failed) await run.world.as("mch01", "retryRefund", { requestId: randomUUID(), id: failed.id });
  },
  "channel decides": async ({ world }, given) => {
    const open = [...world.channel.refunds.values()].filter(({ status }) => status === "processing");
    const one = pick(open, given.at);
    if (one) world.channel.decide(one.outRefundNo, given.result);
    world.services.clock.advance(60_000);
    await world.sweep("query-refunds");
  },
  "ask card back": async (run, given) => {
    const { world } = run;
    // A recharge's, or what was moved or brought along.
    const lot = await row<{ id: string; recharge: string | null }>(
      run,
      `select l.id, r.id as recharge from value_lots l left join recharges r on r.lot_id = l.id
        where l.principal_cents > 0 order by l.created_at, l.principal_cents, l.id`,
      given.at,
    );
    if (!lot) return;
    const which = lot.recharge === null ? { lotId: lot.id } : { rechargeId: lot.recharge };
    const { sums } = await world.call("mch01", previewCardRefund, which);
    const { paysCents } = sums[given.reason - 1]!;
    await world.call("mch01", askCardRefund, {
      requestId: randomUUID(),
      ...which,
      reason: given.reason as 1,
      way: given.way as 0,
      paysCents,
      note: "搬家",
    });
  },
  "decide card back": async (run, given) => {
    const { world } = run;
    const statuses = given.how === "prove" || given.how === "confirm" ? "1" : "0";
    const found = await row<{ id: string }>(
      run,
      `select id from card_refunds where status = ${statuses} order by created_at, id`,
      given.at,
    );
    if (!found) return;
    const { id } = found;
    if (given.how === "withdraw") await world.call("mch01", withdrawCardRefund, { id });
    else if (given.how === "prove") await world.call("mch01", proveCardRefund, { id, evidence: "转账 0001" });
    else if (given.how === "confirm") await world.call("sp01", confirmCardRefund, { id });
    else await world.call("sp01", decideCardRefund, { id, approve: given.how === "approve" });
  },
  transfer: (run, given) =>
    run.world.atTill(transferBalance, {
      requestId: randomUUID(),
      ticket: run.members[given.who]!.id,
      toTicket: run.members[(given.who + 1) % run.members.length]!.id,
      amountCents: given.cents as never,
    }),
  "points by hand": (run, given) => {
    const asked = { requestId: randomUUID(), memberNo: run.members[given.who]!.no, points: given.points, reason: "event", note: "周年" };
    return run.world.ask("mch01", routeOf("/api/points/adjustments"), asked);
  },
  "balance by hand": async (run, given) => {
    const memberNo = run.members[given.who]!.no;
    const asked = { requestId: randomUUID(), storeId: storeOf(run, 0).id, memberNo, reason: 1 as const, note: "补偿" };
    await run.world.call("mch01", adjustBalance, { ...asked, kind: given.kind as 1, amountCents: given.cents as never });
    const waiting = await row<{ id: string }>(run, "select id from value_adjusts where status = 0 order by created_at", 0);
    if (waiting) await run.world.call("sp01", decideAdjust, { id: waiting.id, approve: true });
  },
  jobs: ({ world }) => world.runJobs(),
  "time passes": ({ world }, given) => passTime(world, given.minutes),
  fault: async ({ world }, given) => world.channel.fail(given.call, given.fault),
  crash: async (run, given) => void (run.endsAt = given.point),
};
/** What touches only the channel's side or what is yet to come. */
export const APART: ReadonlySet<MemberOp["op"]> = new Set(["fault", "crash"]);
/** Where money or minutes may have moved before the refusal. */
export const MOVES_FIRST: ReadonlySet<MemberOp["op"]> = new Set(["close", "refund", "balance by hand", "channel decides"]);

/** No more faults, enough time, and a channel that decides: everything comes to its end. */
export async function settleMembers({ world }: MemberRun): Promise<void> {
  world.channel.forget();
  const ids = (text: string) => world.owner<{ id: string }>(text);
  for (let round = 0; round < 6; round++) {
    for (const { id } of await ids("select id from refunds where status = 0"))
      await world.as("sp01", "decideRefundRequest", { requestId: randomUUID(), id, decision: "reject", note: "收尾" });
    for (const { id } of await ids("select id from card_refunds where status = 0"))
      await world.call("sp01", decideCardRefund, { id, approve: false });
    for (const { id } of await ids("select id from card_refunds where status = 1 and way = 1")) {
      await world.call("mch01", proveCardRefund, { id, evidence: "转账 0002" }).catch(() => {});
      await world.call("sp01", confirmCardRefund, { id });
    }
    for (const one of world.channel.refunds.values()) if (one.status === "processing") world.channel.decide(one.outRefundNo, "success");
    await passTime(world, 45);
  }
  await lastNight(world);
}
