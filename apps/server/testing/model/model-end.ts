import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { decideWithdrawal, recordWithdrawal } from "@zhangfang/domains/commissions/contract/index.ts";
import { postCommissions } from "@zhangfang/domains/commissions/server/index.ts";
import { fetchBill, rematchReconDay } from "@zhangfang/domains/reconciliation/contract/index.ts";
import { daysBefore } from "./model-claims.ts";
import type { MoneyWorld } from "../money-world.ts";
import { lastNumber, type Run } from "./model-run.ts";
import { STEPS } from "./model-steps.ts";

/** No more faults, enough time, and a channel that decides: everything comes to an end that both sides agree on. */
export async function settleAll(run: Run): Promise<void> {
  const { world } = run;
  for (const side of [world.channel, world.sharing, world.payouts, world.bills]) side.forget();
  await STEPS.receivers(run, { op: "receivers", how: "all is well" });
  await STEPS.receivers(run, { op: "receivers", how: "at once" });
  await decideWhatWaits(run);
  // What the merchant has to bear and had no money for finds some.
  await STEPS.order(run, { op: "order", cents: 5_000_001, way: "scan", wallet: "wechat", off: "nothing" });
  for (let round = 0; round < 4; round++) await passTime(run);
  await world.nextDay();
  for (let round = 0; round < 3; round++) await passTime(run);
  // The channel repeats itself until it is heard; so comes the word of a refund that somebody put right there.
  for (const refund of run.refunds) await STEPS["tell refund"]({ ...run, refunds: [refund] }, { op: "tell refund", at: 0, copies: 1 });
  await world.nextDay();
  await postCommissions(world.services, world.tree.providers.sp01);
  await ordersAgree(run);
  await claimsAgree(run);
  await billsAgree(run);
}

/** What waits for somebody holds its amount; a refund that the channel makes good late finds no room beside it. */
async function decideWhatWaits({ world }: Run): Promise<void> {
  for (const { id } of await world.owner<{ id: string }>("select id from refunds where status = 0")) {
    const no = { requestId: randomUUID(), id, decision: "reject" as const, note: "收尾" };
    await world.as("mch01", "decideRefundRequest", no).catch(() => world.as("sp01", "decideRefundRequest", no));
  }
  for (const { id } of await world.owner<{ id: string }>("select id from refund_evidence where state = 'waiting'"))
    await world.as("sp01", "decideEvidence", { id, decision: "reject", note: "收尾" });
  for (const { id } of await world.owner<{ id: string }>("select id from withdrawals where status = 0"))
    await world.call("sp01", decideWithdrawal, { requestId: randomUUID(), id, decision: "reject", note: "收尾" });
  for (const { id } of await world.owner<{ id: string }>("select id from withdrawals where status = 2 and method = 'bank'"))
    await world.call("sp01", recordWithdrawal, { id, result: "paid", evidence: "BANK20261122002" });
}
async function passTime({ world, refunds }: Run): Promise<void> {
  world.sharing.decideAll();
  for (const refund of refunds) {
    const number = lastNumber(world, refund.refundNo);
    if (number && world.channel.refunds.get(number)?.status === "processing") world.channel.decide(number, "success");
  }
  for (const number of world.payouts.transfers.keys()) world.payouts.decide(number, "success");
  world.services.clock.advance(45 * 60_000);
  await world.runJobs();
  await world.sweep();
}

interface Row {
  readonly status: number;
  readonly refunded: number;
  readonly onTheWay: number;
  readonly shared: number;
  readonly returned: number;
}
/** Refunds that the payer got past the channel. */
const provenRefunds = (world: MoneyWorld) =>
  world.owner<{ number: string; said: boolean }>(
    `select refund_no as number, exists (select 1 from order_events m where m.refund_id = r.id and m.kind = 'mismatch') as said
      from refunds r join refund_evidence e on e.refund_id = r.id where e.state = 'confirmed' order by 1`,
  );
/** Order by order: what was paid, given back and shared is the same here and at the channel, and nothing is on its way. */
async function ordersAgree({ world, orders }: Run): Promise<void> {
  const proven = new Set((await provenRefunds(world)).map(({ number }) => number));
  for (const order of orders) {
    const trade = world.channel.trades.get(order.orderNo);
    const given = [...world.channel.refunds.values()].filter((one) => one.outTradeNo === order.orderNo);
    // Given back by the channel, or outside of it and proved.
    const back = given
      .filter((one) => one.status === "success" || proven.has(one.outRefundNo))
      .reduce((sum, one) => sum + one.amount_cents, 0);
    const [row] = await world.owner<Row>(
      `select status, refunded_cents::int as refunded, (refunding_cents + sharing_cents + share_returning_cents)::int as "onTheWay",
        shared_cents::int as shared, share_returned_cents::int as returned from pay_orders where id = $1`,
      [order.id],
    );
    const paid = trade !== undefined && trade.transactionId !== null && trade.state !== "REVOKED";
    const shares = paid ? world.sharing.sharedOf(trade.transactionId!) : { shared: 0, returned: 0 };
    expect([order.orderNo, row]).toEqual([
      order.orderNo,
      { status: paid ? (back === trade.total_cents ? 3 : 2) : 1, refunded: back, onTheWay: 0, ...shares },
    ]);
    expect(back).toBeLessThanOrEqual(trade?.total_cents ?? 0);
  }
  const open =
    "select refund_no from refunds where status = 1 union all select share_no from sharing_orders where status = 1 union all select return_no from sharing_returns where status in (0, 1)";
  expect(await world.owner(open)).toEqual([]);
}

/** What was paid out is what was asked for, each once. */
async function claimsAgree({ world }: Run): Promise<void> {
  const paid = await world.owner<{ no: string; cents: number }>(
    "select withdrawal_no as no, net_cents::int as cents from withdrawals where status = 3 and method = 'wechat' order by 1",
  );
  const there = [...world.payouts.transfers.values()].filter((one) => one.state === "success");
  expect(paid).toEqual(there.map((one) => ({ no: one.outBillNo, cents: one.amount_cents })).toSorted((a, b) => (a.no < b.no ? -1 : 1)));
  expect(await world.owner("select withdrawal_no from withdrawals where status in (0, 2)")).toEqual([]);
}

/** Every day's bill fits the book; what was given back past the channel is what it names, and nothing else. */
async function billsAgree(run: Run): Promise<void> {
  const { world } = run;
  const closed = new Set(
    (await world.owner<{ day: string }>("select day::text from recon_days where status = 'closed'")).map((one) => one.day),
  );
  for (const day of daysBefore(run).filter((one) => !closed.has(one)))
    await world
      .call("mch01", fetchBill, { requestId: randomUUID(), source: "wechat", type: "ALL", day })
      .catch((error: { code?: string }) => {
        // One that came late is still on its way.
        if (error.code !== "bill-at-work") throw error;
      });
  await passTime(run);
  await passTime(run);
  // What was settled since a bill came is matched when somebody asks for it.
  for (const { id } of await world.owner<{ id: string }>("select id from recon_days where status = 'open'"))
    await world.call("mch01", rematchReconDay, { id });
  expect(
    await world.owner("select day, status, failure from bill_files where finished_at is null or status = 'failed' and failure <> '已取消'"),
  ).toEqual([]);
  const found = await world.owner<{ number: string; class: string }>(
    "select number, class from recon_differences where resolution is distinct from 'vanished' and not (day = any($1::date[])) order by number",
    [[...closed]],
  );
  const statusOf = (number: string) => world.channel.refunds.get(lastNumber(world, number) ?? "")?.status;
  const proven = await provenRefunds(world);
  // The bills are WeChat Pay's.
  const billed = (number: string) =>
    world.channel.trades.get(world.channel.refunds.get(lastNumber(world, number) ?? "")?.outTradeNo ?? "")?.wallet === "wechat";
  // A closed day's bill is not fetched again: what came of its refunds since is not looked at above, and not expected here.
  const closedDay = (number: string) => {
    const at = world.channel.refunds.get(lastNumber(world, number) ?? "")?.createdAt;
    return at !== undefined && closed.has(shanghaiDay(at));
  };
  const outside = proven.filter(({ number }) => statusOf(number) === "abnormal" && billed(number) && !closedDay(number));
  // What came through the channel as well was told of.
  expect(proven.filter(({ number, said }) => statusOf(number) === "success" && !said)).toEqual([]);
  expect(found).toEqual(outside.map(({ number }) => ({ number, class: "status" })));
}
