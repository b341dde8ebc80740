import { sql } from "kysely";
import type { Cents } from "@zhangfang/contract/fields.ts";
import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement, type Ctx, type Route } from "@zhangfang/server/calls/call.ts";
import { forbidden } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { getDashboard, type Span } from "../contract/index.ts";
import { payDrill, refundDrill, standingDrills } from "./drills.ts";
import { figuresOf, within } from "./takings/figures.ts";
import { readStandings, stillThere } from "./rankings/read-standings.ts";
import { merchantsFor, standingOf } from "./takings/standing-of.ts";
import { readDays } from "./takings/read-takings.ts";
import { isOnline } from "../../devices/server/index.ts";
import { previousSpan, stepsOf } from "./spans.ts";

const DEFAULT_DAYS = 30;
const LEVELS: readonly string[] = ["ADMIN", "AG", "GP", "TM", "SM"];

/** The home of those who look after many merchants: how much, by whom, where, and how it moves. */
export const getDashboardRoute: Route = implement(getDashboard, async (ctx, input) => {
  if (!LEVELS.includes(ctx.scope.level)) throw forbidden();
  const yesterday = addDays(shanghaiDay(ctx.now_ms), -1);
  const span: Span = { from: input.from ?? addDays(yesterday, 1 - DEFAULT_DAYS), to: input.to ?? yesterday };
  const before = previousSpan(span);
  const days = await readDays(ctx.tx, ctx.scope, { from: before.from, to: span.to });
  const counts = await readCounts(ctx, span, before);
  const { active, provinces, rankings } = await readStandings(ctx.tx, ctx.scope, span);
  const [current, previous] = [within(days, span), within(days, before)];
  const commission = await readCommission(ctx.tx, ctx.scope, span, before);
  return {
    asOf: ctx.now,
    span,
    previousSpan: before,
    by: input.by,
    current: figuresOf(current),
    previous: figuresOf(previous),
    commissionCents: commission && commission.now,
    previousCommissionCents: commission && commission.before,
    drill: { pay: payDrill(span), refund: refundDrill(span) },
    merchants: {
      total: counts.merchants,
      new: counts.opened,
      active,
      previousNew: counts.previous_opened,
      previousActive: counts.previous_active,
    },
    devices: { online: counts.online, total: counts.devices },
    standing: standingDrills(span),
    trend: stepsOf(span, input.by).map((step) => {
      const { payCount, paidCents, refundCents, feeCents, netCents } = figuresOf(within(days, step));
      return { ...step, payCount, paidCents, refundCents, feeCents, netCents, drill: { pay: payDrill(step), refund: refundDrill(step) } };
    }),
    provinces,
    rankings,
  };
});

interface Counts {
  readonly merchants: number;
  readonly opened: number;
  readonly previous_opened: number;
  readonly previous_active: number;
  readonly devices: number;
  readonly online: number;
}
/** Merchants and devices by their present attribution; active is who took something under it. */
async function readCounts({ tx, scope, now_ms }: Ctx, span: Span, before: Span): Promise<Counts> {
  const [start, previousStart, end] = [dayStart(span.from), dayStart(before.from), dayStart(addDays(span.to, 1))];
  const paid = standingOf(scope, before, merchantsFor(scope), { merchant_id: "merchant_id" }, ["pay_count"]);
  const { rows } = await sql<Counts>`select m.*, d.*,
    (select count(*) from (select f.merchant_id from (${paid}) f where ${stillThere(scope)} group by 1 having sum(f.pay_count) > 0) a) as previous_active
    from (select count(*) as merchants, count(*) filter (where m.opened_at >= ${start}) as opened,
        count(*) filter (where m.opened_at >= ${previousStart} and m.opened_at < ${start}) as previous_opened
      from merchants m where ${inScope(scope, "m")} and m.opened_at < ${end}) m,
    (select count(*) as devices, count(*) filter (where ${isOnline(now_ms, 1)}) as online
      from devices d where ${inScope(scope, "d", "store")} and d.state = 'active') d`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error("a select of counts answers one row");
  return row;
}

/** What the caller's own node earned on the days of a span, as posted the night after; null for those who earn no commission. */
async function readCommission(tx: Transaction, scope: Scope, span: Span, before: Span): Promise<{ now: Cents; before: Cents } | null> {
  if (scope.level === "ADMIN") return null;
  const { rows } = await sql<{ now: Cents; before: Cents }>`
    select coalesce(sum(k.net_cents) filter (where k.day >= ${span.from}), 0)::bigint as now,
      coalesce(sum(k.net_cents) filter (where k.day between ${before.from} and ${before.to}), 0)::bigint as before
    from commission_daily k where k.day between ${before.from} and ${span.to} and ${inScope(scope, "k")}`.execute(tx);
  return rows[0] ?? null;
}
