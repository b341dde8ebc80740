import { sql, type RawBuilder } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, during, is } from "@zhangfang/server/lists/conditions.ts";
import { foundBy } from "@zhangfang/server/lists/found-by.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import {
  type CouponCarrier,
  type CouponState,
  type CouponTerms,
  type CoverState,
  getCampaign,
  listCampaigns,
  typeOfKind,
  worthWords,
} from "../../contract/index.ts";
import { mirrorOf } from "../carriers/read-mirror.ts";
import { DRIVEN } from "../received/driven.ts";
import { betterOf } from "./better-terms.ts";
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
) => sql`coalesce((select sum(v.value_cents * x.count) from coupon_outs x join coupon_terms v on v.service_provider_id = x.service_provider_id
    and v.campaign_id = x.campaign_id and v.version = x.version
    where x.service_provider_id = c.service_provider_id and x.campaign_id = c.id and ${inScope(scope, "x", "merchant")}), 0)::bigint
  + case when c.state = 'STOPED' then 0 else t.value_cents * (s.total - s.issued) end`;
const columns = (
  scope: Scope,
) => sql`c.id, c.no, c.name, c.kind, c.funding, c.funder, c.state, t.terms, s.total, s.issued, s.held, c.begins_at as "beginsAt", c.ends_at as "endsAt",
  ${open(scope)} as "valueCents", c.made_by_name as "madeBy", c.created_at as "createdAt", c.provider_percent as "providerPercent",
  (select count(*)::int from coupon_covers v where v.service_provider_id = c.service_provider_id and v.campaign_id = c.id and v.state = 'ACCEPTED'
    and ${inScope(scope, "v", "merchant")}) as merchants,
  (select v.state from coupon_covers v where v.service_provider_id = c.service_provider_id and v.campaign_id = c.id
    and v.merchant_id = ${scope.merchant ?? null}::uuid) as cover`;
async function campaignsWhere(
  scope: Scope,
  { keyword, kind, state, change, offered, ...days }: Partial<ParsedOf<typeof listCampaigns>>,
  tx: Transaction,
): Promise<RawBuilder<boolean>> {
  return all([
    offered ? offeredCampaigns(scope) : ownCampaigns(scope),
    keyword && (await foundBy(tx, keyword, { alias: "c", table: "campaign_search", id: "campaign_id" })),
    is("c.kind", kind),
    is("c.state", state),
    change &&
      sql`exists (select from coupon_betterments b where b.service_provider_id = c.service_provider_id and b.campaign_id = c.id and b.status = 0
        and ${inScope(scope, "b", "merchant")})`,
    during(days, "c.created_at"),
  ]);
}
/** The list of campaigns, for screen and file. */
export const campaignsListed = async (scope: Scope, filter: Partial<ParsedOf<typeof listCampaigns>>, tx: Transaction): Promise<Listed> => ({
  columns: columns(scope),
  from: FROM,
  where: await campaignsWhere(scope, filter, tx),
  order: "c.created_at",
});
export const campaignShown = ({ terms, ...row }: FoundCampaign): CampaignRow => ({
  ...row,
  type: typeOfKind(row.kind),
  worth: worthWords(terms),
});

/** 优惠券, 商户优惠券. */
export const listCampaignsRoute = implement(listCampaigns, async (ctx, input) => {
  const page = await listPage<FoundCampaign>(ctx.tx, input as never, await campaignsListed(ctx.scope, input, ctx.tx));
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
  readonly carrier: CouponCarrier;
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
      t.value_cents, c.per_person as "perPerson", c.per_person_day as "perPersonDay", s.per_day as "perDay", c.listed, c.carrier, c.made_by,
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
    mirror: await mirrorOf(ctx.tx, service_provider_id, id),
    mayDecide: waits && !own,
    mayDecideAlone: waits && own && (await mayAlone(ctx, owner, value_cents * found.total)),
    better: mine && merchant_id !== null ? await betterOf(ctx, { ...owner, id, total: found.total }) : null,
    ...used,
    stores,
    covers: merchant_id === null && mine ? await coversOf(ctx, service_provider_id, id) : [],
    // Of the provider's own, a merchant is told what holds now, and not who of the provider's people did what.
    ...(!mine &&
      ctx.scope.merchant !== undefined && {
        madeBy: "服务商",
        decidedBy: "服务商",
        versions: used.versions.slice(0, 1).map((one) => ({ ...one, by: "服务商" })),
      }),
    names: { stores: await storesOf(ctx, found.terms.storeIds), goods: { ...goods.tags, ...goods.skus } },
  };
});

/** What became of a campaign's coupons, and of its versions. */
async function usesOf({ tx, scope }: Pick<Ctx, "tx" | "scope">, provider: string, id: string) {
  const seen = inScope(scope, "c", "merchant");
  const states = await sql<{ state: CouponState; count: number }>`select c.state, count(*)::int as count from coupons c
    where c.service_provider_id = ${provider} and c.campaign_id = ${id} and ${seen} group by c.state order by c.state`.execute(tx);
  // What an order took off by it holds until the whole of it went back.
  const taken = (
    more: RawBuilder<unknown>,
  ) => sql`coupons c join coupon_uses u on u.service_provider_id = c.service_provider_id and u.coupon_id = c.id
      and u.state = 'TAKEN' join pay_orders o on o.service_provider_id = u.service_provider_id and o.id = u.order_id ${more}
    where c.service_provider_id = ${provider} and c.campaign_id = ${id} and ${seen}`;
  // An order counts once, however many of them it used.
  const all = await sql<{ off: number; paid: number; orders: number; driven: number }>`select coalesce(sum(x.off), 0)::bigint as off,
      coalesce(sum(x.paid), 0)::bigint as paid, count(*)::int as orders, coalesce(sum(x.driven), 0)::bigint as driven
    from (select sum(u.off_cents) as off, sum(u.provider_cents) as paid, max(${DRIVEN}) as driven from ${taken(sql``)} group by o.id) x`.execute(
    tx,
  );
  const uses = await sql<{ storeId: string; name: string; used: number; offCents: never }>`
    select o.store_id as "storeId", n.short_name as name, count(*)::int as used, sum(u.off_cents)::bigint as "offCents"
    from ${taken(sql`join stores n on n.service_provider_id = o.service_provider_id and n.id = o.store_id`)} group by 1, 2 order by 4 desc, 1 limit 500`.execute(
    tx,
  );
  const versions = await sql<{
    version: number;
    said: string;
    by: string;
    at: never;
  }>`select t.version, t.said, t.by_name as by, t.created_at as at
    from coupon_terms t where t.service_provider_id = ${provider} and t.campaign_id = ${id} order by t.version desc limit 50`.execute(tx);
  const { off, paid, orders, driven } = all.rows[0]!;
  return {
    coupons: states.rows,
    offCents: off as never,
    providerCents: paid as never,
    grossCents: driven as never,
    orders,
    stores: uses.rows,
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
      coalesce(u.used, 0) as used, coalesce(u.off, 0)::bigint as "offCents", coalesce(u.paid, 0)::bigint as "providerCents"
    from coupon_covers v join merchants m on m.service_provider_id = v.service_provider_id and m.id = v.merchant_id
    left join (select c.merchant_id, count(*)::int as used, sum(u.off_cents)::bigint as off, sum(u.provider_cents)::bigint as paid
      from coupons c join coupon_uses u on u.service_provider_id = c.service_provider_id and u.coupon_id = c.id and u.state = 'TAKEN'
      where c.service_provider_id = ${provider} and c.campaign_id = ${id} group by c.merchant_id) u on u.merchant_id = v.merchant_id
    where v.service_provider_id = ${provider} and v.campaign_id = ${id} and ${inScope(scope, "v", "merchant")}
    order by coalesce(u.off, 0) desc, m.short_name limit 500`.execute(tx);
  return rows;
}
