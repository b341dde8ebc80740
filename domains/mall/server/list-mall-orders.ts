import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import { after, countRows, page } from "@zhangfang/server/keyset.ts";
import { listMallOrders, mallStatus, type MallStatus, summariseMallOrders } from "../contract/index.ts";
import { mallColumns, mallFrom, mallOrdersWhere, withMallAbilities, type MallFound } from "./mall-columns.ts";

/** 商城支付订单: one page, newest first, with what each row allows. */
export const listMallOrdersRoute = implement(listMallOrders, async (ctx, { cursor, pageSize, sort, withTotal, ...filter }) => {
  const descending = sort === "-createdAt";
  const where = mallOrdersWhere(ctx.scope, filter);
  const direction = sql.raw(descending ? "desc" : "asc");
  const found = await sql<MallFound>`
    select ${mallColumns} from ${mallFrom} where ${where} and ${after(cursor, "x.created_at", "x.id", "timestamptz", descending)}
    order by x.created_at ${direction}, x.id ${direction} limit ${sql.lit(pageSize + 1)}`.execute(ctx.tx);
  const { items, next } = page(found.rows, pageSize, (row) => ({ value: row.createdAt, id: row.id }));
  const rows = withMallAbilities(ctx, items);
  if (!withTotal) return { items: rows, next };
  return { items: rows, next, total: await countRows(ctx.tx, sql`${mallFrom} where ${where}`) };
});

const SUMMED = ["count", "paidCount", "goodsCents", "deliveryCents", "discountCents", "paidCents", "refundedCents"] as const;
type Sums = { readonly status: MallStatus } & Readonly<Record<(typeof SUMMED)[number], number>>;

/** 商城支付订单合计: over the whole filter. The tabs' counts are of every status, the sums of the one that is chosen. */
export const summariseMallOrdersRoute = implement(summariseMallOrders, async (ctx, filter) => {
  const paid = sql`filter (where o.paid_at is not null)`;
  const found = await sql<Sums>`
    select x.status, count(*)::int as count, count(o.paid_at)::int as "paidCount",
      coalesce(sum(x.goods_cents) ${paid}, 0)::bigint as "goodsCents", coalesce(sum(x.delivery_cents) ${paid}, 0)::bigint as "deliveryCents",
      coalesce(sum(o.discount_cents) ${paid}, 0)::bigint as "discountCents", coalesce(sum(o.paid_cents) ${paid}, 0)::bigint as "paidCents",
      sum(o.refunded_cents)::bigint as "refundedCents"
    from ${mallFrom} where ${mallOrdersWhere(ctx.scope, filter, true)} group by x.status`.execute(ctx.tx);
  const chosen = found.rows.filter((row) => filter.status === undefined || row.status === filter.status);
  const sums = Object.fromEntries(SUMMED.map((key) => [key, chosen.reduce((total, row) => total + row[key], 0)])) as Record<
    (typeof SUMMED)[number],
    never
  >;
  const perStatus = mallStatus.values.map((status) => ({ status, count: found.rows.find((row) => row.status === status)?.count ?? 0 }));
  return { ...sums, perStatus };
});
