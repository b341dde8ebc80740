import { sql } from "kysely";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { forbidden } from "@zhangfang/server/calls/errors.ts";
import type { Selectable } from "kysely";
import type { DB } from "@zhangfang/server/database/db.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { is, type Condition } from "@zhangfang/server/lists/conditions.ts";
import {
  acquirerOf,
  type BillSource,
  billSource,
  groupOf,
  isPlatform,
  KNOWN_HINTS,
  type listBillFiles,
  type listDifferences,
  type listReconDays,
  type SourceGroup,
} from "../contract/index.ts";

export type BillFileRow = Selectable<DB["bill_files"]>;
export type ReconDayRow = Selectable<DB["recon_days"]>;
/** Names one day of a merchant at one channel. */
export interface DayRef {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly source: BillSource;
  readonly day: string;
}
/** The tools whose payments stand in a direct channel's bill (payTool of channels): WeChat's 1, 2 and 6, Alipay's 3, 4 and 7. */
const TOOLS_OF = { wechat: [1, 2, 6], alipay: [3, 4, 7] } as const;
/** One of the tools whose payments stand in the bill: by it the account is found that signs. */
export const toolOf = (source: string): number => TOOLS_OF[source === "alipay" ? "alipay" : "wechat"][0];
/** The orders `o` that a bill tells about: a direct channel's by their tool, an acquirer's all that went through it. */
export function inBillOf(source: BillSource) {
  const acquirer = acquirerOf(source);
  return acquirer === undefined
    ? sql`o.channel = 0 and o.tool = any(${TOOLS_OF[source as keyof typeof TOOLS_OF]}::smallint[])`
    : sql`o.channel = ${acquirer}::smallint`;
}

/** Days or differences `d` of a source, or of a group of them. */
export const ofSource = ({
  source,
  group,
}: {
  readonly source?: BillSource | undefined;
  readonly group?: SourceGroup | undefined;
}): Condition => {
  const some = group && billSource.values.filter((one) => groupOf(one) === group);
  return source === undefined && some ? sql`d.source = any(${[...some]}::text[])` : is("d.source", source);
};

/** A bill is the whole merchant's: whoever sees some of its stores only would see the others' takings in every sum. */
export function mustSeeWhole(scope: Scope): void {
  if (scope.stores !== undefined) throw forbidden();
}

/** Thousandths of a cent in cents, half away from zero. */
export const roundMills = (column: string) =>
  sql`(case when ${sql.ref(column)} < 0 then -((500 - ${sql.ref(column)}) / 1000) else (${sql.ref(column)} + 500) / 1000 end)`;
/** What a day needs next. */
export const stateOf = sql`case when d.status = 'closed' then 'closed' when d.open_count > 0 then 'differing' when not d.has_bill then 'partial' else 'ready' end`;

export const dayNames = sql`join merchants m on m.service_provider_id = d.service_provider_id and m.id = d.merchant_id
  join service_providers p on p.id = d.service_provider_id`;
export const dayColumns = sql`d.id, d.merchant_id as "merchantId", m.short_name as "merchantName", p.short_name as "serviceProviderName",
  d.source, d.day, ${stateOf} as state, d.ours_pay_count, d.ours_pay_cents, d.ours_refund_count, d.ours_refund_cents, d.ours_fee_cents,
  d.bill_pay_count, d.bill_pay_cents, d.bill_refund_count, d.bill_refund_cents, ${roundMills("d.bill_fee_mills")} as bill_fee_cents,
  d.settled_cents as "settledCents", d.matched_count as "matchedCount", d.boundary_count as "boundaryCount",
  d.tolerated_cents as "toleratedCents", d.difference_count as "differenceCount", d.open_count as "openCount", d.version,
  d.external_count, d.pending_count, d.pending_cents, d.has_verify, d.has_ledger, d.late_count, d.late_cents, d.late_settled_cents,
  d.closed_at as "closedAt", d.closed_by_name as "closedBy", d.reopened_by_name as "reopenedBy", d.reopen_reason as "reopenReason"`;
type Side<P extends string> = Record<`${P}_${"pay" | "refund"}_${"count" | "cents"}` | `${P}_fee_cents`, number>;
type Shown = RowOf<typeof listReconDays>;
type OfPlatform = Pick<
  ReconDayRow,
  "external_count" | "pending_count" | "pending_cents" | "has_verify" | "has_ledger" | "late_count" | "late_cents" | "late_settled_cents"
>;
export type DayFound = Omit<Shown, "ours" | "bill" | "platform"> & Side<"ours"> & Side<"bill"> & OfPlatform;
export const sideOf = <P extends "ours" | "bill">(row: Side<P>, prefix: P) => {
  const of = row as unknown as Record<string, number>;
  return {
    payCount: of[`${prefix}_pay_count`]!,
    payCents: of[`${prefix}_pay_cents`]! as never,
    refundCount: of[`${prefix}_refund_count`]!,
    refundCents: of[`${prefix}_refund_cents`]! as never,
    feeCents: of[`${prefix}_fee_cents`]! as never,
  };
};
export const shownDay = (row: DayFound): Shown => ({
  ...row,
  ours: sideOf(row, "ours"),
  bill: sideOf(row, "bill"),
  platform: isPlatform(row.source)
    ? {
        externalCount: row.external_count,
        pendingCount: row.pending_count,
        pendingCents: row.pending_cents as never,
        hasVerify: row.has_verify,
        hasLedger: row.has_ledger,
        lateCount: row.late_count,
        lateCents: row.late_cents as never,
        lateSettledCents: row.late_settled_cents as never,
      }
    : null,
});

export const fileColumns = sql`f.id, f.source, f.bill_type as type, f.day, m.short_name as "merchantName", f.origin, f.status, f.file_name as "fileName",
  f.size_bytes as "sizeBytes", case when f.status in ('matched', 'same', 'replaced', 'parsed') then 100
    when f.status = 'loading' and f.size_bytes > 0 then least(99, f.done_bytes * 100 / f.size_bytes)::int end as percent,
  f.row_count as "rowCount", f.failure, f.next_try_at as "nextTryAt", f.asked_by_name as "askedBy", f.created_at as "createdAt", f.finished_at as "finishedAt"`;
export type FileFound = RowOf<typeof listBillFiles>;

export const differenceNames = sql`join merchants m on m.service_provider_id = d.service_provider_id and m.id = d.merchant_id
  join service_providers p on p.id = d.service_provider_id
  left join stores s on s.service_provider_id = d.service_provider_id and s.id = d.store_id_of
  left join recon_differences l on l.service_provider_id = d.service_provider_id and l.id = d.linked_id`;
/** A voucher's own number may be its code: of it the last four are told, or the number of the use where that is another. Takeaway orders have kind 6. */
export const shownNumber = (of: "d" | "l") => {
  const [kind, number] = [sql.ref(`${of}.kind`), sql.ref(`${of}.number`)];
  return sql`case when ${kind} between 3 and 5 then coalesce(nullif(split_part(${number}, ':', 2), ''), '···' || right(${number}, 4)) else ${number} end`;
};
/** The same of a row that was read. */
export const numberOf = ({ kind, number }: { readonly kind: number; readonly number: string }): string =>
  kind >= 3 && kind <= 5 ? (number.split(":")[1] ?? `···${number.slice(-4)}`) : number;
const shownChannelNo = sql`case when d.kind between 3 and 5 then '···' || right(d.channel_no, 4) else d.channel_no end`;
/** Bill less ours, in what the class is about; refunds lie on the other side of the scales. */
export const gap = sql`(case when d.class = 'fee' then coalesce(${roundMills("d.bill_fee_mills")}, 0) - (case d.kind when 2 then -1 else 1 end) * coalesce(d.ours_fee_cents, 0)
  when d.class = 'status' then 0
  else (case d.kind when 2 then -1 else 1 end) * (coalesce(d.bill_cents, 0) - case when d.class = 'channel-only' then 0 else coalesce(d.ours_cents, 0) end) end)::bigint`;
/** @param by who looks, as a person: nobody decides what they proposed themselves */
export const differenceColumns = (
  by: string,
) => sql`d.id, d.day_id as "dayId", m.short_name as "merchantName", p.short_name as "serviceProviderName",
  d.source, d.day, d.kind, d.class, ${shownNumber("d")} as number, d.order_no as "orderNo", d.order_id as "orderId", d.refund_id as "refundId",
  s.short_name as "storeName", ${shownChannelNo} as "channelNo",
  case when d.ours_at is not null then jsonb_build_object('at', to_char(d.ours_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'status', d.ours_status,
    'cents', d.ours_cents, 'feeCents', d.ours_fee_cents) end as ours,
  case when d.bill_at is not null then jsonb_build_object('at', to_char(d.bill_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'state', d.bill_state,
    'cents', d.bill_cents, 'feeCents', ${roundMills("d.bill_fee_mills")}) end as bill,
  ${gap} as "gapCents", d.hint, d.status, d.resolution, d.reason, d.answer, d.looker, case when l.id is not null then ${shownNumber("l")} end as "linkedNumber",
  d.proposed_by_name as "proposedBy", d.resolved_by_name as "resolvedBy", d.resolved_at as "resolvedAt",
  (d.status = 'proposed' and d.proposed_by is distinct from ${by}::uuid) as decidable`;
/** Nobody here knows whose it is. */
export const isUnknown = (row: { readonly class: string; readonly order_id: string | null; readonly hint: string | null }): boolean =>
  row.class === "channel-only" && row.order_id === null && !KNOWN_HINTS.includes(row.hint);
export type DifferenceFound = RowOf<typeof listDifferences>;
