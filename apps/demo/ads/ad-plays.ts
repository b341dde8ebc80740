import { createHash } from "node:crypto";
import { sql } from "kysely";
import { roundOf, slotsOf } from "@zhangfang/domains/ads/contract/index.ts";
import { adsForDevice, REGION_CODES, STORE_DIVISIONS, takePlays } from "@zhangfang/domains/ads/server/index.ts";
import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope, storeScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";

const DAYS = 14;
/** So many showings of a day are told of; a real screen shows thousands. */
const SHOWN = 36;
const OPEN_MINUTE = 9 * 60;
const MINUTES_APART = 20;
const LATER_MS = 1_000;
const TRIES = 30;

type Device = Parameters<typeof adsForDevice>[1] & { readonly sn: string };

/** What the screens at the stores have shown in the last two weeks, by the schedule that they are served. */
export async function playAds(services: Services): Promise<void> {
  const now_ms = services.clock.now_ms();
  const today = shanghaiDay(now_ms);
  const { rows } = await patiently(() =>
    withScope(services.pool, platformScope("demo plays"), (tx) =>
      sql<Device>`select d.id, d.sn, d.store_id, d.merchant_id, d.service_provider_id, d.model, ${REGION_CODES} as regions
      from devices d join stores s on s.service_provider_id = d.service_provider_id and s.id = d.store_id ${STORE_DIVISIONS} where d.state = 'active' order by d.sn`.execute(
        tx,
      ),
    ),
  );
  for (const device of rows) {
    const scope = storeScope(device.service_provider_id, device.merchant_id, device.store_id);
    await patiently(() =>
      withScope(services.pool, scope, async (tx) => {
        const known = await adsForDevice(tx, device, addDays(today, -DAYS));
        for (let ago = DAYS; ago >= 0; ago -= 1) {
          const day = addDays(today, -ago);
          const plays = showingsOf(known, device.id, day, now_ms);
          const teller = { device: device.id, sn: device.sn, scope, now_ms: Math.min(now_ms, Date.parse(dayStart(addDays(day, 1)))) };
          if (plays.length > 0) await takePlays(teller, plays, (_scope, fn) => fn(tx));
        }
      }),
    );
  }
}
/** The shops' devices are at work already: a machine that is busy with them is asked again. */
async function patiently<T>(work: () => Promise<T>, more = TRIES): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    if (more === 0) throw failure;
    await new Promise((resolve) => setTimeout(resolve, LATER_MS));
    return patiently(work, more - 1);
  }
}

/** Showings of a day, the same ones whenever they are made. */
function showingsOf({ ads, place, settings }: Awaited<ReturnType<typeof adsForDevice>>, device: string, day: string, until_ms: number) {
  const slots = slotsOf(ads, place, settings, { from: day, count: 1 });
  return Array.from({ length: SHOWN }, (_none, at) => {
    const minute = OPEN_MINUTE + at * MINUTES_APART;
    const started_ms = Date.parse(dayStart(day)) + minute * 60_000;
    const slot = slots.find(({ from, to }) => from <= minute && minute < to);
    const playing = ads.filter(({ id }) => slot?.playing.some((one) => one.id === id));
    const round = roundOf(playing).flatMap(
      (id) => playing.find((ad) => ad.id === id)?.items.flatMap((item) => (item.audit === 1 ? [{ id, item }] : [])) ?? [],
    );
    const shown = round[at % Math.max(1, round.length)];
    const digest = createHash("sha256").update(`${device} ${day} ${at}`).digest("hex");
    const finished = Number.parseInt(digest.slice(0, 2), 16) > 20;
    const whole_ms = shown?.item.duration_ms ?? (shown?.item.seconds ?? 10) * 1_000;
    // Screens are dark now and then.
    const dark = Number.parseInt(digest.slice(2, 4), 16) < 24 + (Number(day.slice(8)) % 7) * 12;
    if (!shown || dark || started_ms + whole_ms > until_ms) return undefined;
    return {
      play_id: `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`,
      ad_id: shown.id,
      material_id: shown.item.materialId,
      started_at: new Date(started_ms).toISOString(),
      ms: finished ? whole_ms : Math.round(whole_ms / 3),
      finished,
    };
  }).filter((play) => play !== undefined);
}
