import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import { all, during, narrowed } from "@zhangfang/server/lists/conditions.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { friendPayFilter } from "../../contract/friend-pays.ts";

/** PostgreSQL's word for the moment of the transaction: what has expired is as of the file. */
export const NOW = "now";
export const friendPayInput = z.object(friendPayFilter);
type Filter = z.output<typeof friendPayInput>;

/** Links `f` with their orders `o` and names. */
export const friendPayFrom = sql`friend_pays f
  join pay_orders o on o.service_provider_id = f.service_provider_id and o.id = f.order_id
  left join merchants m on m.service_provider_id = f.service_provider_id and m.id = f.merchant_id
  left join stores s on s.service_provider_id = f.service_provider_id and s.id = f.store_id`;

/** What became of a link by now. Whoever pays under the orderer's own name is no friend. */
export const friendPayStateAt = (now: string): RawBuilder<string> =>
  sql<string>`case when o.paid_at is not null then case when o.payer = f.orderer then 'own' else 'paid' end
    when o.status = 1 or f.expires_at <= ${now}::timestamptz then 'expired' else 'waiting' end`;

/** Whoever paid has opened it, also where nobody saw them do so. */
export const friendPayOpened = sql<boolean>`(f.opened_at is not null or o.paid_at is not null)`;

const masked = (column: string): RawBuilder<string> => {
  const of = sql.ref(column);
  return sql<string>`case when length(${of}) > 8 then left(${of}, 4) || '****' || right(${of}, 4) else left(${of}, 1) || '****' end`;
};
/** The row of the list; who ordered and who paid leave the database masked. */
export const friendPayColumns = (now: string) => sql`
  f.id, f.order_id as "orderId", o.order_no as "orderNo",
  coalesce(m.short_name, app.past_name('merchant', f.service_provider_id, f.merchant_id), '') as "merchantName",
  coalesce(s.short_name, app.past_name('store', f.service_provider_id, f.store_id), '') as "storeName",
  o.subject, o.paid_cents as "amountCents", ${friendPayStateAt(now)} as state, ${masked("f.orderer")} as orderer,
  ${masked("o.payer")} as payer, ${friendPayOpened} as opened, f.created_at as "createdAt", f.expires_at as "expiresAt", o.paid_at as "paidAt"`;

/** What a filter on links means, for the list, its sums, its statistics and its export alike. */
export function friendPaysWhere(scope: Scope, now: string, filter: Filter, leaveState = false): RawBuilder<boolean> {
  const { agentId, businessTeamId, ...levels } = filter;
  return all([
    inScope(scope, "f", "store"),
    narrowed(levels, "f"),
    // Attribution as it was at the order.
    narrowed({ agentId, businessTeamId }, "o"),
    filter.keyword ? sql`o.order_no = ${filter.keyword}` : during(filter, "f.created_at"),
    !leaveState && filter.state !== undefined && sql`${friendPayStateAt(now)} = ${filter.state}`,
  ]);
}
