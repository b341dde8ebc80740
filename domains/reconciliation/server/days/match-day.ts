import { sql } from "kysely";
import { addDays, dayStart } from "@zhangfang/contract/time.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { isGroupBuy, isTakeaway } from "../../contract/index.ts";
import { type DayRef, roundMills } from "../rows.ts";
import { judgedRows } from "./judged-rows.ts";
import { breakLinks, holdDay, keptDifferences, losable, type Matched, toleranceOf } from "./keep-day.ts";
import { matchTakeawayDay } from "./match-takeaway-day.ts";
import { matchVoucherDay } from "./match-voucher-day.ts";

/** Matches one day of a merchant at a channel or a platform with what is known now. @throws 409 where the day is closed */
export async function matchDay(tx: Transaction, ref: DayRef, now: string): Promise<Matched> {
  const { openCount } = await matchAlone(tx, ref, now);
  return { openCount: openCount + (await breakLinks(tx, ref)) };
}
function matchAlone(tx: Transaction, ref: DayRef, now: string): Promise<Matched> {
  if (isGroupBuy(ref.source)) return matchVoucherDay(tx, { ...ref, source: ref.source }, now);
  if (isTakeaway(ref.source)) return matchTakeawayDay(tx, { ...ref, source: ref.source }, now);
  return matchBillDay(tx, ref, now);
}

/** The bills of a day that count: ALL, or what SUCCESS and REFUND say where it is not there. */
async function filesOf(tx: Transaction, ref: DayRef) {
  const from = addDays(ref.day, -1);
  const to = addDays(ref.day, 1);
  const rows = await tx
    .selectFrom("bill_files")
    .select(["id", "day", "bill_type"])
    .where("service_provider_id", "=", ref.service_provider_id)
    .where("merchant_id", "=", ref.merchant_id)
    .where("source", "=", ref.source)
    .where("day", ">=", from)
    .where("day", "<=", to)
    .where("status", "=", "matched")
    .where("bill_type", "<>", "FUNDFLOW")
    .execute();
  const of = (day: string) => {
    const all = rows.filter((row) => row.day === day);
    const whole = all.filter(({ bill_type }) => bill_type === "ALL" || bill_type === "TRADE");
    return whole.length > 0 ? whole : all;
  };
  const own = of(ref.day);
  const has = (...types: readonly string[]) => own.some(({ bill_type }) => types.includes(bill_type));
  return {
    own: own.map(({ id }) => id),
    near: [...of(from), ...of(to)].map(({ id }) => id),
    payments: has("ALL", "TRADE", "SUCCESS"),
    refunds: has("ALL", "TRADE", "REFUND"),
    nextIsThere: of(to).length > 0,
  };
}

/**
 * Holds a day's bills against our payments and refunds, by number, in one statement: what fits is counted, what does not is
 * kept as a difference. The day before and after may help out. A difference that was resolved stays so while both sides
 * say the same; one that is gone is closed. Bears being run any number of times. The whole of it or nothing.
 * @returns how many differences of the day wait for somebody
 */
async function matchBillDay(tx: Transaction, ref: DayRef, now: string): Promise<Matched> {
  const day_id = await holdDay(tx, ref);
  const files = await filesOf(tx, ref);
  const span = { from: dayStart(ref.day), to: dayStart(addDays(ref.day, 1)) };
  const found = judgedRows(ref, { ...files, ...span, tolerance_cents: await toleranceOf(tx, ref) });
  // Rows that came a moment ago are in no statistics yet, and the planner would walk one side for each row of the other. The
  // looks at single numbers are laterals with a limit, which stay what they are.
  await sql`set local enable_nestloop = off`.execute(tx);
  const { rows } = await sql<Record<string, number>>`with ${found}, ${keptDifferences(ref, day_id, now)}, ${sumsOf(span)}`.execute(tx);
  await sql`set local enable_nestloop = on`.execute(tx);
  await helpNeighbours(tx, ref, files.own, now);
  const set = await tx
    .updateTable("recon_days")
    .set({ ...rows[0], has_bill: files.payments && files.refunds, matched_at: now, version: sql`version + 1` })
    .where("service_provider_id", "=", ref.service_provider_id)
    .where("id", "=", day_id)
    .returning("open_count")
    .executeTakeFirstOrThrow();
  return { openCount: set.open_count };
}

/** Both sides of the day, in figures. */
function sumsOf({ from, to }: { readonly from: string; readonly to: string }) {
  return sql`theirs as (select count(*) filter (where kind = 1 and state <> 'REVOKED')::int as bill_pay_count,
        coalesce(sum(amount_cents) filter (where kind = 1 and state <> 'REVOKED'), 0)::bigint as bill_pay_cents,
        count(*) filter (where kind = 2 and state in ('SUCCESS', 'PROCESSING'))::int as bill_refund_count,
        coalesce(sum(amount_cents) filter (where kind = 2 and state in ('SUCCESS', 'PROCESSING')), 0)::bigint as bill_refund_cents,
        coalesce(sum(fee_mills) filter (where state in ('SUCCESS', 'PROCESSING')), 0)::bigint as bill_fee_mills,
        coalesce(sum(settled_cents) filter (where state in ('SUCCESS', 'PROCESSING')), 0)::bigint as bill_settled,
        count(*) filter (where class is null)::int as matched_count,
        count(*) filter (where class is null and kind = 1 and apart > 0)::int as boundary_count,
        coalesce(sum(fee_gap) filter (where class is null and (kind = 1 or ours_status = 2) and state in ('SUCCESS', 'PROCESSING')), 0)::bigint as tolerated_cents
      from judged),
    paid as (select count(*)::int as ours_pay_count, coalesce(sum(paid_cents), 0)::bigint as ours_pay_cents, coalesce(sum(fee_cents), 0)::bigint as fee
      from o where status in (2, 3) and paid_at >= ${from} and paid_at < ${to}),
    refunded as (select count(*)::int as ours_refund_count, coalesce(sum(amount_cents), 0)::bigint as ours_refund_cents, coalesce(sum(fee_cents), 0)::bigint as fee
      from r where status = 2 and sent_at >= ${from} and sent_at < ${to})
    select bill_pay_count, bill_pay_cents, bill_refund_count, bill_refund_cents, bill_fee_mills, matched_count, boundary_count, tolerated_cents,
      bill_settled - ${roundMills("bill_fee_mills")} as settled_cents, ours_pay_count, ours_pay_cents, ours_refund_count, ours_refund_cents,
      paid.fee - refunded.fee as ours_fee_cents from theirs, paid, refunded`;
}

/** What the days beside it miss and this day's bill has, is no difference any more. */
async function helpNeighbours(tx: Transaction, ref: DayRef, files: readonly string[], now: string): Promise<void> {
  await sql`update recon_differences d set status = 'resolved', resolution = 'vanished', linked_id = null, resolved_at = ${now}::timestamptz
    from bill_rows n, recon_days y
    where d.service_provider_id = ${ref.service_provider_id} and d.merchant_id = ${ref.merchant_id} and d.source = ${ref.source} and d.class = 'ours-only'
      and ${losable(ref)} and y.service_provider_id = d.service_provider_id and y.id = d.day_id and y.status = 'open'
      and d.day <> ${ref.day}::date and (d.kind = 2 or abs(d.day - ${ref.day}::date) = 1)
      and n.service_provider_id = d.service_provider_id and n.order_no = d.order_no and n.file_id = any(${files}::uuid[]) and n.kind = d.kind
      and coalesce(regexp_replace(n.refund_no, '-[0-9]+$', ''), n.order_no) = d.number`.execute(tx);
}
