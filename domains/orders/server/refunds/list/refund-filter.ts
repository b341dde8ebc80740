import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import { all, during, is, narrowed } from "@zhangfang/server/lists/conditions.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { refundFits } from "../../../../money/server/index.ts";
import { refundFilter, refundRequestFilter } from "../../../contract/refunds.ts";
import { atTimes, partsOf, wholeNumber } from "../../filter.ts";

export const refundInput = z.object(refundFilter);
export const refundRequestInput = z.object(refundRequestFilter);
export type RefundFilter = z.output<typeof refundInput>;

/** That a refund `r` of an order `o` failed and can be sent again. What was sold beforehand is asked for anew in its own room. */
export const canGoAgain = sql<boolean>`(r.status = 3 and o.purpose = 0 and ${refundFits("r", "o")})`;
/** The same, or that it can be paid another way: an abnormal one goes to a card, or was paid outside. */
export const failedAndOpen = sql<boolean>`(r.status = 3 and (o.purpose = 0 or r.channel_status = 'ABNORMAL') and ${refundFits("r", "o")})`;

/**
 * What a filter on refunds `r` joined with their orders `o` means in SQL, for the list, its summary and its export alike.
 * @param leaveStatus without the status, for the counts of the tabs
 */
export function refundsWhere(scope: Scope, filter: RefundFilter, leaveStatus = false): RawBuilder<boolean> {
  const keyword = filter.keyword || undefined;
  return all([
    inScope(scope, "r"),
    narrowed(filter, "r"),
    keyword && refundNumberIs(scope, keyword),
    !(keyword && wholeNumber(keyword)) && onItsDays(filter),
    !leaveStatus && filter.status !== undefined && sql`r.status = ${sql.lit(filter.status)}`,
    filter.failed !== undefined && failedAndOpen,
    is("r.refund_type", filter.refundType),
    is("o.channel", filter.channel),
    is("o.tool", filter.tool),
    partsOf(filter, "o"),
    atTimes(filter, filter.dateOf === "finished" ? "r.finished_at" : "r.created_at"),
    filter.minCents !== undefined && sql`r.amount_cents >= ${filter.minCents}`,
    filter.maxCents !== undefined && sql`r.amount_cents <= ${filter.maxCents}`,
  ]);
}
const REQUESTED = { pending: [0], approved: [1, 2, 3], rejected: [4], cancelled: [5] } as const;
/** Where a refund `r` stands with its approver. */
export const requestStateOf = sql<
  keyof typeof REQUESTED
>`case r.status when 0 then 'pending' when 4 then 'rejected' when 5 then 'cancelled' else 'approved' end`;
/** The same for refunds above the merchant's limit, for their list and its sums. @param leaveState for the counts of the tabs */
export function refundRequestsWhere(
  scope: Scope,
  { keyword, state, ...filter }: z.output<typeof refundRequestInput>,
  leaveState = false,
): RawBuilder<boolean> {
  return all([
    inScope(scope, "r"),
    sql`r.above_limit`,
    narrowed(filter, "r"),
    keyword && refundNumberIs(scope, keyword),
    !(keyword && wholeNumber(keyword)) && during(filter, "r.created_at"),
    !leaveState && state && sql`r.status in (${sql.raw(REQUESTED[state].join(", "))})`,
  ]);
}
// By the moment of arrival only refunds that arrived count; what was asked for later can't be among them.
const onItsDays = (filter: RefundFilter): RawBuilder<boolean> =>
  filter.dateOf === "created" ? during(filter, "r.created_at") : all([sql`r.status = 2`, during(filter, "r.finished_at")]);
/** Refunds by a number: ours, the order's, or the channel's of the payment. */
const refundNumberIs = (scope: Scope, keyword: string) => sql<boolean>`r.id = any(array(${refundsNumbered(scope, keyword)}))`;
/** Their ids, all through indexes. */
export function refundsNumbered(scope: Scope, keyword: string): RawBuilder<unknown> {
  const seen = inScope(scope, "x");
  const finds = [
    sql`select x.id from refunds x where x.refund_no = ${keyword} and ${seen}`,
    sql`select x.id from pay_orders p join refunds x on x.service_provider_id = p.service_provider_id and x.order_id = p.id where p.order_no = ${keyword} and ${seen}`,
    sql`select x.id from pay_orders p join refunds x on x.service_provider_id = p.service_provider_id and x.order_id = p.id where p.channel_no = ${keyword} and ${seen}`,
  ];
  return sql.join(finds, sql` union all `);
}
