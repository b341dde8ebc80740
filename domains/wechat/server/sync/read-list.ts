import { sql } from "kysely";
import { setTimeout as wait } from "node:timers/promises";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { openIdHash } from "../../../members/server/index.ts";
import { openOpenId, sealOpenId } from "../apps/app-keys.ts";
import type { WechatAnswer, WechatJson } from "../calls/answers.ts";
import { callWechat } from "../calls/call-wechat.ts";

const LIST = platformScope("read the list of followers");
/** WeChat gives 10,000 at a time; more than so many no account has. */
const MOST_PAGES = 5_000;
const ROWS_AT_ONCE = 2_000;
/** WeChat tells of so many at a time. */
const ASKED_AT_ONCE = 100;
const CALLS_AT_ONCE = 4;
const TRIES = 3;
const AGAIN_MS = 500;
/** The account has no right to ask: sources and times then stay unknown. */
const NO_RIGHT = 48_001;

/** A run of a sync. Its beginning is its fence: one that was begun anew meanwhile writes nothing more. */
export interface Run {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly app_row: string;
  readonly id: string;
  readonly started_at: string;
}
/** Why a sync came to nothing, in words for people. */
export class SyncFailed extends Error {}

/** Only reads: the same again does no harm. @throws SyncFailed */
async function ask(services: Services, run: Run, path: string, body?: object): Promise<WechatJson> {
  const app = { service_provider_id: run.service_provider_id, id: run.app_row };
  let answer: WechatAnswer<WechatJson> = { kind: "unknown", reason: "" };
  for (let tries = 0; tries < TRIES; tries++) {
    answer = await callWechat(services, app, path, body);
    if (answer.kind === "ok") return answer.value;
    if (answer.kind === "refused") throw Object.assign(new SyncFailed(answer.message), { code: answer.code });
    await wait(AGAIN_MS);
  }
  throw new SyncFailed(answer.kind === "unknown" ? answer.reason : "");
}
const numberOf = (given: unknown): number => (typeof given === "number" && Number.isSafeInteger(given) ? given : 0);
const textOf = (given: unknown): string => (typeof given === "string" ? given : "");

/** Reads the whole list into `wx_fan_list`, a page at a time. @throws SyncFailed where it did not come whole */
export async function readList(services: Services, run: Run): Promise<void> {
  let next = "";
  let total = 0;
  for (let pages = 0; ; pages++) {
    if (pages === MOST_PAGES) throw new SyncFailed("微信的粉丝名单没有尽头");
    const page = await ask(services, run, `user/get?next_openid=${encodeURIComponent(next)}`);
    const openIds = (page["data"] as { openid?: unknown } | undefined)?.openid ?? [];
    if (!Array.isArray(openIds) || openIds.some((one) => typeof one !== "string" || !/^[\w-]{10,64}$/.test(one)))
      throw new SyncFailed("微信的粉丝名单无法读取");
    total = numberOf(page["total"]);
    let kept = 0;
    for (let from = 0; from < openIds.length; from += ROWS_AT_ONCE)
      kept += await keepPage(services, run, openIds.slice(from, from + ROWS_AT_ONCE) as string[]);
    await progress(services, run, sql`total = ${total}, listed = listed + ${kept}`);
    next = textOf(page["next_openid"]);
    if (openIds.length === 0 || next === "") break;
  }
  await mustBeWhole(services, run, total);
}
async function keepPage(services: Services, run: Run, openIds: readonly string[]): Promise<number> {
  const { service_provider_id } = run;
  const now_ms = services.clock.now_ms();
  const rows = openIds.map((openId) => {
    const id = services.ids.uuid(now_ms);
    return {
      id,
      hash: openIdHash(services, service_provider_id, openId),
      sealed: sealOpenId(services, { service_provider_id, id }, openId),
    };
  });
  const { numAffectedRows } = await withScope(services.pool, LIST, (tx) =>
    sql`insert into wx_fan_list (service_provider_id, sync_id, openid_hash, fan_id, openid_sealed)
      select ${service_provider_id}, ${run.id}, r.hash, r.id, r.sealed
      from unnest(${rows.map(({ hash }) => hash)}::bytea[], ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ sealed }) => sealed)}::text[]) as r (hash, id, sealed)
      on conflict do nothing`.execute(tx),
  );
  return Number(numAffectedRows ?? 0n);
}
/** How far it is. @throws where this run is no longer the one that counts */
async function progress(services: Services, { service_provider_id, id, started_at }: Run, set: ReturnType<typeof sql>): Promise<void> {
  const { numAffectedRows } = await withScope(services.pool, LIST, (tx) =>
    sql`update wx_fan_syncs y set ${set} where y.service_provider_id = ${service_provider_id} and y.id = ${id} and y.status = 0
      and y.started_at = ${started_at}`.execute(tx),
  );
  if (numAffectedRows !== 1n) throw new Error("this sync was begun anew");
}
/** Whoever follows and is not in the list must have come since it began: else a page is missing, and nobody is taken for gone. */
async function mustBeWhole(services: Services, { service_provider_id, app_row, id, started_at }: Run, total: number): Promise<void> {
  const { rows } = await withScope(services.pool, LIST, (tx) =>
    sql<{ listed: number; came: number }>`select
      (select count(*)::int from wx_fan_list l where l.service_provider_id = ${service_provider_id} and l.sync_id = ${id}) as listed,
      (select count(*)::int from wx_fan_events e where e.service_provider_id = ${service_provider_id} and e.app_row = ${app_row}
        and e.event = 'subscribe' and e.heard_at >= ${started_at}) as came`.execute(tx),
  );
  const { listed, came } = rows[0]!;
  if (listed + came < total) throw new SyncFailed(`微信说有 ${total} 位粉丝，只给了 ${listed} 位，这次不算`);
}

/** Asks about those of whom the list is the first that we hear, and those whose source nobody has told. */
export async function askAboutNew(services: Services, run: Run): Promise<void> {
  const { service_provider_id, app_row, id } = run;
  await withScope(
    services.pool,
    LIST,
    (tx) =>
      sql`update wx_fan_list l set ask = true where l.service_provider_id = ${service_provider_id} and l.sync_id = ${id}
        and not exists (select from wx_fans f where f.service_provider_id = l.service_provider_id and f.app_row = ${app_row}
          and f.openid_hash = l.openid_hash and f.following and (f.last_channel is not null or f.last_scene is not null))`.execute(tx),
    { deadline_ms: 120_000 },
  );
  await progress(
    services,
    run,
    sql`unknown = (select count(*) from wx_fan_list l where l.service_provider_id = ${service_provider_id} and l.sync_id = ${id} and l.ask)`,
  );
  let after: Buffer = Buffer.alloc(0);
  for (;;) {
    const { rows } = await withScope(services.pool, LIST, (tx) =>
      sql<Asked>`select l.openid_hash as hash, l.fan_id as id, l.openid_sealed as sealed from wx_fan_list l where l.service_provider_id = ${service_provider_id}
        and l.sync_id = ${id} and l.ask and l.openid_hash > ${after} order by l.openid_hash limit ${ASKED_AT_ONCE * CALLS_AT_ONCE}`.execute(
        tx,
      ),
    );
    if (rows.length === 0) return;
    after = rows.at(-1)!.hash;
    const parts = Array.from({ length: Math.ceil(rows.length / ASKED_AT_ONCE) }, (_none, n) =>
      rows.slice(n * ASKED_AT_ONCE, (n + 1) * ASKED_AT_ONCE),
    );
    // All of them end before anything is thrown.
    const ended = await Promise.allSettled(parts.map((part) => askAbout(services, run, part)));
    const failed = ended.find((one) => one.status === "rejected");
    if (failed && (failed.reason as { code?: number }).code === NO_RIGHT) return;
    if (failed) throw failed.reason as Error;
    await progress(services, run, sql`asked = asked + ${rows.length}`);
  }
}
interface Asked {
  readonly hash: Buffer;
  readonly id: string;
  readonly sealed: string;
}
async function askAbout(services: Services, run: Run, rows: readonly Asked[]): Promise<void> {
  const { service_provider_id, app_row, id } = run;
  const byOpenId = new Map(rows.map((row) => [openOpenId(services, { service_provider_id, id: row.id }, row.sealed), row]));
  const answer = await ask(services, run, "user/info/batchget", {
    user_list: [...byOpenId.keys()].map((openid) => ({ openid, lang: "zh_CN" })),
  });
  const told = Array.isArray(answer["user_info_list"]) ? (answer["user_info_list"] as WechatJson[]) : [];
  const known = told.flatMap((one) => {
    const row = byOpenId.get(textOf(one["openid"]));
    return row ? [{ row, one }] : [];
  });
  if (known.length !== rows.length) throw new SyncFailed("微信没有说全这批粉丝的情况");
  const at = (one: WechatJson) => {
    const seconds = numberOf(one["subscribe_time"]);
    return seconds > 0 ? new Date(Math.min(seconds * 1_000, Date.parse(run.started_at))).toISOString() : null;
  };
  await withScope(services.pool, LIST, async (tx) => {
    await sql`update wx_fan_list l set follow_at = r.at, scene = case when c.id is null then r.scene end, channel_id = c.id
      from unnest(${known.map(({ row }) => row.hash)}::bytea[], ${known.map(({ one }) => at(one))}::timestamptz[],
        ${known.map(({ one }) => textOf(one["subscribe_scene"]).slice(0, 40) || "ADD_SCENE_OTHERS")}::text[], ${known.map(({ one }) => textOf(one["qr_scene_str"]))}::text[])
        as r (hash, at, scene, code)
      left join wx_fan_channels c on c.service_provider_id = ${service_provider_id} and c.app_row = ${app_row} and c.scene = r.code
      where l.service_provider_id = ${service_provider_id} and l.sync_id = ${id} and l.openid_hash = r.hash`.execute(tx);
    // Who left while the list was read is in it no more.
    const left = known.filter(({ one }) => one["subscribe"] === 0).map(({ row }) => row.hash);
    if (left.length > 0)
      await sql`delete from wx_fan_list l where l.service_provider_id = ${service_provider_id} and l.sync_id = ${id}
        and l.openid_hash = any(${left}::bytea[])`.execute(tx);
  });
}
