import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import type { OutputOf, ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, during, is } from "@zhangfang/server/lists/conditions.ts";
import { exportColumn, exportRows, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { countAll } from "@zhangfang/server/lists/keyset.ts";
import { figureFilter, getCouponFigures } from "../../contract/index.ts";
import { DRIVEN } from "./driven.ts";

type Filter = ParsedOf<typeof getCouponFigures>;
type Answer = OutputOf<typeof getCouponFigures>;
type Row = Answer["rows"][number];
const MOST = 500;

/** Whoever sees stores alone, or asks for one, is told what was used there: a store gives out nothing. */
const isOfStores = (scope: Scope, { by, storeId }: Pick<Filter, "by" | "storeId">): boolean =>
  by === "store" || storeId !== undefined || scope.stores !== undefined;
/** Where a step was: at the store of its order, or where its holder used it up. */
const AT = sql`coalesce(o.store_id, case e.cause when 'self' then c.used_store_id end)`;
const DAY = (at: string) => sql`to_char(${sql.ref(at)} at time zone 'Asia/Shanghai', 'YYYY-MM-DD')`;

/**
 * What part refunds of a used coupon's order gave back of it, as `x`: of lines their part of what it took off, of an amount as much of it as of
 * the order's value. A whole refund is a step of its own.
 */
const BACK = sql`(select round(sum(case b.source when 'amount' then u.off_cents * b.cents::numeric / greatest(o.paid_cents + o.stored_value_cents, 1)
        when 'line' then (select pl.cents * b.units::numeric / l.units from price_parts p
          join price_part_lines pl on pl.service_provider_id = p.service_provider_id and pl.order_id = p.order_id and pl.n = p.n
          join order_lines l on l.service_provider_id = p.service_provider_id and l.order_id = p.order_id and l.place = pl.place
          where p.service_provider_id = o.service_provider_id and p.order_id = o.id and p.source = 'coupon' and p.ref = c.no and pl.place::text = b.ref)
      end))::bigint as off_cents, sum(b.provider_cents) filter (where b.source = 'coupon' and b.ref = c.no) as provider_cents
    from price_backs b join refunds r on r.service_provider_id = b.service_provider_id and r.id = b.refund_id and r.status = 2
    where e.cause = 'paid' and o.status = 2 and o.value_refunded_cents > 0 and b.service_provider_id = o.service_provider_id and b.order_id = o.id) x`;
/**
 * Figures of some days by campaign, store or day: the steps of coupons that fall into them, the orders that used one, each once for a row, and
 * what became of those that were received then.
 */
function figuresOf(scope: Scope, filter: Filter): RawBuilder<unknown> {
  const { by, from, to, merchantId, storeId } = filter;
  const ofStores = isOfStores(scope, filter);
  const key = by === "day" ? DAY("e.at") : by === "store" ? sql`${AT}::text` : sql`c.campaign_id::text`;
  const stores = scope.stores && sql`${AT} = any(${`{${scope.stores.join(",")}}`}::uuid[])`;
  const steps = all([
    inScope(scope, "e", "merchant"),
    during({ from, to }, "e.at"),
    is("e.merchant_id", merchantId),
    storeId !== undefined && sql`${AT} = ${storeId}`,
    stores,
    by === "store" && sql`${AT} is not null`,
    ofStores && sql`e.cause in ('paid', 'self', 'refund')`,
  ]);
  const received = all([inScope(scope, "c", "merchant"), during({ from, to }, "c.received_at"), is("c.merchant_id", merchantId)]);
  const count = (what: RawBuilder<unknown>) => sql`count(*) filter (where ${what})::int`;
  const sum = (column: string) =>
    sql`coalesce(sum(${sql.ref(column)}) filter (where e.cause in ('paid', 'self')), 0)::bigint
      - coalesce(sum(${sql.ref(column)}) filter (where e.cause = 'refund'), 0)::bigint`;
  const only = (figure: RawBuilder<unknown>) => (ofStores ? sql`null::int` : figure);
  return sql`with e as materialized (
      select ${key} as key, e.from_state, e.to_state, e.cause, e.order_id, case e.cause when 'self' then t.value_cents else u.off_cents - coalesce(x.off_cents, 0) end as off_cents,
        u.provider_cents - coalesce(x.provider_cents, 0) as provider_cents,
        ${DRIVEN} as driven, not exists (select 1 from pay_orders p where p.service_provider_id = o.service_provider_id and p.purpose = 0
          and p.member_id = c.member_id and p.paid_at < o.paid_at) as fresh
      from coupon_events e join coupons c on c.service_provider_id = e.service_provider_id and c.id = e.coupon_id
      join coupon_terms t on t.service_provider_id = c.service_provider_id and t.campaign_id = c.campaign_id and t.version = c.version
      left join coupon_uses u on u.service_provider_id = e.service_provider_id and u.order_id = e.order_id and u.coupon_id = e.coupon_id and e.cause in ('paid', 'refund')
      left join pay_orders o on o.service_provider_id = e.service_provider_id and o.id = e.order_id and ${by === "store" || ofStores ? sql`true` : sql`e.cause = 'paid'`}
      left join lateral ${BACK} on true
      where ${steps}),
    moved as (select e.key, ${only(count(sql`e.from_state is null`))} as issued,
        ${only(sql`(count(*) filter (where e.to_state = 'EXPIRED') - count(*) filter (where e.from_state = 'EXPIRED'))::int`)} as expired,
        ${only(count(sql`e.to_state in ('DELETED', 'DEACTIVATED')`))} as voided,
        ${count(sql`e.cause in ('paid', 'self')`)} as used, ${count(sql`e.cause = 'refund'`)} as returned,
        ${sum("e.off_cents")} as off, ${sum("e.provider_cents")} as provider from e group by 1),
    sold as (select s.key, count(*)::int as orders, sum(s.driven)::bigint as driven, ${count(sql`s.fresh`)} as fresh
      from (select e.key, e.order_id, max(e.driven) as driven, bool_or(e.fresh) as fresh from e where e.cause = 'paid' group by 1, 2) s group by 1),
    cohort as (${
      ofStores
        ? sql`select null::text as key, 0 as received, 0 as used where false`
        : sql`select ${by === "day" ? sql`c.received_on::text` : sql`c.campaign_id::text`} as key, count(*)::int as received,
            ${count(sql`c.state = 'USED'`)} as used from coupons c where ${received} group by 1`
    })
    select m.key as id, ${nameOf(by)} as name, m.issued, m.expired, m.voided, ${only(sql`coalesce(h.received, 0)`)} as received,
      ${only(sql`coalesce(h.used, 0)`)} as "receivedUsed", m.used, m.returned, m.off as "offCents", m.provider as "providerCents",
      coalesce(s.orders, 0) as orders, coalesce(s.driven, 0)::bigint as "drivenCents", coalesce(s.fresh, 0) as "newOrders"
    from moved m left join sold s on s.key = m.key left join cohort h on h.key = m.key
    ${by === "campaign" ? sql`left join coupon_campaigns g on g.id = m.key::uuid and ${providerOf(scope)}` : sql``}
    ${by === "store" ? sql`left join stores n on n.id = m.key::uuid and ${inScope(scope, "n", "store")}` : sql``}`;
}
const providerOf = ({ provider }: Scope) => (provider === undefined ? sql`true` : sql`g.service_provider_id = ${provider}`);
const nameOf = (by: Filter["by"]) =>
  by === "day" ? sql`m.key` : by === "store" ? sql`coalesce(n.short_name, '其他门店')` : sql`coalesce(g.name, '其他券')`;
const inOrder = (by: Filter["by"]) => (by === "day" ? sql`f.id` : sql`f."offCents" desc, f.id`);

/** 优惠券汇总. */
export const getCouponFiguresRoute = implement(getCouponFigures, async (ctx, filter) => {
  const { rows: found } =
    await sql<Row>`select f.* from (${figuresOf(ctx.scope, filter)}) f order by ${inOrder(filter.by)} limit ${MOST + 1}`.execute(ctx.tx);
  // The total is asked by itself: an order may have used coupons of several rows.
  const { rows: days } = await sql<Row>`select f.* from (${figuresOf(ctx.scope, { ...filter, by: "day" })}) f`.execute(ctx.tx);
  return { total: totalOf(days), rows: found.slice(0, MOST), more: found.length > MOST, ...(await openOf()) };

  async function openOf(): Promise<Pick<Answer, "openCents" | "openCount">> {
    if (filter.storeId !== undefined || ctx.scope.stores !== undefined) return { openCents: null, openCount: null };
    const { rows } = await sql<{ cents: number; count: number }>`select coalesce(sum(c.count * t.value_cents), 0)::bigint as cents,
        coalesce(sum(c.count), 0)::int as count from coupon_outs c
      join coupon_terms t on t.service_provider_id = c.service_provider_id and t.campaign_id = c.campaign_id and t.version = c.version
      where ${all([inScope(ctx.scope, "c", "merchant"), is("c.merchant_id", filter.merchantId)])}`.execute(ctx.tx);
    return { openCents: rows[0]!.cents as never, openCount: rows[0]!.count };
  }
});
const COUNTED = ["issued", "expired", "voided", "received", "receivedUsed"] as const;
const SUMMED = ["used", "returned", "offCents", "providerCents", "orders", "drivenCents", "newOrders"] as const;
function totalOf(rows: readonly Row[]): Answer["total"] {
  const sum = (name: (typeof COUNTED)[number] | (typeof SUMMED)[number]) => rows.reduce((total, row) => total + (row[name] ?? 0), 0);
  const none = rows.some(({ issued }) => issued === null);
  return Object.fromEntries([
    ...COUNTED.map((name) => [name, none ? null : sum(name)]),
    ...SUMMED.map((name) => [name, sum(name)]),
  ]) as Answer["total"];
}

const input = z.object(figureFilter);
/** 优惠券汇总 as a file: every row of the same question. */
export const figuresExport: ExportSource<typeof input> = {
  name: "coupon-figures",
  title: "优惠券汇总",
  access: "/dataCentre/coupon/export",
  input,
  columns: [
    exportColumn("name", "券、门店或日期", 24),
    exportColumn("issued", "发放", 12, "count"),
    exportColumn("used", "核销", 12, "count"),
    exportColumn("returned", "退回", 12, "count"),
    exportColumn("expired", "过期", 12, "count"),
    exportColumn("voided", "作废", 12, "count"),
    exportColumn("received", "期内领取", 12, "count"),
    exportColumn("receivedUsed", "其中已核销", 12, "count"),
    exportColumn("offCents", "成本", 14, "money"),
    exportColumn("providerCents", "服务商承担", 14, "money"),
    exportColumn("orders", "用券订单", 12, "count"),
    exportColumn("drivenCents", "带动消费", 14, "money"),
    exportColumn("newOrders", "新客订单", 12, "count"),
  ],
  count: (tx, scope, filter) => countAll(tx, sql`(${figuresOf(scope, filter)}) f`),
  rows: (tx, scope, filter) =>
    exportRows(
      tx,
      sql<Row>`select f.* from (${figuresOf(scope, filter)}) f order by ${inOrder(filter.by)}`,
      ({ id: _id, ...row }) => row as never,
    ),
};
