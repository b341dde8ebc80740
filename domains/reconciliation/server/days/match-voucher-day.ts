import { sql } from "kysely";
import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { storeOfEntry } from "../../../platforms/server/index.ts";
import { type GroupBuySource, isAsked } from "../../contract/index.ts";
import type { DayRef } from "../rows.ts";
import { holdDay, keptDifferences, type Looked, losable, type Matched, newDifferences, toleranceOf } from "./keep-day.ts";

/** A platform's bill of a day is there after so many days at most: what no line pays by then is a difference (platforms.md 2). */
export const SETTLED_DAYS = 8;
/** A use that is taken back later than so is looked at on the day of the reversal alone. */
const LATE_DAYS = 31;
/** Lines that pay so much less than the customer did are not all of a use's: a 通兑券 has two. */
const SHORT_CENTS = 10;
type Ref = DayRef & { readonly source: GroupBuySource };
interface Day {
  readonly ref: Ref;
  /** The accounts whose record of uses the day is held against; none where nobody asks the platform: then the facts are its own word. */
  readonly accounts: readonly string[];
  /** The record is there: of the day, and of the one after it. */
  readonly told: boolean;
  readonly nextIsTold: boolean;
  /** The platform's bill of the day came whole, so that a use with a line has all of them; after eight days what cannot be read is a difference. */
  readonly whole: boolean;
  /** Rows of that record that nobody can read, once they are not waited for any more. */
  readonly unread: number;
  /** What no line pays is a difference. */
  readonly due: boolean;
  /** The record of it or of a day beside it is gone: nothing can be held against it. */
  readonly cleared: boolean;
  readonly tolerance_cents: number;
}

/**
 * Holds a day of a group-buy platform against itself, by certificate_id and verify_id, in one statement: uses here against the platform's record
 * (核销账单), reversals on the day they were made, and what bills pay for the day's uses (结算账单). What fits is counted, the rest is kept as
 * differences. The day before and after may help out. Bears being run any number of times.
 */
export async function matchVoucherDay(tx: Transaction, ref: Ref, now: string): Promise<Matched> {
  const day_id = await holdDay(tx, ref);
  const day = await readDay(tx, ref, now);
  const { due, whole } = day;
  if (day.cleared) throw conflict(`${ref.day} 太久，平台的核销记录已清，请先重新取账单`, "day-cleared");
  // Facts of a moment ago are in no statistics yet, and the planner would walk one side for each row of the other.
  await sql`set local enable_nestloop = off`.execute(tx);
  const { rows } = await sql<
    Record<string, number>
  >`with ${judged(day)}, ${keptDifferences(ref, day_id, now)}, ${helped(day, now)} ${sums(day)}`.execute(tx);
  await sql`set local enable_nestloop = on`.execute(tx);
  const { ours_pay_count = 0, ours_refund_count = 0, pending_count = 0 } = rows[0]!;
  // Nobody asks the other platforms: there the day has its uses once a sheet, or 快手's desk, brought them; lines without any are no day to wait for.
  const has_verify = isAsked(ref.source) ? whole : due || ours_pay_count + ours_refund_count > 0;
  const has_ledger = due || pending_count === 0;
  const set = await tx
    .updateTable("recon_days")
    .set({ ...rows[0], has_verify, has_ledger, has_bill: has_verify && has_ledger, matched_at: now, version: sql`version + 1` })
    .where("service_provider_id", "=", ref.service_provider_id)
    .where("id", "=", day_id)
    .returning("open_count")
    .executeTakeFirstOrThrow();
  return { openCount: set.open_count };
}
/** What a match would say of a closed day; nothing is written. */
export async function lookAtVoucherDay(
  tx: Transaction,
  ref: Ref,
  { id, now }: { readonly id: string; readonly now: string },
): Promise<Looked | undefined> {
  const day = await readDay(tx, ref, now);
  if (day.cleared) return undefined;
  await sql`set local enable_nestloop = off`.execute(tx);
  const { rows } = await sql<Looked>`with ${judged(day)}, ${newDifferences(ref, id)}
    select s.*, (select count(*)::int from new_differences) as fresh from (${sums(day)}) s`.execute(tx);
  await sql`set local enable_nestloop = on`.execute(tx);
  return rows[0]!;
}
const judged = (day: Day) => sql`${uses(day)}, ${told(day)}, ${judgedUses(day)}, ${judgedBacks(day)}, ${judgedLines(day)}, ${found(day)}`;

async function readDay(tx: Transaction, ref: Ref, now: string): Promise<Day> {
  const due = shanghaiDay(now) >= addDays(ref.day, SETTLED_DAYS);
  return { ref, ...(await recordOf(tx, ref, due)), due, tolerance_cents: await toleranceOf(tx, ref) };
}
async function recordOf(tx: Transaction, { service_provider_id, merchant_id, source, day }: Ref, due: boolean) {
  if (!isAsked(source)) return { accounts: [], told: false, nextIsTold: false, whole: true, unread: 0, cleared: false };
  const { rows } = await sql<{
    id: string;
    day: string | null;
    whole: boolean;
    came: boolean;
    unread: number;
    there: boolean;
    cleared: boolean;
  }>`
    select a.id, b.day::text as day, b.whole, b.came, b.unread, b.uses_taken_at is not null as there, b.cleared_at is not null as cleared from platform_accounts a
      left join platform_bill_days b on b.service_provider_id = a.service_provider_id and b.account_id = a.id and b.day between ${day}::date - 1 and ${day}::date + 1
    where a.service_provider_id = ${service_provider_id} and a.merchant_id = ${merchant_id} and a.platform = ${source}`.execute(tx);
  const own = rows.find((row) => row.day === day);
  return {
    accounts: [...new Set(rows.map(({ id }) => id))],
    told: own?.there === true,
    nextIsTold: rows.some((row) => row.day === addDays(day, 1) && row.there),
    whole: own?.there === true && (own.whole || (due && own.came)),
    cleared: rows.some((row) => row.cleared),
    unread: due && own?.there === true ? own.unread : 0,
  };
}
const mine = ({ service_provider_id, merchant_id, source }: Ref) =>
  sql`x.service_provider_id = ${service_provider_id} and x.merchant_id = ${merchant_id} and x.platform = ${source}`;
const same = (alias: string) =>
  sql`x.certificate_id = ${sql.ref(`${alias}.certificate_id`)} and x.verify_id = ${sql.ref(`${alias}.verify_id`)}`;
/** A sheet that numbers vouchers only has one number for both. */
const keyOf = (alias: string) =>
  sql`case when ${sql.ref(`${alias}.verify_id`)} in ('', ${sql.ref(`${alias}.certificate_id`)}) then ${sql.ref(`${alias}.certificate_id`)}
    else ${sql.ref(`${alias}.certificate_id`)} || ':' || ${sql.ref(`${alias}.verify_id`)} end`;
const COMMISSION = sql`(x.fee_cents + x.talent_cents + x.agency_cents + x.provider_cents + x.platform_fee_cents + x.operator_cents)`;
const dayOf = (column: string) => sql`(${sql.ref(column)} at time zone 'Asia/Shanghai')::date`;

/** `u`: uses here of the day and its neighbours, at the store that the platform's was mapped to on their day; `d`: those of the day, with what became of each. */
function uses({ ref, whole, due, tolerance_cents }: Day) {
  const short = sql`l.goods + l.fee < u.pay_cents - ${Math.max(tolerance_cents, SHORT_CENTS)} and l.total - l.fee = l.goods`;
  return sql`
    u as materialized (
      select x.kind as how, x.certificate_id, x.verify_id, ${storeOfEntry("x")} as store_id, x.pay_cents, x.expected_fee_cents,
        x.pay_cents + x.platform_ticket_cents - x.expected_fee_cents as income, x.happened_at, x.day, x.platform_order_no as order_no
      from platform_entries x where ${mine(ref)} and x.kind in ('verify', 'external') and x.day between ${ref.day}::date - 1 and ${ref.day}::date + 1),
    -- Joined whole: facts of a moment ago are in no statistics, and a look for each use would take any index.
    back as materialized (
      select x.certificate_id, x.verify_id, min(x.happened_at) as at, min(x.day) as day, (max(x.store_id::text))::uuid as store_id from platform_entries x
      where ${mine(ref)} and x.kind = 'reverse' and x.day between ${ref.day}::date - ${sql.lit(SETTLED_DAYS)} and ${ref.day}::date + ${sql.lit(LATE_DAYS)} group by 1, 2),
    paid as materialized (
      select x.certificate_id, x.verify_id, x.day, count(*)::int as count, sum(x.goods_cents)::bigint as goods, sum(${COMMISSION})::bigint as fee, sum(x.total_cents)::bigint as total,
        max(x.platform_order_no) as order_no, (max(x.store_id::text))::uuid as store_id, min(x.happened_at) as at
      from platform_entries x where ${mine(ref)} and x.kind = 'ledger' and x.day between ${ref.day}::date - 1 and ${ref.day}::date + 1 group by 1, 2, 3),
    d as materialized (
      select u.*, r.at as back_at, coalesce(l.count, 0) as lines, l.goods, l.fee, l.total,
        coalesce(r.at is null and ${short}, false) as short, coalesce(r.at is null and l.count > 0 and (${short} or not ${whole || due}), false) as part
      from u left join back r on r.certificate_id = u.certificate_id and r.verify_id = u.verify_id
        left join (select certificate_id, verify_id, sum(count)::int as count, sum(goods)::bigint as goods, sum(fee)::bigint as fee, sum(total)::bigint as total
          from paid group by 1, 2) l on l.certificate_id = u.certificate_id and l.verify_id = u.verify_id
      where u.day = ${ref.day}::date)`;
}
/** `t`: what the platform has on record of the day and its neighbours; of what was taken back also of the days before. */
function told({ ref, accounts }: Day) {
  return sql`
    t as materialized (
      select w.certificate_id, w.verify_id, w.day, w.pay_cents, w.used_at, w.reversed, w.reversed_at, b.uses_taken_at
      from platform_day_uses w join platform_bill_days b on b.service_provider_id = w.service_provider_id and b.account_id = w.account_id and b.day = w.day
      where w.service_provider_id = ${ref.service_provider_id} and w.account_id = any(${accounts}::uuid[])
        and (w.day between ${ref.day}::date - 1 and ${ref.day}::date + 1 or w.reversed and w.day between ${ref.day}::date - ${sql.lit(SETTLED_DAYS)} and ${ref.day}::date))`;
}
/** `v`: each use of the day that the platform has, with its class; `m`: each that it has not, on the day or beside it. */
function judgedUses({ ref, told: isTold }: Day) {
  return sql`
    v as materialized (
      select t.certificate_id, t.verify_id, t.pay_cents as bill_cents, t.used_at, t.reversed, coalesce(u.how, k.how) as how, coalesce(u.store_id, k.store_id) as store_id,
        coalesce(u.pay_cents, k.pay_cents) as ours_cents, coalesce(u.happened_at, k.happened_at) as ours_at, coalesce(u.order_no, k.order_no) as order_no,
        abs(coalesce(u.day, k.day) - ${ref.day}::date) as apart,
        case when u.how is null then 'channel-only'
          when u.how = 'external' and u.store_id is null then 'channel-only'
          when u.pay_cents <> t.pay_cents then 'amount' end as class,
        case when u.how is not null then case when u.how = 'external' and u.store_id is null then 'unmapped' end
          when k.how is null then 'unknown' else 'other-day' end as hint
      from t left join u on u.certificate_id = t.certificate_id and u.verify_id = t.verify_id
        left join lateral (select x.kind as how, x.store_id, x.pay_cents, x.happened_at, x.day, x.platform_order_no as order_no from platform_entries x
          where u.how is null and ${mine(ref)} and x.kind in ('verify', 'external') and ${same("t")} limit 1) k on true
      where t.day = ${ref.day}::date),
    m as materialized (
      select d.* from d where ${isTold} and not exists (select 1 from t where t.certificate_id = d.certificate_id and t.verify_id = d.verify_id)),
    -- Without a record to hold them against, uses at a store that is none of ours are looked at all the same.
    w as (select d.* from d where not ${isTold} and d.how = 'external' and d.store_id is null)`;
}
/** `rb`: reversals that the platform counts on the day, `ro`: ours of the day; one that the other side does not know is a difference of that day. */
function judgedBacks({ ref }: Day) {
  return sql`
    rb as materialized (
      select t.certificate_id, t.verify_id, t.pay_cents, t.reversed_at, t.used_at, r.at as ours_at, coalesce(u.store_id, r.store_id) as store_id, u.happened_at as use_at,
        u.pay_cents as use_cents, u.order_no, u.how
      from t left join back r on r.certificate_id = t.certificate_id and r.verify_id = t.verify_id
        left join u on u.certificate_id = t.certificate_id and u.verify_id = t.verify_id
      where t.reversed and coalesce(${dayOf("t.reversed_at")}, r.day, t.day) = ${ref.day}::date),
    ro as materialized (
      select x.certificate_id, x.verify_id, x.pay_cents, x.expected_fee_cents, x.happened_at, x.store_id, x.platform_order_no as order_no,
        t.used_at, t.pay_cents as bill_cents, coalesce(not t.reversed and t.uses_taken_at > x.happened_at, false) as alone
      from platform_entries x left join t on t.certificate_id = x.certificate_id and t.verify_id = x.verify_id
      where ${mine(ref)} and x.kind = 'reverse' and x.day = ${ref.day}::date)`;
}
/** `l`: what bills pay for each use of the day, with its class; `s`: lines of the day whose use nobody here knows. */
function judgedLines({ ref, due, tolerance_cents }: Day) {
  return sql`
    l as materialized (
      select d.*, case when d.lines = 0 then case when d.back_at is null and ${due} then 'ours-only' end
          when d.part and not ${due} then null
          when d.back_at is not null then case when d.goods <> 0 then 'status' end
          when d.total - d.fee <> d.goods then 'uneven'
          when d.short then 'amount'
          when d.expected_fee_cents > 0 and abs(d.fee - d.expected_fee_cents) > ${tolerance_cents} then 'fee' end as class
      from d),
    sl as materialized (select * from paid where day = ${ref.day}::date),
    s as materialized (
      select sl.* from sl left join u on u.certificate_id = sl.certificate_id and u.verify_id = sl.verify_id
        left join lateral (select 1 as there from platform_entries x where u.how is null and ${mine(ref)} and x.kind in ('verify', 'external') and ${same("sl")} limit 1) k on true
      where u.how is null and k.there is null)`;
}
function found({ nextIsTold, ref, unread }: Day) {
  const blank = sql`1 as nth, null::uuid as order_id, null::uuid as refund_id, null::uuid as file_id, null::int as line`;
  const midnight = sql`case when not ${nextIsTold} and m.happened_at >= ${dayStart(addDays(ref.day, 1))}::timestamptz - interval '1 hour' then 'midnight' end`;
  return sql`
    found as materialized (
      select 3::smallint as kind, v.class, ${keyOf("v")} as number, coalesce(v.order_no, '') as order_no, ${blank}, v.store_id, v.certificate_id as channel_no,
        v.ours_at, case when v.ours_at is not null then 1::smallint end as ours_status, v.ours_cents, case when v.ours_at is not null then 0::bigint end as ours_fee_cents,
        v.used_at as bill_at, case when v.reversed then 'REVERSED' else 'USED' end as bill_state, v.bill_cents, 0::bigint as bill_fee_mills, v.hint
      from v where v.class is not null
      union all select 3, 'ours-only', ${keyOf("m")}, m.order_no, ${blank}, m.store_id, m.certificate_id, m.happened_at, 1, m.pay_cents, 0, null, null, null, null, ${midnight} from m
      union all select 3, 'channel-only', ${keyOf("w")}, w.order_no, ${blank}, null, w.certificate_id, w.happened_at, 1, w.pay_cents, 0, w.happened_at, 'USED', w.pay_cents, 0, 'unmapped' from w
      union all select 4, 'status', ${keyOf("rb")}, coalesce(rb.order_no, ''), ${blank}, rb.store_id, rb.certificate_id, rb.use_at, case when rb.how is not null then 1 end, rb.use_cents,
          case when rb.how is not null then 0 end, coalesce(rb.reversed_at, rb.used_at), 'REVERSED', rb.pay_cents, 0, null
        from rb where rb.ours_at is null
      union all select 4, 'status', ${keyOf("ro")}, ro.order_no, ${blank}, ro.store_id, ro.certificate_id, ro.happened_at, 2, ro.pay_cents, 0, ro.used_at, 'USED', ro.bill_cents, 0, null
        from ro where ro.alone
      union all select 5, l.class, ${keyOf("l")}, l.order_no, ${blank}, l.store_id, l.certificate_id, l.happened_at, case when l.back_at is null then 1 else 2 end,
          case when l.class = 'uneven' then l.total - l.fee when l.class = 'status' then 0 else l.income end, l.expected_fee_cents,
          case when l.lines > 0 then l.happened_at end, case when l.lines > 0 then 'SETTLED' end, l.goods, l.fee * 1000,
          case l.class when 'ours-only' then 'unsettled' when 'status' then 'still-paid' end
        from l where l.class is not null
      union all select 5, 'channel-only', ${keyOf("s")}, s.order_no, ${blank}, s.store_id, s.certificate_id, null, null, null, null, s.at, 'SETTLED', s.goods, s.fee * 1000, 'unknown' from s
      union all select 3, 'channel-only', ${`unread:${unread} 条读不懂`}, '', ${blank}, null, null, null, null, null, null,
          ${dayStart(ref.day)}::timestamptz, 'UNREAD', 0, 0, 'unreadable' where ${unread > 0})`;
}
/** What the days beside it miss and this day's record has, is no difference any more. */
function helped({ ref }: Day, now: string) {
  return sql`helped as (
    update recon_differences d set status = 'resolved', resolution = 'vanished', linked_id = null, resolved_at = ${now}::timestamptz
    from t, recon_days y where t.day = ${ref.day}::date and d.service_provider_id = ${ref.service_provider_id} and d.merchant_id = ${ref.merchant_id} and d.source = ${ref.source}
      and d.day in (${ref.day}::date - 1, ${ref.day}::date + 1) and d.kind = 3 and d.class = 'ours-only' and ${losable(ref)}
      and y.service_provider_id = d.service_provider_id and y.id = d.day_id and y.status = 'open' and d.number = ${keyOf("t")}
    returning 1)`;
}
/** Both sides of the day, in figures. Where nobody asks the platform, its side is what was brought here. */
function sums({ ref, due }: Day) {
  const asked = isAsked(ref.source);
  const [there, thereCents, matched] = asked ? [sql`v`, sql`v.bill_cents`, sql`v.class is null`] : [sql`d v`, sql`v.pay_cents`, sql`true`];
  const [back, boundary] = asked ? [sql`rb`, sql`v.class is null and v.apart > 0`] : [sql`ro`, sql`false`];
  return sql`select used.*, given.*, told.*, back.*, lined.*, used_fee - given_fee as ours_fee_cents
    from (select count(*)::int as ours_pay_count, coalesce(sum(pay_cents), 0)::bigint as ours_pay_cents, count(*) filter (where how = 'external')::int as external_count,
        count(*) filter (where (lines = 0 or part) and back_at is null and not ${due})::int as pending_count,
        coalesce(sum(income) filter (where (lines = 0 or part) and back_at is null and not ${due}), 0)::bigint as pending_cents from d) used,
      (select coalesce(sum(expected_fee_cents), 0)::bigint as used_fee from d) f,
      (select count(*)::int as ours_refund_count, coalesce(sum(pay_cents), 0)::bigint as ours_refund_cents from ro) given,
      (select coalesce(sum(expected_fee_cents), 0)::bigint as given_fee from ro) g,
      (select count(*)::int as bill_pay_count, coalesce(sum(${thereCents}), 0)::bigint as bill_pay_cents, count(*) filter (where ${matched})::int as matched_count,
        count(*) filter (where ${boundary})::int as boundary_count from ${there}) told,
      (select count(*)::int as bill_refund_count, coalesce(sum(pay_cents), 0)::bigint as bill_refund_cents from ${back}) back,
      (select coalesce(sum(fee), 0)::bigint * 1000 as bill_fee_mills, coalesce(sum(goods), 0)::bigint as settled_cents,
        (select coalesce(sum(l.fee - l.expected_fee_cents), 0)::bigint from l where l.class is null and l.lines > 0 and not l.part and l.back_at is null and l.expected_fee_cents > 0)
          as tolerated_cents from sl) lined`;
}
