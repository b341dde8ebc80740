import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { all, during, is, narrowed } from "@zhangfang/server/lists/conditions.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { listPage, type Asked, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import {
  getWithdrawal,
  listPayouts,
  listWithdrawals,
  summarisePayouts,
  summariseWithdrawals,
  withdrawalFilter,
  withdrawalStatus,
} from "../../contract/index.ts";
import { confirmUrlOf, OPENS_PAGE, WAITING } from "./confirm-link.ts";
import { providerName, receiverName } from "../profit/profit-filter.ts";

export const withdrawalInput = z.object(withdrawalFilter);
type Filter = z.output<typeof withdrawalInput>;
type Row = RowOf<typeof listWithdrawals>;
type Found = Omit<Row, "decidable" | "cancellable" | "recordable" | "retractable"> & {
  readonly appliedBy: string;
  readonly cancelAsked: boolean;
  readonly unanswered: boolean;
};

export const withdrawalColumns = sql`w.id, w.withdrawal_no as "withdrawalNo", w.receiver, w.receiver_id as "receiverId", ${receiverName("w")} as "receiverName",
  ${providerName("w")} as "serviceProviderName", w.amount_cents as "askedCents", w.fee_cents as "feeCents", w.net_cents as "netCents", w.method,
  w.bank_name as "bankName", w.number_mask as "numberMask", w.holder_mask as "holderMask", w.status, w.needs_approval as "needsApproval",
  w.applied_by as "appliedBy", w.applied_by_name as "appliedByName", w.decided_by_name as "decidedByName", w.decided_at as "decidedAt", w.decision_note as "decisionNote",
  w.channel_no as "channelNo", w.channel_state as "channelState", w.failure, w.evidence, w.recorded_by_name as "recordedByName",
  w.cancel_asked_at is not null as "cancelAsked", w.unanswered_at is not null as unanswered, w.created_at as "createdAt", w.finished_at as "finishedAt"`;

/** Whose withdrawals a scope sees; a merchant has none: its money is settled by the channel itself. */
const seen = (scope: Scope): RawBuilder<boolean> =>
  scope.level === "MCH" || scope.level === "AE" ? sql<boolean>`false` : inScope(scope, "w");

/** What a filter means on withdrawals `w`. @param leaveStatus without the status, for the counts of the tabs */
export const withdrawalsWhere = (scope: Scope, filter: Filter, leaveStatus = false): RawBuilder<boolean> =>
  all([
    seen(scope),
    narrowed(filter, "w"),
    is("w.receiver", filter.receiver),
    is("w.method", filter.method),
    !leaveStatus && is("w.status", filter.status),
    filter.keyword && sql`(w.withdrawal_no = ${filter.keyword} or ${receiverName("w")} like ${likeText(filter.keyword)})`,
    during(filter, "w.created_at"),
  ]);

/** Adds what the caller may do with each row now. */
function withAbilities({ principal }: Ctx, rows: readonly Found[]): Row[] {
  const holds = (item: `/${string}`) => principal.holds([item]);
  const [decides, applies, records] = [
    holds("/dataCentre/withdrawal/decide"),
    holds("/dataCentre/withdrawal/apply"),
    holds("/dataCentre/withdrawal/record"),
  ];
  return rows.map(({ appliedBy, cancelAsked, unanswered, ...row }) => ({
    ...row,
    decidable: decides && row.status === 0 && appliedBy !== principal.id,
    cancellable: applies && row.status === 0,
    retractable: records && row.status === 2 && row.channelState === WAITING && !cancelAsked && !unanswered,
    recordable: records && appliedBy !== principal.id && (row.method === "bank" || unanswered) && (row.status === 2 || row.status === 3),
  }));
}

const listed = (where: RawBuilder<boolean>): Listed => ({
  columns: withdrawalColumns,
  from: sql`withdrawals w`,
  where,
  order: "w.created_at",
});
/** The lists of withdrawals and of what was paid out, for screen and file. */
export const withdrawalsListed = (scope: Scope, filter: Filter): Listed => listed(withdrawalsWhere(scope, filter));
export const payoutsListed = (scope: Scope, filter: Filter): Listed => listed(payoutsWhere(scope, filter));
async function withdrawalPage(ctx: Ctx, input: Asked<Found>, listed: Listed) {
  const { items, ...rest } = await listPage<Found>(ctx.tx, input, listed);
  return { items: withAbilities(ctx, items), ...rest };
}
/** Those that were or are paid out, for 代付统计. */
export const payoutsWhere = (scope: Scope, filter: Filter, leaveStatus = false): RawBuilder<boolean> =>
  all([withdrawalsWhere(scope, filter, leaveStatus), sql`w.status in (2, 3, 4, 6)`]);
export const listPayoutsRoute = implement(listPayouts, (ctx, input) => withdrawalPage(ctx, input, payoutsListed(ctx.scope, input)));

/** 提现记录: one page, newest first, with what each row allows. */
export const listWithdrawalsRoute = implement(listWithdrawals, (ctx, input) =>
  withdrawalPage(ctx, input, withdrawalsListed(ctx.scope, input)),
);

export const summariseWithdrawalsRoute = implement(summariseWithdrawals, (ctx, filter) => sumsOf(ctx, filter, withdrawalsWhere));
export const summarisePayoutsRoute = implement(summarisePayouts, (ctx, filter) => sumsOf(ctx, filter, payoutsWhere));

/** @param itsWhere asked without the status, so that each tab has its count */
async function sumsOf(
  { tx, scope }: Ctx,
  filter: Filter,
  itsWhere: typeof withdrawalsWhere,
): Promise<OutputOf<typeof summariseWithdrawals>> {
  const { rows } = await sql<{ status: Row["status"]; count: number; amount: number; net: number; fee: number }>`
    select w.status, count(*)::int as count, sum(w.amount_cents)::bigint as amount, sum(w.net_cents)::bigint as net, sum(w.fee_cents)::bigint as fee
    from withdrawals w where ${itsWhere(scope, filter, true)} group by 1`.execute(tx);
  const chosen = rows.filter(({ status }) => filter.status === undefined || status === filter.status);
  const paid = chosen.filter(({ status }) => status === 3);
  const sum = (of: readonly { readonly [K in "amount" | "net" | "fee"]: number }[], key: "amount" | "net" | "fee") =>
    of.reduce((total, row) => total + row[key], 0) as OutputOf<typeof summariseWithdrawals>["askedCents"];
  return {
    askedCents: sum(chosen, "amount"),
    arrivedCents: sum(paid, "net"),
    feeCents: sum(paid, "fee"),
    perStatus: withdrawalStatus.values.map((status) => ({ status, count: rows.find((row) => row.status === status)?.count ?? 0 })),
  };
}

export const getWithdrawalRoute = implement(getWithdrawal, async (ctx, { id }) => {
  const { rows } = await sql<Found>`select ${withdrawalColumns} from withdrawals w where w.id = ${id} and ${seen(ctx.scope)}`.execute(
    ctx.tx,
  );
  const [row] = withAbilities(ctx, rows);
  if (!row) throw notFound("提现");
  const calls = await sql<OutputOf<typeof getWithdrawal>["calls"][number]>`
    select c.id, c.operation, c.outcome, c.code, c.message, c.started_at as "startedAt" from payout_calls c
    where c.withdrawal_id = ${id} and ${inScope(ctx.scope, "c", "provider")} order by c.started_at desc, c.id desc limit 50`.execute(
    ctx.tx,
  );
  const { rows: page } = await sql<{ confirmBy: string | null; cancelAskedAt: string | null; cancelAskedByName: string | null }>`
    select case when ${row.channelState} = any(${OPENS_PAGE}) and w.status = 2 and w.package_info is not null and w.confirm_by > ${ctx.now}::timestamptz
      then w.confirm_by end as "confirmBy", w.cancel_asked_at as "cancelAskedAt", w.cancel_asked_by_name as "cancelAskedByName"
    from withdrawals w where w.id = ${id} and ${seen(ctx.scope)}`.execute(ctx.tx);
  const { confirmBy = null, cancelAskedAt = null, cancelAskedByName = null } = page[0] ?? {};
  const confirm = confirmBy === null ? null : { url: confirmUrlOf(ctx.services, id), until: confirmBy };
  return { ...row, confirm, cancelAskedAt, cancelAskedByName, calls: calls.rows };
});
