import { sql } from "kysely";
import { z } from "zod";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { jpegPicture } from "@zhangfang/server/files/clean-picture.ts";
import { mustChange, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job, type Job } from "@zhangfang/server/jobs/jobs.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { BATCH_MOST, LEAST_PEOPLE, quotaOf } from "../../contract/index.ts";
import { openOpenId } from "../apps/app-keys.ts";
import type { NoteHead } from "./find-note.ts";
import { endNote, heardBefore } from "./mass-results.ts";
import { takeOver } from "./note-lists.ts";
import { fansOf, giveQuotaBack, moveQuota, type NoteApp, periodOf, takeQuota } from "./quota.ts";
import { everybodySent } from "./read-notes.ts";
import { bringMedia, pictureIdOf, type Sent, sendMass } from "./wx-mass.ts";

const which = z.object({ service_provider_id: z.uuid(), id: z.uuid() });
export type Which = z.output<typeof which>;
export const SEND = platformScope("send group notes");
/** How long one turn works before the next one goes on: well within the queue's lease. */
const TURN_MS = 60_000;
/** What WeChat wants between two tries of one id. A call and its tokens may last a little longer: then two calls of one id are on their way. */
const AGAIN_S = 61;
/** WeChat knows an id for 24 hours; what nobody knows of by then is for people to find out. */
const UNSURE_MS = 23 * 3_600_000;
/** The work of a list or a quota of a million followers. */
const LONG = { deadline_ms: 600_000, planEach: true } as const;
/** Then WeChat is asked what became of a message. */
const ASK_AFTER_S = 600;
/** WeChat takes so many sendings of an account a minute. */
const PER_MINUTE = 60;
/** A picture is kept for three days; it is brought anew before that. */
const MEDIA_MS = 2 * 86_400_000;
const MOST_TRIES = 20;
/** WeChat knows the picture no more; the calls of a day are used up. */
const [STALE_MEDIA, DAY_USED] = [40_007, 45_009];
/** A minute into Beijing's next day. */
const nextDay = (now_ms: number): string => new Date(Date.parse(`${shanghaiDay(now_ms)}T00:00:00+08:00`) + 86_460_000).toISOString();

/**
 * Sends a note: freezes its list into batches, and asks WeChat for one batch after another. Each call is written down before it goes out and
 * settled after; whatever stops it in between, the same batch is asked for again under the same id, by which WeChat sends it once.
 */
export const runNote: Job<typeof which> = job({
  name: "send-group-note",
  data: which,
  lease_s: 1_800,
  async run(services, note) {
    const until_ms = services.clock.now_ms() + TURN_MS;
    if (!(await withScope(services.pool, SEND, (tx) => freezeNote(tx, services, note), LONG))) return;
    const media = await mediaOf(services, note);
    if (media === undefined) return;
    await takeOver(services, note, until_ms);
    while (services.clock.now_ms() < until_ms) {
      const ask = await withScope(services.pool, SEND, (tx) => nextBatch(tx, services, note), LONG);
      if (ask === "none") return withScope(services.pool, SEND, (tx) => endNote(tx, services, note));
      if (ask === "ended") continue;
      // lookAfterNotes comes each minute.
      if (ask === "wait") return;
      const sent = await sendMass(services, ask.app, ask.note, { id: ask.id, media_id: media.id, openIds: ask.openIds });
      await withScope(services.pool, SEND, (tx) => settleBatch(tx, services, ask, sent), LONG);
      if (sent.kind !== "taken" && (sent.kind !== "refused" || sent.code === STALE_MEDIA)) return;
    }
    await withScope(services.pool, SEND, (tx) => services.jobs.enqueue(tx, runNote, note));
  },
});
/** Stops a note until a person looks; nobody may see the screen at night. */
async function pause(tx: Transaction, services: Services, { service_provider_id, id }: Which, why: string): Promise<void> {
  services.log.error({ note: id, why }, "a group note was paused");
  await sql`update wx_notes n set paused = true, why = ${why.slice(0, 200)} where n.service_provider_id = ${service_provider_id}
    and n.id = ${id} and n.state = 'sending'`.execute(tx);
}

/** After people said what became of batches: gives back what did not go out, ends the note or goes on with it. */
export const closeNote: Job<typeof which> = job({
  name: "close-group-note",
  data: which,
  lease_s: 1_800,
  async run(services, note) {
    const close = async (tx: Transaction) => {
      await hold(tx, note);
      const { rows } = await sql<{ service_provider_id: string; id: string; period: string }>`
        select b.service_provider_id, b.id, b.period::text as period from wx_note_batches b where b.service_provider_id = ${note.service_provider_id}
          and b.note_id = ${note.id} and b.state = 'failed' and b.period is not null`.execute(tx);
      for (const batch of rows) await giveQuotaBack(tx, batch);
      await endNote(tx, services, note);
      await services.jobs.enqueue(tx, runNote, note);
    };
    await withScope(services.pool, SEND, close, LONG);
  },
});

/** Each minute: notes whose time has come, and batches whose job was lost. */
export const lookAfterNotes = lookAfter<Which>({
  name: "look-after-group-notes",
  due: async (tx, now) =>
    (
      await sql<Which>`select n.service_provider_id, n.id from wx_notes n
        where n.state = 'ready' and coalesce(n.starts_at, n.decided_at) <= ${now}
          or n.state = 'sending' and not n.paused and not exists (select from wx_note_batches b where b.service_provider_id = n.service_provider_id
            and b.note_id = n.id and b.state in ('waiting', 'asked') and b.next_at > ${now}) order by n.id limit 100`.execute(tx)
    ).rows,
  one: (services, note) => runNote.run(services, note),
});

interface Held {
  readonly note: NoteHead;
  readonly app: NoteApp & { readonly state: string };
}
/** The account, then the note, both held to the end: who sends for one account comes one after another. */
async function hold(tx: Transaction, { service_provider_id, id }: Which): Promise<Held> {
  const { rows } = await sql<Held["app"]>`select a.service_provider_id, a.merchant_id, a.id, a.kind, a.state from wx_apps a
    where a.service_provider_id = ${service_provider_id}
      and a.id = (select n.app_row from wx_notes n where n.service_provider_id = ${service_provider_id} and n.id = ${id}) for no key update`.execute(
    tx,
  );
  const { rows: notes } =
    await sql<NoteHead>`select n.* from wx_notes n where n.service_provider_id = ${service_provider_id} and n.id = ${id}
    for no key update`.execute(tx);
  return { app: rows[0]!, note: notes[0]! };
}
async function setState(
  tx: Transaction,
  services: Services,
  { service_provider_id, id, state }: NoteHead,
  to: string,
  more: object,
): Promise<void> {
  const done = await tx
    .updateTable("wx_notes")
    .set({ state: to, verdict: null, updated_at: new Date(services.clock.now_ms()).toISOString(), ...more } as never)
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("state", "=", state)
    .executeTakeFirst();
  mustChange(done, () => new Error("a held note changed its state"));
}

/** Freezes the list of a note whose time has come; once. @returns whether there is something to send */
async function freezeNote(tx: Transaction, services: Services, given: Which): Promise<boolean> {
  const { note, app } = await hold(tx, given);
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  if (note.state === "sending") return !note.paused;
  if (note.state !== "ready" || (note.starts_at !== null && Date.parse(note.starts_at) > now_ms)) return false;
  const fail = async (why: string): Promise<false> => {
    await setState(tx, services, note, "failed", { why, ended_at: now });
    return false;
  };
  if (app.state !== "active") return fail("公众号已停用");
  const { service_provider_id, merchant_id, id: note_id } = note;
  const whole = { service_provider_id, merchant_id, app_row: app.id, note_id, next_at: now };
  await sql`insert into wx_note_fans (service_provider_id, note_id, fan_id, merchant_id)
    select f.service_provider_id, ${note_id}, f.id, ${merchant_id} from ${fansOf(SEND, app, note.audience)}`.execute(tx);
  const { rows } = await sql<{ people: number; left: number }>`
    select count(*)::int as people, (count(*) filter (where coalesce(q.used, 0) < ${quotaOf(app.kind).most}))::int as left from wx_note_fans n
    left join wx_fan_quota q on q.service_provider_id = n.service_provider_id and q.fan_id = n.fan_id and q.period = ${periodOf(app, now_ms)}::date
    where n.service_provider_id = ${service_provider_id} and n.note_id = ${note_id}`.execute(tx);
  const { people, left } = rows[0]!;
  const { everybody } = note.audience;
  if (left < (everybody ? 1 : LEAST_PEOPLE)) return fail(left === 0 ? "没有粉丝还有额度" : "还有额度的粉丝不到 2 人，微信不收");
  // Even parts, so that no last one is too small for WeChat.
  const count = everybody ? 1 : Math.ceil(left / BATCH_MOST);
  const batches = Array.from({ length: count }, (_one, at) => ({
    ...whole,
    id: services.ids.uuid(now_ms),
    place: at + 1,
    everybody,
    people: Math.ceil((left - at) / count),
  }));
  await tx.insertInto("wx_note_batches").values(batches).execute();
  await sql`update wx_note_fans n set batch_id = x.id from (
      select n.fan_id, b.id from (
        select n.fan_id, (row_number() over (order by n.fan_id) - 1) % ${count} + 1 as place from wx_note_fans n
        left join wx_fan_quota q on q.service_provider_id = n.service_provider_id and q.fan_id = n.fan_id and q.period = ${periodOf(app, now_ms)}::date
        where n.service_provider_id = ${service_provider_id} and n.note_id = ${note_id} and coalesce(q.used, 0) < ${quotaOf(app.kind).most}) n
      join unnest(${batches.map(({ id }) => id)}::uuid[]) with ordinality b (id, place) on b.place = n.place) x
    where n.service_provider_id = ${service_provider_id} and n.note_id = ${note_id} and n.fan_id = x.fan_id`.execute(tx);
  await setState(tx, services, note, "sending", { frozen_at: now, people });
  return true;
}

/** What WeChat calls the picture or article of a note; brought where it is not there yet. @returns undefined where it could not be */
async function mediaOf(services: Services, which_: Which): Promise<{ readonly id: string | null } | undefined> {
  const { note, app } = await withScope(services.pool, SEND, (tx) => hold(tx, which_));
  const media = await mediaFor(services, app, note);
  if (media.kind === "ok") return { id: media.value };
  await withScope(services.pool, SEND, async (tx) => {
    if (media.kind === "refused") return pause(tx, services, which_, media.message);
    const { service_provider_id, id } = which_;
    const { rows } = await sql<{ media_tries: number }>`update wx_notes n set media_tries = n.media_tries + 1
      where n.service_provider_id = ${service_provider_id} and n.id = ${id} and n.state = 'sending' returning n.media_tries`.execute(tx);
    await sql`update wx_note_batches b set next_at = ${new Date(services.clock.now_ms() + AGAIN_S * 1_000).toISOString()}
      where b.service_provider_id = ${service_provider_id} and b.note_id = ${id} and b.state in ('waiting', 'asked')`.execute(tx);
    if ((rows[0]?.media_tries ?? 0) >= MOST_TRIES)
      await pause(tx, services, which_, `图片或图文 ${MOST_TRIES} 次没能交给微信：${media.reason}`);
  });
  return undefined;
}
/** The same for a preview, in no transaction. */
export async function mediaFor(services: Services, app: NoteApp, note: NoteHead) {
  const now_ms = services.clock.now_ms();
  if (note.media_id !== null && now_ms - Date.parse(note.media_at!) < MEDIA_MS) return { kind: "ok" as const, value: note.media_id };
  const picture_id = pictureIdOf(note.content);
  const bytes =
    picture_id === null
      ? undefined
      : await withScope(services.pool, SEND, (tx) =>
          tx
            .selectFrom("wx_note_pictures")
            .select("bytes")
            .where("service_provider_id", "=", note.service_provider_id)
            .where("id", "=", picture_id)
            .executeTakeFirst(),
        );
  // WeChat takes no WebP.
  const keepCover = (cover_id: string) =>
    withScope(services.pool, SEND, (tx) =>
      sql`update wx_notes n set cover_id = ${cover_id} where n.service_provider_id = ${note.service_provider_id} and n.id = ${note.id}
        and n.revision = ${note.revision}`.execute(tx),
    );
  const media = await bringMedia(services, app, note, bytes && (await jpegPicture(bytes, 1_080)), { id: note.cover_id, keep: keepCover });
  if (media.kind === "ok" && media.value !== null)
    await withScope(services.pool, SEND, (tx) =>
      sql`update wx_notes n set media_id = ${media.value}, media_at = ${new Date(now_ms).toISOString()}, media_tries = 0
        where n.service_provider_id = ${note.service_provider_id} and n.id = ${note.id} and n.revision = ${note.revision}`.execute(tx),
    );
  return media;
}

interface Ask extends Held {
  readonly id: string;
  readonly service_provider_id: string;
  readonly period: string | null;
  /** Which quota this very call is in. */
  readonly period_now: string;
  readonly openIds: readonly string[] | undefined;
  /** An earlier call of this batch may have been taken. */
  readonly unsure: boolean;
  readonly tries: number;
}
interface BatchRow {
  readonly service_provider_id: string;
  readonly id: string;
  readonly everybody: boolean;
  readonly people: number;
  readonly period: string | null;
  readonly tries: number;
  readonly unsure_since: string | null;
}
/** The next batch that is due, written down as asked for, its quota taken. */
async function nextBatch(tx: Transaction, services: Services, given: Which): Promise<Ask | "none" | "wait" | "ended"> {
  const { note, app } = await hold(tx, given);
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  if (note.state !== "sending" || note.paused) return "none";
  const { rows } =
    await sql<BatchRow>`select b.service_provider_id, b.id, b.everybody, b.people, b.period::text as period, b.tries, b.unsure_since
      from wx_note_batches b
    where b.service_provider_id = ${note.service_provider_id} and b.note_id = ${note.id} and b.state in ('waiting', 'asked') and b.next_at <= ${now}
      and b.takes_from is null
    order by b.place limit 1 for no key update`.execute(tx);
  const [batch] = rows;
  if (!batch) return "none";
  if (batch.unsure_since !== null && Date.parse(batch.unsure_since) < now_ms - UNSURE_MS) {
    await pause(tx, services, given, "有一批过了 23 小时还不知道微信发了没有，不能再问，请两个人到微信公众平台看过后登记");
    return "none";
  }
  const { rows: lately } = await sql<{ n: number }>`select count(*)::int as n from wx_note_batches b
    where b.service_provider_id = ${app.service_provider_id} and b.app_row = ${app.id} and b.asked_at > ${now}::timestamptz - interval '1 minute'`.execute(
    tx,
  );
  if (lately[0]!.n >= PER_MINUTE) return "wait";
  const period_now = periodOf(app, now_ms);
  const fresh = batch.tries === 0;
  if (fresh && (batch.everybody || app.kind === 2) && (await everybodySent({ tx }, app, now, batch.id)))
    return endBatch(tx, batch, "failed", "今天的群发次数已用完，微信每天只让发一次", now);
  const people = batch.period === null ? await takeQuota(tx, app, batch, period_now) : batch.people;
  if (people < (batch.everybody ? 1 : LEAST_PEOPLE)) {
    await giveQuotaBack(tx, { ...batch, period: period_now });
    return endBatch(tx, batch, "spent", "冻结名单后额度被别的群发用完，还有额度的不到 2 人，微信不收", now);
  }
  const done = await sql`update wx_note_batches b set state = 'asked', asked_at = ${now}, tries = b.tries + 1, people = ${people},
      unsure_since = coalesce(b.unsure_since, ${now}),
      period = coalesce(b.period, ${period_now}::date), next_at = ${now}::timestamptz + ${AGAIN_S} * interval '1 second'
    where b.service_provider_id = ${batch.service_provider_id} and b.id = ${batch.id} and b.state in ('waiting', 'asked')`.execute(tx);
  mustChange({ numUpdatedRows: done.numAffectedRows ?? 0n }, () => new Error("a held batch changed its state"));
  const openIds = batch.everybody ? undefined : await openIdsOf(tx, services, batch);
  return {
    note,
    app,
    id: batch.id,
    service_provider_id: batch.service_provider_id,
    period: batch.period ?? period_now,
    period_now,
    openIds,
    unsure: batch.unsure_since !== null,
    tries: batch.tries + 1,
  };
}
/** Ends a batch that WeChat is not asked for. */
async function endBatch(
  tx: Transaction,
  { service_provider_id, id }: BatchRow,
  state: "failed" | "spent",
  reason: string,
  now: string,
): Promise<"ended"> {
  await sql`update wx_note_batches b set state = ${state}, asked_at = coalesce(b.asked_at, ${now}), settled_at = ${now}, reason = ${reason}
    where b.service_provider_id = ${service_provider_id} and b.id = ${id} and b.state = 'waiting'`.execute(tx);
  return "ended";
}
async function openIdsOf(tx: Transaction, services: Services, { service_provider_id, id }: BatchRow): Promise<string[]> {
  const { rows } = await sql<{ service_provider_id: string; id: string; openid_sealed: string }>`
    select f.service_provider_id, f.id, f.openid_sealed from wx_note_fans n
    join wx_fans f on f.service_provider_id = n.service_provider_id and f.id = n.fan_id
    where n.service_provider_id = ${service_provider_id} and n.batch_id = ${id} order by f.id`.execute(tx);
  return rows.map((row) => openOpenId(services, row, row.openid_sealed));
}

/** Writes down how WeChat answered for a batch. */
async function settleBatch(tx: Transaction, services: Services, ask: Ask, sent: Sent): Promise<void> {
  await hold(tx, { service_provider_id: ask.service_provider_id, id: ask.note.id });
  const { service_provider_id, id } = ask;
  const now = new Date(services.clock.now_ms()).toISOString();
  const row = await tx
    .selectFrom("wx_note_batches")
    .select(["state", "tries"])
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  // Another worker, or WeChat's own event, was first.
  if (row.state !== "asked") return;
  if (sent.kind === "taken") {
    // WeChat took this very call, not an earlier one: it counts where the call stands.
    if (!sent.before && ask.period !== ask.period_now) await moveQuota(tx, ask, ask.period_now);
    await sql`update wx_note_batches b set state = 'accepted', msg_id = ${sent.msg_id}, accepted_at = ${now}, reason = '', unsure_since = null,
        next_at = ${now}::timestamptz + ${ASK_AFTER_S} * interval '1 second'
      where b.service_provider_id = ${service_provider_id} and b.id = ${id} and b.state = 'asked'`.execute(tx);
    return heardBefore(tx, services, { service_provider_id, app_row: ask.app.id, msg_id: sent.msg_id });
  }
  // Only where no earlier call, and no other on its way, may have been taken does a refusal mean that nobody got anything.
  const sure = !ask.unsure && row.tries === ask.tries;
  const stale = sent.kind === "refused" && sent.code === STALE_MEDIA && row.tries < 3;
  if (stale)
    await sql`update wx_notes n set media_id = null, media_at = null, cover_id = null
      where n.service_provider_id = ${service_provider_id} and n.id = ${ask.note.id}`.execute(tx);
  if (sent.kind === "refused" && !stale && sure) {
    await giveQuotaBack(tx, ask);
    await sql`update wx_note_batches b set state = 'failed', settled_at = ${now}, reason = ${sent.reason.slice(0, 200)}, unsure_since = null
      where b.service_provider_id = ${service_provider_id} and b.id = ${id} and b.state = 'asked'`.execute(tx);
    return;
  }
  // Nobody knows, or not now: the same id goes out again, until somebody looks.
  const tomorrow = sent.kind === "again" && sent.code === DAY_USED;
  const next_at = tomorrow ? nextDay(services.clock.now_ms()) : null;
  await sql`update wx_note_batches b set reason = ${sent.reason.slice(0, 200)}, next_at = coalesce(${next_at}::timestamptz, b.next_at),
      unsure_since = case when ${sure && sent.kind !== "unknown"} then null else b.unsure_since end,
      tries = case when ${tomorrow} and b.tries > 1 then b.tries - 1 else b.tries end
    where b.service_provider_id = ${service_provider_id} and b.id = ${id} and b.state = 'asked'`.execute(tx);
  const note = { service_provider_id, id: ask.note.id };
  if (sent.kind === "refused" && !stale)
    await pause(tx, services, note, `前面一次不知道微信收到没有，再问时微信说：${sent.reason}。请核对后继续，或由两个人登记结果`);
  else if (row.tries >= MOST_TRIES && !tomorrow)
    await pause(
      tx,
      services,
      note,
      sure && sent.kind === "again" ? `问了 ${MOST_TRIES} 次微信都不收：${sent.reason}` : `问了 ${MOST_TRIES} 次还不知道：${sent.reason}`,
    );
}

/** Of a provider that was restored elsewhere: what was to go out is decided anew, what is on its way waits until somebody goes on with it. */
export const holdBackNotes = (tx: Transaction, provider: string) =>
  sql`update wx_notes n set state = case n.state when 'ready' then 'review' else n.state end, paused = n.state = 'sending',
      why = case n.state when 'sending' then '恢复时暂停' else n.why end
    where n.service_provider_id = ${provider} and n.state in ('ready', 'sending')`.execute(tx);
