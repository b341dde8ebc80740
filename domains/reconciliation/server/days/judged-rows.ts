import { sql } from "kysely";
import { type DayRef, inBillOf, roundMills } from "../rows.ts";

/** An order is paid within hours of its making; one made so many days before is found by its number alone. */
const MADE_BEFORE_DAYS = 3;
/** A refund may wait so long for the bank and for its approval. */
const REFUND_DAYS = 60;

export interface DayToJudge {
  /** Bills of the day that count, and of the days beside it. */
  readonly own: readonly string[];
  readonly near: readonly string[];
  /** Which of the two the bills tell about. */
  readonly payments: boolean;
  readonly refunds: boolean;
  readonly nextIsThere: boolean;
  readonly from: string;
  readonly to: string;
  readonly tolerance_cents: number;
}
/** A bill tells what the order is worth at the channel: with the coupons that it does not settle (订单金额, 申请退款金额). */
const total = sql`o.paid_cents + o.free_coupon_cents`;
const sentAt = sql`coalesce(r.decided_at, r.created_at)`;
/** A refund that the channel closed goes on under a number of its own: R…-2. */
const plainNumber = (column: string) => sql`regexp_replace(${sql.ref(column)}, '-[0-9]+$', '')`;
const feeGap = sql`abs(${roundMills("p.fee_mills")} - case p.kind when 2 then -1 else 1 end * p.ours_fee_cents)`;
const mine = ({ service_provider_id, merchant_id, source }: DayRef) =>
  sql`o.service_provider_id = ${service_provider_id} and o.merchant_id = ${merchant_id} and ${inBillOf(source)}`;

/**
 * The parts of the matching statement that say what each row comes to: `o` and `r` are our payments and refunds about the
 * day, `judged` the bill's rows with their class, none where they fit, and `found` every difference, also what no bill has.
 */
export function judgedRows(ref: DayRef, day: DayToJudge) {
  return sql`${ourSide(ref, day)}, ${pairedRows(ref)}, ${classes(ref, day)}, ${missingRows(ref, day)}, ${differences(day)}`;
}

function ourSide(ref: DayRef, { own, from, to }: DayToJudge) {
  const { service_provider_id: sp, merchant_id: merchant } = ref;
  return sql`
    b as (select * from bill_rows where service_provider_id = ${sp} and file_id = any(${own}::uuid[])),
    o as materialized (select o.id, o.store_id, o.order_no, o.status, ${total} as paid_cents, o.fee_cents, o.paid_at from pay_orders o
      where ${mine(ref)} and o.created_at >= ${from}::timestamptz - ${sql.lit(MADE_BEFORE_DAYS)} * interval '1 day' and o.created_at < ${to}::timestamptz + interval '1 day'),
    r as materialized (select r.id, r.order_id, r.store_id, r.refund_no, r.channel_try, r.status, r.amount_cents + r.free_coupon_cents as amount_cents, r.fee_cents, ${sentAt} as sent_at, o.order_no
      from refunds r join lateral (select o.order_no from pay_orders o where ${mine(ref)} and o.id = r.order_id limit 1) o on true
      where r.service_provider_id = ${sp} and r.merchant_id = ${merchant}
        and r.created_at >= ${from}::timestamptz - ${sql.lit(REFUND_DAYS)} * interval '1 day' and r.created_at < ${to}::timestamptz + interval '1 day')`;
}
/** A bill's row and what we have under its number: about the day first, by a look at the number alone where it is not there. */
function pairedRows(ref: DayRef) {
  const { service_provider_id: sp, merchant_id: merchant } = ref;
  return sql`
    twice as (select file_id, line, row_number() over (partition by kind, coalesce(refund_no, order_no) order by file_id, line) as nth from b
      where (kind, coalesce(refund_no, order_no)) in (select kind, coalesce(refund_no, order_no) from b group by 1, 2 having count(*) > 1)),
    paired as (
      select b.*, b.order_no as number, coalesce(o.id, x.id) as order_id, null::uuid as refund_id, coalesce(o.store_id, x.store_id) as store_id,
        coalesce(o.status, x.status) as ours_status, coalesce(o.paid_cents, x.paid_cents + x.free_coupon_cents) as ours_cents, coalesce(o.fee_cents, x.fee_cents) as ours_fee_cents,
        coalesce(o.paid_at, x.paid_at, x.created_at) as ours_at, true as same_number
      from b left join o on o.order_no = b.order_no
        left join lateral (select o2.* from (select o.* from pay_orders o where ${mine(ref)}) o2 where o.id is null and o2.order_no = b.order_no limit 1) x on true
      where b.kind = 1
      union all
      select b.*, ${plainNumber("b.refund_no")}, r.order_id, r.id, r.store_id, r.status, r.amount_cents + r.free_coupon_cents, r.fee_cents, ${sentAt},
        b.refund_no = case r.channel_try when 1 then r.refund_no else r.refund_no || '-' || r.channel_try end
      from b left join lateral (select r.* from refunds r where r.service_provider_id = ${sp} and r.merchant_id = ${merchant}
          and r.refund_no = ${plainNumber("b.refund_no")} limit 1) r on true
      where b.kind = 2)`;
}
/** channels.md 5.5. A refund's status in a bill is a snapshot and may be older than ours. */
function classes(ref: DayRef, { tolerance_cents }: DayToJudge) {
  const apart = sql`abs((p.ours_at at time zone 'Asia/Shanghai')::date - ${ref.day}::date)`;
  return sql`
    judged as materialized (
      select p.*, coalesce(t.nth, 1)::int as nth, ${feeGap} as fee_gap,
        ${apart} as apart,
        case when t.nth > 1 then 'channel-only'
          when p.kind = 1 and p.state = 'REVOKED' then case when p.ours_status in (2, 3) then 'status' end
          when p.kind = 1 and (p.order_id is null or p.ours_status not in (2, 3)) then 'channel-only'
          when p.kind = 1 and ${apart} > 1 then 'channel-only'
          when p.kind = 2 and p.refund_id is null then case when p.state <> 'FAIL' then 'channel-only' end
          when p.amount_cents <> p.ours_cents then 'amount'
          when p.kind = 2 and p.state = 'SUCCESS' and p.ours_status <> 2 then 'status'
          when p.kind = 2 and p.state in ('FAIL', 'CHANGE') and p.ours_status = 2 and p.same_number then 'status'
          when p.kind = 2 and p.state = 'PROCESSING' and p.ours_status in (0, 4, 5) then 'status'
          when (p.kind = 1 or p.ours_status = 2 and p.state in ('SUCCESS', 'PROCESSING'))
            and ${feeGap} > ${tolerance_cents} then 'fee'
        end as class
      from paired p left join twice t on t.file_id = p.file_id and t.line = p.line)`;
}
/** What we have of the day and no bill has, of the day or beside it; a refund may stand in any. */
function missingRows(ref: DayRef, { near, payments, refunds, from, to }: DayToJudge) {
  const sp = ref.service_provider_id;
  return sql`
    missing as (
      select 1::smallint as kind, o.order_no as number, o.order_no, o.id as order_id, null::uuid as refund_id, o.store_id, o.status as ours_status,
        o.paid_cents as ours_cents, o.fee_cents as ours_fee_cents, o.paid_at as ours_at
      from o where ${payments} and o.status in (2, 3) and o.paid_at >= ${from} and o.paid_at < ${to}
        and not exists (select 1 from b where b.kind = 1 and b.order_no = o.order_no)
        and not exists (select 1 from bill_rows n where n.service_provider_id = ${sp} and n.file_id = any(${near}::uuid[]) and n.kind = 1 and n.order_no = o.order_no)
      union all
      select 2::smallint, r.refund_no, r.order_no, r.order_id, r.id, r.store_id, r.status, r.amount_cents, r.fee_cents, r.sent_at
      from r where ${refunds} and r.status = 2 and r.sent_at >= ${from} and r.sent_at < ${to}
        and not exists (select 1 from b where b.kind = 2 and ${plainNumber("b.refund_no")} = r.refund_no)
        and not exists (select 1 from bill_rows n join bill_files f on f.service_provider_id = n.service_provider_id and f.id = n.file_id and f.status = 'matched'
          where n.service_provider_id = ${sp} and n.order_no = r.order_no and n.kind = 2 and ${plainNumber("n.refund_no")} = r.refund_no offset 0))`;
}
function differences({ nextIsThere, to }: DayToJudge) {
  return sql`
    found as materialized (
      select kind, class, number, nth, order_no, order_id, refund_id, store_id, file_id, line, coalesce(channel_refund_no, channel_no) as channel_no, ours_at, ours_status,
        ours_cents, ours_fee_cents, at as bill_at, state as bill_state, amount_cents as bill_cents, fee_mills as bill_fee_mills,
        case when nth > 1 then 'twice' when class <> 'channel-only' then null when order_id is null then 'unknown'
          when kind = 1 and ours_status not in (2, 3) then 'unpaid' when kind = 1 then 'other-day' end as hint
      from judged where class is not null
      union all
      select kind, 'ours-only', number, 1, order_no, order_id, refund_id, store_id, null, null, null, ours_at, ours_status, ours_cents, ours_fee_cents,
        null, null, null, null,
        case when not ${nextIsThere} and ours_at >= ${to}::timestamptz - interval '1 hour' then 'midnight' end
      from missing)`;
}
