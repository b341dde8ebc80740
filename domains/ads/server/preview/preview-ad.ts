import { sql, type RawBuilder } from "kysely";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { PLATFORM_ID } from "../../../level-config/contract/index.ts";
import { nodesOf } from "../../../level-config/server/index.ts";
import { previewAd } from "../../contract/index.ts";
import type { Ad } from "../../contract/schedule.ts";
import { ownerOf } from "../ads/ad-rows.ts";
import { adOf } from "../ads/read-ads.ts";
import { adColumns, type KnownAd } from "../schedule/ads-for-device.ts";
import { readGroups } from "./read-groups.ts";
import { type Week, weekOf } from "./week-rules.ts";

const DAYS = 7;
/** So many of those that it meets are named. */
const NAMED = 50;
type Rival = KnownAd & { readonly owner_name: string };

/** 预览: whom an ad reaches, and how its week meets the others', before it is saved or as it stands. */
export const previewAdRoute = implement(previewAd, async (ctx, input) => {
  const ad = await draftOf(ctx, input);
  const today = shanghaiDay(ctx.now_ms);
  const days = { from: ad.startsOn > today ? ad.startsOn : today, count: DAYS };
  const rivals = await rivalsOf(ctx, ad, addDays(days.from, DAYS - 1));
  const week = weekOf(ad, rivals, await readGroups(ctx.tx, ctx.scope, ad, rivals), days);
  return {
    devices: week.devices,
    by_level: [...week.byLevel].map(([item_type, devices]) => ({ item_type, devices })).toSorted((a, b) => a.item_type - b.item_type),
    by_model: [...week.byModel].map(([model, devices]) => ({ model, devices })).toSorted((a, b) => b.devices - a.devices),
    off: week.off,
    from: days.from,
    cells: cellsOf(week),
    conflicts: week.conflicts
      .toSorted((a, b) => b.devices - a.devices || b.deviceMinutes - a.deviceMinutes || (a.ad < b.ad ? -1 : 1))
      .slice(0, NAMED)
      .flatMap(({ ad: id, kind, devices, deviceMinutes }) => {
        const rival = rivals.find((one) => one.id === id);
        if (!rival) return [];
        const { name, owner_name, priority } = rival;
        return [{ ad_id: id, name, owner_name, priority, kind, devices, minutes: Math.round(deviceMinutes / devices) }];
      }),
  };
});

/** The ad as it would play: enabled, with what it shows approved. */
async function draftOf(ctx: Ctx, { ad_id, ...named }: ParsedOf<typeof previewAd>): Promise<Ad> {
  const saved = ad_id === undefined ? undefined : await adOf(ctx, ad_id);
  const { starts_on, ends_on, weekdays, periods, targets } = { ...saved, ...named };
  if (!starts_on || !ends_on || !weekdays || !periods || !targets) throw invalid("targets", "请先填写日期、时段和投放范围");
  // What is named anew must be in sight; what it has already may have left.
  if (named.targets) {
    const kept = new Set(saved?.targets.map(({ item_id }) => item_id));
    await nodesOf(
      ctx,
      named.targets.filter(({ item_id }) => !kept.has(item_id)),
    );
  }
  return {
    id: ad_id ?? "",
    status: 1,
    startsOn: starts_on,
    endsOn: ends_on,
    weekdays,
    periods,
    targets: targets as Ad["targets"],
    models: named.models ?? saved?.models ?? [],
    regions: named.regions ?? saved?.regions ?? [],
    priority: named.priority ?? saved?.priority ?? 3,
    weight: named.weight ?? saved?.weight ?? 1,
    items: [{ materialId: "", audit: 1 }],
  };
}

/** Every other ad that is enabled in these days and may play on the same devices: the platform's and those of the caller's own tree. */
async function rivalsOf(ctx: Ctx, ad: Ad, until: string): Promise<readonly Rival[]> {
  const { rows } = await sql<Rival>`select ${adColumns(rivalTargets(ctx.scope))}, coalesce(p.short_name, '平台') as owner_name
    from ads a left join service_providers p on p.id = a.service_provider_id
    where a.status = 1 and a.removed_at is null and a.id::text <> ${ad.id} and a.starts_on <= least(${until}::date, ${ad.endsOn}::date) and a.ends_on >= ${ad.startsOn}::date
      and ${ownerOf(ctx.scope) === PLATFORM_ID ? sql<boolean>`true` : sql<boolean>`a.owner_id in (${PLATFORM_ID}, ${ownerOf(ctx.scope)})`} order by a.id`.execute(
    ctx.tx,
  );
  return rows.filter(({ items }) => items.some(({ audit }) => audit === 1));
}
/** Where else the platform's ads play is nobody's business below. */
const rivalTargets = (scope: Scope): RawBuilder<boolean> =>
  scope.provider === undefined
    ? sql<boolean>`true`
    : sql<boolean>`(t.service_provider_id is null or t.service_provider_id = ${scope.provider})`;

function cellsOf({ hours, devices }: Week) {
  const part = (of: number, all: number): number => (all === 0 ? 0 : Math.round((of / all) * 1_000) / 1_000);
  return hours.map(({ day, hour, minutes, plays, shared, displaced, displaces, closed }) => ({
    day,
    hour,
    minutes,
    plays: part(plays, minutes * devices),
    share: part(shared, plays),
    displaced: part(displaced, minutes * devices),
    displaces: part(displaces, minutes * devices),
    closed: part(closed, minutes * devices),
  }));
}
