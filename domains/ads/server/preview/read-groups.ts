import { sql, type RawBuilder } from "kysely";
import type { Transaction } from "@zhangfang/server/db.ts";
import { inScope, type Scope } from "@zhangfang/server/scope.ts";
import { type ItemType, type NodeRef, type Own, PLATFORM_ID, resolve } from "../../../level-config/contract/index.ts";
import { AD_KEYS, settingsOf } from "../../contract/index.ts";
import type { Ad } from "../../contract/schedule.ts";
import { REGION_CODES, STORE_DIVISIONS } from "../schedule/ads-for-device.ts";
import type { Group } from "./week-rules.ts";

/** The keys that say when ads play; the others are the device's own business. */
const KEYS = AD_KEYS.filter(({ ckey }) => ["play", "from_hour", "to_hour", "most"].includes(ckey));
interface Standing extends Own {
  readonly item_type: ItemType;
}
interface GroupRead {
  readonly device: string | null;
  readonly store: string | null;
  readonly merchant: string | null;
  readonly provider: string | null;
  readonly model: string | null;
  readonly regions: readonly string[];
  readonly devices: number;
}

/**
 * The devices below an ad's targets, as many together as nothing tells apart: of a device's store, merchant, provider and itself
 * only those count that an ad names or that have a setting of their own, of models and regions only those that an ad asks for.
 * One statement for however many devices.
 * @param ads the ad itself first, then its rivals
 */
export async function readGroups(tx: Transaction, scope: Scope, ad: Ad, rivals: readonly Ad[]): Promise<Group[]> {
  const { rows: standing } = await sql<Standing>`select item_type, item_id, ckey, value from config_overrides
    where namespace = 'ad' and ckey = any(${KEYS.map(({ ckey }) => ckey)})
      and (item_id = ${PLATFORM_ID} ${scope.provider === undefined ? sql`or true` : sql`or service_provider_id = ${scope.provider}`})`.execute(
    tx,
  );
  const all = [ad, ...rivals];
  const nodes = [...standing, ...all.flatMap(({ targets }) => targets)];
  const at = (type: ItemType): RawBuilder<string[]> => ids(nodes, type);
  const regions = [...new Set(all.flatMap((one) => one.regions))];
  const own = (type: ItemType) => ids(ad.targets, type);
  const everywhere = ad.targets.some(({ item_type }) => item_type === 4);
  const { rows } = await sql<GroupRead>`
    select case when d.id = any(${at(0)}) then d.id end as device, case when d.store_id = any(${at(1)}) then d.store_id end as store,
      case when d.merchant_id = any(${at(2)}) then d.merchant_id end as merchant, case when d.service_provider_id = any(${at(3)}) then d.service_provider_id end as provider,
      d.model, ${regions.length > 0 ? sql`array(select code from unnest(${REGION_CODES}) code where code = any(${regions}::text[]))` : sql`'{}'::text[]`} as regions,
      count(*)::int as devices
    from devices d ${regions.length > 0 ? sql`join stores s on s.service_provider_id = d.service_provider_id and s.id = d.store_id ${STORE_DIVISIONS}` : sql``}
    where d.state = 'active' and ${inScope(scope, "d", "store")} ${ad.models.length > 0 ? sql`and d.model = any(${[...ad.models]}::text[])` : sql``}
      ${everywhere ? sql`` : sql`and (d.service_provider_id = any(${own(3)}) or d.merchant_id = any(${own(2)}) or d.store_id = any(${own(1)}) or d.id = any(${own(0)}))`}
    group by 1, 2, 3, 4, 5, 6`.execute(tx);
  const values = Map.groupBy(standing, ({ item_id }) => item_id);
  return rows.map(({ device, store, merchant, provider, model, regions: codes, devices }) => {
    const chain: NodeRef[] = [
      { item_type: 0, item_id: device ?? "" },
      { item_type: 1, item_id: store ?? "" },
      { item_type: 2, item_id: merchant ?? "" },
      { item_type: 3, item_id: provider ?? "" },
      { item_type: 4, item_id: PLATFORM_ID },
    ];
    const held = resolve(
      KEYS,
      chain,
      chain.flatMap(({ item_id }) => values.get(item_id) ?? []),
    );
    const settings = settingsOf(Object.fromEntries(held.map(({ ckey, value }) => [ckey, value])));
    return { place: { chain, model: model ?? "", regions: codes }, settings, devices };
  });
}
const ids = (nodes: readonly NodeRef[], type: ItemType): RawBuilder<string[]> => {
  const found = new Set(nodes.flatMap(({ item_type, item_id }) => (item_type === type ? [item_id] : [])));
  return sql<string[]>`${`{${[...found].join(",")}}`}::uuid[]`;
};
