import { sql } from "kysely";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { all, narrowed } from "@zhangfang/server/lists/conditions.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { memberSought, withMembers } from "../../../members/server/index.ts";
import { listOtherLots } from "../../contract/index.ts";

/**
 * 转来和导入的余额: what is left of lots that no recharge of ours brought, by the store that sold it. Of what was moved also gift, where the
 * mode left the principal to another.
 */
export const listOtherLotsRoute = implement(listOtherLots, async (ctx, input) => {
  const { serviceProviderId, merchantId, keyword, origin } = input;
  const page = await listPage<RowOf<typeof listOtherLots>>(ctx.tx, input, {
    columns: sql`l.id, s.short_name as "storeName", l.member_id as "memberId", m.no as "memberNo", case when l.from_lot is null then 2 else 1 end as origin,
      l.principal_cents as "principalCents", l.gift_cents as "giftCents", l.principal_left_cents as "principalLeftCents",
      l.gift_left_cents as "giftLeftCents", l.created_at as "createdAt"`,
    from: sql`value_lots l join stores s on s.service_provider_id = l.service_provider_id and s.id = l.sold_store_id
      join members m on m.service_provider_id = l.service_provider_id and m.id = l.member_id`,
    where: all([
      inScope(ctx.scope, "s"),
      sql`l.order_id is null and (l.principal_cents > 0 or l.from_lot is not null)
        and (l.principal_left_cents > 0 or (l.from_lot is not null and l.mode <> 'ratio' and l.gift_left_cents > 0))
        and not exists (select from recharges r where r.service_provider_id = l.service_provider_id and r.lot_id = l.id)`,
      narrowed({ serviceProviderId, merchantId }, "l"),
      input.storeId !== undefined && sql`l.sold_store_id = ${input.storeId}`,
      keyword !== undefined && memberSought(ctx.services, ctx.scope, keyword),
      origin !== undefined && (origin === 1 ? sql`l.from_lot is not null` : sql`l.from_lot is null`),
    ]),
    order: "l.created_at",
  });
  return { ...page, items: await withMembers(ctx, page.items) };
});
