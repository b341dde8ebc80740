import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { TakeawayPlatform } from "../../contract/index.ts";
import type { TakeawayOrder } from "../platforms/door.ts";

/** Whose order it is, and at which platform. */
export interface OrderOf {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly platform: TakeawayPlatform;
}
/** How 其他门店 calls the platform; undefined where it has no stores of it. */
export const storePlatformOf = (platform: TakeawayPlatform): "ele" | "meituan" | undefined =>
  platform === "ele" ? "ele" : platform === "meituan-wm" ? "meituan" : undefined;

/**
 * Keeps what is told of an order. News that comes late takes nothing back (platforms.md 3): cancelled counts over completed over running, and
 * of two of the same the later by the platform's own time. What an interface tells counts over a sheet of the same state, and a sheet changes
 * nothing that an interface told. Its store is the one that the platform's was mapped to on the day of the order, and stays, whatever is mapped afterwards.
 * @param given.store_id where a sheet names the store itself; else it is looked up among 其他门店
 * @param given.mends a person says that the sheet's 已取消 was wrong: it alone leads back to completed
 * @returns its id, and whether anything changed
 */
export async function keepOrder(
  tx: Transaction,
  services: Services,
  of: OrderOf,
  given: TakeawayOrder & { readonly source: "platform" | "sheet"; readonly store_id?: string | null; readonly mends?: boolean },
): Promise<{ readonly id: string; readonly changed: boolean }> {
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const { store_id = await mappedStore(tx, of, given), mends = false, lines, ...order } = given;
  const row = { ...order, lines: JSON.stringify(lines), updated_at: now };
  const kept = await tx
    .insertInto("takeaway_orders")
    .values({ ...of, ...row, store_id, id: services.ids.uuid(now_ms), created_at: now })
    .onConflict((twice) =>
      twice
        .columns(["service_provider_id", "merchant_id", "platform", "platform_order_id"])
        .doUpdateSet({
          ...row,
          store_id: sql`coalesce(takeaway_orders.store_id, excluded.store_id)`,
          // The day that it was completed on is the first that an interface told: a refund later moves it to no other.
          completed_at: sql`case when excluded.status = 2 and excluded.source = 'platform' and takeaway_orders.source = 'platform'
            then coalesce(takeaway_orders.completed_at, excluded.completed_at) else excluded.completed_at end`,
        })
        .where(
          sql<boolean>`case when excluded.source = takeaway_orders.source
            then (excluded.status, excluded.changed_at) >= (takeaway_orders.status, takeaway_orders.changed_at)
              or ${mends}::boolean and excluded.source = 'sheet' and takeaway_orders.status = 3
            else excluded.source = 'platform' and excluded.status >= takeaway_orders.status end`,
        ),
    )
    .returning("id")
    .executeTakeFirst();
  if (kept) return { id: kept.id, changed: true };
  const known = await tx
    .selectFrom("takeaway_orders")
    .select("id")
    .where("service_provider_id", "=", of.service_provider_id)
    .where("merchant_id", "=", of.merchant_id)
    .where("platform", "=", of.platform)
    .where("platform_order_id", "=", given.platform_order_id)
    .executeTakeFirstOrThrow();
  return { id: known.id, changed: false };
}

async function mappedStore(
  tx: Transaction,
  { service_provider_id, merchant_id, platform }: OrderOf,
  { platform_store_id: shop, placed_at }: Pick<TakeawayOrder, "platform_store_id" | "placed_at">,
): Promise<string | null> {
  const known = storePlatformOf(platform);
  if (known === undefined || shop === "") return null;
  const { rows } = await sql<{
    store: string | null;
  }>`select app.mapped_store(${service_provider_id}, ${merchant_id}, ${known}, ${shop}, ${shanghaiDay(placed_at)}::date) as store`.execute(
    tx,
  );
  return rows[0]?.store ?? null;
}

const MAPPED_AT_ONCE = 1_000;
/** Orders that came before their platform's store was mapped stand under its store from then on; each once, the newest thousand first. */
export async function mapOrders(tx: Transaction, now: string): Promise<void> {
  await sql`update takeaway_orders o set store_id = w.store, updated_at = ${now} from (
      select u.service_provider_id, u.id, w.store from takeaway_orders u
      join other_stores s on s.service_provider_id = u.service_provider_id and s.merchant_id = u.merchant_id
        and s.platform = case u.platform when 'meituan-wm' then 'meituan' else u.platform end
        and s.platform_store_id = u.platform_store_id and s.mapped_store_id is not null
      cross join lateral app.mapped_store(s.service_provider_id, s.merchant_id, s.platform, s.platform_store_id,
        (u.placed_at at time zone 'Asia/Shanghai')::date) w(store)
      where u.store_id is null and w.store is not null and u.platform in ('ele', 'meituan-wm') and u.platform_store_id <> ''
      order by u.placed_at desc limit ${MAPPED_AT_ONCE}) w
    where o.service_provider_id = w.service_provider_id and o.id = w.id and o.store_id is null`.execute(tx);
}
