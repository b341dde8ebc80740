import { sql, type RawBuilder } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, during, is } from "@zhangfang/server/lists/conditions.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import {
  type CouponState,
  type CouponTerms,
  getPackage,
  listPackable,
  listPackages,
  type PackageGetStatus,
  packageContent,
  worthWords,
} from "../../contract/index.ts";
import { isMaker, mayAlone, ownCampaigns } from "../campaigns/find-campaign.ts";
import { eachOf, itemsOf } from "./find-package.ts";

export type PackageRow = RowOf<typeof listPackages>;
type Inside = readonly { readonly terms: CouponTerms; readonly count: number }[];
export type FoundPackage = Omit<PackageRow, "content"> & { readonly inside: Inside };
const FROM = sql`packages p`;
/** What is joined for the rows of a page alone: what is in it, and what became of it. */
const NAMES = sql`cross join lateral (select jsonb_agg(jsonb_build_object('terms', t.terms, 'count', i.count) order by i.place) as inside,
      sum(t.value_cents * i.count) as each from package_items i
    join coupon_campaigns n on n.service_provider_id = i.service_provider_id and n.id = i.campaign_id
    join coupon_terms t on t.service_provider_id = n.service_provider_id and t.campaign_id = n.id and t.version = n.version
    where i.service_provider_id = p.service_provider_id and i.package_id = p.id) e
  cross join lateral (select (count(*) filter (where g.price_cents = 0))::int as received, (count(*) filter (where g.price_cents > 0))::int as sold,
      coalesce(sum(o.paid_cents - o.value_refunded_cents), 0)::bigint as income from package_gets g
    left join pay_orders o on o.service_provider_id = g.service_provider_id and o.id = g.order_id
    where g.service_provider_id = p.service_provider_id and g.package_id = p.id and g.status in (1, 3, 4)) y
  cross join lateral (select count(*)::int as coupons, (count(*) filter (where c.state = 'USED'))::int as used from package_gets g
    join package_coupons x on x.service_provider_id = g.service_provider_id and x.get_id = g.id
    join coupons c on c.service_provider_id = x.service_provider_id and c.id = x.coupon_id
    where g.service_provider_id = p.service_provider_id and g.package_id = p.id) z`;
const COLUMNS = sql`p.id, p.no, p.name, p.state, p.price_cents as "priceCents", e.inside, p.total, p.issued, p.held, p.begins_at as "beginsAt", p.ends_at as "endsAt",
  y.received, y.sold, y.income as "incomeCents", z.coupons, z.used, case when p.state = 'STOPED' then 0 else e.each * (p.total - p.issued) end::bigint as "valueCents",
  p.made_by_name as "madeBy", p.created_at as "createdAt"`;
function packagesWhere(scope: Scope, { keyword, state, kind, ...days }: Partial<ParsedOf<typeof listPackages>>): RawBuilder<boolean> {
  return all([
    inScope(scope, "p", "merchant"),
    keyword && sql`p.no = ${keyword} or p.name ilike ${likeText(keyword)}`,
    is("p.state", state),
    kind && (kind === "paid" ? sql`p.price_cents is not null` : sql`p.price_cents is null`),
    during(days, "p.created_at"),
  ]);
}
/** The list of packages, for screen and file. */
export const packagesListed = (scope: Scope, filter: Partial<ParsedOf<typeof listPackages>>): Listed => ({
  columns: COLUMNS,
  from: FROM,
  where: packagesWhere(scope, filter),
  order: "p.created_at",
  names: NAMES,
});
export const packageShown = ({ inside, ...row }: FoundPackage): PackageRow => ({
  ...row,
  content: packageContent(inside.map(({ terms, count }) => ({ worth: worthWords(terms), count }))),
});

/** 券包. */
export const listPackagesRoute = implement(listPackages, async (ctx, input) => {
  const page = await listPage<FoundPackage>(ctx.tx, input as never, packagesListed(ctx.scope, input));
  return { ...page, items: page.items.map(packageShown) };
});

interface More {
  readonly provider: string;
  readonly merchant: string;
  readonly made_by: string;
  readonly note: string;
  readonly perPerson: number;
  readonly perPersonDay: number | null;
  readonly perDay: number | null;
  readonly decidedBy: string | null;
  readonly decidedAt: never;
  readonly stoppedAt: never;
}
/** 券包详情: what is in it, what became of it, and who may decide about it. */
export const getPackageRoute = implement(getPackage, async (ctx, { id }) => {
  const { rows } = await sql<
    FoundPackage & More
  >`select ${COLUMNS}, p.service_provider_id as provider, p.merchant_id as merchant, p.made_by, p.note,
      p.per_person as "perPerson", p.per_person_day as "perPersonDay", p.per_day as "perDay", p.decided_by_name as "decidedBy", p.decided_at as "decidedAt",
      p.stopped_at as "stoppedAt"
    from ${FROM} ${NAMES} where p.id = ${id} and ${inScope(ctx.scope, "p", "merchant")}`.execute(ctx.tx);
  if (!rows[0]) throw notFound("券包");
  const { provider, merchant, made_by, inside, ...found } = rows[0];
  const { note, perPerson, perPersonDay, perDay, decidedBy, decidedAt, stoppedAt } = found;
  const items = await itemsOf(ctx.tx, provider, [id]);
  const each = eachOf(items);
  const waits = found.state === "UNAUDIT";
  const own = isMaker(ctx, { made_by });
  const head = { service_provider_id: provider, merchant_id: merchant, made_by };
  return {
    ...packageShown({ ...found, inside }),
    ...(await becameOf(ctx.tx, provider, id)),
    note,
    perPerson,
    perPersonDay,
    perDay,
    decidedBy,
    decidedAt,
    stoppedAt,
    eachCents: each as never,
    items: items.map(({ campaign_id, name, terms, said, count, value_cents, left, state }) => ({
      campaignId: campaign_id,
      name,
      worth: worthWords(terms),
      said,
      count,
      valueCents: value_cents as never,
      left,
      state,
    })),
    mayDecide: waits && !own,
    mayDecideAlone: waits && own && (await mayAlone(ctx, head, each * found.total)),
  };
});
async function becameOf(tx: Transaction, provider: string, id: string) {
  const gets = await sql<{ status: PackageGetStatus; count: number; back: number }>`select g.status, count(*)::int as count,
      coalesce(sum(o.value_refunded_cents), 0)::bigint as back
    from package_gets g left join pay_orders o on o.service_provider_id = g.service_provider_id and o.id = g.order_id
    where g.service_provider_id = ${provider} and g.package_id = ${id} group by g.status order by g.status`.execute(tx);
  const states = await sql<{ state: CouponState; count: number }>`select c.state, count(*)::int as count from package_gets g
    join package_coupons x on x.service_provider_id = g.service_provider_id and x.get_id = g.id
    join coupons c on c.service_provider_id = x.service_provider_id and c.id = x.coupon_id
    where g.service_provider_id = ${provider} and g.package_id = ${id} group by c.state order by c.state`.execute(tx);
  return {
    gets: gets.rows.map(({ status, count }) => ({ status, count })),
    states: states.rows,
    refundedCents: gets.rows.reduce((sum, { back }) => sum + back, 0) as never,
  };
}

const MOST = 200;
interface Packable {
  readonly id: string;
  readonly name: string;
  readonly terms: CouponTerms;
  readonly said: string;
  readonly left: number;
  readonly valueCents: never;
  readonly endsAt: never;
}
/** 可放进券包的优惠券, the newest first. */
export const listPackableRoute = implement(listPackable, async ({ tx, scope, now }) => {
  const { rows } =
    await sql<Packable>`select c.id, c.name, t.terms, t.said, s.total - s.issued - s.held as left, t.value_cents as "valueCents", c.ends_at as "endsAt"
    from coupon_campaigns c join coupon_stock s on s.service_provider_id = c.service_provider_id and s.campaign_id = c.id
    join coupon_terms t on t.service_provider_id = c.service_provider_id and t.campaign_id = c.id and t.version = c.version
    where ${ownCampaigns(scope)} and c.state = 'RUNNING' and c.ends_at > ${now} order by c.created_at desc, c.id desc limit ${MOST}`.execute(
      tx,
    );
  return { items: rows.map(({ terms, ...row }) => ({ ...row, worth: worthWords(terms) })) };
});
