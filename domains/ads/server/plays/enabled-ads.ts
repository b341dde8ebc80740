import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { DAYS_AHEAD, LATE_DAYS } from "../../contract/device-side.ts";
import type { AdPlace } from "../../contract/schedule.ts";
import { chainOfPlace, REGION_CODES, STORE_DIVISIONS } from "../schedule/ads-for-device.ts";
import type { Enabled, Stay } from "./play-rules.ts";

interface Read extends Enabled, Pick<AdPlace, "model" | "regions"> {
  readonly ad_id: string;
  readonly adModels: readonly string[];
  readonly adRegions: readonly string[];
  readonly placed_at: string | null;
}
interface Known {
  readonly place: AdPlace;
  /** Since when the device stands there, where that is known. */
  readonly since: string | null;
  readonly of: ReadonlyMap<string, readonly Enabled[]>;
}

/** What some ads are and were while they were enabled, as far back as a play may be told of, for a device where it stands or stood. */
export async function enabledAds(
  tx: Transaction,
  provider: string,
  { device_id, merchant_id, store_id, since: stoodSince, until }: Stay,
  ads: readonly string[],
  now_ms: number,
): Promise<Known | undefined> {
  const ids = `{${ads.join(",")}}`;
  const since = new Date(now_ms - (LATE_DAYS + DAYS_AHEAD) * 86_400_000).toISOString();
  const { rows } = await sql<Read>`
    select v.*, d.model, d.placed_at, ${REGION_CODES} as regions
    from (select a.id as ad_id, a.enabled_at as since, null::timestamptz as until, a.starts_on as "startsOn", a.ends_on as "endsOn", a.weekdays, a.periods,
          a.models as "adModels", a.regions as "adRegions",
          coalesce((select jsonb_agg(jsonb_build_object('item_type', t.item_type, 'item_id', t.item_id)) from ad_targets t where t.ad_id = a.id), '[]') as targets,
          array(select i.material_id from ad_items i where i.ad_id = a.id) as materials
        from ads a where a.id = any(${ids}::uuid[]) and a.status = 1
      union all
      select p.ad_id, p.since, p.until, p.starts_on, p.ends_on, p.weekdays, p.periods, p.models, p.regions, p.targets, p.materials
        from ads_past p where p.ad_id = any(${ids}::uuid[]) and p.until > ${since}::timestamptz) v
    cross join devices d join stores s on s.service_provider_id = d.service_provider_id and s.id = ${store_id} ${STORE_DIVISIONS}
    where d.service_provider_id = ${provider} and d.id = ${device_id}`.execute(tx);
  const [first] = rows;
  if (!first) return undefined;
  const chain = chainOfPlace({ id: device_id, store_id, merchant_id, service_provider_id: provider });
  const all = rows.map(({ adModels: models, adRegions: regions, ...row }) => ({ ...row, models, regions }));
  return {
    place: { chain, model: first.model, regions: first.regions },
    since: until === null ? first.placed_at : stoodSince,
    of: Map.groupBy(all, ({ ad_id }) => ad_id),
  };
}
