import { sql } from "kysely";
import type { z } from "zod";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { merchantScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { CLOCK_MS } from "../../../devices/server/index.ts";
import { PLATFORM_ID } from "../../../level-config/contract/index.ts";
import { enabledAds } from "./enabled-ads.ts";
import { couldPlay, type Stay, stayAt } from "./play-rules.ts";
import { LATE_DAYS, play, playRefusal, reportPlays } from "../../contract/device-side.ts";

type Play = z.output<typeof play> & { readonly at: number; readonly day: string; readonly started_ms: number };
type Refused = z.input<typeof reportPlays.output>["refused"][number];
type Why = (typeof playRefusal.values)[number];

const DAY_MS = 86_400_000;
/** A screen that shows one thing after the other can't have shown more in a day than the day is long, nor anything in no time. */
const LEAST_MS = 1_000;

/** Who tells, where it stands, and when. */
interface Teller {
  readonly device: string;
  readonly sn: string;
  /** What its store sees. */
  readonly scope: Scope;
  readonly now_ms: number;
}
/** Opens a transaction in a scope. */
type Within = <T>(scope: Scope, fn: (tx: Transaction) => Promise<T>) => Promise<T>;

/** 上报广告播放: what a device has shown, late and in any order. */
export const reportPlaysRoute = implement(reportPlays, async (ctx, { plays }) => {
  const teller = { device: ctx.principal.id, sn: ctx.principal.name, scope: ctx.scope, now_ms: ctx.now_ms };
  return { ...(await takePlays(teller, plays, (scope, fn) => withScope(ctx.services.pool, scope, fn))), now: ctx.now as never };
});

/**
 * Takes what a device tells. Each play counts once, however often and at how many servers at once it is told; what can't be taken is
 * answered with a reason and holds up nothing else. What it showed before it came where it stands is taken where it stood then.
 */
export async function takePlays(
  teller: Teller,
  plays: readonly unknown[],
  within: Within,
): Promise<{ accepted: number; known: number; refused: Refused[] }> {
  const { fit, refused } = sortOut(plays, teller.now_ms);
  const { strange, accepted } = fit.length === 0 ? { strange: [], accepted: 0 } : await takeAll(teller, fit, within);
  const unknown = strange.map((one) => refusedFor("unknown", one.at, one.play_id));
  const all = [...refused, ...unknown].toSorted((a, b) => a.at - b.at);
  return { accepted, known: plays.length - all.length - accepted, refused: all };
}

const refusedFor = (reason: Why, at: number, play_id: string | null): Refused => ({
  at,
  play_id,
  reason,
  message: playRefusal.label(reason),
});

/** What may be taken by its form and its time. A device's clock may be as far off as its signature allows. */
function sortOut(plays: readonly unknown[], now_ms: number): { fit: Play[]; refused: Refused[] } {
  const fit: Play[] = [];
  const refused: Refused[] = [];
  for (const [at, given] of plays.entries()) {
    const parsed = play.safeParse(given);
    const started_ms = parsed.success ? Date.parse(parsed.data.started_at) : NaN;
    if (!parsed.success || Number.isNaN(started_ms)) {
      const named = (given as { play_id?: unknown } | null)?.play_id;
      refused.push(refusedFor("malformed", at, typeof named === "string" ? named.slice(0, 64) : null));
    } else if (started_ms + parsed.data.ms > now_ms + CLOCK_MS) refused.push(refusedFor("future", at, parsed.data.play_id));
    else if (started_ms < now_ms - LATE_DAYS * DAY_MS) refused.push(refusedFor("old", at, parsed.data.play_id));
    else fit.push({ ...lowered(parsed.data), at, started_ms, day: shanghaiDay(started_ms) });
  }
  return { fit, refused };
}

/** The database says numbers in small letters. */
const lowered = (one: z.output<typeof play>): z.output<typeof play> => ({
  ...one,
  play_id: one.play_id.toLowerCase(),
  ad_id: one.ad_id.toLowerCase(),
  material_id: one.material_id.toLowerCase(),
});

interface Taken {
  readonly strange: readonly Play[];
  readonly accepted: number;
}
/** In one transaction where all were shown at one place; a device that moved in these days is asked for place by place. */
async function takeAll(teller: Teller, fit: readonly Play[], within: Within): Promise<Taken> {
  const { scope } = teller;
  const here = { device_id: teller.device, merchant_id: scope.merchant ?? "", store_id: scope.stores?.[0] ?? "", since: null, until: null };
  const { left, ...taken } = await within(scope, async (tx) => {
    const { left, strange, known } = await prepare(teller, here.device_id, tx, fit);
    return { left, strange, accepted: left.length > 0 ? 0 : await keep(teller, here, tx, known) };
  });
  if (left.length === 0) return taken;
  let accepted = 0;
  for (const [stay, plays] of Map.groupBy(fit, ({ started_ms }) => stayAt(left, here, started_ms)))
    // Its merchant sees what the device told at every store of it: a play counts once, and a day has its 24 hours.
    accepted += await within(merchantScope(scope.provider ?? "", stay.merchant_id), async (tx) =>
      keep(teller, stay, tx, (await prepare(teller, stay.device_id, tx, plays)).known),
    );
  return { strange: taken.strange, accepted };
}

/**
 * Keeps the plays that are new and counts them into the sums of their days, in one statement. What its ad could not have shown there
 * then, and what no longer fits into the day after the others, is kept and counted apart: nobody can say that it was not shown.
 * @returns how many were new
 */
async function keep({ scope, now_ms }: Teller, stay: Stay, tx: Transaction, taken: readonly Play[]): Promise<number> {
  if (taken.length === 0) return 0;
  const device = stay.device_id;
  const enabled = await enabledAds(tx, scope.provider ?? "", stay, [...new Set(taken.map(({ ad_id }) => ad_id))], now_ms);
  const from_ms = enabled?.since ? Date.parse(enabled.since) - CLOCK_MS : 0;
  const verified = taken.map(
    (one) => one.started_ms >= from_ms && (enabled?.of.get(one.ad_id)?.some((was) => couldPlay(was, enabled.place, one)) ?? false),
  );
  const now = new Date(now_ms).toISOString();
  const place = sql`${scope.provider}::uuid, ${stay.merchant_id}::uuid, ${stay.store_id}::uuid`;
  const array = <K extends keyof Play>(key: K) => taken.map((one) => one[key]);
  const ids = array("play_id");
  const { rows } = await sql<{ accepted: number }>`
    with given as (
      select * from unnest(${array("day")}::date[], ${ids}::uuid[], ${array("ad_id")}::uuid[], ${array("material_id")}::uuid[],
        ${array("started_at")}::timestamptz[], ${array("ms")}::int[], ${array("finished")}::boolean[], ${verified}::boolean[])
        with ordinality as g(day, play_id, ad_id, material_id, started_at, ms, finished, verified, at)
    ), unknown as (
      select distinct on (g.play_id) g.* from given g where g.play_id <> all (array(
        select p.play_id from ad_plays p where p.service_provider_id = ${scope.provider} and p.device_id = ${device} and p.play_id = any(${ids}::uuid[])
          and p.day between ${shanghaiDay(now_ms - (LATE_DAYS + 1) * DAY_MS)} and ${shanghaiDay(now_ms + DAY_MS)}))
      order by g.play_id, g.at
    ), judged as (
      select u.*, u.verified and coalesce(b.ms, 0)
          + sum(greatest(u.ms, ${sql.lit(LEAST_MS)})) filter (where u.verified) over (partition by u.day order by u.started_at, u.play_id) <= ${DAY_MS} as counts
      from unknown u left join (select x.day, sum(greatest(x.ms, x.plays::bigint * ${sql.lit(LEAST_MS)})) as ms from ad_plays_daily x
        where x.service_provider_id = ${scope.provider} and x.device_id = ${device} and x.day = any(${array("day")}::date[]) group by 1) b on b.day = u.day
    ), fresh as (
      insert into ad_plays (day, device_id, play_id, service_provider_id, merchant_id, store_id, ad_id, material_id, started_at, ms, finished, received_at, verified)
      select j.day, ${device}::uuid, j.play_id, ${place}, j.ad_id, j.material_id, j.started_at, j.ms, j.finished, ${now}::timestamptz, j.counts from judged j
      on conflict do nothing returning day, ad_id, material_id, started_at, ms, finished, verified
    ), summed as (
      insert into ad_plays_daily as s (service_provider_id, merchant_id, store_id, day, device_id, ad_id, material_id, plays, finished, ms, last_at, unverified)
      select ${place}, f.day, ${device}::uuid, f.ad_id, f.material_id, count(*) filter (where f.verified), count(*) filter (where f.verified and f.finished),
        coalesce(sum(f.ms) filter (where f.verified), 0), coalesce(max(f.started_at) filter (where f.verified), max(f.started_at)), count(*) filter (where not f.verified)
      from fresh f group by f.day, f.ad_id, f.material_id order by f.day, f.ad_id, f.material_id
      on conflict (service_provider_id, day, device_id, ad_id, material_id, store_id) do update set plays = s.plays + excluded.plays,
        finished = s.finished + excluded.finished, ms = s.ms + excluded.ms, unverified = s.unverified + excluded.unverified,
        last_at = case when s.plays = 0 then excluded.last_at when excluded.plays = 0 then s.last_at else greatest(s.last_at, excluded.last_at) end
    )
    select count(*)::int as accepted from fresh`.execute(tx);
  return rows[0]?.accepted ?? 0;
}

const pairOf = ({ ad_id, material_id }: Pick<Play, "ad_id" | "material_id">): string => `${ad_id} ${material_id}`;

/**
 * Makes the days' partitions where one is missing, has reports of one device wait for each other, and says which plays are of ads with
 * materials that there are for it, and which places it left that it may tell of yet. What was shown may have been taken out of its ad
 * since: both need only be of one owner.
 */
async function prepare({ scope, sn, now_ms }: Teller, device: string, tx: Transaction, fit: readonly Play[]) {
  const since = new Date(now_ms - LATE_DAYS * DAY_MS).toISOString();
  const pairs = [...new Map(fit.map((one) => [pairOf(one), one])).values()];
  const days = [...new Set(fit.map(({ day }) => day))];
  const { rows } = await sql<{ ad_id: string; material_id: string; left: readonly Stay[] }>`
    with held as materialized (select app.ad_plays_days(${days}::date[]), pg_advisory_xact_lock(hashtextextended(${device}, 39)))
    select x.ad_id, x.material_id, (select coalesce(jsonb_agg(p), '[]') from app.past_places(${scope.provider}::uuid, ${sn}, ${since}::timestamptz) p) as left
    from unnest(${pairs.map(({ ad_id }) => ad_id)}::uuid[], ${pairs.map(({ material_id }) => material_id)}::uuid[]) as x(ad_id, material_id)
    where (select count(*) from held) = 1 and exists (select 1 from ads a join ad_materials m on m.owner_id = a.owner_id
      where a.id = x.ad_id and m.id = x.material_id and a.owner_id in (${PLATFORM_ID}, ${scope.provider ?? null}))`.execute(tx);
  const there = new Set(rows.map((row) => pairOf(row)));
  return {
    known: fit.filter((one) => there.has(pairOf(one))),
    strange: fit.filter((one) => !there.has(pairOf(one))),
    left: rows[0]?.left ?? [],
  };
}
