import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { firstSource, type Follow, foldFollows, type Heard } from "./fold-follows.ts";

/** An account by its row. */
interface App {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly id: string;
}
/** A day before all others: a follow of which nobody knows when it began is in every count. */
export const BEFORE = "1970-01-01";
const dayOf = (at: string): string => shanghaiDay(Date.parse(at));

/** Makes the follows of held followers anew from what was heard of them. @returns the follows of each, the oldest first */
export async function keepFollows(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, id: app_row }: App,
  fan_ids: readonly string[],
): Promise<ReadonlyMap<string, readonly Follow[]>> {
  const { rows } = await sql<
    Heard & { fan_id: string }
  >`select fan_id, event, occurred_at as at, follow_at, channel_id, scene from wx_fan_events
    where service_provider_id = ${service_provider_id} and fan_id = any(${fan_ids}::uuid[]) order by occurred_at, heard_at, id`.execute(tx);
  const byFan = Map.groupBy(rows, ({ fan_id }) => fan_id);
  const fans = fan_ids.map((fan_id) => {
    const heard = byFan.get(fan_id) ?? [];
    const follows = foldFollows(heard);
    return { fan_id, follows, last: follows.at(-1), first: firstSource(heard), at: heard.at(-1)?.at ?? null };
  });
  await sql`delete from wx_follows where service_provider_id = ${service_provider_id} and fan_id = any(${fan_ids}::uuid[])`.execute(tx);
  const now_ms = services.clock.now_ms();
  const kept = fans.flatMap(({ fan_id, follows }) =>
    follows.map(({ from, to, source }) => ({
      fan_id,
      id: services.ids.uuid(now_ms),
      from_at: from,
      to_at: to,
      from_day: from === null ? BEFORE : dayOf(from),
      to_day: to === null ? null : dayOf(to),
      ...source,
    })),
  );
  await sql`insert into wx_follows (service_provider_id, id, merchant_id, app_row, fan_id, from_at, to_at, from_day, to_day, channel_id, scene, store_id)
    select ${service_provider_id}, r.id, ${merchant_id}, ${app_row}, r.fan_id, r.from_at, r.to_at, r.from_day, r.to_day, r.channel_id, r.scene, c.store_id
    from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as r (fan_id uuid, id uuid, from_at timestamptz, to_at timestamptz, from_day date, to_day date,
        channel_id uuid, scene text)
      left join wx_fan_channels c on c.service_provider_id = ${service_provider_id} and c.id = r.channel_id`.execute(tx);
  const states = fans.map(({ fan_id, follows, last, first, at }) => ({
    fan_id,
    following: last !== undefined && last.to === null,
    first_channel: first.channel_id,
    first_scene: first.scene,
    last_channel: last?.source.channel_id ?? null,
    last_scene: last?.source.scene ?? null,
    first_follow: follows[0]?.from ?? null,
    last_follow: last?.from ?? null,
    left_at: last?.to ?? null,
    at,
  }));
  const done = await sql`update wx_fans f set following = r.following,
      first_channel = case when f.first_channel is null and f.first_scene is null then r.first_channel else f.first_channel end,
      first_scene = case when f.first_channel is null and f.first_scene is null then r.first_scene else f.first_scene end,
      last_channel = r.last_channel, last_scene = r.last_scene, first_follow = r.first_follow, last_follow = r.last_follow, left_at = r.left_at,
      changed_at = greatest(f.changed_at, r.at)
    from jsonb_to_recordset(${JSON.stringify(states)}::jsonb) as r (fan_id uuid, following boolean, first_channel uuid, first_scene text, last_channel uuid,
      last_scene text, first_follow timestamptz, last_follow timestamptz, left_at timestamptz, at timestamptz)
    where f.service_provider_id = ${service_provider_id} and f.id = r.fan_id`.execute(tx);
  if (done.numAffectedRows !== BigInt(fan_ids.length)) throw new Error("a held follower is gone");
  return new Map(fans.map(({ fan_id, follows }) => [fan_id, follows]));
}
