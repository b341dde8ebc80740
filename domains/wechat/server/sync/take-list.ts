import { type RawBuilder, sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { mustChange, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { BEFORE, keepFollows } from "../fans/keep-follows.ts";
import { againWhenLocked } from "../fans/when-locked.ts";
import { type Run, SyncFailed } from "./read-list.ts";

/** So few may leave at once without a doubt. */
const FEW = 100;
/** Followers are held for a part of so many: a message about one of them waits for less than a second. */
const PART = 2_000;
const TRIES = 5;
const LOOK_MS = 600_000;
const A_DAY_MS = 86_400_000;
const TAKE = platformScope("take the list of followers");

/**
 * From here on a list that was read whole is taken to its end, whatever breaks off: `ended_at` of one that runs is when its reading ended, or the
 * last part was taken.
 * @throws SyncFailed, and nothing is taken, where the list would end more than half of those who follow
 */
export async function believeList(services: Services, run: Run): Promise<void> {
  const { service_provider_id, id, started_at } = run;
  await mustBeBelieved(services, run);
  const now = new Date(services.clock.now_ms()).toISOString();
  const believe = (tx: Transaction) =>
    sql`update wx_fan_syncs y set ended_at = ${now} where y.service_provider_id = ${service_provider_id}
    and y.id = ${id} and y.status = 0 and y.started_at = ${started_at}`.execute(tx);
  const done = await withScope(services.pool, TAKE, believe);
  mustChange({ numUpdatedRows: done.numAffectedRows ?? 0n }, begunAnew);
}
/**
 * Where the taking broke off, it goes on ten minutes later, over what is left. One that does not come to its end in a day never will: it is over, so
 * that another may begin; the parts that were taken are right by themselves.
 */
export const goOnTaking = lookAfter<Run>({
  name: "go-on-taking-fan-lists",
  due: async (tx, now) =>
    (
      await sql<Run>`select y.service_provider_id, y.merchant_id, y.app_row, y.id, y.started_at from wx_fan_syncs y
        where y.status = 0 and y.ended_at < ${now}::timestamptz - interval '10 minutes' order by y.ended_at limit 20`.execute(tx)
    ).rows,
  one: async (services, run) => {
    const now_ms = services.clock.now_ms();
    if (now_ms - Date.parse(run.started_at) < A_DAY_MS) return takeList(services, run);
    const giveUp = async (tx: Transaction) => {
      await sql`update wx_fan_syncs y set status = 2, why = '一天没有取完，请再同步一次', ended_at = ${new Date(now_ms).toISOString()}
        where y.service_provider_id = ${run.service_provider_id} and y.id = ${run.id} and y.status = 0 and y.started_at = ${run.started_at}`.execute(
        tx,
      );
      await sql`delete from wx_fan_list l where l.service_provider_id = ${run.service_provider_id} and l.sync_id = ${run.id}`.execute(tx);
    };
    await withScope(services.pool, TAKE, giveUp, { deadline_ms: 120_000 });
  },
});

/**
 * Takes the list that was believed for true, as it was when its reading began: what a message told after that stays. In parts, each of them right by
 * itself, and one that was taken before changes nothing. Nobody gets anything by it: gifts are for those whose follow was heard.
 */
export async function takeList(services: Services, run: Run): Promise<void> {
  const { service_provider_id, app_row, id, started_at } = run;
  const now = new Date(services.clock.now_ms()).toISOString();
  await inParts(
    services,
    run,
    (
      after,
      last,
    ) => sql`select l.openid_hash as hash from wx_fan_list l where l.service_provider_id = ${service_provider_id} and l.sync_id = ${id}
      and l.openid_hash > ${after} and l.openid_hash <= ${last} order by l.openid_hash limit ${PART}`,
    async (tx, part) => {
      const taken = { added: await addNew(tx, part, now), returned: await takeBack(tx, services, part, now) };
      await keepUnionIds(tx, part);
      return taken;
    },
  );
  await inParts(
    services,
    run,
    (
      after,
      last,
    ) => sql`select f.openid_hash as hash from wx_fans f where f.service_provider_id = ${service_provider_id} and f.app_row = ${app_row}
      and f.openid_hash > ${after} and f.openid_hash <= ${last} order by f.openid_hash limit ${PART}`,
    async (tx, part) => {
      const gone = await endMissing(tx, part, now);
      await nameMembers(tx, part);
      return { gone };
    },
  );
  await withScope(
    services.pool,
    TAKE,
    async (tx) => {
      const done =
        await sql`update wx_fan_syncs y set status = 1, ended_at = ${now} where y.service_provider_id = ${service_provider_id} and y.id = ${id}
        and y.status = 0 and y.started_at = ${started_at}`.execute(tx);
      mustChange({ numUpdatedRows: done.numAffectedRows ?? 0n }, begunAnew);
      await sql`delete from wx_fan_list l where l.service_provider_id = ${service_provider_id} and l.sync_id = ${id}`.execute(tx);
    },
    { deadline_ms: LOOK_MS },
  );
}
const begunAnew = (): Error => new Error("this sync was begun anew");

/** Another account's list, or a fault at WeChat's: a person looks. @throws SyncFailed */
async function mustBeBelieved(services: Services, { service_provider_id, app_row, id, started_at }: Run): Promise<void> {
  const { rows } = await withScope(
    services.pool,
    TAKE,
    (tx) =>
      sql<{ gone: number; following: number }>`select count(*)::int as following,
        count(*) filter (where l.openid_hash is null and f.changed_at < ${started_at})::int as gone
      from wx_fans f left join wx_fan_list l on l.service_provider_id = f.service_provider_id and l.sync_id = ${id} and l.openid_hash = f.openid_hash
      where f.service_provider_id = ${service_provider_id} and f.app_row = ${app_row} and f.following`.execute(tx),
    { deadline_ms: LOOK_MS, planEach: true },
  );
  const { gone, following } = rows[0]!;
  if (gone > FEW && gone * 2 > following) throw new SyncFailed(`这份名单里少了 ${gone} 位在关注的粉丝，超过一半，这次不算`);
}
/** Openids of a part by their hash: after the first to the last. */
interface Part extends Run {
  readonly after: Buffer;
  readonly upto: Buffer;
}
type Changed = Partial<Record<"added" | "returned" | "gone", number>>;
/** Hashes are spread evenly: the lower half of them, and the upper, at the same time. */
const HALVES = [
  { first: Buffer.alloc(0), last: Buffer.from([0x80]) },
  { first: Buffer.from([0x80]), last: Buffer.alloc(64, 0xff) },
] as const;
type Next = (after: Buffer, last: Buffer) => RawBuilder<unknown>;
type Take = (tx: Transaction, part: Part) => Promise<Changed>;
/** Goes through openids in the order of their hashes, each part in a transaction of its own. Both halves end before anything is thrown. */
async function inParts(services: Services, run: Run, next: Next, take: Take): Promise<void> {
  const ended = await Promise.allSettled(HALVES.map((half) => inHalf(services, run, half, next, take)));
  const failed = ended.find((one) => one.status === "rejected");
  if (failed) throw failed.reason as Error;
}
async function inHalf(services: Services, run: Run, { first, last }: (typeof HALVES)[number], next: Next, take: Take): Promise<void> {
  const { service_provider_id, id, started_at } = run;
  const takePart = (after: Buffer) => async (tx: Transaction) => {
    const { rows } = await sql<{ hash: Buffer }>`select p.hash from (${next(after, last)}) p order by p.hash desc limit 1`.execute(tx);
    const upto = rows[0]?.hash;
    if (!upto) return undefined;
    const { added = 0, returned = 0, gone = 0 } = await take(tx, { ...run, after, upto });
    const done =
      await sql`update wx_fan_syncs y set added = y.added + ${added}, returned = y.returned + ${returned}, gone = y.gone + ${gone},
        ended_at = ${new Date(services.clock.now_ms()).toISOString()}
      where y.service_provider_id = ${service_provider_id} and y.id = ${id} and y.status = 0 and y.started_at = ${started_at}`.execute(tx);
    mustChange({ numUpdatedRows: done.numAffectedRows ?? 0n }, begunAnew);
    return upto;
  };
  for (let after: Buffer | undefined = first; after;) {
    const from: Buffer = after;
    after = await againWhenLocked(TRIES, () => withScope(services.pool, TAKE, takePart(from), { deadline_ms: 60_000, planEach: true }));
  }
}

/** Those whom nobody had heard of. A message that comes at this very moment waits, and finds them. */
async function addNew(tx: Transaction, part: Part, now: string): Promise<number> {
  const { service_provider_id, merchant_id, app_row, id, started_at, after, upto } = part;
  const { rows } = await sql<{ n: number }>`with fresh as (
      insert into wx_fans (service_provider_id, merchant_id, app_row, id, openid_hash, openid_sealed, following, changed_at, known_at,
          first_channel, first_scene, last_channel, last_scene, first_follow, last_follow, unionid_hash)
        select l.service_provider_id, ${merchant_id}, ${app_row}, l.fan_id, l.openid_hash, l.openid_sealed, true, ${started_at}, ${now},
          l.channel_id, l.scene, l.channel_id, l.scene, l.follow_at, l.follow_at, l.unionid_hash
        from wx_fan_list l where l.service_provider_id = ${service_provider_id} and l.sync_id = ${id}
          and l.openid_hash > ${after} and l.openid_hash <= ${upto} and l.fan_id is not null
        on conflict (service_provider_id, app_row, openid_hash) do nothing
        returning id, last_channel as channel_id, last_scene as scene, last_follow as follow_at),
    heard as (
      insert into wx_fan_events (service_provider_id, merchant_id, app_row, fan_id, id, event, event_key, occurred_at, heard_at, channel_id, scene, follow_at)
        select ${service_provider_id}, ${merchant_id}, ${app_row}, n.id, gen_random_uuid(), 'listed', '', ${started_at}, ${now}, n.channel_id, n.scene, n.follow_at
        from fresh n),
    follows as (
      insert into wx_follows (service_provider_id, id, merchant_id, app_row, fan_id, from_at, from_day, channel_id, scene, store_id)
        select ${service_provider_id}, gen_random_uuid(), ${merchant_id}, ${app_row}, n.id, n.follow_at,
          coalesce((n.follow_at at time zone 'Asia/Shanghai')::date, ${BEFORE}::date), n.channel_id, n.scene, c.store_id
        from fresh n left join wx_fan_channels c on c.service_provider_id = ${service_provider_id} and c.id = n.channel_id)
    select count(*)::int as n from fresh`.execute(tx);
  return rows[0]!.n;
}

/** Those who came back unheard, and those whose source WeChat has told now. @returns how many came back */
async function takeBack(tx: Transaction, services: Services, part: Part, now: string): Promise<number> {
  const { service_provider_id, merchant_id, app_row, id, started_at, after, upto } = part;
  const { rows } = await sql<{ id: string; following: boolean }>`select f.id, f.following from wx_fans f join wx_fan_list l
      on l.service_provider_id = f.service_provider_id and l.openid_hash = f.openid_hash and l.sync_id = ${id}
    where f.service_provider_id = ${service_provider_id} and f.app_row = ${app_row} and f.changed_at < ${started_at}
      and f.openid_hash > ${after} and f.openid_hash <= ${upto}
      and (not f.following or (f.last_channel is null and f.last_scene is null and (l.channel_id is not null or l.scene is not null)))
    order by f.id for no key update of f`.execute(tx);
  if (rows.length === 0) return 0;
  const ids = rows.map((fan) => fan.id);
  await sql`insert into wx_fan_events (service_provider_id, merchant_id, app_row, fan_id, id, event, event_key, occurred_at, heard_at, channel_id, scene, follow_at)
    select ${service_provider_id}, ${merchant_id}, ${app_row}, f.id, gen_random_uuid(), 'listed', '', ${started_at}, ${now}, l.channel_id, l.scene, l.follow_at
    from wx_fans f join wx_fan_list l on l.service_provider_id = f.service_provider_id and l.openid_hash = f.openid_hash and l.sync_id = ${id}
    where f.service_provider_id = ${service_provider_id} and f.id = any(${ids}::uuid[])`.execute(tx);
  await keepFollows(tx, services, { service_provider_id, merchant_id, id: app_row }, ids);
  return rows.filter(({ following }) => !following).length;
}

/** Who they are over all accounts of one 开放平台, as far as WeChat told it now. */
const keepUnionIds = (tx: Transaction, { service_provider_id, app_row, id, after, upto }: Part): Promise<unknown> =>
  sql`update wx_fans f set unionid_hash = l.unionid_hash from wx_fan_list l
    where f.service_provider_id = ${service_provider_id} and f.app_row = ${app_row} and f.openid_hash > ${after} and f.openid_hash <= ${upto}
      and l.service_provider_id = f.service_provider_id and l.sync_id = ${id} and l.openid_hash = f.openid_hash
      and l.unionid_hash is not null and f.unionid_hash is distinct from l.unionid_hash`.execute(tx);

/** Those who are in it no more: they left, and nobody told. @returns how many */
async function endMissing(tx: Transaction, part: Part, now: string): Promise<number> {
  const { service_provider_id, merchant_id, app_row, id, started_at, after, upto } = part;
  const { rows } = await sql<{ gone: number }>`with gone as (
      update wx_fans f set following = false, left_at = ${started_at}, changed_at = ${started_at}
        where f.service_provider_id = ${service_provider_id} and f.app_row = ${app_row} and f.following and f.changed_at < ${started_at}
          and f.openid_hash > ${after} and f.openid_hash <= ${upto}
          and not exists (select from wx_fan_list l where l.service_provider_id = f.service_provider_id and l.sync_id = ${id}
            and l.openid_hash = f.openid_hash) returning f.id),
    heard as (
      insert into wx_fan_events (service_provider_id, merchant_id, app_row, fan_id, id, event, event_key, occurred_at, heard_at)
        select ${service_provider_id}, ${merchant_id}, ${app_row}, g.id, gen_random_uuid(), 'missing', '', ${started_at}, ${now} from gone g),
    ended as (
      update wx_follows w set to_at = ${started_at}, to_day = ${shanghaiDay(Date.parse(started_at))}::date from gone g
        where w.service_provider_id = ${service_provider_id} and w.fan_id = g.id and w.to_day is null)
    select count(*)::int as gone from gone`.execute(tx);
  return rows[0]!.gone;
}

/** Who is a member by an openid that they paid with. */
const nameMembers = (tx: Transaction, { service_provider_id, merchant_id, app_row, after, upto }: Part): Promise<unknown> =>
  sql`update wx_fans f set member_id = m.id from member_identities i join members m on m.service_provider_id = i.service_provider_id
      and m.id = i.member_id and m.stage = 1 and m.status = 1
    where f.service_provider_id = ${service_provider_id} and f.app_row = ${app_row} and f.member_id is null
      and f.openid_hash > ${after} and f.openid_hash <= ${upto}
      and i.service_provider_id = f.service_provider_id and i.merchant_id = ${merchant_id} and i.kind = 'openid' and i.subject_hash = f.openid_hash`.execute(
    tx,
  );
