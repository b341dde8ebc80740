import { sql, type RawBuilder } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, during, is } from "@zhangfang/server/lists/conditions.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { memberSought, withMembers } from "../../../members/server/index.ts";
import {
  type CouponState,
  type CouponTerms,
  getPackageGet,
  listPackageGets,
  type PackageGetStatus,
  summarisePackageGets,
  worthWords,
} from "../../contract/index.ts";
import type { Part } from "./package-rules.ts";

export type GetRow = RowOf<typeof listPackageGets>;
/** What is joined for the rows of a page alone, row by row: the planner takes a fenced table for a hundredth of what it is. */
const NAMES = sql`join lateral (select x.name from packages x where x.service_provider_id = g.service_provider_id and x.id = g.package_id offset 0) p on true
  join lateral (select x.no from members x where x.service_provider_id = g.service_provider_id and x.id = g.member_id offset 0) m on true
  left join pay_orders o on o.service_provider_id = g.service_provider_id and o.id = g.order_id
  cross join lateral (select count(*)::int as coupons, (count(*) filter (where c.state = 'USED'))::int as used,
      (count(*) filter (where c.state in ('SENDED', 'LOCKED') and not x.returned))::int as left, (count(*) filter (where x.returned))::int as returned
    from package_coupons x left join coupons c on c.service_provider_id = x.service_provider_id and c.id = x.coupon_id
    where x.service_provider_id = g.service_provider_id and x.get_id = g.id) k`;
const COLUMNS = sql`g.id, g.package_id as "packageId", p.name as "packageName", g.member_id as "memberId", m.no as "memberNo", g.status, g.price_cents as "priceCents",
  o.order_no as "orderNo", case when g.status in (3, 4, 5) then g.refund_cents end as "refundCents", k.coupons, k.used, k.left, k.returned,
  g.got_at as "gotAt", g.created_at as "createdAt"`;
type Filter = ParsedOf<typeof summarisePackageGets>;
function getsWhere(
  services: Services | undefined,
  scope: Scope,
  { keyword, packageId, status, kind, ...days }: Filter,
): RawBuilder<boolean> {
  return all([
    inScope(scope, "g", "merchant"),
    keyword &&
      sql`g.id in (select x.id from pay_orders o join package_gets x on x.service_provider_id = o.service_provider_id and x.order_id = o.id
          where ${inScope(scope, "o", "merchant")} and o.order_no = ${keyword}
        union all select x.id from members m join package_gets x on x.service_provider_id = m.service_provider_id and x.member_id = m.id
          where ${inScope(scope, "m", "merchant")} and (${memberSought(services, scope, keyword)}))`,
    is("g.package_id", packageId),
    is("g.status", status),
    kind && (kind === "paid" ? sql`g.price_cents > 0` : sql`g.price_cents = 0`),
    during(days, "g.created_at"),
  ]);
}
/** The list of packages that were received, for screen and file. */
export const getsListed = (scope: Scope, filter: Filter, _tx: Transaction, services?: Services): Listed => ({
  columns: COLUMNS,
  from: sql`package_gets g`,
  names: NAMES,
  where: getsWhere(services, scope, filter),
  order: "g.created_at",
});

/** 券包领取记录. */
export const listPackageGetsRoute = implement(listPackageGets, async (ctx, input) => {
  const page = await listPage<GetRow>(ctx.tx, input, getsListed(ctx.scope, input, ctx.tx, ctx.services));
  return { ...page, items: await withMembers(ctx, page.items) };
});
/** How many, what was paid and what went back; by status without the filter's own, for the tabs. */
export const summarisePackageGetsRoute = implement(summarisePackageGets, async (ctx, { status, ...rest }) => {
  const { rows } = await sql<{ status: number; count: number; paid: number; back: number }>`select g.status, count(*)::int as count,
      coalesce(sum(o.paid_cents) filter (where o.status in (2, 3)), 0)::bigint as paid, coalesce(sum(o.value_refunded_cents), 0)::bigint as back
    from package_gets g left join pay_orders o on o.service_provider_id = g.service_provider_id and o.id = g.order_id
    where ${getsWhere(ctx.services, ctx.scope, rest)} group by g.status`.execute(ctx.tx);
  const shown = rows.filter((row) => status === undefined || row.status === status);
  const sum = (of: (row: (typeof rows)[number]) => number) => shown.reduce((total, row) => total + of(row), 0);
  return {
    count: sum((row) => row.count),
    paidCents: sum((row) => row.paid) as never,
    refundedCents: sum((row) => row.back) as never,
    byStatus: Object.fromEntries(rows.map((row) => [row.status, row.count])),
  };
});

/** A coupon of a package, with what became of it. */
export interface FoundPart extends Part {
  readonly place: number;
  readonly coupon_id: string | null;
  readonly no: string | null;
  readonly name: string;
  readonly terms: CouponTerms;
  readonly valid_to: string | null;
  readonly value_cents: number;
  readonly returned: boolean;
}
export async function partsOf(
  tx: Transaction,
  { service_provider_id, id }: { readonly service_provider_id: string; readonly id: string },
): Promise<readonly FoundPart[]> {
  const { rows } =
    await sql<FoundPart>`select x.place, x.coupon_id, right(c.no, 4) as no, n.name, t.terms, c.state, c.valid_to, x.value_cents, x.share_cents,
      x.returned
    from package_coupons x join coupon_campaigns n on n.service_provider_id = x.service_provider_id and n.id = x.campaign_id
    left join coupons c on c.service_provider_id = x.service_provider_id and c.id = x.coupon_id
    join coupon_terms t on t.service_provider_id = n.service_provider_id and t.campaign_id = n.id and t.version = coalesce(c.version, n.version)
    where x.service_provider_id = ${service_provider_id} and x.get_id = ${id} order by x.place`.execute(tx);
  return rows;
}
export const partShown = ({ coupon_id, no, name, terms, state, valid_to, value_cents, share_cents, returned }: FoundPart) => ({
  couponId: coupon_id,
  no,
  name,
  worth: worthWords(terms),
  state: state as CouponState | null,
  validTo: valid_to as never,
  valueCents: value_cents as never,
  shareCents: share_cents as never,
  returned,
});
/** 券包领取详情. */
export const getPackageGetRoute = implement(getPackageGet, async (ctx, { id }) => {
  const { rows } = await sql<
    GetRow & { provider: string; refundNo: string | null; status: PackageGetStatus }
  >`select ${COLUMNS}, r.refund_no as "refundNo",
      g.service_provider_id as provider
    from package_gets g ${NAMES} left join refunds r on r.service_provider_id = g.service_provider_id and r.id = g.refund_id
    where g.id = ${id} and ${inScope(ctx.scope, "g", "merchant")}`.execute(ctx.tx);
  const [found] = await withMembers(ctx, rows);
  if (!found) throw notFound("券包领取记录");
  const { provider, ...get } = found;
  return { ...get, parts: (await partsOf(ctx.tx, { service_provider_id: provider, id })).map(partShown) };
});
