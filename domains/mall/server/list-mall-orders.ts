import { sql } from "kysely";
import type { z } from "zod";
import type { Cents } from "@zhangfang/contract/fields.ts";
import { type Ctx, implement } from "@zhangfang/server/calls/call.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { listMallOrders, mallStatus, type MallStatus, summariseMallOrders } from "../contract/index.ts";
import {
  isProduct,
  mallColumns,
  mallFrom,
  type mallOrderInput,
  mallOrdersWhere,
  withMallAbilities,
  type MallFound,
} from "./mall-columns.ts";

/** The list of the mall's orders, for screen and file. */
export const mallOrdersListed = (scope: Scope, filter: z.output<typeof mallOrderInput>): Listed => ({
  columns: mallColumns,
  from: mallFrom,
  where: mallOrdersWhere(scope, filter),
  order: "x.created_at",
});

/** 商城支付订单: one page, newest first, with what each row allows. */
export const listMallOrdersRoute = implement(listMallOrders, async (ctx, input) => {
  const { items, ...rest } = await listPage<MallFound>(ctx.tx, input, mallOrdersListed(ctx.scope, input));
  return { items: withMallAbilities(ctx, items), ...rest };
});

const SUMMED = ["count", "paidCount", "goodsCents", "deliveryCents", "discountCents", "storedCents", "paidCents", "refundedCents"] as const;
type Sums = { readonly status: MallStatus } & Readonly<Record<(typeof SUMMED)[number], number>>;

/** 商城支付订单合计: over the whole filter. The tabs' counts are of every status, the sums of the one that is chosen. */
export const summariseMallOrdersRoute = implement(summariseMallOrders, async (ctx, filter) => {
  const paid = sql`filter (where o.paid_at is not null)`;
  const found = await sql<Sums>`
    select x.status, count(*)::int as count, count(o.paid_at)::int as "paidCount",
      coalesce(sum(x.goods_cents) ${paid}, 0)::bigint as "goodsCents", coalesce(sum(x.delivery_cents) ${paid}, 0)::bigint as "deliveryCents",
      coalesce(sum(o.discount_cents) ${paid}, 0)::bigint as "discountCents", coalesce(sum(o.stored_value_cents) ${paid}, 0)::bigint as "storedCents",
      coalesce(sum(o.paid_cents) ${paid}, 0)::bigint as "paidCents",
      sum(o.refunded_cents)::bigint as "refundedCents"
    from ${mallFrom} where ${mallOrdersWhere(ctx.scope, filter, true)} group by x.status`.execute(ctx.tx);
  const chosen = found.rows.filter((row) => filter.status === undefined || row.status === filter.status);
  const sums = Object.fromEntries(SUMMED.map((key) => [key, chosen.reduce((total, row) => total + row[key], 0)])) as Record<
    (typeof SUMMED)[number],
    never
  >;
  const perStatus = mallStatus.values.map((status) => ({ status, count: found.rows.find((row) => row.status === status)?.count ?? 0 }));
  return { ...sums, perStatus, goods: filter.product === undefined ? null : await goodsSold(ctx, filter, filter.product) };
});

interface GoodsSold {
  readonly count: number;
  readonly grossCents: Cents;
  readonly discountCents: Cents;
  readonly paidCents: Cents;
  readonly feeCents: Cents;
}
/** What was sold of some goods in paid orders, as it was told apart when it entered the book: each once for an order. */
async function goodsSold({ tx, scope }: Ctx, filter: z.output<typeof mallOrderInput>, product: string) {
  const { rows } = await sql<GoodsSold>`
    select count(*)::int as count, coalesce(sum(l.gross_cents), 0)::bigint as "grossCents", coalesce(sum(l.discount_cents), 0)::bigint as "discountCents",
      coalesce(sum(l.paid_cents), 0)::bigint as "paidCents", coalesce(sum(l.fee_cents), 0)::bigint as "feeCents"
    from ${mallFrom} join ledger_entries e on e.service_provider_id = x.service_provider_id and e.order_id = x.order_id and e.cause = 'payment'
      join takings_goods l on l.service_provider_id = e.service_provider_id and l.entry_id = e.id
    where ${mallOrdersWhere(scope, filter)} and ${isProduct(product)}`.execute(tx);
  return rows[0]!;
}
