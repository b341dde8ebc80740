import { createHash } from "node:crypto";
import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { unauthorized } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { waitForSave } from "../../../level-config/server/index.ts";
import { DAYS_AHEAD, getOwnAds } from "../../contract/device-side.ts";
import { roundOf, slotsOf } from "../../contract/schedule.ts";
import { materialLink } from "../materials/file-link.ts";
import { type AdDevice, adsForDevice, type KnownAd, REGION_CODES, STORE_DIVISIONS } from "./ads-for-device.ts";

/** 设备取广告: what the device that asks shows in the coming days. One whose tag still holds waits for a change, up to its own limit. */
export const getOwnAdsRoute = implement(getOwnAds, async (ctx, { wait }) => {
  const until_ms = performance.now() + wait * 1_000;
  const had = ctx.incoming.headers["if-none-match"];
  for (;;) {
    const now_ms = ctx.services.clock.now_ms();
    const { known, ...found } = await ctx.transaction((tx) => read(ctx, tx, shanghaiDay(now_ms)), { readOnly: true });
    // It may wait for its configuration beside this: one device, two waits.
    const waiter = { who: `${ctx.principal.id} ads`, known };
    const same = `"${found.tag}"` === had && (await waitForSave(ctx.services, waiter, until_ms - performance.now()));
    if (!same) return { ...found, now: new Date(ctx.services.clock.now_ms()).toISOString() as never };
  }
});

async function read(ctx: Ctx, tx: Transaction, today: string) {
  const { rows } = await sql<AdDevice>`
    select d.id, d.store_id, d.merchant_id, d.service_provider_id, d.model, ${REGION_CODES} as regions
    from devices d join stores s on s.service_provider_id = d.service_provider_id and s.id = d.store_id ${STORE_DIVISIONS}
    where d.service_provider_id = ${ctx.scope.provider ?? null} and d.id = ${ctx.principal.id} and d.state = 'active'`.execute(tx);
  const [device] = rows;
  if (!device) throw unauthorized();
  const { ads, place, settings, values, known } = await adsForDevice(tx, device, today);
  const playing = slotsOf(ads, place, settings, { from: today, count: DAYS_AHEAD }).filter((slot) => slot.playing.length > 0);
  const shown = new Set(playing.flatMap((slot) => slot.playing.map(({ id }) => id)));
  const own = ads.filter(({ id }) => shown.has(id));
  const items = own.flatMap((ad) => itemsOf(ctx.services, ad, Number(values["picture_seconds"])));
  const places = Map.groupBy(items.keys(), (at) => items[at]?.ad_id);
  const slots = playing.map((slot) => ({
    day: slot.day,
    from: slot.from,
    to: slot.to,
    round: roundOf(own.filter(({ id }) => slot.playing.some((one) => one.id === id))).flatMap((id) => places.get(id) ?? []),
  }));
  const said = { items, slots, settings: values };
  const tag = createHash("sha256").update(today).update(JSON.stringify(said)).digest("base64url").slice(0, 22);
  return { ...said, tag, known };
}

/** What an ad shows, in its order: nothing plays that was not passed. */
function itemsOf(services: Services, ad: KnownAd, picture_seconds: number) {
  return ad.items
    .filter(({ audit }) => audit === 1)
    .map((item) => ({
      ad_id: ad.id,
      material_id: item.materialId,
      kind: item.kind === 1 ? ("picture" as const) : ("video" as const),
      url: materialLink(services, { id: item.materialId, sha256: item.sha256 }),
      sha256: item.sha256,
      size: item.size_bytes,
      seconds: item.kind === 2 && item.duration_ms !== null ? item.duration_ms / 1_000 : (item.seconds ?? picture_seconds),
    }));
}
