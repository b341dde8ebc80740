import { sql, type RawBuilder } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
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

/** Devices `d` in groups. */
export interface Grouping {
  readonly groups: readonly (Group & { readonly key: string })[];
  /** The key of the group that a device is in, as far as it lies `below`. */
  readonly key: RawBuilder<string>;
  /** Whether a device in use within the scope lies below the ad's targets and is of its models; its region is looked at group by group. */
  readonly below: RawBuilder<boolean>;
  /** What `key` needs joined to `d`; it names the store `s`. */
  readonly joined: RawBuilder<unknown>;
}

/**
 * The devices below an ad's targets, as many together as nothing tells apart: of a device's store, merchant, provider and itself
 * only those count that an ad names or that have a setting of their own, of models and regions only those that an ad asks for.
 * One statement for however many devices.
 * @param ads the ad itself first, then its rivals
 */
export async function readGroups(tx: Transaction, scope: Scope, ad: Ad, rivals: readonly Ad[]): Promise<readonly Group[]> {
  return (await groupDevices(tx, scope, ad, rivals)).groups;
}
/** The same, with how a statement finds the group of each device. */
export async function groupDevices(tx: Transaction, scope: Scope, ad: Ad, rivals: readonly Ad[]): Promise<Grouping> {
  const { rows: standing } = await sql<Standing>`select item_type, item_id, ckey, value from config_overrides
    where namespace = 'ad' and ckey = any(${KEYS.map(({ ckey }) => ckey)})
      and (item_id = ${PLATFORM_ID} ${scope.provider === undefined ? sql`or true` : sql`or service_provider_id = ${scope.provider}`})`.execute(
    tx,
  );
  const all = [ad, ...rivals];
  const nodes = [...standing, ...all.flatMap(({ targets }) => targets)];
  const [device, store, merchant, provider] = ([0, 1, 2, 3] as const).map((type) => {
    const id = sql.ref(["d.id", "d.store_id", "d.merchant_id", "d.service_provider_id"][type] ?? "");
    return sql`case when ${id} = any(${ids(nodes, type)}) then ${id} end`;
  });
  const asked = [...new Set(all.flatMap((one) => one.regions))];
  const regions =
    asked.length > 0 ? sql`array(select code from unnest(${REGION_CODES}) code where code = any(${asked}::text[]))` : sql`'{}'::text[]`;
  const grouping = { below: belowTargets(scope, ad), joined: asked.length > 0 ? STORE_DIVISIONS : sql`` };
  // Counted by store first: a hundred thousand devices stand in some thousand stores, and only those are looked at for the rest.
  const { rows } = await sql<GroupRead>`
    select d.device, ${store} as store, ${merchant} as merchant, ${provider} as provider, d.model, ${regions} as regions, sum(d.devices)::int as devices
    from (select ${device} as device, d.service_provider_id, d.merchant_id, d.store_id, d.model, count(*) as devices from devices d
        where ${grouping.below} group by 1, 2, 3, 4, 5) d
      ${asked.length > 0 ? sql`join stores s on s.service_provider_id = d.service_provider_id and s.id = d.store_id ${STORE_DIVISIONS}` : sql``}
    group by 1, 2, 3, 4, 5, 6`.execute(tx);
  const values = Map.groupBy(standing, ({ item_id }) => item_id);
  return {
    ...grouping,
    key: sql<string>`concat(${device}, '|', ${store}, '|', ${merchant}, '|', ${provider}, '|', d.model, '|', array_to_string(${regions}, ','))`,
    groups: rows.map((row) => groupOf(row, values)),
  };
}

function groupOf(
  { device, store, merchant, provider, model, regions, devices }: GroupRead,
  values: ReadonlyMap<string, readonly Standing[]>,
): Grouping["groups"][number] {
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
  const key = [device, store, merchant, provider, model, regions.join(",")].map((part) => part ?? "").join("|");
  return { key, place: { chain, model: model ?? "", regions }, settings, devices };
}

function belowTargets(scope: Scope, ad: Ad): RawBuilder<boolean> {
  const own = (type: ItemType) => ids(ad.targets, type);
  return sql<boolean>`d.state = 'active' and ${inScope(scope, "d", "store")} ${ad.models.length > 0 ? sql`and d.model = any(${[...ad.models]}::text[])` : sql``}
    ${
      ad.targets.some(({ item_type }) => item_type === 4)
        ? sql``
        : sql`and (d.service_provider_id = any(${own(3)}) or d.merchant_id = any(${own(2)}) or d.store_id = any(${own(1)}) or d.id = any(${own(0)}))`
    }`;
}
const ids = (nodes: readonly NodeRef[], type: ItemType): RawBuilder<string[]> => {
  const found = new Set(nodes.flatMap(({ item_type, item_id }) => (item_type === type ? [item_id] : [])));
  return sql<string[]>`${`{${[...found].join(",")}}`}::uuid[]`;
};
