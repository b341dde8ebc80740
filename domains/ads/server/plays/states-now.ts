import { sql, type RawBuilder } from "kysely";
import { shanghaiDay, shanghaiTime } from "@zhangfang/contract/time.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { firstFence, type Scope } from "@zhangfang/server/database/scope.ts";
import { type ItemType, PLATFORM_ID } from "../../../level-config/contract/index.ts";
import { type Ad, reachOf, slotsOf, type WhyNot } from "../../contract/schedule.ts";
import { groupDevices, type Grouping } from "../preview/read-groups.ts";
import { adColumns, type KnownAd } from "../schedule/ads-for-device.ts";

/** Whether an ad plays on the devices of a group at this minute, and why not. */
export interface StateNow {
  readonly by: ItemType;
  readonly why: WhyNot | null;
  readonly devices: number;
}
export interface StatesNow extends Pick<Grouping, "key" | "below" | "joined"> {
  /** Of the groups that the ad reaches, by their keys. */
  readonly states: ReadonlyMap<string, StateNow>;
}

/** Ads that a caller may look at: its own, and the platform's, which play with it. */
export function adsInSight(scope: Scope, alias: string): RawBuilder<boolean> {
  if (!firstFence.on || scope.level === "PLATFORM" || scope.level === "ADMIN") return sql<boolean>`true`;
  return scope.level === "SP"
    ? sql<boolean>`${sql.ref(`${alias}.owner_id`)} in (${PLATFORM_ID}, ${scope.provider ?? null})`
    : sql<boolean>`false`;
}

/**
 * What an ad does at this minute on every device that it reaches: the schedule is asked once for each group of devices that
 * nothing tells apart, however many there are.
 * @returns undefined where there is no such ad in sight
 */
export async function statesNow(tx: Transaction, scope: Scope, ad_id: string, now_ms: number): Promise<StatesNow | undefined> {
  const [day, time] = [shanghaiDay(now_ms), shanghaiTime(now_ms)];
  const minute = Number(time.slice(11, 13)) * 60 + Number(time.slice(14, 16));
  const own =
    scope.provider === undefined
      ? sql<boolean>`true`
      : sql<boolean>`(t.service_provider_id is null or t.service_provider_id = ${scope.provider})`;
  const { rows } = await sql<KnownAd>`select ${adColumns(own)} from ads a
    where ${adsInSight(scope, "a")} and a.removed_at is null and (a.id = ${ad_id} or (a.status = 1 and a.starts_on <= ${day} and a.ends_on >= ${day})) order by a.id`.execute(
    tx,
  );
  const ad = rows.find(({ id }) => id === ad_id);
  if (!ad) return undefined;
  const rivals = rows.filter((one) => one !== ad);
  const { groups, ...grouping } = await groupDevices(tx, scope, ad, rivals);
  return { ...grouping, states: new Map(statesOf(ad, rivals, groups, { day, minute })) };
}

function* statesOf(
  ad: Ad,
  rivals: readonly Ad[],
  groups: Grouping["groups"],
  { day, minute }: { readonly day: string; readonly minute: number },
): Iterable<[string, StateNow]> {
  const byNode = Map.groupBy(
    rivals.flatMap((rival) => rival.targets.map(({ item_id }) => ({ item_id, rival }))),
    ({ item_id }) => item_id,
  );
  const known = new Map<string, WhyNot | null>();
  for (const { key, place, settings, devices } of groups) {
    const reach = reachOf(ad, place);
    if ("not" in reach) continue;
    const near = new Set(place.chain.flatMap(({ item_id }) => byNode.get(item_id) ?? []).map(({ rival }) => rival));
    const meeting = [...near].filter((rival) => "by" in reachOf(rival, place)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const name = JSON.stringify([settings, meeting.map(({ id }) => id)]);
    let why = known.get(name);
    if (why === undefined) {
      const slot = slotsOf([ad, ...meeting], place, settings, { from: day, count: 1 }).find(
        ({ from, to }) => from <= minute && minute < to,
      );
      why = slot?.not.find(({ id }) => id === ad.id)?.why ?? null;
      known.set(name, why);
    }
    yield [key, { by: reach.by.item_type, why, devices }];
  }
}
