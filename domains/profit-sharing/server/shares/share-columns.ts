import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import { all, during, is, narrowed } from "@zhangfang/server/lists/conditions.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { sharingFilter, type sharingRow } from "../../contract/index.ts";
import { differs } from "../records/doubts.ts";
import { ITEMS } from "../rows.ts";

export const sharingInput = z.object(sharingFilter);
export type SharingFilter = z.output<typeof sharingInput>;
type Shown = z.input<typeof sharingRow>;
/** A row as the query gives it; what it allows is added by `withAbilities`. */
export type SharingFound = Omit<Shown, "sendable" | "retryable" | "finishable"> & { readonly open: boolean; readonly differs: boolean };

/** What receivers did not get of a share that is over. */
const failedCents = sql`case when s.status in (2, 3) then s.amount_cents - s.shared_cents else 0 end`;
const madeGood = sql`exists (select from sharing_orders x where x.service_provider_id = s.service_provider_id and x.again_of = s.id)`;
/** The same where no other share was made for it: each part that is missing counts once. */
export const missedCents = sql`case when s.status in (2, 3) and s.amount_cents > s.shared_cents and not ${madeGood} then s.amount_cents - s.shared_cents else 0 end`;
const isOpen = sql`o.unfrozen_at is null and o.status >= 2 and o.profit_sharing`;
const doubted = differs("share", sql`s.service_provider_id`, [sql`s.id`, sql`s.again_of`]);
/** That what is missing of it can be sent again: its order is open for it, and nobody says otherwise than the channel. */
export const missedAndOpen = sql<boolean>`(s.status in (2, 3) and s.amount_cents > s.shared_cents and not ${madeGood} and not ${doubted}
  and exists (select from pay_orders o where o.service_provider_id = s.service_provider_id and o.id = s.order_id and ${isOpen}))`;
/** The row of the list from shares `s` and their orders `o`, with names. */
export const sharingColumns = sql`
  s.id, s.share_no as "shareNo", s.kind, s.mode, s.status, s.order_id as "orderId", o.order_no as "orderNo", s.merchant_id as "merchantId", s.store_id as "storeId",
  coalesce(m.short_name, app.past_name('merchant', s.service_provider_id, s.merchant_id), '') as "merchantName",
  coalesce(st.short_name, app.past_name('store', s.service_provider_id, s.store_id), '') as "storeName",
  o.paid_cents as "orderPaidCents", s.base_cents as "baseCents", s.amount_cents as "amountCents", s.shared_cents as "sharedCents",
  ${failedCents} as "failedCents", s.returned_cents as "returnedCents",
  (select count(*)::int from sharing_lines l where l.service_provider_id = s.service_provider_id and l.sharing_id = s.id and l.try = s.channel_try) as receivers,
  s.attempts, s.failure, s.requested_by_name as "requestedByName", s.due_at as "dueAt", s.created_at as "createdAt", s.finished_at as "finishedAt",
  ${isOpen} as open, ${madeGood} as "madeGood", ${doubted} as differs`;
export const sharingJoins = sql`
  join pay_orders o on o.service_provider_id = s.service_provider_id and o.id = s.order_id
  left join merchants m on m.service_provider_id = s.service_provider_id and m.id = s.merchant_id
  left join stores st on st.service_provider_id = s.service_provider_id and st.id = s.store_id`;

/** What a filter means, for the list, its sums and its export alike. @param leaveStatus for the counts of the tabs */
export function sharesWhere(scope: Scope, filter: SharingFilter, leaveStatus = false): RawBuilder<boolean> {
  const keyword = filter.keyword || undefined;
  return all([
    inScope(scope, "s"),
    narrowed(filter, "s"),
    keyword === undefined
      ? sharedOrCreated(filter)
      : sql`s.id = any(array(select x.id from sharing_orders x where x.share_no = ${keyword}
          union all select x.id from pay_orders p join sharing_orders x on x.service_provider_id = p.service_provider_id and x.order_id = p.id where p.order_no = ${keyword}))`,
    !leaveStatus && filter.status !== undefined && sql`s.status = ${sql.lit(filter.status)}`,
    is("s.kind", filter.kind),
    filter.receiverId !== undefined &&
      sql`exists (select 1 from sharing_lines l where l.service_provider_id = s.service_provider_id and l.sharing_id = s.id and l.receiver_id = ${filter.receiverId})`,
    filter.missed === "yes" && sql`${missedCents} > 0`,
    filter.missed === "open" && missedAndOpen,
    filter.minCents !== undefined && sql`s.amount_cents >= ${filter.minCents}`,
    filter.maxCents !== undefined && sql`s.amount_cents <= ${filter.maxCents}`,
  ]);
}

// Shared out at the moment that the book says: the channel's, which may be of an earlier day than our hearing of it.
const sharedOrCreated = (filter: SharingFilter) =>
  filter.dateOf === "created"
    ? during(filter, "s.created_at")
    : sql`exists (select from ledger_entries e where e.service_provider_id = s.service_provider_id and e.share_id = s.id and e.cause = 'share'
        and ${during(filter, "e.occurred_at")})`;

/** Adds what the caller may do with each row now. */
export function withAbilities({ principal }: Pick<Ctx, "principal">, rows: readonly SharingFound[]): Shown[] {
  const may = { send: principal.holds([ITEMS.send]), retry: principal.holds([ITEMS.retry]), finish: principal.holds([ITEMS.finish]) };
  return rows.map(({ open, differs, ...row }) => ({
    ...row,
    sendable: may.send && open && row.status === 0,
    retryable: may.retry && open && !differs && (row.status === 3 || (row.status === 2 && row.failedCents > 0 && !row.madeGood)),
    finishable: may.finish && open && row.status !== 1,
  }));
}
