import { sql } from "kysely";
import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { TakeawaySource } from "../../contract/index.ts";
import type { DayRef } from "../rows.ts";
import { holdDay, keptDifferences, type Looked, type Matched, newDifferences } from "./keep-day.ts";

/** An order that still runs after so many days was forgotten by somebody. */
export const RUNNING_DAYS = 3;
type Ref = DayRef & { readonly source: TakeawaySource };

/**
 * Looks through a day of a takeaway platform: its completed orders are both sides, what they come to by their own parts (ours) and what the
 * platform says that it pays out (the bill). What does not add up, stands at no store, could not be fetched, or never ended is a difference.
 */
export async function matchTakeawayDay(tx: Transaction, ref: Ref, now: string): Promise<Matched> {
  const day_id = await holdDay(tx, ref);
  const { rows } = await sql<Record<string, number>>`with ${orders(ref)}, ${found(ref, now)}, ${keptDifferences(ref, day_id, now)}
    select o.*, (select count(*)::int from f where f.next_at is not null) as waiting from (${SUMS}) o`.execute(tx);
  const { waiting, ...figures } = rows[0]!;
  const has_bill = waiting === 0;
  const set = await tx
    .updateTable("recon_days")
    .set({ ...figures, has_bill, has_verify: has_bill, has_ledger: has_bill, matched_at: now, version: sql`version + 1` })
    .where("service_provider_id", "=", ref.service_provider_id)
    .where("id", "=", day_id)
    .returning("open_count")
    .executeTakeFirstOrThrow();
  return { openCount: set.open_count };
}

/** What a match would say of a closed day; nothing is written. */
export async function lookAtTakeawayDay(
  tx: Transaction,
  ref: Ref,
  { id, now }: { readonly id: string; readonly now: string },
): Promise<Looked> {
  const { rows } = await sql<Looked>`with ${orders(ref)}, ${found(ref, now)}, ${newDifferences(ref, id)}
    select s.*, (select count(*)::int from new_differences) as fresh from (${SUMS}) s`.execute(tx);
  return rows[0]!;
}

/** `o`: completed orders of the day; `p`: those placed on it that run; `f`: what the platform told of on it and nobody could fetch yet. */
function orders({ service_provider_id, merchant_id, source, day }: Ref) {
  const [from, to] = [dayStart(day), dayStart(addDays(day, 1))];
  return sql`
    o as materialized (select x.* from takeaway_orders x where x.service_provider_id = ${service_provider_id} and x.merchant_id = ${merchant_id} and x.platform = ${source}
      and x.status = 2 and x.completed_at >= ${from}::timestamptz and x.completed_at < ${to}::timestamptz),
    p as materialized (select x.* from takeaway_orders x where x.service_provider_id = ${service_provider_id} and x.merchant_id = ${merchant_id} and x.platform = ${source}
      and x.status = 1 and x.placed_at >= ${from}::timestamptz and x.placed_at < ${to}::timestamptz),
    f as materialized (select x.*, exists (select 1 from takeaway_orders k where k.service_provider_id = x.service_provider_id and k.merchant_id = x.merchant_id
        and k.platform = ${source} and k.platform_order_id = x.platform_order_id) as known
      from takeaway_fetches x join platform_accounts a on a.service_provider_id = x.service_provider_id and a.id = x.account_id
      where x.service_provider_id = ${service_provider_id} and x.merchant_id = ${merchant_id} and a.platform = ${source}
        and (x.next_at is not null or x.outcome in ('refused', 'unknown')) and x.told_at >= ${from}::timestamptz and x.told_at < ${to}::timestamptz)`;
}
function found({ day }: Ref, now: string) {
  const blank = sql`1 as nth, null::uuid as order_id, null::uuid as refund_id, null::uuid as file_id, null::int as line`;
  const forgotten = shanghaiDay(now) >= addDays(day, RUNNING_DAYS);
  return sql`
    found as materialized (
      select 6::smallint as kind, case when o.odd then 'uneven' else 'channel-only' end as class, o.platform_order_id as number, o.platform_order_id as order_no, ${blank},
        o.store_id, o.platform_order_id as channel_no, o.completed_at as ours_at, 4::smallint as ours_status, coalesce(o.parts_cents, o.income_cents) as ours_cents,
        o.fee_cents as ours_fee_cents, o.completed_at as bill_at, 'DONE' as bill_state, o.income_cents as bill_cents, o.fee_cents * 1000 as bill_fee_mills,
        case when not o.odd then 'unmapped' end as hint
      from o where o.odd or o.store_id is null
      union all select 6, 'status', p.platform_order_id, p.platform_order_id, ${blank}, p.store_id, p.platform_order_id, p.placed_at, 3, p.income_cents, p.fee_cents,
          p.changed_at, 'RUNNING', p.income_cents, p.fee_cents * 1000, 'running' from p where ${forgotten}
      union all select 6, 'channel-only', f.platform_order_id, f.platform_order_id, ${blank}, null, f.platform_order_id, null, null, null, null,
          f.told_at, 'UNFETCHED', 0, 0, 'unfetched' from f where f.outcome in ('refused', 'unknown') and not f.known)`;
}
const SUMS = sql`select count(*)::int as ours_pay_count, coalesce(sum(coalesce(parts_cents, income_cents)), 0)::bigint as ours_pay_cents,
    count(*) filter (where shop_refund_cents > 0)::int as ours_refund_count, coalesce(sum(shop_refund_cents), 0)::bigint as ours_refund_cents,
    coalesce(sum(fee_cents), 0)::bigint as ours_fee_cents, count(*)::int as bill_pay_count, coalesce(sum(income_cents), 0)::bigint as bill_pay_cents,
    count(*) filter (where shop_refund_cents > 0)::int as bill_refund_count, coalesce(sum(shop_refund_cents), 0)::bigint as bill_refund_cents,
    coalesce(sum(fee_cents), 0)::bigint * 1000 as bill_fee_mills, coalesce(sum(income_cents - shop_refund_cents), 0)::bigint as settled_cents,
    count(*) filter (where not odd and store_id is not null)::int as matched_count from o`;
