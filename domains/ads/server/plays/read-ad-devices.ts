import { sql } from "kysely";
import { addDays, daysBetween } from "@zhangfang/contract/time.ts";
import { implement, type Route } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { after, page, totalOf } from "@zhangfang/server/lists/keyset.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { getAdStatistics, listAdDevices, seekAds, summariseAdDevices } from "../../contract/plays.ts";
import { onlineCode } from "../../../devices/server/index.ts";
import { daysOf, devicesFrom, devicesQuery, devicesWhere, FIGURES, playsWhere, SUMS, UNVERIFIED, withState } from "./device-figures.ts";
import { adsInSight, statesNow } from "./states-now.ts";

/** 广告设备: the devices that an ad reaches, whether it plays there at this minute, and what they told of it. */
const listAdDevicesRoute = implement(listAdDevices, async (ctx, input) => {
  const { tx, scope, now_ms } = ctx;
  if (input.ad_id === undefined) return { items: [], next: null, ...(input.withTotal && { total: totalOf(0) }) };
  const states = await statesNow(tx, scope, input.ad_id, now_ms);
  if (!states) throw notFound("广告");
  const where = after(input.cursor, "d.created_at", "d.id", "timestamptz", true);
  const { rows } = await devicesQuery(scope, states, input, { now_ms, where, limit: input.pageSize + 1 }).execute(tx);
  const counted = input.withTotal
    ? await sql<{
        n: number;
      }>`select count(*)::int as n from ${devicesFrom(states)} where ${devicesWhere(scope, states, input, now_ms)}`.execute(tx)
    : undefined;
  const { items, next } = page(rows, input.pageSize, (row) => ({ value: row.createdAt, id: row.id }));
  return { items: items.map((row) => withState(row, states)), next, ...(counted && { total: totalOf(counted.rows[0]?.n ?? 0) }) };
});

const NOTHING = { plays: 0, finished: 0, seconds: 0 };
const summariseAdDevicesRoute = implement(summariseAdDevices, async (ctx, input) => {
  const { tx, scope, now_ms } = ctx;
  if (input.ad_id === undefined) return { count: 0, playing: 0, online: 0, ...NOTHING, unverified: 0 };
  const states = await statesNow(tx, scope, input.ad_id, now_ms);
  if (!states) throw notFound("广告");
  const { rows } = await sql<{ group: string; online: number; n: number }>`
    select ${states.key} as group, ${onlineCode(now_ms)} as online, count(*)::int as n
    from ${devicesFrom(states)} where ${devicesWhere(scope, states, input, now_ms)} group by 1, 2`.execute(tx);
  const sums = await sql<
    typeof NOTHING & { unverified: number }
  >`select ${FIGURES}, ${UNVERIFIED} from ${SUMS} where ${playsWhere(scope, states, input, now_ms)}`.execute(tx);
  const count = (of: typeof rows): number => of.reduce((sum, { n }) => sum + n, 0);
  return {
    count: count(rows),
    playing: count(rows.filter(({ group }) => states.states.get(group)?.why === null)),
    online: count(rows.filter(({ online }) => online === 1)),
    ...(sums.rows[0] ?? { ...NOTHING, unverified: 0 }),
  };
});

const BEST = 20;
/** 播放统计 of an ad along the days, or of the stores and devices where it played most. */
const getAdStatisticsRoute = implement(getAdStatistics, async (ctx, input) => {
  const { tx, scope, now_ms } = ctx;
  if (input.ad_id === undefined) return [];
  const states = await statesNow(tx, scope, input.ad_id, now_ms);
  if (!states) throw notFound("广告");
  const fits = playsWhere(scope, states, input, now_ms);
  const figures = sql`${FIGURES}, (count(distinct x.device_id) filter (where x.plays > 0))::int as devices`;
  if (input.by === "day") {
    const { from, to } = daysOf(input, now_ms);
    type Day = typeof NOTHING & { key: string; devices: number };
    const { rows } = await sql<Day>`select x.day as key, ${figures} from ${SUMS} where ${fits} group by 1`.execute(tx);
    const found = new Map(rows.map((row) => [row.key, row]));
    return Array.from({ length: daysBetween(from, to) + 1 }, (_none, at) => {
      const key = addDays(from, at);
      return { ...(found.get(key) ?? { ...NOTHING, devices: 0 }), key, name: key };
    });
  }
  const { rows } = await sql<typeof NOTHING & { key: string; shown: string | null; devices: number }>`
    select b.*, ${input.by === "store" ? sql`s.short_name` : sql`d.name || ' ' || d.sn`} as shown
    from (select ${input.by === "store" ? sql`x.store_id` : sql`x.device_id`} as key, x.service_provider_id as provider_id, ${figures} from ${SUMS}
      where ${fits} group by 1, 2 having sum(x.plays) > 0 order by plays desc, 1 limit ${sql.lit(BEST)}) b
    left join ${input.by === "store" ? sql`stores s on s.service_provider_id = b.provider_id and s.id = b.key` : sql`devices d on d.service_provider_id = b.provider_id and d.id = b.key`}
    order by b.plays desc, b.key`.execute(tx);
  // A device that has left its provider stays in the sums of the store where it stood.
  return rows.map(({ shown, ...row }) => ({ ...row, name: shown ?? "已移走" }));
});

const FOUND = 20;
const seekAdsRoute = implement(seekAds, async ({ tx, scope }, { search, id }) => {
  const { rows } = await sql<{ id: string; name: string; ownerName: string }>`
    select a.id, a.name, coalesce(p.short_name, '平台') as "ownerName" from ads a left join service_providers p on p.id = a.service_provider_id
    where ${adsInSight(scope, "a")} and a.removed_at is null ${id ? sql`and a.id = ${id}` : sql``} ${search ? sql`and a.name ilike ${likeText(search)}` : sql``}
    order by a.created_at desc, a.id desc limit ${sql.lit(FOUND)}`.execute(tx);
  return rows;
});

export const playRoutes: Route[] = [listAdDevicesRoute, summariseAdDevicesRoute, getAdStatisticsRoute, seekAdsRoute];
