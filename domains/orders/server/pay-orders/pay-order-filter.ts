import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import { id } from "@zhangfang/contract/fields.ts";
import { addDays, dayStart } from "@zhangfang/contract/time.ts";
import { all, during, is, narrowed } from "@zhangfang/server/lists/conditions.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { payOrderFilter } from "../../contract/pay-orders.ts";
import { atTimes, partsOf, TAIL, wholeNumber } from "../filter.ts";

/** With `ids`, of a file: those of the filter that were ticked. */
export const payOrderInput = z.object({ ...payOrderFilter, ids: z.array(id).max(1000).optional() });
export type PayOrderFilter = z.output<typeof payOrderInput>;

/**
 * What a filter on pay_orders `o` means in SQL, for the list, its summary and its export alike.
 * @param leaveStatus without the status, for the counts of the tabs
 */
export function payOrdersWhere(scope: Scope, filter: PayOrderFilter, leaveStatus = false): RawBuilder<boolean> {
  const keyword = filter.keyword || undefined;
  return all([
    inScope(scope, "o"),
    filter.ids && sql`o.id = any(${filter.ids}::uuid[])`,
    narrowed(filter, "o"),
    keyword && numberIs(scope, keyword),
    !(keyword && wholeNumber(keyword)) && onItsDays(filter),
    !leaveStatus && filter.status !== undefined && sql`o.status = ${sql.lit(filter.status)}`,
    is("o.member_id", filter.memberId),
    is("o.order_type", filter.orderType),
    is("o.channel", filter.channel),
    is("o.tool", filter.tool),
    partsOf(filter, "o"),
    atTimes(filter, filter.dateOf === "paid" ? "o.paid_at" : "o.created_at"),
    filter.minCents !== undefined && sql`o.paid_cents >= ${filter.minCents}`,
    filter.maxCents !== undefined && sql`o.paid_cents <= ${filter.maxCents}`,
    filter.refunded && sql`o.refunded_cents + o.refunding_cents > 0`,
  ]);
}

// Shanghai days, both ends included. An order is paid within a day of its making, so that one index serves both moments.
function onItsDays({ from, to, dateOf }: PayOrderFilter): RawBuilder<boolean> {
  if (dateOf === "created") return during({ from, to }, "o.created_at");
  const start = from && dayStart(from);
  const end = to && dayStart(addDays(to, 1));
  return all([
    start && sql`o.paid_at >= ${start}::timestamptz and o.created_at >= ${start}::timestamptz - interval '1 day'`,
    end && sql`o.paid_at < ${end}::timestamptz and o.created_at < ${end}::timestamptz + interval '1 hour'`,
  ]);
}

/** Orders by a number: ours, the till's, the channel's, a refund's, or the last digits of ours. */
const numberIs = (scope: Scope, keyword: string) => sql<boolean>`o.id = any(array(${ordersNumbered(scope, keyword)}))`;
/** Their ids, all through indexes. */
export function ordersNumbered(scope: Scope, keyword: string): RawBuilder<unknown> {
  const tenant = scope.provider === undefined ? sql`(select p.id from service_providers p)` : sql`(${scope.provider}::uuid)`;
  const seen = inScope(scope, "x");
  const finds = [
    sql`select x.id from pay_orders x where x.order_no = ${keyword} and ${seen}`,
    sql`select x.id from pay_orders x where x.channel_no = ${keyword} and ${seen}`,
    sql`select x.id from pay_orders x where x.service_provider_id in ${tenant} and x.till_no = ${keyword}`,
    sql`select x.order_id from refunds x where x.refund_no = ${keyword} and ${seen}`,
  ];
  if (TAIL.test(keyword)) {
    const backwards = [...keyword].toReversed().join("");
    // The colon comes after the digits, so that this is every tail that begins so. By them alone: a plan for all values takes a range for
    // many rows, and beside the caller's nodes it would read all orders of those.
    finds.push(sql`select x.id from pay_orders x where x.tail >= ${backwards} and x.tail < ${`${backwards}:`}`);
  }
  return sql.join(finds, sql` union all `);
}
