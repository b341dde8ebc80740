import { sql } from "kysely";
import { setTimeout as wait } from "node:timers/promises";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
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
  const bound = await isBoundNow(services, run);
  let next = "";
  let total = 0;
  for (let pages = 0; ; pages++) {
    if (pages === MOST_PAGES) throw new SyncFailed("微信的粉丝名单没有尽头");
    const page = await ask(services, run, `user/get?next_openid=${encodeURIComponent(next)}`);
    const openIds = (page["data"] as { openid?: unknown } | undefined)?.openid ?? [];
    if (!Array.isArray(openIds) || openIds.some((one) => typeof one !== "string" || !/^[\w-]{10,64}$/.test(one)))
      throw new SyncFailed("微信的粉丝名单无法读取");
    total = numberOf(page["total"]);
    const parts = partsOf(openIds as string[], ROWS_AT_ONCE);
    const kept = await allEnded(parts.map((part) => keepPage(services, run, part, bound)));
    await inOwn(services, (tx) => progress(tx, run, sql`total = ${total}, listed = listed + ${kept.reduce((sum, n) => sum + n, 0)}`));
    next = textOf(page["next_openid"]);
    if (openIds.length === 0 || next === "") break;
  }
  await mustBeWhole(services, run, total);
}
const partsOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_none, n) => all.slice(n * size, (n + 1) * size));
/** What all of them brought; all of them end before anything is thrown. */
async function allEnded<T>(all: readonly Promise<T>[]): Promise<T[]> {
  const ended = await Promise.allSettled(all);
  const failed = ended.find((one) => one.status === "rejected");
  if (failed) throw failed.reason as Error;
  return ended.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}
/**
 * Whether WeChat names a unionid now of any of those of whom it named none: the account was bound to a 开放平台 since. One call of each list,
 * and everybody of whom it named none is asked about once more, when that is so. A no says nothing: the next list asks again.
 */
async function isBoundNow(services: Services, run: Run): Promise<boolean> {
  const { service_provider_id, app_row } = run;
  const { rows } = await inOwn(services, (tx) =>
    sql<Asked>`select f.openid_hash as hash, f.id, f.openid_sealed as sealed from wx_fans f where f.service_provider_id = ${service_provider_id}
      and f.app_row = ${app_row} and f.following and f.unionid_hash = '' limit ${ASKED_AT_ONCE}`.execute(tx),
  );
  if (rows.length === 0) return false;
  const told = await askAbout(services, run, rows).catch((error: unknown) => {
    if (!(error instanceof SyncFailed)) throw error;
    return [];
  });
  return told.some(({ one }) => textOf(one["unionid"]) !== "");
}
/** Whoever is new, or of whom WeChat has not told source and unionid, is to be asked about; only for them a seal is worth its time. */
async function keepPage(services: Services, run: Run, openIds: readonly string[], bound: boolean): Promise<number> {
  const { service_provider_id, app_row } = run;
  const now_ms = services.clock.now_ms();
  const hashes = openIds.map((openId) => openIdHash(services, service_provider_id, openId));
  const { rows: known } = await inOwn(services, (tx) =>
    sql<{
      hash: Buffer;
    }>`select f.openid_hash as hash from wx_fans f where f.service_provider_id = ${service_provider_id} and f.app_row = ${app_row}
      and f.openid_hash = any(${hashes}::bytea[]) and f.following and f.unionid_hash is not null
      and not (${bound} and f.unionid_hash = '') and (f.last_channel is not null or f.last_scene is not null)`.execute(tx),
  );
  const nothingNew = new Set(known.map(({ hash }) => hash.toString("hex")));
  const rows = openIds.map((openId, n) => {
    const hash = hashes[n]!;
    if (nothingNew.has(hash.toString("hex"))) return { hash, id: null, sealed: null };
    const id = services.ids.uuid(now_ms);
    return { hash, id, sealed: sealOpenId(services, { service_provider_id, id }, openId) };
  });
  const { numAffectedRows } = await withScope(services.pool, LIST, (tx) =>
    sql`insert into wx_fan_list (service_provider_id, sync_id, openid_hash, fan_id, openid_sealed, ask)
      select ${service_provider_id}, ${run.id}, r.hash, r.id, r.sealed, r.id is not null
      from unnest(${rows.map(({ hash }) => hash)}::bytea[], ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ sealed }) => sealed)}::text[]) as r (hash, id, sealed)
      on conflict do nothing`.execute(tx),
  );
  return Number(numAffectedRows ?? 0n);
}
const inOwn = <T>(services: Services, fn: (tx: Transaction) => Promise<T>): Promise<T> =>
  withScope(services.pool, LIST, fn, { deadline_ms: 120_000, planEach: true });
/** How far it is. @throws where this run is no longer the one that counts */
async function progress(tx: Transaction, { service_provider_id, id, started_at }: Run, set: ReturnType<typeof sql>): Promise<void> {
  const { numAffectedRows } =
    await sql`update wx_fan_syncs y set ${set} where y.service_provider_id = ${service_provider_id} and y.id = ${id}
    and y.status = 0 and y.started_at = ${started_at}`.execute(tx);
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

/** Asks about those of whom the list is the first that we hear, and those of whom WeChat has not told source and unionid. */
export async function askAboutNew(services: Services, run: Run): Promise<void> {
  const { service_provider_id, id } = run;
  await inOwn(services, (tx) =>
    progress(
      tx,
      run,
      sql`unknown = (select count(*) from wx_fan_list l where l.service_provider_id = ${service_provider_id} and l.sync_id = ${id} and l.ask)`,
    ),
  );
  let after: Buffer = Buffer.alloc(0);
  // What was told of some is written while the next are asked about.
  let written: Promise<void> = Promise.resolve();
  for (;;) {
    const { rows } = await withScope(services.pool, LIST, (tx) =>
      sql<Asked>`select l.openid_hash as hash, l.fan_id as id, l.openid_sealed as sealed from wx_fan_list l where l.service_provider_id = ${service_provider_id}
        and l.sync_id = ${id} and l.ask and l.openid_hash > ${after} order by l.openid_hash limit ${ASKED_AT_ONCE * CALLS_AT_ONCE}`.execute(
        tx,
      ),
    );
    if (rows.length === 0) return written;
    after = rows.at(-1)!.hash;
    const told = await allEnded(partsOf(rows, ASKED_AT_ONCE).map((part) => askAbout(services, run, part))).catch((error: unknown) => {
      if ((error as { code?: number } | null)?.code !== NO_RIGHT) throw error;
    });
    await written;
    if (!told) return;
    written = inOwn(services, async (tx) => {
      await keepTold(tx, services, run, told.flat());
      await progress(tx, run, sql`asked = asked + ${rows.length}`);
    });
    written.catch(() => undefined);
  }
}
interface Asked {
  readonly hash: Buffer;
  readonly id: string;
  readonly sealed: string;
}
interface Told {
  readonly row: Asked;
  readonly one: WechatJson;
}
async function askAbout(services: Services, run: Run, rows: readonly Asked[]): Promise<readonly Told[]> {
  const { service_provider_id } = run;
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
  return known;
}
/** Bound to no 开放平台, an account has none: that is known then, until it is bound (`isBoundNow`). */
const unionOf = (services: Services, provider: string, one: WechatJson): Buffer => {
  const unionId = textOf(one["unionid"]);
  return unionId === "" ? Buffer.alloc(0) : openIdHash(services, provider, unionId);
};
async function keepTold(tx: Transaction, services: Services, run: Run, known: readonly Told[]): Promise<void> {
  const { service_provider_id, app_row, id, started_at } = run;
  const at = (one: WechatJson) => {
    const seconds = numberOf(one["subscribe_time"]);
    return seconds > 0 ? new Date(Math.min(seconds * 1_000, Date.parse(started_at))).toISOString() : null;
  };
  await sql`update wx_fan_list l set follow_at = r.at, scene = case when c.id is null then r.scene end, channel_id = c.id,
        unionid_hash = r.unionid
      from unnest(${known.map(({ row }) => row.hash)}::bytea[], ${known.map(({ one }) => at(one))}::timestamptz[],
        ${known.map(({ one }) => textOf(one["subscribe_scene"]).slice(0, 40) || "ADD_SCENE_OTHERS")}::text[], ${known.map(({ one }) => textOf(one["qr_scene_str"]))}::text[],
        ${known.map(({ one }) => unionOf(services, service_provider_id, one))}::bytea[]) as r (hash, at, scene, code, unionid)
      left join wx_fan_channels c on c.service_provider_id = ${service_provider_id} and c.app_row = ${app_row} and c.scene = r.code
      where l.service_provider_id = ${service_provider_id} and l.sync_id = ${id} and l.openid_hash = r.hash`.execute(tx);
  // Who left while the list was read is in it no more.
  const left = known.filter(({ one }) => one["subscribe"] === 0).map(({ row }) => row.hash);
  if (left.length > 0)
    await sql`delete from wx_fan_list l where l.service_provider_id = ${service_provider_id} and l.sync_id = ${id}
        and l.openid_hash = any(${left}::bytea[])`.execute(tx);
}
