import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** Whose stores a platform told. */
export interface StoresOf {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly platform: "dy" | "ks";
}
/** A store as its platform tells of it. */
export interface SeenStore {
  readonly poiId: string;
  readonly name: string;
  /** Where it stands, as far as the platform says. */
  readonly address?: string;
  readonly place?: { readonly latitude: number; readonly longitude: number };
}
/** 其他门店 that a platform itself names: new ones wait for a mapping, known ones get their name and place; no mapping changes. */
export async function seenStores(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, platform }: StoresOf,
  stores: readonly SeenStore[],
): Promise<void> {
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  for (const { poiId, name, address = "", place } of stores)
    await sql`insert into other_stores as o (service_provider_id, id, merchant_id, platform, platform_store_id, name, address, latitude, longitude, updated_at)
      values (${service_provider_id}, ${services.ids.uuid(now_ms)}, ${merchant_id}, ${platform}, ${poiId}, ${name.slice(0, 64) || poiId}, ${address.slice(0, 128)},
        ${place?.latitude ?? null}, ${place?.longitude ?? null}, ${now})
      on conflict (service_provider_id, merchant_id, platform, platform_store_id) do update set name = excluded.name, address = excluded.address,
        latitude = excluded.latitude, longitude = excluded.longitude, updated_at = excluded.updated_at
      where (o.name, o.address, o.latitude, o.longitude) is distinct from (excluded.name, excluded.address, excluded.latitude, excluded.longitude)`.execute(
      tx,
    );
}
