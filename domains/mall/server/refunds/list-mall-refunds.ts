import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import type { Cents } from "@zhangfang/contract/fields.ts";
import { all, during } from "@zhangfang/server/lists/conditions.ts";
import { type Ctx, implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { refundStatus } from "../../../orders/contract/index.ts";
import { refundColumns, withRefundAbilities, type RefundFound } from "../../../orders/server/index.ts";
import { getMallRefund, listMallRefunds, mallRefundFilter, summariseMallRefunds } from "../../contract/index.ts";
import { goodsOf, isProduct, mallFrom, narrowedTo, paidAs } from "../mall-columns.ts";

export const mallRefundInput = z.object(mallRefundFilter);
type Filter = z.output<typeof mallRefundInput>;
export type MallRefundFound = RefundFound & { readonly mallId: string; readonly mallNo: string; readonly goods: string };

/** Refunds `r` of mall orders, also those that were asked for elsewhere and name no lines. */
export const mallRefundFrom = sql`${mallFrom} join refunds r on r.service_provider_id = x.service_provider_id and r.order_id = x.order_id`;
export const mallRefundColumns = sql`${refundColumns}, x.id as "mallId", x.mall_no as "mallNo", ${goodsOf} as goods`;

const namedLines = sql`from mall_refund_lines b join mall_order_lines l on l.service_provider_id = b.service_provider_id and l.id = b.line_id
  where b.service_provider_id = r.service_provider_id and b.refund_id = r.id`;
/** What a filter on refunds of the mall means, for the list, its sums and its export alike. */
export function mallRefundsWhere(scope: Scope, filter: Filter, leaveStatus = false): RawBuilder<boolean> {
  const { keyword } = filter;
  const moment = filter.dateOf === "finished" ? "r.finished_at" : "r.created_at";
  return all([
    inScope(scope, "x", "store"),
    narrowedTo(filter),
    keyword && sql`r.refund_no = ${keyword} or x.mall_no = ${keyword} or o.order_no = ${keyword}`,
    !keyword && during(filter, moment),
    // By the moment of arrival only refunds that arrived count.
    !keyword && filter.dateOf === "finished" && sql`r.status = 2`,
    paidAs(filter, moment),
    filter.product !== undefined && sql`exists (select ${namedLines} and ${isProduct(filter.product)})`,
    !leaveStatus && filter.status !== undefined && sql`r.status = ${sql.lit(filter.status)}`,
  ]);
}

/** The list of the mall's refunds, for screen and file. */
export const mallRefundsListed = (scope: Scope, filter: Filter): Listed => ({
  columns: mallRefundColumns,
  from: mallRefundFrom,
  where: mallRefundsWhere(scope, filter),
  order: "r.created_at",
});

/** 商城退款订单: one page, newest first. */
export const listMallRefundsRoute = implement(listMallRefunds, async (ctx, input) => {
  const { items, ...rest } = await listPage<MallRefundFound>(ctx.tx, input, mallRefundsListed(ctx.scope, input));
  return { items: withOwn(items, withRefundAbilities(ctx, items)), ...rest };
});
const withOwn = <R extends object>(found: readonly MallRefundFound[], rows: readonly R[]) =>
  rows.map((row, n) => ({ ...row, mallId: found[n]!.mallId, mallNo: found[n]!.mallNo, goods: found[n]!.goods }));

/** 商城退款合计: over the whole filter. */
export const summariseMallRefundsRoute = implement(summariseMallRefunds, async (ctx, filter) => {
  const found = await sql<{ status: 0 | 1 | 2 | 3 | 4; count: number; cents: number }>`
    select r.status, count(*)::int as count, sum(r.amount_cents)::bigint as cents from ${mallRefundFrom}
    where ${mallRefundsWhere(ctx.scope, filter, true)} group by r.status`.execute(ctx.tx);
  const chosen = found.rows.filter((row) => filter.status === undefined || row.status === filter.status);
  const sum = (rows: typeof chosen, key: "count" | "cents") => rows.reduce((total, row) => total + row[key], 0);
  const done = chosen.filter(({ status }) => status === 2);
  return {
    count: sum(chosen, "count"),
    amountCents: sum(chosen, "cents") as never,
    doneCount: sum(done, "count"),
    doneCents: sum(done, "cents") as never,
    goods: filter.product === undefined ? null : await goodsBack(ctx, filter, filter.product),
    perStatus: refundStatus.values.map((status) => ({ status, count: found.rows.find((row) => row.status === status)?.count ?? 0 })),
  };
});

/** What came back for some goods, as it was told apart when it entered the book: each once for a refund. */
async function goodsBack({ tx, scope }: Ctx, filter: Filter, product: string) {
  const { rows } = await sql<{ count: number; doneCents: Cents; doneFeeCents: Cents }>`
    select count(*)::int as count, coalesce(sum(l.refund_cents), 0)::bigint as "doneCents",
      coalesce(sum(l.refund_fee_cents), 0)::bigint as "doneFeeCents"
    from ${mallRefundFrom} join ledger_entries e on e.service_provider_id = r.service_provider_id and e.refund_id = r.id and e.cause = 'refund'
      join takings_goods l on l.service_provider_id = e.service_provider_id and l.entry_id = e.id
    where ${mallRefundsWhere(scope, filter)} and ${isProduct(product)}`.execute(tx);
  return rows[0]!;
}

/** 商城退款详情: the refund, and which goods it gives back. */
export const getMallRefundRoute = implement(getMallRefund, async (ctx, { id }) => {
  const found = await sql<MallRefundFound & { provider: string }>`
    select ${mallRefundColumns}, x.service_provider_id as provider from ${mallRefundFrom} where r.id = ${id} and ${inScope(ctx.scope, "x", "store")}`.execute(
    ctx.tx,
  );
  const [row] = withOwn(found.rows, withRefundAbilities(ctx, found.rows));
  if (!row) throw notFound("商城退款");
  const lines = await sql<{ lineId: string; goodsNo: string; name: string; amountCents: never }>`
    select b.line_id as "lineId", l.goods_no as "goodsNo", l.name, b.amount_cents as "amountCents" from mall_refund_lines b
    join mall_order_lines l on l.service_provider_id = b.service_provider_id and l.id = b.line_id
    where b.service_provider_id = ${found.rows[0]!.provider} and b.refund_id = ${id} order by l.place = 0, l.place`.execute(ctx.tx);
  return { ...row, lines: lines.rows };
});
