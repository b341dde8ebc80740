import { sql, type RawBuilder } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { type CouponTerms, worthWords } from "../../contract/index.ts";
import { freeCouponStock, holdCouponStock } from "../claims/give-coupons.ts";
import { freePackages, holdPackages } from "../packages/give-package.ts";

/** What a sending gives each of its members: a coupon of a campaign, or a package. */
export interface Thing {
  readonly service_provider_id: string;
  readonly campaign_id: string | null;
  readonly package_id: string | null;
}
/** The sendings `t` that the caller steers: a merchant its own, a provider those that are no merchant's. */
export const ownTask = (scope: Scope): RawBuilder<boolean> =>
  scope.merchant === undefined
    ? sql<boolean>`(${inScope(scope, "t", "provider")} and t.merchant_id is null)`
    : sql<boolean>`(${inScope(scope, "t", "merchant")} and t.merchant_id is not null)`;
const none = (): never => {
  throw new Error("a sending gives neither a coupon nor a package");
};
/** Sets it aside for so many members. @throws 409 `coupon.gone`, `coupon.over` */
export const holdThing = (
  tx: Transaction,
  services: Services,
  { service_provider_id, campaign_id, package_id }: Thing,
  many: number,
): Promise<void> =>
  package_id === null
    ? holdCouponStock(tx, { service_provider_id, campaign_id: campaign_id ?? none() }, many)
    : holdPackages(tx, services, { service_provider_id, id: package_id }, many);
/** What was set aside and is not given is free again. */
export const freeThing = (
  tx: Transaction,
  services: Services,
  { service_provider_id, campaign_id, package_id }: Thing,
  many: number,
): Promise<void> =>
  package_id === null
    ? freeCouponStock(tx, { service_provider_id, campaign_id: campaign_id ?? none() }, many)
    : freePackages(tx, services, { service_provider_id, id: package_id }, many);

/** `t` is a sending. What it gives, by name and number, and when that can be given: `g`. */
export const THING = sql`join lateral (
    select c.no, c.name, c.state, c.begins_at, c.ends_at, v.terms, null::int as kinds, null::int as pieces from coupon_campaigns c
    join coupon_terms v on v.service_provider_id = c.service_provider_id and v.campaign_id = c.id and v.version = c.version
    where c.service_provider_id = t.service_provider_id and c.id = t.campaign_id
    union all
    select p.no, p.name, p.state, p.begins_at, p.ends_at, null, i.kinds, i.pieces from packages p
    join lateral (select count(*)::int as kinds, sum(i.count)::int as pieces from package_items i
      where i.service_provider_id = p.service_provider_id and i.package_id = p.id) i on true
    where p.service_provider_id = t.service_provider_id and p.id = t.package_id) g on true`;
export interface ThingShown {
  readonly terms: CouponTerms | null;
  readonly kinds: number | null;
  readonly pieces: number | null;
}
/** 满 80 减 20; 2 种共 3 张. */
export const thingWorth = ({ terms, kinds, pieces }: ThingShown): string => (terms ? worthWords(terms) : `${kinds} 种共 ${pieces} 张`);

/** `r` is a row of a sending. Its coupons: the one that it gave, or those of the package. */
export const COUPONS_OF_ROW: RawBuilder<unknown> = sql`join lateral (select r.coupon_id as id where r.coupon_id is not null union all
    select x.coupon_id from package_coupons x where x.service_provider_id = r.service_provider_id and x.get_id = r.get_id) k on true
  join coupons c on c.service_provider_id = r.service_provider_id and c.id = k.id`;
