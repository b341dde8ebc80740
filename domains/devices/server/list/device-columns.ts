import { sql, type RawBuilder } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { all, is, narrowed } from "@zhangfang/server/lists/conditions.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import type { getDevices, summariseDevices } from "../../contract/index.ts";

/** A device is offline after so long: three heartbeats missed (domain.md, Status values). */
export const OFFLINE_AFTER_MS = 180_000;
export type DeviceRow = RowOf<typeof getDevices>;

export const DEVICES_FROM = sql`devices d join stores s on s.service_provider_id = d.service_provider_id and s.id = d.store_id
  join merchants m on m.service_provider_id = d.service_provider_id and m.id = d.merchant_id join service_providers p on p.id = d.service_provider_id
  left join agents a on a.service_provider_id = m.service_provider_id and a.id = m.agent_id
  left join cashiers c on c.service_provider_id = d.service_provider_id and c.id = d.cashier_id`;
const lately = (now_ms: number) => sql`${new Date(now_ms - OFFLINE_AFTER_MS).toISOString()}::timestamptz`;
/** Whether a device is there, away, or was never seen: the one answer of the list, its counts and the home page. */
export const isOnline = (now_ms: number, online: 1 | 2 | 3): RawBuilder<boolean> =>
  online === 3
    ? sql<boolean>`d.last_seen_at is null`
    : online === 1
      ? sql<boolean>`d.last_seen_at >= ${lately(now_ms)}`
      : sql<boolean>`d.last_seen_at < ${lately(now_ms)}`;
/** The same as the code of `onlineState`. */
export const onlineCode = (now_ms: number) => sql`case when ${isOnline(now_ms, 3)} then 3 when ${isOnline(now_ms, 1)} then 1 else 2 end`;
/** That its store and merchant are open. */
export const atOpenStore = sql<boolean>`exists (select from stores s join merchants m on m.service_provider_id = s.service_provider_id and m.id = s.merchant_id
  where s.service_provider_id = d.service_provider_id and s.id = d.store_id and s.state = 'active' and m.state = 'active')`;
/** The row of the list from `DEVICES_FROM`. */
export const deviceColumns = (now_ms: number) => sql`
  d.id, d.id as device_id, 0 as item_type, d.id as item_id, d.sn, d.model, d.name, d.cashier_mode as "cashierMode", d.cashier_id as "cashierId", c.name as "cashierName",
  ${onlineCode(now_ms)} as online, d.last_seen_at as "lastSeenAt", d.version,
  d.storage_total_mb as "storageTotalMb", d.storage_free_mb as "storageFreeMb", d.state, d.store_id as "storeId", s.short_name as "storeName",
  m.short_name as "merchantName", a.name as "agentName", p.short_name as "providerName", d.created_at as "createdAt", d.revision`;
/** What is in use within the scope: a device in stock is no row of the list. */
export function devicesWhere(
  scope: Scope,
  now_ms: number,
  { keyword, model, online, cashierMode, state, place, agentId, ...levels }: ParsedOf<typeof summariseDevices>,
): RawBuilder<boolean> {
  const like = keyword && likeText(keyword);
  return all([
    sql`d.state in ('active', 'disabled')`,
    inScope(scope, "d", "store"),
    like && sql`d.sn ilike ${like} or d.name ilike ${like}`,
    is("d.model", model),
    online && isOnline(now_ms, online),
    is("d.cashier_mode", cashierMode),
    is("d.state", state),
    place && atOpenStore,
    narrowed(levels, "d"),
    agentId &&
      sql`d.merchant_id in (select x.id from merchants x where x.service_provider_id = d.service_provider_id and x.agent_id = ${agentId})`,
  ]);
}
