import { sql } from "kysely";
import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { forbidden } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { countedMembers } from "../../../members/server/index.ts";
import { storedFigures } from "../../../stored-value/server/index.ts";
import { timesUsedIn } from "../../../vip/server/index.ts";
import { getPrepaid, type Span } from "../../contract/index.ts";
import { payDrill } from "../drills.ts";
import { added } from "../takings/figures.ts";
import { readDays } from "../takings/read-takings.ts";

/** What an order is for (`pay_orders.purpose`). */
const [RECHARGE, LEVEL, TIMES, PACKAGE] = [1, 2, 3, 4] as const;
interface Cash {
  readonly purpose: number;
  readonly paid: number;
  readonly back: number;
}
/** Money of what was sold beforehand: taken and given back in the span, by the moment it moved. */
async function cashOf(tx: Transaction, scope: Scope, { from, to }: Span): Promise<readonly Cash[]> {
  const [start, end] = [dayStart(from), dayStart(addDays(to, 1))];
  const { rows } = await sql<Cash>`select purpose, sum(paid)::bigint as paid, sum(back)::bigint as back from (
      select o.purpose, o.paid_cents as paid, 0 as back from pay_orders o
        where o.purpose <> 0 and o.paid_at >= ${start}::timestamptz and o.paid_at < ${end}::timestamptz and ${inScope(scope, "o")}
      union all select o.purpose, 0, r.amount_cents from pay_orders o join refunds r on r.service_provider_id = o.service_provider_id and r.order_id = o.id
        where o.purpose <> 0 and o.value_refunded_cents > 0 and r.status = 2 and r.finished_at >= ${start}::timestamptz
          and r.finished_at < ${end}::timestamptz and ${inScope(scope, "o")}) x group by purpose`.execute(tx);
  return rows;
}

/**
 * 会员与储值 of a span. 营业额 is what goods and services came to: money less what was sold beforehand, and what of that was used
 * (membership.md 6, domain.md: levels and packages count when they are sold).
 */
export const getPrepaidRoute = implement(getPrepaid, async (ctx, input) => {
  const { tx, scope } = ctx;
  if (!LEVELS.includes(scope.level)) throw forbidden();
  const yesterday = addDays(shanghaiDay(ctx.now_ms), -1);
  const span: Span = { from: input.from ?? yesterday, to: input.to ?? yesterday };
  const cash = await cashOf(tx, scope, span);
  const sums = added(await readDays(tx, scope, span));
  const stored = await storedFigures(tx, scope, span);
  const times_cents = await timesUsedIn(tx, scope, span);
  const members = await countedMembers(tx, scope, span);
  const of = (which: "paid" | "back", ...purposes: readonly number[]): number =>
    cash.reduce((sum, row) => sum + (purposes.includes(row.purpose) ? row[which] : 0), 0);
  const later = of("paid", RECHARGE, TIMES) - of("back", RECHARGE, TIMES);
  const turnover = sums.paid_cents - sums.refund_cents - later + stored.used_cents + times_cents;
  const days = { from: span.from, to: span.to };
  return {
    span,
    turnoverCents: turnover as never,
    rechargeCents: of("paid", RECHARGE) as never,
    rechargeBackCents: of("back", RECHARGE) as never,
    cardCents: of("paid", LEVEL, TIMES, PACKAGE) as never,
    cardBackCents: of("back", LEVEL, TIMES, PACKAGE) as never,
    consumedCents: stored.used_cents as never,
    timesCents: times_cents as never,
    balanceCents: stored.owed_cents as never,
    membersNew: members.joined,
    membersActive: members.active,
    drill: {
      recharge: payDrill(span, { purpose: String(RECHARGE) }),
      consumed: { path: "/dataCentre/cardConsumption", query: days },
      balance: { path: "/dataCentre/cardSummary", query: { on: span.to } },
      joined: { path: MEMBERS, query: days },
      active: { path: MEMBERS, query: { activeFrom: span.from, activeTo: span.to } },
    },
  };
});
const MEMBERS = "/member/member";
const LEVELS: readonly string[] = ["SP", "MCH", "AE"];
