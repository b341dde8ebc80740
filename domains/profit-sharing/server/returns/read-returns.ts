import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import { all, during, narrowed } from "@zhangfang/server/lists/conditions.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import {
  getReturn,
  listReturns,
  returnFilter,
  type returnRow,
  returnStatus,
  type ReturnStatus,
  summariseReturns,
} from "../../contract/index.ts";
import { refundFits } from "../../../money/server/index.ts";
import { differs } from "../records/doubts.ts";
import { recordsOf } from "../records/read-records.ts";
import { returnSince } from "../records/subject.ts";
import { ITEMS, shownAccount } from "../rows.ts";

export const returnInput = z.object(returnFilter);
type Shown = z.input<typeof returnRow>;
/** A row as the query gives it. */
export type ReturnFound = Omit<Shown, "retryable"> & { readonly canGoAgain: boolean };

/**
 * That a return `r` failed and can be asked for again: its refund failed too and can itself be sent again, and nobody says otherwise than the
 * channel. A refund that is sent again asks itself.
 */
export const returnOpen = sql<boolean>`(r.status = 3 and exists (select from refunds f
  join pay_orders o on o.service_provider_id = f.service_provider_id and o.id = f.order_id
  where f.service_provider_id = r.service_provider_id and f.id = r.refund_id and f.status = 3 and o.purpose = 0 and ${refundFits("f", "o")})
  and not ${differs("return", sql`r.service_provider_id`, [sql`r.id`])})`;

/** The row of the list from returns `r`, with the share, the order and the refund that they belong to. */
export const returnColumns = sql`
  r.id, r.return_no as "returnNo", r.status, r.amount_cents as "amountCents", l.alias,
  ${shownAccount("l")} as account, l.relation,
  r.sharing_id as "shareId", s.share_no as "shareNo", l.amount_cents as "lineCents", r.order_id as "orderId", o.order_no as "orderNo",
  r.refund_id as "refundId", f.refund_no as "refundNo", f.amount_cents as "refundCents", f.status as "refundStatus", r.merchant_id as "merchantId", r.store_id as "storeId",
  coalesce(m.short_name, app.past_name('merchant', r.service_provider_id, r.merchant_id), '') as "merchantName",
  coalesce(st.short_name, app.past_name('store', r.service_provider_id, r.store_id), '') as "storeName",
  r.attempts, r.channel_no as "channelNo", r.failure, r.requested_by_name as "requestedByName", r.created_at as "createdAt", r.finished_at as "finishedAt",
  ${returnOpen} as "canGoAgain"`;
export const returnJoins = sql`
  join sharing_lines l on l.service_provider_id = r.service_provider_id and l.id = r.line_id
  join sharing_orders s on s.service_provider_id = r.service_provider_id and s.id = r.sharing_id
  join pay_orders o on o.service_provider_id = r.service_provider_id and o.id = r.order_id
  join refunds f on f.service_provider_id = r.service_provider_id and f.id = r.refund_id
  left join merchants m on m.service_provider_id = r.service_provider_id and m.id = r.merchant_id
  left join stores st on st.service_provider_id = r.service_provider_id and st.id = r.store_id`;

/** What a filter means, for the list, its sums and its export alike. @param leaveStatus for the counts of the tabs */
export function returnsWhere(scope: Scope, filter: z.output<typeof returnInput>, leaveStatus = false): RawBuilder<boolean> {
  const keyword = filter.keyword || undefined;
  return all([
    inScope(scope, "r"),
    narrowed(filter, "r"),
    keyword === undefined
      ? filter.dateOf === "created"
        ? during(filter, "r.created_at")
        : all([sql`r.status = 2`, during(filter, "r.finished_at")])
      : sql`r.id = any(array(select x.id from sharing_returns x where x.return_no = ${keyword}
          union all select x.id from sharing_orders y join sharing_returns x on x.service_provider_id = y.service_provider_id and x.sharing_id = y.id where y.share_no = ${keyword}
          union all select x.id from refunds y join sharing_returns x on x.service_provider_id = y.service_provider_id and x.refund_id = y.id where y.refund_no = ${keyword}
          union all select x.id from pay_orders y join sharing_returns x on x.service_provider_id = y.service_provider_id and x.order_id = y.id where y.order_no = ${keyword}))`,
    !leaveStatus && filter.status !== undefined && sql`r.status = ${sql.lit(filter.status)}`,
    filter.failed !== undefined && returnOpen,
    filter.receiverId !== undefined &&
      sql`exists (select 1 from sharing_lines l where l.service_provider_id = r.service_provider_id and l.id = r.line_id and l.receiver_id = ${filter.receiverId})`,
  ]);
}
const withAbilities = ({ principal }: Pick<Ctx, "principal">, rows: readonly ReturnFound[]): Shown[] =>
  rows.map(({ canGoAgain, ...row }) => ({ ...row, retryable: canGoAgain && principal.holds([ITEMS.retryReturn]) }));

/** The list of returns, for screen and file. */
export const returnsListed = (scope: Scope, filter: z.output<typeof returnInput>): Listed => ({
  columns: returnColumns,
  from: sql`sharing_returns r ${returnJoins}`,
  counted: sql`sharing_returns r`,
  where: returnsWhere(scope, filter),
  order: "r.created_at",
});

/** 分账回退: one page, newest first. */
export const listReturnsRoute = implement(listReturns, async (ctx, input) => {
  const { items, ...rest } = await listPage<ReturnFound>(ctx.tx, input, returnsListed(ctx.scope, input));
  return { items: withAbilities(ctx, items), ...rest };
});
/** 分账回退合计: over the whole filter. */
export const summariseReturnsRoute = implement(summariseReturns, async (ctx, filter) => {
  const found = await sql<{ status: ReturnStatus; count: number; amount: number }>`
    select r.status, count(*)::int as count, sum(r.amount_cents)::bigint as amount from sharing_returns r where ${returnsWhere(ctx.scope, filter, true)} group by r.status`.execute(
    ctx.tx,
  );
  const chosen = found.rows.filter((row) => filter.status === undefined || row.status === filter.status);
  return {
    count: chosen.reduce((all, row) => all + row.count, 0),
    amountCents: chosen.reduce((all, row) => all + row.amount, 0) as never,
    doneCents: (chosen.find((row) => row.status === 2)?.amount ?? 0) as never,
    perStatus: returnStatus.values.map((status) => ({ status, count: found.rows.find((row) => row.status === status)?.count ?? 0 })),
  };
});
/** 分账回退详情. */
export const getReturnRoute = implement(getReturn, async (ctx, { id }) => {
  const found =
    await sql<ReturnFound>`select ${returnColumns} from sharing_returns r ${returnJoins} where r.id = ${id} and ${inScope(ctx.scope, "r")}`.execute(
      ctx.tx,
    );
  const [row] = withAbilities(ctx, found.rows);
  if (!row) throw notFound("分账回退");
  const back = await ctx.tx
    .selectFrom("sharing_returns as r")
    .selectAll("r")
    .where("r.id", "=", id)
    .where(inScope(ctx.scope, "r"))
    .executeTakeFirstOrThrow();
  const { service_provider_id, status } = back;
  return { ...row, ...(await recordsOf(ctx, "return", { service_provider_id, id, status, since: await returnSince(ctx.tx, back) })) };
});
