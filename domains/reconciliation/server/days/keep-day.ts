import { sql } from "kysely";
import { addDays } from "@zhangfang/contract/time.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import type { DayRef } from "../rows.ts";

/** How many differences of the day wait for somebody. */
export interface Matched {
  readonly openCount: number;
}

/** What a match would say of a day: its figures as recon_days has them, and how many differences it has not kept like this. */
export type Looked = Readonly<Record<string, number>> & { readonly fresh: number };

/** Holds the day, its neighbours and what has links, in their order, to the end of the transaction. @throws 409 where it is closed */
export async function holdDay(tx: Transaction, ref: DayRef): Promise<string> {
  await sql`insert into recon_days (service_provider_id, id, merchant_id, source, day)
    values (${ref.service_provider_id}, gen_random_uuid(), ${ref.merchant_id}, ${ref.source}, ${ref.day}::date)
    on conflict (service_provider_id, merchant_id, source, day) do nothing`.execute(tx);
  const held = await tx
    .selectFrom("recon_days")
    .select(["id", "day", "status"])
    .where("service_provider_id", "=", ref.service_provider_id)
    .where("merchant_id", "=", ref.merchant_id)
    .where("source", "=", ref.source)
    .where((where) =>
      where.or([
        where.and([where("day", ">=", addDays(ref.day, -1)), where("day", "<=", addDays(ref.day, 1))]),
        // A match may break links, and so open differences of those days.
        where.and([
          where("status", "=", "open"),
          where(
            "id",
            "in",
            sql<string>`(select l.day_id from recon_differences l where l.service_provider_id = ${ref.service_provider_id} and ${linkedOf(ref)})`,
          ),
        ]),
      ]),
    )
    .orderBy("day")
    .forUpdate()
    .execute();
  const own = held.find(({ day }) => day === ref.day);
  if (!own || own.status === "closed") throw conflict(`${ref.day} 已关账，请先撤销关账`, "day-closed");
  return own.id;
}

const linkedOf = ({ merchant_id, source }: DayRef) =>
  sql`l.merchant_id = ${merchant_id} and l.source = ${source} and l.resolution = 'linked'`;
/**
 * Nobody has decided on it, or a link has, which lasts as long as both sides are there. What a row of a closed day is linked to stays as it
 * is, with a write-off that is proposed: nobody else could say what becomes of that row.
 */
export const losable = (
  ref: DayRef,
) => sql`(d.resolution = 'linked' or d.status <> 'resolved' and d.id <> all(array(select l.linked_id from recon_differences l
  join recon_days c on c.service_provider_id = l.service_provider_id and c.id = l.day_id and c.status = 'closed'
  where l.service_provider_id = ${ref.service_provider_id} and ${linkedOf(ref)} and l.linked_id is not null)))`;

/**
 * Differences whose partner does not link back any more, because it is gone or says something else now, wait for somebody again. One that
 * is gone waits itself where its partner stands in a closed day: nobody else could say what becomes of that one.
 * @returns how many of the day `ref` names are open for it
 */
export async function breakLinks(tx: Transaction, ref: DayRef): Promise<number> {
  const opened = await sql<{ day: string }>`
    with lost as materialized (select case y.status when 'open' then l.id else l.linked_id end as id, y.status = 'open' as own
      from recon_differences l join recon_days y on y.service_provider_id = l.service_provider_id and y.id = l.day_id
      where l.service_provider_id = ${ref.service_provider_id} and ${linkedOf(ref)} and not exists (select 1 from recon_differences x
        where x.service_provider_id = l.service_provider_id and x.id = l.linked_id and x.resolution = 'linked' and x.linked_id = l.id))
    update recon_differences d set status = 'open', resolution = null, linked_id = null, reason = null, answer = '关联的另一条已不在或已改变',
      proposed_by = null, proposed_by_name = null, proposed_at = null, resolved_by = null, resolved_by_name = null, resolved_at = null
    from lost, recon_days y
    where d.service_provider_id = ${ref.service_provider_id} and d.id = lost.id and (lost.own or d.resolution = 'vanished')
      and y.service_provider_id = d.service_provider_id and y.id = d.day_id and y.status = 'open'
    returning d.day`.execute(tx);
  return opened.rows.filter(({ day }) => day === ref.day).length;
}

/** Rows of `found` are kept as differences, with what was resolved while nothing about them changed; those that are gone are closed. */
export function keptDifferences(ref: DayRef, day_id: string, now: string) {
  const { service_provider_id: sp, merchant_id: merchant } = ref;
  return sql`kept as (
      insert into recon_differences as d (service_provider_id, id, merchant_id, day_id, source, day, kind, class, number, nth, order_no, order_id, refund_id,
          store_id_of, file_id, line, channel_no, ours_at, ours_status, ours_cents, ours_fee_cents, bill_at, bill_state, bill_cents, bill_fee_mills, hint, found_at)
        select ${sp}, gen_random_uuid(), ${merchant}, ${day_id}, ${ref.source}, ${ref.day}::date, kind, class, number, nth, order_no, order_id, refund_id,
          store_id, file_id, line, channel_no, ours_at, ours_status, ours_cents, ours_fee_cents, bill_at, bill_state, bill_cents, bill_fee_mills, hint, ${now}::timestamptz
        from found
      on conflict (service_provider_id, day_id, kind, number, nth) do update set class = excluded.class, order_id = excluded.order_id,
        refund_id = excluded.refund_id, store_id_of = excluded.store_id_of, file_id = excluded.file_id, line = excluded.line, channel_no = excluded.channel_no,
        ours_at = excluded.ours_at, ours_status = excluded.ours_status, ours_cents = excluded.ours_cents, ours_fee_cents = excluded.ours_fee_cents,
        bill_at = excluded.bill_at, bill_state = excluded.bill_state, bill_cents = excluded.bill_cents, bill_fee_mills = excluded.bill_fee_mills,
        hint = excluded.hint, status = 'open', resolution = null, reason = null, linked_id = null, looker = null, proposed_by = null, proposed_by_name = null,
        proposed_at = null, resolved_by = null, resolved_by_name = null, resolved_at = null
      where d.resolution = 'vanished' or (d.class, d.ours_status, d.ours_cents, d.ours_fee_cents, d.bill_state, d.bill_cents, d.bill_fee_mills, d.order_id)
        is distinct from (excluded.class, excluded.ours_status, excluded.ours_cents, excluded.ours_fee_cents, excluded.bill_state, excluded.bill_cents, excluded.bill_fee_mills, excluded.order_id)
      returning 1),
    gone as (
      update recon_differences d set status = 'resolved', resolution = 'vanished', linked_id = null, resolved_at = ${now}::timestamptz, resolved_by = null, resolved_by_name = null
      where d.service_provider_id = ${sp} and d.day_id = ${day_id} and ${losable(ref)}
        and not exists (select 1 from found f where f.kind = d.kind and f.number = d.number and f.nth = d.nth)
      returning 1)`;
}

/** `new_differences`: rows of `found` that the day has not, or not with these figures. */
export function newDifferences({ service_provider_id }: DayRef, day_id: string) {
  return sql`new_differences as (
      select 1 from found f where not exists (select 1 from recon_differences d
        where d.service_provider_id = ${service_provider_id} and d.day_id = ${day_id} and d.kind = f.kind and d.number = f.number and d.nth = f.nth
          and d.resolution is distinct from 'vanished' and (d.class, d.ours_status, d.ours_cents, d.ours_fee_cents, d.bill_state, d.bill_cents, d.bill_fee_mills)
            is not distinct from (f.class, f.ours_status::smallint, f.ours_cents::bigint, f.ours_fee_cents::bigint, f.bill_state, f.bill_cents::bigint, f.bill_fee_mills::bigint)))`;
}

/** A fee that differs by so many cents is the same. */
export async function toleranceOf(tx: Transaction, { service_provider_id, merchant_id, source }: DayRef): Promise<number> {
  const found = await tx
    .selectFrom("bill_settings")
    .select("fee_tolerance_cents")
    .where("service_provider_id", "=", service_provider_id)
    .where("merchant_id", "=", merchant_id)
    .where("source", "=", source)
    .executeTakeFirst();
  return found?.fee_tolerance_cents ?? 1;
}
