import { sql } from "kysely";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { memberOfOpenId, openIdHash } from "../../../members/server/index.ts";
import { sealOpenId } from "../apps/app-keys.ts";
import { keepFollows } from "./keep-follows.ts";
import { tellFollowed, type Welcome } from "./fan-facts.ts";

export interface HeardApp {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly id: string;
}
/** That somebody follows, left or scanned a code, as WeChat tells it. */
export interface FanEvent {
  readonly openId: string;
  readonly event: "subscribe" | "unsubscribe" | "scan";
  /** The scene of the code that they scanned; empty where there was none. */
  readonly scene: string;
  readonly eventKey: string;
  readonly at: string;
}
interface Fan {
  readonly id: string;
  readonly first_at: string | null;
  readonly first_follow: string | null;
  readonly member_id: string | null;
}

/**
 * Takes an event, once for its own time and kind, and holds its follower to the end. In the scope of the platform.
 * @returns what a first follow brings, also where it is told again; nothing of later ones
 */
export async function takeFanEvent(
  tx: Transaction,
  services: Services,
  app: HeardApp,
  given: FanEvent,
): Promise<{ fan_id: string; welcomes: Welcome[] }> {
  const { service_provider_id, merchant_id } = app;
  const { event, eventKey, at } = given;
  const fan = await holdFan(tx, services, app, given);
  const now_ms = services.clock.now_ms();
  const heard = await tx
    .insertInto("wx_fan_events")
    .values({
      service_provider_id,
      merchant_id,
      app_row: app.id,
      fan_id: fan.id,
      id: services.ids.uuid(now_ms),
      event,
      event_key: eventKey,
      channel_id: await channelOf(tx, app, given.scene),
      occurred_at: at,
      heard_at: new Date(now_ms).toISOString(),
    })
    .onConflict((twice) => twice.columns(["service_provider_id", "fan_id", "occurred_at", "event", "event_key"]).doNothing())
    .executeTakeFirst();
  let { first_at } = fan;
  if (heard.numInsertedOrUpdatedRows === 1n) {
    const follows = (await keepFollows(tx, services, { service_provider_id, merchant_id, id: app.id }, [fan.id])).get(fan.id)!;
    // The list told of this very follow before its message came.
    if (event === "subscribe" && first_at === null && sameMoment(fan.first_follow, at) && follows.length === 1) {
      first_at = at;
      await sql`update wx_fans set first_at = ${at} where service_provider_id = ${service_provider_id} and id = ${fan.id} and first_at is null`.execute(
        tx,
      );
    }
  }
  if (event !== "subscribe" || !sameMoment(first_at, at)) return { fan_id: fan.id, welcomes: [] };
  const member_id = fan.member_id ?? (await recognise(tx, services, app, fan, given.openId));
  const store_id = await storeOf(tx, app, fan.id);
  return {
    fan_id: fan.id,
    welcomes: await tellFollowed(tx, services, { service_provider_id, merchant_id, member_id, first_at: at, store_id }),
  };
}
const sameMoment = (one: string | null, other: string): boolean => one !== null && Date.parse(one) === Date.parse(other);
/** The store of the code that first brought a follower. */
async function storeOf(tx: Transaction, { service_provider_id }: HeardApp, fan_id: string): Promise<string | null> {
  const { rows } = await sql<{ store_id: string | null }>`select c.store_id from wx_fans f join wx_fan_channels c
      on c.service_provider_id = f.service_provider_id and c.id = f.first_channel
    where f.service_provider_id = ${service_provider_id} and f.id = ${fan_id}`.execute(tx);
  return rows[0]?.store_id ?? null;
}
/** The code of ours that a scene names. */
async function channelOf(tx: Transaction, app: HeardApp, scene: string): Promise<string | null> {
  if (scene === "") return null;
  const found = await tx
    .selectFrom("wx_fan_channels")
    .select("id")
    .where("service_provider_id", "=", app.service_provider_id)
    .where("app_row", "=", app.id)
    .where("scene", "=", scene)
    .executeTakeFirst();
  return found?.id ?? null;
}

/** The follower, made by their first event: whoever leaves before we heard of them followed before. */
async function holdFan(tx: Transaction, services: Services, app: HeardApp, { openId, event, at }: FanEvent): Promise<Fan> {
  const { service_provider_id, merchant_id, id: app_row } = app;
  const openid_hash = openIdHash(services, service_provider_id, openId);
  const id = services.ids.uuid(services.clock.now_ms());
  await tx
    .insertInto("wx_fans")
    .values({
      service_provider_id,
      merchant_id,
      app_row,
      id,
      openid_hash,
      openid_sealed: sealOpenId(services, { service_provider_id, id }, openId),
      following: event !== "unsubscribe",
      first_at: event === "subscribe" ? at : null,
      changed_at: at,
      known_at: new Date(services.clock.now_ms()).toISOString(),
    })
    .onConflict((twice) => twice.columns(["service_provider_id", "app_row", "openid_hash"]).doNothing())
    .execute();
  return (
    tx
      .selectFrom("wx_fans")
      .select(["id", "first_at", "first_follow", "member_id"])
      .where("service_provider_id", "=", service_provider_id)
      .where("app_row", "=", app_row)
      .where("openid_hash", "=", openid_hash)
      // What names the follower elsewhere (a list of a group note) does not stand in the way.
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
  );
}

/** The member whom the shop knows by this openid already, kept with the follower. */
async function recognise(tx: Transaction, services: Services, app: HeardApp, fan: Fan, openId: string): Promise<string | null> {
  const { service_provider_id, merchant_id } = app;
  const member = await memberOfOpenId(tx, services, { service_provider_id, merchant_id, openId });
  if (!member) return null;
  await nameFan(tx, { service_provider_id, fan_id: fan.id, member_id: member.id });
  return member.id;
}
/** Says who a held follower is, for good. */
export async function nameFan(
  tx: Transaction,
  { service_provider_id, fan_id, member_id }: { service_provider_id: string; fan_id: string; member_id: string },
): Promise<void> {
  const done = await sql`update wx_fans set member_id = ${member_id}
    where service_provider_id = ${service_provider_id} and id = ${fan_id} and member_id is null`.execute(tx);
  mustChange({ numUpdatedRows: done.numAffectedRows ?? 0n }, () => new Error("a held follower is somebody already"));
}
