import { sql, type RawBuilder } from "kysely";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, during } from "@zhangfang/server/lists/conditions.ts";

const AT = sql`coalesce(o.store_id, case e.cause when 'self' then c.used_store_id end)`;
/**
 * Uses of coupons in some days and what came back of them, in the shape of a platform's facts (domains/group-buy), each with an id of its own: what came off is the face, and
 * the merchant's part of it 商家补贴; nobody paid for a coupon. Of stores what was used there.
 */
export const couponEntries = (
  scope: Scope,
  span: { readonly from?: string | undefined; readonly to?: string | undefined },
): RawBuilder<unknown> =>
  sql`select overlay(overlay(md5('coupon' || e.seq) placing '8' from 13) placing '8' from 17)::uuid as id, e.service_provider_id, e.merchant_id, ${AT} as store_id, case e.cause when 'refund' then 'reverse' else 'verify' end as kind,
      g.name as title, c.no as certificate_id, (e.at at time zone 'Asia/Shanghai')::date as day, e.at as happened_at, e.by_name,
      coalesce(u.off_cents, t.value_cents) as face_cents, 0::bigint as pay_cents, coalesce(u.off_cents - u.provider_cents, t.value_cents) as merchant_ticket_cents
    from coupon_events e join coupons c on c.service_provider_id = e.service_provider_id and c.id = e.coupon_id
    join coupon_campaigns g on g.service_provider_id = c.service_provider_id and g.id = c.campaign_id
    join coupon_terms t on t.service_provider_id = c.service_provider_id and t.campaign_id = c.campaign_id and t.version = c.version
    left join coupon_uses u on u.service_provider_id = e.service_provider_id and u.order_id = e.order_id and u.coupon_id = e.coupon_id
    left join pay_orders o on o.service_provider_id = e.service_provider_id and o.id = e.order_id
    where ${all([
      inScope(scope, "e", "merchant"),
      during(span, "e.at"),
      sql`e.cause in ('paid', 'self', 'refund')`,
      scope.stores && sql`${AT} = any(${`{${scope.stores.join(",")}}`}::uuid[])`,
    ])}`;
