import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import type { ItemType } from "../../../level-config/contract/index.ts";
import { getDeviceAds } from "../../contract/index.ts";
import { reachOf, type Slot, slotsOf } from "../../contract/schedule.ts";
import { minuteOf, thumbOf } from "../ads/ad-rows.ts";
import { type AdDevice, adsForDevice, type KnownAd, REGION_CODES, STORE_DIVISIONS } from "./ads-for-device.ts";

const DAYS = 7;
interface Found extends AdDevice {
  readonly sn: string;
  readonly name: string;
  readonly store_name: string;
  readonly merchant_name: string;
  readonly provider_name: string;
}

/** 设备广告: what a device shows now and in the coming week, and for each ad why or why not; from the same readings as it is served. */
export const getDeviceAdsRoute = implement(getDeviceAds, async (ctx, { device_id }) => {
  const { rows } = await sql<Found>`
    select d.id, d.store_id, d.merchant_id, d.service_provider_id, d.sn, d.name, d.model, s.short_name as store_name, m.short_name as merchant_name,
      p.short_name as provider_name, ${REGION_CODES} as regions
    from devices d join stores s on s.service_provider_id = d.service_provider_id and s.id = d.store_id
      join merchants m on m.service_provider_id = d.service_provider_id and m.id = d.merchant_id join service_providers p on p.id = d.service_provider_id ${STORE_DIVISIONS}
    where d.id = ${device_id} and d.state = 'active' and ${inScope(ctx.scope, "d", "store")}`.execute(ctx.tx);
  const [device] = rows;
  if (!device) throw notFound("设备");
  const { day, minute } = minuteOf(ctx.now_ms);
  const { ads, place, settings } = await adsForDevice(ctx.tx, device, day);
  const slots = slotsOf(ads, place, settings, { from: day, count: DAYS });
  const now = slots.find((slot) => slot.day === day && slot.from <= minute && minute < slot.to);
  const names: Readonly<Record<ItemType, string>> = {
    0: device.name,
    1: device.store_name,
    2: device.merchant_name,
    3: device.provider_name,
    4: "",
  };
  const { sn, name, model, store_name, merchant_name, provider_name } = device;
  return {
    device: { id: device.id, sn, name, model, store_name, merchant_name, provider_name },
    settings: { on: settings.on, from_hour: settings.hours[0], to_hour: settings.hours[1], most: settings.most },
    now: { day, minute },
    slots: joined(slots),
    ads: shownTo(ctx.scope, ads).map((ad) => {
      const reach = reachOf(ad, place);
      return {
        id: ad.id,
        name: ad.name,
        owner_type: ad.ownerType,
        owner_name: ad.ownerType === 4 ? "平台" : provider_name,
        status: ad.status,
        priority: ad.priority as never,
        weight: ad.weight,
        starts_on: ad.startsOn,
        ends_on: ad.endsOn,
        weekdays: [...ad.weekdays],
        periods: ad.periods.map(([from, to]): [number, number] => [from, to]),
        materials: ad.items.map((item) => ({
          material_id: item.materialId,
          name: item.name,
          kind: item.kind,
          thumb_url: thumbOf(ctx.services, { id: item.materialId, ...item }),
        })),
        by: "by" in reach ? { item_type: reach.by.item_type, item_name: names[reach.by.item_type] } : null,
        why_not: now?.not.find(({ id }) => id === ad.id)?.why ?? null,
        week_minutes: slots.reduce((sum, slot) => sum + (slot.playing.some(({ id }) => id === ad.id) ? slot.to - slot.from : 0), 0),
      };
    }),
  };
});

/** Whoever manages an ad sees it whole. Of other people's only what is enabled and was passed: what they still prepare is theirs. */
function shownTo({ level }: Scope, ads: readonly KnownAd[]): readonly KnownAd[] {
  const manages = ({ ownerType }: KnownAd): boolean => level === "ADMIN" || level === "PLATFORM" || (level === "SP" && ownerType === 3);
  return ads.flatMap((ad) => {
    if (manages(ad)) return [ad];
    const items = ad.items.filter(({ audit }) => audit === 1);
    return ad.status === 1 && items.length > 0 ? [{ ...ad, items }] : [];
  });
}

/** Slots as far as they differ in what plays; why something else does not is said of this moment alone. */
function joined(slots: readonly Slot[]): { day: string; from: number; to: number; playing: string[] }[] {
  const all: { day: string; from: number; to: number; playing: string[] }[] = [];
  for (const { day, from, to, playing } of slots) {
    const ids = playing.map(({ id }) => id);
    const last = all.at(-1);
    if (last?.day === day && last.playing.join() === ids.join()) last.to = to;
    else all.push({ day, from, to, playing: ids });
  }
  return all;
}
