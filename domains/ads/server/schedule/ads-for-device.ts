import { sql, type RawBuilder } from "kysely";
import { addDays } from "@zhangfang/contract/time.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Versions } from "@zhangfang/server/database/waiting.ts";
import { type ConfigValue, type NodeRef, PLATFORM_ID } from "../../../level-config/contract/index.ts";
import { configOfDevice, type DevicePlace, versionsFor } from "../../../level-config/server/index.ts";
import { AD_KEYS, settingsOf } from "../../contract/config-keys.ts";
import type { Ad, AdItem, AdPlace, AdSettings } from "../../contract/schedule.ts";

/** A device as far as ads ask: where it stands, what it is, and the codes of its store's province, city and district. */
export interface AdDevice extends DevicePlace {
  readonly model: string;
  readonly regions: readonly string[];
}
/** An ad with what is said of it where it plays. */
export interface KnownAd extends Ad {
  readonly name: string;
  /** Whose it is: 4 the platform's, 3 a provider's (spec.md section 3). */
  readonly ownerType: 3 | 4;
  readonly items: readonly KnownItem[];
}
export interface KnownItem extends AdItem {
  readonly name: string;
  /** 1 图片, 2 视频 */
  readonly kind: 1 | 2;
  readonly sha256: string;
  readonly size_bytes: number;
  /** A video's length. */
  readonly duration_ms: number | null;
  /** Whether there is a small picture of it. */
  readonly thumb: boolean;
  /** A picture's own time on the screen; without one as the ad configuration says. */
  readonly seconds: number | null;
}

/** Ads that ended longer ago than this are history, and no answer to why one does not play. */
const ENDED_DAYS = 30;

/** The divisions `ap`, `ac` and `at` of the store `s`: stores hold names, ads hold codes. */
export const STORE_DIVISIONS = sql`left join divisions ap on ap.parent_code is null and ap.name = s.province
  left join divisions ac on ac.parent_code = ap.code and ac.name = s.city left join divisions at on at.parent_code = ac.code and at.name = s.district`;
export const REGION_CODES: RawBuilder<string[]> = sql`array_remove(array[ap.code, ac.code, at.code], null)`;

/** The nodes that a device lies in, itself first, the platform last. */
export const chainOfPlace = (place: DevicePlace): NodeRef[] => [
  { item_type: 0, item_id: place.id },
  { item_type: 1, item_id: place.store_id },
  { item_type: 2, item_id: place.merchant_id },
  { item_type: 3, item_id: place.service_provider_id },
  { item_type: 4, item_id: PLATFORM_ID },
];

/** The row of a `KnownAd` from ads `a`; of its targets those that `among` leaves of `t`. */
export const adColumns = (among: RawBuilder<boolean>) => sql`
  a.id, a.name, case when a.service_provider_id is null then 4 else 3 end as "ownerType", a.status, a.starts_on as "startsOn", a.ends_on as "endsOn",
  a.weekdays, a.periods, a.priority, a.weight, a.models, a.regions,
  coalesce((select jsonb_agg(jsonb_build_object('item_type', t.item_type, 'item_id', t.item_id)) from ad_targets t where t.ad_id = a.id and ${among}), '[]') as targets,
  coalesce((select jsonb_agg(jsonb_build_object('materialId', m.id, 'audit', case when m.removed_at is null then m.status else 3 end, 'name', m.name, 'kind', m.kind,
      'sha256', m.sha256, 'size_bytes', m.size_bytes, 'duration_ms', m.duration_ms, 'thumb', m.thumb_key is not null, 'seconds', i.seconds) order by i.place)
    from ad_items i join ad_materials m on m.owner_id = i.owner_id and m.id = i.material_id where i.ad_id = a.id), '[]') as items`;

/**
 * What the schedule of one device is made of: every ad that one of its nodes is a target of, also those that are paused or kept
 * away by model or region, so that it can be said why.
 * @param from the first Shanghai day that is asked for
 * @returns `known` are the versions to wait on, read before the rest: nobody misses a change
 */
export async function adsForDevice(
  tx: Transaction,
  device: AdDevice,
  from: string,
): Promise<{
  readonly ads: readonly KnownAd[];
  readonly place: AdPlace;
  readonly settings: AdSettings;
  readonly values: Readonly<Record<string, ConfigValue>>;
  readonly known: Versions;
}> {
  const known = await versionsFor(tx, "ad", device);
  const { values } = await configOfDevice(tx, { namespace: "ad", keys: AD_KEYS }, device);
  const chain = chainOfPlace(device);
  const nodes = sql`any(${`{${chain.map(({ item_id }) => item_id).join(",")}}`}::uuid[])`;
  const { rows: ads } = await sql<KnownAd>`
    select ${adColumns(sql<boolean>`t.item_id = ${nodes}`)} from ads a
    where a.id in (select x.ad_id from ad_targets x where x.item_id = ${nodes}) and a.owner_id in (${PLATFORM_ID}, ${device.service_provider_id})
      and a.removed_at is null and a.ends_on >= ${addDays(from, -ENDED_DAYS)} order by a.id`.execute(tx);
  const { model, regions } = device;
  return { ads, place: { chain, model, regions }, settings: settingsOf(values), values, known };
}
