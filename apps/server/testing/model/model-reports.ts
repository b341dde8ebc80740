import { expect } from "vitest";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { sealAudit, verifyAudit } from "@zhangfang/server/calls/audit-seal.ts";
import type { ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { getOwnProfit, summariseShareProfit } from "@zhangfang/domains/commissions/contract/index.ts";
import { payOrderExport, refundExport } from "@zhangfang/domains/orders/server/index.ts";
import { summariseReconDays } from "@zhangfang/domains/reconciliation/contract/index.ts";
import { getDashboard, getOverview, listPayStatistics, summarisePayStatistics } from "@zhangfang/domains/statistics/contract/index.ts";
import type { MoneyWorld } from "../money-world.ts";
import type { Run } from "./model-run.ts";

interface Figures {
  readonly payCount: number;
  readonly paidCents: number;
  readonly feeCents: number;
  readonly refundCount: number;
  readonly refundCents: number;
  readonly refundFeeCents: number;
}
const only = ({ payCount, paidCents, feeCents, refundCount, refundCents, refundFeeCents }: Figures): Figures => ({
  payCount,
  paidCents,
  feeCents,
  refundCount,
  refundCents,
  refundFeeCents,
});
const SUMS = `count(*) filter (where cause = 'payment')::int as "payCount", coalesce(sum(paid_cents), 0)::int as "paidCents", coalesce(sum(fee_cents), 0)::int as "feeCents",
  count(*) filter (where cause = 'refund')::int as "refundCount", coalesce(sum(refund_cents), 0)::int as "refundCents", coalesce(sum(refund_fee_cents), 0)::int as "refundFeeCents"`;

/** What people see of it at the end: dashboards, lists, sums and files equal the book, and the record of who did what is whole. */
export async function readBack(run: Run): Promise<void> {
  const { world } = run;
  const [book] = await world.owner<Figures>(`select ${SUMS} from ledger_entries`);
  await statisticsAgree(world, book!);
  const orders = await world.as("mch01", "summarisePayOrders", {});
  const refunds = await world.as("sp01", "summariseRefunds", {});
  expect([orders.count, orders.paidCount, orders.paidCents, orders.refundedCents]).toEqual([
    run.orders.length,
    book!.payCount,
    book!.paidCents,
    book!.refundCents,
  ]);
  expect([refunds.doneCount, refunds.doneCents]).toEqual([book!.refundCount, book!.refundCents]);
  const file = await fileSums(world, payOrderExport, ["paidCents", "feeCents", "refundedCents"]);
  expect(file).toEqual({ rows: orders.count, paidCents: orders.paidCents, feeCents: orders.feeCents, refundedCents: orders.refundedCents });
  expect(await fileSums(world, refundExport, ["amountCents"])).toEqual({ rows: refunds.count, amountCents: refunds.amountCents });
  await sharesAgree(world);
  await recordIsWhole(world);
}

async function statisticsAgree(world: MoneyWorld, book: Figures): Promise<void> {
  const days = await world.owner<Figures & { day: string }>(
    `select (occurred_at at time zone 'Asia/Shanghai')::date::text as day, ${SUMS} from ledger_entries where cause in ('payment', 'refund') group by 1 order by 1`,
  );
  const span = { from: "2026-11-01", to: shanghaiDay(world.services.clock.now_ms()) };
  for (const login of ["mch01", "sp01"]) {
    const { items } = await world.call(login, listPayStatistics, { ...span, by: "day", sort: "key", pageSize: 100 });
    expect(items.map((row) => ({ day: row.key, ...only(row) }))).toEqual(days);
    expect(only((await world.call(login, summarisePayStatistics, span)).current)).toEqual(only(book));
    const home = await world.call(login, getOverview, span);
    expect(only(home.current)).toEqual(only(book));
    const [paid, back] = [home.line.reduce((sum, one) => sum + one.paidCents, 0), home.line.reduce((sum, one) => sum + one.refundCents, 0)];
    expect([paid, back]).toEqual([book.paidCents, book.refundCents]);
  }
  const board = await world.call("agent01", getDashboard, span);
  expect(only(board.current)).toEqual(only(book));
  const [last] = days.slice(-1);
  if (last) expect(only((await world.call("sp01", getOverview, { from: last.day, to: last.day })).current)).toEqual(only(last));
}

/** The sums of a file's columns of money, without the file. */
async function fileSums(world: MoneyWorld, source: ExportSource, keys: readonly string[]): Promise<Record<string, number>> {
  const sums: Record<string, number> = { rows: 0, ...Object.fromEntries(keys.map((key) => [key, 0])) };
  await world.look(async (tx) => {
    for await (const batch of source.rows(tx, platformScope("test"), source.input.parse({})))
      for (const row of batch) {
        sums["rows"]!++;
        for (const key of keys) sums[key]! += Number((row as Record<string, unknown>)[key] ?? 0);
      }
  });
  return sums;
}

/** Shares, returns, claims and bills, as their screens add them up. */
async function sharesAgree(world: MoneyWorld): Promise<void> {
  const [book] = await world.owner<{ shared: number; returned: number }>(
    "select coalesce(sum(shared_cents), 0)::int as shared, coalesce(sum(share_returned_cents), 0)::int as returned from ledger_entries",
  );
  const shares = await world.as("mch01", "summariseShares", {});
  const returns = await world.as("mch01", "summariseReturns", {});
  expect([shares.sharedCents, shares.returnedCents, returns.doneCents]).toEqual([book!.shared, book!.returned, book!.returned]);
  const [claims] = await world.owner<{ net: number; available: number; frozen: number; paid: number }>(
    `select (select coalesce(sum(amount_cents), 0)::int from commission_lines where receiver = 'agent') as net,
      coalesce(sum(balance_cents) filter (where kind = 'available'), 0)::int as available, coalesce(sum(balance_cents) filter (where kind = 'frozen'), 0)::int as frozen,
      coalesce(sum(balance_cents) filter (where kind = 'paid'), 0)::int as paid from commission_accounts where receiver = 'agent'`,
  );
  const own = await world.call("agent01", getOwnProfit, {});
  const sum = await world.call("agent01", summariseShareProfit, {});
  expect([sum.netCents, own.balanceCents, own.frozenCents, own.paidCents]).toEqual([
    claims!.net,
    claims!.available,
    claims!.frozen,
    claims!.paid,
  ]);
  // The bills of this world are WeChat Pay's.
  const days = await world.call("mch01", summariseReconDays, {});
  const [paid] = await world.owner<{ cents: number; count: number }>(
    `select coalesce(sum(paid_cents), 0)::int as cents, count(*)::int as count from ledger_entries
      where cause = 'payment' and tool not in (3, 4, 7) and (occurred_at at time zone 'Asia/Shanghai')::date in (select day from recon_days)`,
  );
  expect([days.ours.payCents, days.ours.payCount]).toEqual([paid!.cents, paid!.count]);
}

/** Each refund was written down once, and the chain of the record is whole. */
async function recordIsWhole(world: MoneyWorld): Promise<void> {
  const wrong = await world.owner(
    `select r.refund_no, count(a.id)::int as times from refunds r
      left join audit_log a on a.target_kind = 'refund' and a.target_id = r.id::text and a.title in ('退款', '收银退款') group by r.refund_no having count(a.id) <> 1`,
  );
  expect(wrong).toEqual([]);
  // What happened is told once, and what is told happened.
  const untold = await world.owner(
    `select o.order_no as no from pay_orders o where (o.paid_at is not null)::int <> (select count(*) from order_events e where e.order_id = o.id and e.kind = 'paid')
      union all select r.refund_no from refunds r where (r.status = 2)::int <> (select count(*) from order_events e where e.refund_id = r.id and e.kind = 'refunded')`,
  );
  expect(untold).toEqual([]);
  await sealAudit(world.services);
  expect(await verifyAudit(world.services)).toEqual([]);
}
