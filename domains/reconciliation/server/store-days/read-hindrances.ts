import { type RawBuilder, sql } from "kysely";
import { addDays, daysBetween, dayStart } from "@zhangfang/contract/time.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import {
  BLOCKING,
  isAsked,
  type DayState,
  type Hindrance,
  type HindranceKind,
  sourceOf,
  type StoreDayFigures,
} from "../../contract/index.ts";
import { stateOf } from "../rows.ts";
import { daysOf, merchantsOf, readFigures, type Span, type StoreRef, uuids } from "./read-figures.ts";

export type Hinders = Hindrance & { readonly dayId: string | null };
export interface BillState {
  readonly source: string;
  readonly state: DayState | "none";
  readonly dayId: string | null;
}
/** One store's day as it is now. */
export interface StoreDayNow {
  readonly figures: StoreDayFigures;
  readonly hindrances: readonly Hinders[];
  readonly bills: readonly BillState[];
}
interface Open {
  readonly store_id: string | null;
  readonly merchant_id: string;
  readonly day: string;
  readonly kind: HindranceKind;
  readonly source: string;
  readonly count: number;
  readonly day_id: string | null;
}

const dayOf = (moment: string): RawBuilder<string> => sql<string>`(${sql.ref(moment)} at time zone 'Asia/Shanghai')::date`;
/**
 * What is open of stores on days. Payments, uses and refunds without a result count on the day on which they began and on each after it:
 * whoever answers may say of any of them that it was then. Taking a use back counts for the day on which that is settled, which is today.
 */
async function readOpen(tx: Transaction, scope: Scope, stores: readonly StoreRef[], { from, to }: Span, today: string): Promise<Open[]> {
  const [storeIds, merchantIds] = [uuids(stores.map((one) => one.store_id)), uuids(stores.map((one) => one.merchant_id))];
  const days = sql`generate_series(${from}::timestamp, ${to}::timestamp, interval '1 day') g(day)`;
  const { rows } = await sql<Open>`
    select v.store_id, v.merchant_id, g.day::date as day, 'attempt' as kind, v.platform::text as source, count(*)::int as count, null::uuid as day_id
      from voucher_verifications v join ${days} on case when v.status = 5 then g.day::date = ${today}::date else g.day::date >= ${dayOf("v.started_at")} end
      where v.status in (0, 3, 4, 5) and ${inScope(scope, "v", "store")} and v.store_id = any(${storeIds}::uuid[]) group by 1, 2, 3, 5
    union all
    select o.store_id, o.merchant_id, g.day::date, 'payment', '', count(*)::int, null from pay_orders o join ${days} on g.day::date >= ${dayOf("o.created_at")}
      where o.status = 0 and ${inScope(scope, "o")} and o.store_id = any(${storeIds}::uuid[]) group by 1, 2, 3
    union all
    select r.store_id, r.merchant_id, g.day::date, 'refund', '', count(*)::int, null from refunds r join ${days} on g.day::date >= ${dayOf("r.created_at")}
      where r.status = 1 and ${inScope(scope, "r")} and r.store_id = any(${storeIds}::uuid[]) group by 1, 2, 3
    union all
    select o.store_id, o.merchant_id, g.day::date, 'running', o.platform::text, count(*)::int, null from takeaway_orders o
      join ${days} on g.day::date - ${dayOf("o.placed_at")} in (0, 1)
      where o.status = 1 and ${inScope(scope, "o", "store")} and o.merchant_id = any(${merchantIds}::uuid[]) and o.store_id = any(${storeIds}::uuid[])
        and o.placed_at >= ${dayStart(addDays(from, -1))}::timestamptz and o.placed_at < ${dayStart(addDays(to, 1))}::timestamptz group by 1, 2, 3, 5
    union all
    select d.store_id_of, d.merchant_id, d.day, case when d.store_id_of is not null then 'difference' when d.kind = 3 and d.hint = 'unmapped' then 'unmapped' else 'stray' end, d.source, count(*)::int, (min(d.day_id::text))::uuid
      from recon_differences d where d.status <> 'resolved' and ${inScope(scope, "d", "merchant")} and d.merchant_id = any(${merchantIds}::uuid[])
        and d.day between ${from}::date and ${to}::date and (d.store_id_of is null or d.store_id_of = any(${storeIds}::uuid[])) group by 1, 2, 3, 4, 5
    union all
    select null, m.merchant, t.day, t.kind, t.platform, t.count, null from ${merchantsOf(stores)}
      cross join lateral app.stray_takeaway(m.provider, m.merchant, ${daysOf({ from, to })}) t`.execute(tx);
  return rows;
}

/**
 * Stores' days as they are now: twelve statements, however many stores and days. What is open is read before the figures: what settles between
 * the two is in the figures, so that nobody closes over a figure without what was just on its way.
 * @param today none of the days after it is asked for
 */
export async function readStoreDays(
  tx: Transaction,
  scope: Scope,
  stores: readonly StoreRef[],
  span: Span,
  today: string,
): Promise<(storeId: string, day: string) => StoreDayNow> {
  if (stores.length === 0) return () => NOTHING;
  const open = await readOpen(tx, scope, stores, span, today);
  const { of, invoiced } = await readFigures(tx, scope, stores, span);
  const { rows: days } = await sql<{ merchant_id: string; source: string; day: string; id: string; state: DayState }>`
    select d.merchant_id, d.source, d.day, d.id, ${stateOf} as state from recon_days d
    where ${inScope(scope, "d", "merchant")} and d.merchant_id = any(${uuids(stores.map((one) => one.merchant_id))}::uuid[])
      and d.day between ${span.from}::date and ${span.to}::date`.execute(tx);
  const { rows: off } = await sql<{ merchant_id: string; platform: string }>`
    select a.merchant_id, a.platform::text as platform from platform_accounts a where ${inScope(scope, "a", "merchant")} and a.state <> 'active'
      and a.merchant_id = any(${uuids(stores.map((one) => one.merchant_id))}::uuid[])`.execute(tx);
  const paused = new Set(off.map(({ merchant_id, platform }) => `${merchant_id}/${platform}`));
  const merchantOf = new Map(stores.map((one) => [one.store_id, one.merchant_id]));
  const [openOn, billsOn] = [Map.groupBy(open, (row) => row.day), Map.groupBy(days, (row) => row.day)];
  return (storeId, day) => {
    const merchant = merchantOf.get(storeId);
    const figures = of(storeId, day);
    const bills = billsOf(
      figures,
      (billsOn.get(day) ?? []).filter((row) => row.merchant_id === merchant),
    );
    const written = invoiced.find((row) => row.store_id === storeId && row.day === day);
    const mine = (openOn.get(day) ?? []).filter(
      (row) => row.store_id === storeId || (row.store_id === null && row.merchant_id === merchant),
    );
    const hinders = (kind: HindranceKind, source: string, count: number, dayId: string | null): Hinders => ({
      kind,
      blocks: BLOCKING.includes(kind),
      source,
      count,
      dayId,
    });
    return {
      figures,
      bills,
      hindrances: [
        ...mine.map((row) => hinders(row.kind, row.source, row.count, row.day_id)).toSorted((a, b) => Number(b.blocks) - Number(a.blocks)),
        ...bills
          .filter(({ state }) => state === "none" || state === "partial")
          .map((one) =>
            hinders(isAsked(one.source) && paused.has(`${merchant}/${one.source}`) ? "paused" : "bill", one.source, 1, one.dayId),
          ),
        ...(written && written.stuck > 0 ? [hinders("invoice", "", written.stuck, null)] : []),
        ...(written && written.red_stuck > 0 ? [hinders("red", "", written.red_stuck, null)] : []),
        ...(day === today ? [hinders("today", "", 1, null)] : []),
      ],
    };
  };
}
const NOTHING: StoreDayNow = {
  figures: {
    lines: [],
    stored: { principalCents: 0, giftCents: 0 },
    rechargeCents: 0,
    invoices: { count: 0, cents: 0, redCount: 0, redCents: 0 },
  },
  hindrances: [],
  bills: [],
};
/** The bills that a store's day waits for: of a source where it has a row of money there. What platforms have settled whole needs none. */
function billsOf(
  { lines }: StoreDayFigures,
  days: readonly { readonly source: string; readonly id: string; readonly state: DayState }[],
): BillState[] {
  const waited = lines.filter(({ band, paidCents, backCents }) => band !== "own" || paidCents !== 0 || backCents !== 0);
  const sources = [...new Set(waited.flatMap((line) => sourceOf(line) ?? []))];
  return sources.flatMap((source): BillState[] => {
    const day = days.find((one) => one.source === source);
    const settled = lines.some((line) => line.band !== "own" && line.settled && sourceOf(line) === source);
    if (day) return [{ source, state: day.state, dayId: day.id }];
    return settled ? [] : [{ source, state: "none", dayId: null }];
  });
}
/** The days of a month that are not in the future. */
export function monthOf(month: string, today: string): Span | undefined {
  const first = `${month}-01`;
  if (first > today) return undefined;
  const next = `${addDays(first, 31).slice(0, 7)}-01`;
  const last = addDays(first, daysBetween(first, next) - 1);
  return { from: first, to: last < today ? last : today };
}
