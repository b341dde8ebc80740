import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import { all, during, is, narrowed } from "@zhangfang/server/lists/conditions.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { atTimes, partsOf } from "../../orders/server/index.ts";
import { mallOrderFilter, type mallOrderRow, type paidHow, partsOfProduct } from "../contract/index.ts";

export const mallOrderInput = z.object(mallOrderFilter);
type Filter = z.output<typeof mallOrderInput>;
type Row = z.input<typeof mallOrderRow>;
export type MallFound = Omit<Row, "shippable" | "refundable"> & {
  /** What may still be given back, in money and stored value. */
  readonly leftCents: number;
};

/** Mall orders `x` with their pay orders `o` and names. */
export const mallFrom = sql`mall_orders x
  join pay_orders o on o.service_provider_id = x.service_provider_id and o.id = x.order_id
  left join merchants m on m.service_provider_id = x.service_provider_id and m.id = x.merchant_id
  left join stores s on s.service_provider_id = x.service_provider_id and s.id = x.store_id`;

const linesOf = sql`mall_order_lines l where l.service_provider_id = x.service_provider_id and l.mall_order_id = x.id and l.place > 0`;
/** The goods of an order in one line: the first, and how many kinds. */
export const goodsOf = sql`coalesce((select (array_agg(l.name order by l.place))[1] || case when count(*) > 1 then ' 等 ' || count(*) || ' 种' else '' end
  from ${linesOf}), '')`;

/** The row of the list; whoever ordered and receives leaves the database masked. */
export const mallColumns = sql`
  x.id, x.mall_no as "mallNo", x.order_id as "orderId", o.order_no as "orderNo",
  coalesce(m.short_name, app.past_name('merchant', x.service_provider_id, x.merchant_id), '') as "merchantName",
  coalesce(s.short_name, app.past_name('store', x.service_provider_id, x.store_id), '') as "storeName",
  ${goodsOf} as goods, (select coalesce(sum(l.quantity), 0)::int from ${linesOf}) as quantity,
  x.goods_cents as "goodsCents", x.delivery_cents as "deliveryCents", o.discount_cents as "discountCents", o.stored_value_cents as "storedCents",
  case when o.paid_at is null then 0 else o.paid_cents end as "paidCents", o.refunded_cents as "refundedCents", o.refunding_cents as "refundingCents",
  x.status, o.status as "payStatus",
  case when length(x.buyer) > 8 then left(x.buyer, 4) || '****' || right(x.buyer, 4) else left(x.buyer, 1) || '****' end as buyer,
  x.receiver_name as "receiverName", x.receiver_phone as "receiverPhone", x.receiver_area as "receiverArea",
  x.carrier, x.tracking_no as "trackingNo", x.created_at as "createdAt", o.paid_at as "paidAt", x.shipped_at as "shippedAt", x.completed_at as "completedAt",
  o.paid_cents + o.stored_value_cents - o.value_refunded_cents - o.value_refunding_cents as "leftCents"`;

const SHIP = "/reconciliation/pay/ship";
const REFUND = "/reconciliation/pay/refund";
/** Adds what the caller may do with each row now. */
export function withMallAbilities({ principal }: Pick<Ctx, "principal">, rows: readonly MallFound[]): Row[] {
  const [mayShip, mayRefund] = [principal.holds([SHIP]), principal.holds([REFUND])];
  return rows.map((row) => ({
    ...row,
    shippable: mayShip && (row.status === 1 || row.status === 2),
    refundable: mayRefund && row.payStatus === 2 && row.leftCents > 0,
  }));
}

/** The levels that a list narrows to: whose it is by the order's own columns, who sold it by the pay order's. */
export const narrowedTo = ({
  agentId,
  businessTeamId,
  ...own
}: Pick<Filter, "serviceProviderId" | "agentId" | "businessTeamId" | "merchantId" | "storeId">): RawBuilder<boolean> =>
  all([narrowed(own, "x"), narrowed({ agentId, businessTeamId }, "o")]);

/** How the pay order `o` was paid and rung up, and the hour and weekday of a moment. */
export function paidAs(filter: PaidHow, moment: string): RawBuilder<unknown> {
  return all([is("o.channel", filter.channel), is("o.tool", filter.tool), partsOf(filter, "o"), atTimes(filter, moment)]);
}
type PaidHow = Pick<Filter, keyof typeof paidHow>;
/** Whether a line `l` of an order `x` is of some goods. */
export function isProduct(key: string): RawBuilder<boolean> {
  if (key === "all") return sql<boolean>`true`;
  const { merchantId, goodsNo } = partsOfProduct(key);
  return sql<boolean>`x.merchant_id = ${merchantId} and l.goods_no = ${goodsNo}`;
}

/** What a filter on mall orders means, for the list, its sums and its export alike. */
export function mallOrdersWhere(scope: Scope, filter: Filter, leaveStatus = false): RawBuilder<boolean> {
  const { keyword } = filter;
  const moment = filter.dateOf === "paid" ? "o.paid_at" : "x.created_at";
  return all([
    inScope(scope, "x", "store"),
    narrowedTo(filter),
    keyword && sql`x.mall_no = ${keyword} or o.order_no = ${keyword} or x.tracking_no = ${keyword}`,
    !keyword && during(filter, moment),
    paidAs(filter, moment),
    filter.product !== undefined &&
      sql`exists (select from mall_order_lines l where l.service_provider_id = x.service_provider_id and l.mall_order_id = x.id and ${isProduct(filter.product)})`,
    !leaveStatus && filter.status !== undefined && sql`x.status = ${sql.lit(filter.status)}`,
    is("x.carrier", filter.carrier),
    filter.minCents !== undefined && sql`o.paid_cents >= ${filter.minCents}`,
    filter.maxCents !== undefined && sql`o.paid_cents <= ${filter.maxCents}`,
  ]);
}
