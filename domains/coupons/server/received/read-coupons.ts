import { sql, type RawBuilder } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, during, is } from "@zhangfang/server/lists/conditions.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import {
  type CouponCause,
  type CouponState,
  type CouponTerms,
  getCoupon,
  listCoupons,
  summariseCoupons,
  worthWords,
} from "../../contract/index.ts";

export type CouponRow = RowOf<typeof listCoupons>;
export type FoundCoupon = Omit<CouponRow, "worth"> & { readonly terms: CouponTerms };
/** Coupons alone, so that the next few in their order are near. */
const FOUND = sql`coupons c`;
/** What is joined for the rows of a page alone. The order is the one that holds or took it. */
// Row by row of the page: the planner takes a fenced table for a hundredth of what it is, and would rather multiply campaigns with members.
const NAMES = sql`join lateral (select x.no, x.name, x.kind, x.id from coupon_campaigns x where x.service_provider_id = c.service_provider_id
    and x.id = c.campaign_id offset 0) g on true
  join lateral (select x.terms, x.said from coupon_terms x where x.service_provider_id = c.service_provider_id and x.campaign_id = c.campaign_id
    and x.version = c.version offset 0) t on true
  join lateral (select x.id, x.no from members x where x.service_provider_id = c.service_provider_id and x.id = c.member_id offset 0) m on true
  join merchants h on h.service_provider_id = c.service_provider_id and h.id = c.merchant_id
  left join stores s on s.service_provider_id = c.service_provider_id and s.id = c.used_store_id
  left join pay_orders o on o.service_provider_id = c.service_provider_id and o.id = c.order_id
  left join coupon_uses u on u.service_provider_id = c.service_provider_id and u.order_id = c.order_id and u.coupon_id = c.id`;
// Whoever has the whole number can use it at a till that knows the customer: lists tell the end of it.
const COLUMNS = sql`c.id, right(c.no, 4) as no, c.campaign_id as "campaignId", g.no as "campaignNo", g.name, g.kind, t.terms, c.state, c.source, c.member_id as "memberId",
  m.no as "memberNo", h.short_name as "merchantName", c.valid_from as "validFrom", c.valid_to as "validTo", c.received_at as "receivedAt", c.used_at as "usedAt",
  s.short_name as "usedStoreName", o.order_no as "orderNo", u.off_cents as "offCents"`;
/** Stores see the coupons that were used there, and those of the members who came there. */
function atStores({ stores }: Scope): RawBuilder<boolean> | undefined {
  if (stores === undefined) return undefined;
  const ids = sql`${`{${stores.join(",")}}`}::uuid[]`;
  return sql<boolean>`c.used_store_id = any(${ids}) or exists (select 1 from member_stores a where a.service_provider_id = c.service_provider_id
    and a.member_id = c.member_id and a.store_id = any(${ids}))`;
}
const inSight = (scope: Scope): RawBuilder<boolean> => all([inScope(scope, "c", "merchant"), atStores(scope)]);
type Filter = ParsedOf<typeof summariseCoupons>;
/** A coupon's number, or its member's. */
const sought = ({ provider }: Scope, keyword: string): RawBuilder<boolean> => sql<boolean>`c.id = any(array(
  select x.id from coupons x where ${is("x.service_provider_id", provider) ?? sql`true`} and x.no = ${keyword}
  union all select x.id from members m join coupons x on x.service_provider_id = m.service_provider_id and x.member_id = m.id
    where ${is("m.service_provider_id", provider) ?? sql`true`} and m.no = ${keyword}))`;
/** Those of the merchants of an agent, or of a team. */
const ofMerchants = (column: "h.agent_id" | "h.business_team_id", id: string | undefined) =>
  id !== undefined &&
  sql`exists (select from merchants h where h.service_provider_id = c.service_provider_id and h.id = c.merchant_id and ${is(column, id)})`;
function couponsWhere(scope: Scope, { keyword, campaignId, memberId, state, source, ...rest }: Filter): RawBuilder<boolean> {
  return all([
    inSight(scope),
    is("c.service_provider_id", rest.serviceProviderId),
    ofMerchants("h.agent_id", rest.agentId),
    ofMerchants("h.business_team_id", rest.businessTeamId),
    is("c.merchant_id", rest.merchantId),
    is("c.used_store_id", rest.storeId),
    keyword && sought(scope, keyword),
    is("c.campaign_id", campaignId),
    is("c.member_id", memberId),
    is("c.state", state),
    is("c.source", source),
    during(rest, "c.received_at"),
  ]);
}
/** The list of coupons that were received, for screen and file. */
export const couponsListed = (scope: Scope, filter: Filter): Listed => ({
  columns: COLUMNS,
  from: FOUND,
  where: couponsWhere(scope, filter),
  order: "c.received_at",
  names: NAMES,
});
export const couponShown = ({ terms, ...row }: FoundCoupon): CouponRow => ({ ...row, worth: worthWords(terms) });

/** 优惠券明细. */
export const listCouponsRoute = implement(listCoupons, async (ctx, input) => {
  const page = await listPage<FoundCoupon>(ctx.tx, input as never, couponsListed(ctx.scope, input));
  return { ...page, items: page.items.map(couponShown) };
});

const MOST = 100_000;
/** How many stand where, of the newest hundred thousand that the filter finds; without the filter's own state, for the tabs. */
export const summariseCouponsRoute = implement(summariseCoupons, async (ctx, { state: _state, ...filter }) => {
  const { rows } = await sql<{ state: CouponState; count: number }>`select f.state, count(*)::int as count from (
      select c.state from ${FOUND} where ${couponsWhere(ctx.scope, filter)} order by c.received_at desc, c.id desc limit ${MOST + 1}) f group by f.state
    order by f.state`.execute(ctx.tx);
  const more = rows.reduce((sum, { count }) => sum + count, 0) > MOST;
  return { states: rows, more };
});

interface Step {
  readonly from: CouponState | null;
  readonly to: CouponState;
  readonly cause: CouponCause;
  readonly orderNo: string | null;
  readonly by: string;
  readonly at: never;
}
/** One coupon and each step of its life. */
export const getCouponRoute = implement(getCoupon, async (ctx, { id }) => {
  const { rows } = await sql<FoundCoupon & { said: string; provider: string }>`select ${COLUMNS}, t.said, c.service_provider_id as provider
    from coupons c ${NAMES} where c.id = ${id} and ${inSight(ctx.scope)}`.execute(ctx.tx);
  if (!rows[0]) throw notFound("优惠券");
  const { provider, said, ...found } = rows[0];
  const steps = await sql<Step>`select e.from_state as "from", e.to_state as "to", e.cause, o.order_no as "orderNo", e.by_name as by, e.at
    from coupon_events e left join pay_orders o on o.service_provider_id = e.service_provider_id and o.id = e.order_id
    where e.service_provider_id = ${provider} and e.coupon_id = ${id} order by e.seq limit 200`.execute(ctx.tx);
  return { ...couponShown(found), said, note: found.terms.note, events: steps.rows };
});
