import { sql, type RawBuilder } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, during, is } from "@zhangfang/server/lists/conditions.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import {
  type CouponState,
  type CouponTerms,
  type CoverState,
  getCampaign,
  listCampaigns,
  typeOfKind,
  worthWords,
} from "../../contract/index.ts";
import { goodsOf, storesOf } from "./check-terms.ts";
import { isMaker, mayAlone, offeredCampaigns, ownCampaigns } from "./find-campaign.ts";

export type CampaignRow = RowOf<typeof listCampaigns>;
/** As it is read; what is said of its terms is worked out beside. */
export type FoundCampaign = Omit<CampaignRow, "type" | "worth"> & { readonly terms: CouponTerms };
const FROM = sql`coupon_campaigns c join coupon_stock s on s.service_provider_id = c.service_provider_id and s.campaign_id = c.id
  join coupon_terms t on t.service_provider_id = c.service_provider_id and t.campaign_id = c.id and t.version = c.version`;
/** What is out as far as it is in sight, each by the version it was received under, and what is left of a campaign that gives out. */
const open = (
  scope: Scope,
) => sql`coalesce((select sum(v.value_cents) from coupons x join coupon_terms v on v.service_provider_id = x.service_provider_id
    and v.campaign_id = x.campaign_id and v.version = x.version
    where x.service_provider_id = c.service_provider_id and x.campaign_id = c.id and x.state in ('SENDED', 'LOCKED') and ${inScope(scope, "x", "merchant")}), 0)::bigint
  + case when c.state = 'STOPED' then 0 else t.value_cents * (s.total - s.issued) end`;
const columns = (
  scope: Scope,
) => sql`c.id, c.no, c.name, c.kind, c.funding, c.funder, c.state, t.terms, s.total, s.issued, s.held, c.begins_at as "beginsAt", c.ends_at as "endsAt",
  ${open(scope)} as "valueCents", c.made_by_name as "madeBy", c.created_at as "createdAt", c.provider_percent as "providerPercent",
  (select count(*)::int from coupon_covers v where v.service_provider_id = c.service_provider_id and v.campaign_id = c.id and v.state = 'ACCEPTED'
    and ${inScope(scope, "v", "merchant")}) as merchants,
  (select v.state from coupon_covers v where v.service_provider_id = c.service_provider_id and v.campaign_id = c.id
    and v.merchant_id = ${scope.merchant ?? null}::uuid) as cover`;
function campaignsWhere(
  scope: Scope,
  { keyword, kind, state, offered, ...days }: Partial<ParsedOf<typeof listCampaigns>>,
): RawBuilder<boolean> {
  return all([
    offered ? offeredCampaigns(scope) : ownCampaigns(scope),
    keyword && sql`c.no = ${keyword} or c.name ilike ${likeText(keyword)}`,
    is("c.kind", kind),
    is("c.state", state),
    during(days, "c.created_at"),
  ]);
}
/** The list of campaigns, for screen and file. */
export const campaignsListed = (scope: Scope, filter: Partial<ParsedOf<typeof listCampaigns>>): Listed => ({
  columns: columns(scope),
  from: FROM,
  where: campaignsWhere(scope, filter),
  order: "c.created_at",
});
export const campaignShown = ({ terms, ...row }: FoundCampaign): CampaignRow => ({
  ...row,
  type: typeOfKind(row.kind),
  worth: worthWords(terms),
});

/** 优惠券, 商户优惠券. */
export const listCampaignsRoute = implement(listCampaigns, async (ctx, input) => {
  const page = await listPage<FoundCampaign>(ctx.tx, input as never, campaignsListed(ctx.scope, input));
  return { ...page, items: page.items.map(campaignShown) };
});

interface More {
  readonly merchantId: string | null;
  readonly providerId: string;
  readonly said: string;
  readonly version: number;
  readonly value_cents: number;
  readonly perPerson: number;
  readonly perPersonDay: number | null;
  readonly perDay: number | null;
  readonly listed: boolean;
  readonly made_by: string;
  readonly decidedBy: string | null;
  readonly decidedAt: string | null;
  readonly stoppedAt: string | null;
}
/** 优惠券详情: one's own, one of a merchant in sight, or one of the provider's that covers the merchant. */
export const getCampaignRoute = implement(getCampaign, async (ctx, { id }) => {
  const { rows } = await sql<
    FoundCampaign & More
  >`select ${columns(ctx.scope)}, c.service_provider_id as "providerId", c.merchant_id as "merchantId", t.said, c.version,
      t.value_cents, c.per_person as "perPerson", c.per_person_day as "perPersonDay", s.per_day as "perDay", c.listed, c.made_by,
      c.decided_by_name as "decidedBy", c.decided_at as "decidedAt", c.stopped_at as "stoppedAt"
    from ${FROM} where c.id = ${id} and (${inScope(ctx.scope, "c", "merchant")} or ${offeredCampaigns(ctx.scope)})`.execute(ctx.tx);
  if (!rows[0]) throw notFound("优惠券");
  const { providerId: service_provider_id, merchantId: merchant_id, value_cents, made_by, ...found } = rows[0];
  const owner = { service_provider_id, merchant_id };
  // A merchant's own is steered by the merchant, the provider's by the provider.
  const mine = (ctx.scope.merchant ?? null) === merchant_id;
  const waits = found.state === "UNAUDIT" && mine;
  const own = isMaker(ctx, { made_by });
  const goods = await goodsOf(ctx.tx, owner, found.terms);
  const { stores, ...used } = await usesOf(ctx, service_provider_id, id);
  return {
    ...campaignShown(found),
    ...(found as Omit<typeof found, "decidedAt" | "stoppedAt">),
    decidedAt: found.decidedAt as never,
    stoppedAt: found.stoppedAt as never,
    mine,
    mayDecide: waits && !own,
    mayDecideAlone: waits && own && (await mayAlone(ctx, owner, value_cents * found.total)),
    ...used,
    stores,
    covers: merchant_id === null && mine ? await coversOf(ctx, service_provider_id, id) : [],
    names: { stores: await storesOf(ctx, found.terms.storeIds), goods: { ...goods.tags, ...goods.skus } },
  };
});

/** What became of a campaign's coupons, and of its versions. */
async function usesOf({ tx, scope }: Pick<Ctx, "tx" | "scope">, provider: string, id: string) {
  const seen = inScope(scope, "c", "merchant");
  const states = await sql<{ state: CouponState; count: number }>`select c.state, count(*)::int as count from coupons c
    where c.service_provider_id = ${provider} and c.campaign_id = ${id} and ${seen} group by c.state order by c.state`.execute(tx);
  // What an order took off by it holds until the whole of it went back.
  const uses = await sql<{
    storeId: string;
    name: string;
    used: number;
    offCents: never;
    providerCents: number;
    orders: number;
    gross: number;
  }>`
    select o.store_id as "storeId", n.short_name as name, count(*)::int as used, sum(u.off_cents)::bigint as "offCents", sum(u.provider_cents)::bigint as "providerCents",
      count(distinct o.id)::int as orders, sum(o.gross_cents)::bigint as gross
    from coupons c join coupon_uses u on u.service_provider_id = c.service_provider_id and u.coupon_id = c.id and u.state = 'TAKEN'
    join pay_orders o on o.service_provider_id = u.service_provider_id and o.id = u.order_id
    join stores n on n.service_provider_id = o.service_provider_id and n.id = o.store_id
    where c.service_provider_id = ${provider} and c.campaign_id = ${id} and ${seen} group by o.store_id, n.short_name
    order by 4 desc, o.store_id limit 500`.execute(tx);
  const versions = await sql<{
    version: number;
    said: string;
    by: string;
    at: never;
  }>`select t.version, t.said, t.by_name as by, t.created_at as at
    from coupon_terms t where t.service_provider_id = ${provider} and t.campaign_id = ${id} order by t.version desc limit 50`.execute(tx);
  const sum = (of: (row: (typeof uses.rows)[number]) => number) => uses.rows.reduce((total, row) => total + of(row), 0);
  return {
    coupons: states.rows,
    offCents: sum(({ offCents }) => offCents) as never,
    providerCents: sum(({ providerCents }) => providerCents) as never,
    grossCents: sum(({ gross }) => gross) as never,
    orders: sum(({ orders }) => orders),
    stores: uses.rows.map(({ storeId, name, used, offCents }) => ({ storeId, name, used, offCents })),
    versions: versions.rows,
  };
}

interface Cover {
  readonly merchantId: string;
  readonly name: string;
  readonly state: CoverState;
  readonly by: string;
  readonly at: never;
  readonly used: number;
  readonly offCents: never;
  readonly providerCents: never;
}
/** The merchants that a provider's campaign covers, with what their orders took off by it. */
async function coversOf({ tx, scope }: Pick<Ctx, "tx" | "scope">, provider: string, id: string): Promise<Cover[]> {
  const { rows } = await sql<Cover>`select v.merchant_id as "merchantId", m.short_name as name, v.state, v.by_name as by, v.at,
      u.used, u.off as "offCents", u.paid as "providerCents"
    from coupon_covers v join merchants m on m.service_provider_id = v.service_provider_id and m.id = v.merchant_id
    cross join lateral (select count(*)::int as used, coalesce(sum(u.off_cents), 0)::bigint as off, coalesce(sum(u.provider_cents), 0)::bigint as paid
      from coupons c join coupon_uses u on u.service_provider_id = c.service_provider_id and u.coupon_id = c.id and u.state = 'TAKEN'
      where c.service_provider_id = v.service_provider_id and c.campaign_id = v.campaign_id and c.merchant_id = v.merchant_id and c.state = 'USED') u
    where v.service_provider_id = ${provider} and v.campaign_id = ${id} and ${inScope(scope, "v", "merchant")}
    order by u.off desc, m.short_name limit 500`.execute(tx);
  return rows;
}
