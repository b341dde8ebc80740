import { sql, type RawBuilder } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { shanghaiDay, shanghaiTime } from "@zhangfang/contract/time.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { firstFence, type Scope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { PLATFORM_ID } from "../../../level-config/contract/index.ts";
import type { getAds, summariseAds } from "../../contract/index.ts";
import { inPeriod } from "../../contract/schedule.ts";
import { materialLink } from "../materials/file-link.ts";

/** Whose ads a caller manages: the platform all, a provider its own. The platform's play below, and are no provider's to manage. */
export function ownedInScope(scope: Scope, alias: string): RawBuilder<boolean> {
  if (scope.level === "PLATFORM" || scope.level === "ADMIN") return sql<boolean>`true`;
  if (scope.level !== "SP") return sql<boolean>`false`;
  const owner = sql.ref(`${alias}.owner_id`);
  return firstFence.on ? sql<boolean>`${owner} = ${scope.provider ?? null}` : sql<boolean>`${owner} <> ${PLATFORM_ID}`;
}

/** The Shanghai day and minute of a moment. */
export function minuteOf(now_ms: number): { readonly day: string; readonly minute: number } {
  const time = shanghaiTime(now_ms);
  return { day: shanghaiDay(now_ms), minute: Number(time.slice(11, 13)) * 60 + Number(time.slice(14, 16)) };
}

type Row = RowOf<typeof getAds>;
interface ItemRead {
  readonly material_id: string;
  readonly name: string;
  readonly kind: 1 | 2;
  readonly status: number;
  readonly sha256: string;
  readonly seconds: number | null;
  readonly duration_ms: number | null;
  readonly thumb: boolean;
}
export interface AdRead extends Omit<Row, "materials" | "play_period" | "blocked" | "material_id"> {
  readonly items: readonly ItemRead[];
}

export const ADS_FROM = sql`ads a left join service_providers p on p.id = a.service_provider_id`;
/** The targets of the ad `a` with their names: the highest first. */
export const targetsNamed = (limit?: number) => sql`
  coalesce((select jsonb_agg(jsonb_build_object('item_type', n.item_type, 'item_id', n.item_id, 'item_name', n.item_name) order by n.item_type desc, n.item_name) from (
    select t.item_type, t.item_id, coalesce(d.name || ' ' || d.sn, s.short_name, m.short_name, q.short_name, '平台') as item_name
    from ad_targets t left join devices d on t.item_type = 0 and d.service_provider_id = t.service_provider_id and d.id = t.item_id
      left join stores s on t.item_type = 1 and s.service_provider_id = t.service_provider_id and s.id = t.item_id
      left join merchants m on t.item_type = 2 and m.service_provider_id = t.service_provider_id and m.id = t.item_id
      left join service_providers q on t.item_type = 3 and q.id = t.item_id
    where t.ad_id = a.id order by t.item_type desc, item_name ${limit === undefined ? sql`` : sql`limit ${sql.lit(limit)}`}) n), '[]')`;
/** The row of the list from `ADS_FROM`. @param targets how many are named at most */
export const adColumns = (targets?: number) => sql`
  a.id, a.id as ad_id, a.name, a.starts_on, a.ends_on, a.weekdays, a.periods, a.models, a.regions, a.priority, a.weight, a.status, a.service_provider_id,
  coalesce(p.short_name, '平台') as owner_name, a.revision, a.created_by, a.updated_by, a.created_at, a.updated_at,
  (select count(*)::int from ad_targets t where t.ad_id = a.id) as target_count, ${targetsNamed(targets)} as targets,
  coalesce((select jsonb_agg(jsonb_build_object('material_id', m.id, 'name', m.name, 'kind', m.kind, 'status', case when m.removed_at is null then m.status else 3 end,
      'sha256', m.sha256, 'seconds', i.seconds, 'duration_ms', m.duration_ms, 'thumb', m.thumb_key is not null) order by i.place)
    from ad_items i join ad_materials m on m.owner_id = i.owner_id and m.id = i.material_id where i.ad_id = a.id), '[]') as items`;

/** The same as `periodOf`, where only the database can choose among all rows. */
function inPeriodNow(now_ms: number): RawBuilder<boolean> {
  const { day, minute } = minuteOf(now_ms);
  return sql<boolean>`(a.starts_on <= ${day}::date and a.ends_on >= ${day}::date and extract(isodow from ${day}::date)::smallint = any(a.weekdays)
    and exists (select 1 from jsonb_array_elements(a.periods) p where (p ->> 0)::int <= ${minute} and ${minute} < (p ->> 1)::int))`;
}
export function adsWhere(
  scope: Scope,
  { keyword, status, material_id, priority, play_period, from, to, serviceProviderId }: ParsedOf<typeof summariseAds>,
  now_ms: number,
): RawBuilder<boolean> {
  return all([
    sql`a.removed_at is null`,
    ownedInScope(scope, "a"),
    keyword && sql`a.name ilike ${likeText(keyword)}`,
    is("a.status", status),
    is("a.priority", priority),
    play_period !== undefined && sql`${inPeriodNow(now_ms)} = ${play_period === 1}`,
    from && sql`a.ends_on >= ${from}::date`,
    to && sql`a.starts_on <= ${to}::date`,
    is("a.owner_id", serviceProviderId),
    material_id && sql`exists (select 1 from ad_items x where x.ad_id = a.id and x.material_id = ${material_id})`,
  ]);
}
/** Whether an ad is in its period at a moment: the one flag of lists, details and sums. */
export const periodOf = (ad: Pick<AdRead, "starts_on" | "ends_on" | "weekdays" | "periods">, now_ms: number): 0 | 1 => {
  const { day, minute } = minuteOf(now_ms);
  return inPeriod({ startsOn: ad.starts_on, endsOn: ad.ends_on, weekdays: ad.weekdays, periods: ad.periods }, day, minute);
};

const AUDIT_WORDS: Readonly<Record<number, string>> = { 0: "还没有审核", 2: "审核结果不确定", 3: "已拒绝或已删除" };
/** Why an ad can't be enabled, in words; null where it can. */
export function blockedBy({ items, ends_on }: Pick<AdRead, "items" | "ends_on">, now_ms: number): string | null {
  const wrong = items.find(({ status }) => status !== 1);
  if (items.length === 0) return "没有素材";
  if (wrong) return `素材「${wrong.name}」${AUDIT_WORDS[wrong.status] ?? "没有通过审核"}`;
  return ends_on < shanghaiDay(now_ms) ? `已过结束日期 ${ends_on}` : null;
}

/** Where a material is seen small: a picture without one of its own is shown whole. */
export function thumbOf(
  services: Pick<Services, "config">,
  { kind, thumb, ...of }: { readonly id: string; readonly sha256: string; readonly kind: 1 | 2; readonly thumb: boolean },
): string | null {
  return thumb ? materialLink(services, of, "thumb") : kind === 1 ? materialLink(services, of) : null;
}

/** An ad as it is answered. */
export function shownAd(services: Pick<Services, "config">, { items, ...ad }: AdRead, now_ms: number): Row {
  return {
    ...ad,
    material_id: items[0]?.material_id ?? null,
    materials: items.map(({ sha256, thumb, ...item }) => {
      const of = { id: item.material_id, sha256 };
      return { ...item, thumb_url: thumbOf(services, { ...of, kind: item.kind, thumb }), url: materialLink(services, of) };
    }),
    play_period: periodOf(ad, now_ms),
    blocked: blockedBy({ items, ends_on: ad.ends_on }, now_ms),
  };
}
/** The owner of what a caller makes: a provider, or the platform. */
export const ownerOf = (scope: Scope): string => (scope.level === "SP" ? (scope.provider ?? PLATFORM_ID) : PLATFORM_ID);
