import { sql } from "kysely";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, forbidden, invalid, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { askerOf } from "../../../orders/server/index.ts";
import {
  addNote,
  BATCH_MOST,
  cancelNote,
  copyNote,
  decideNote,
  handNote,
  linkFault,
  type NoteContent,
  steerNote,
  updateNote,
  withdrawNote,
} from "../../contract/index.ts";
import { mustBeGranted } from "../apps/granted.ts";
import { changed, heldNote, isMaker, mustBeAnother, type NoteHead, told } from "./find-note.ts";
import { AGAIN_DAYS } from "./note-lists.ts";
import { mustHavePicture } from "./pictures.ts";
import { fansOf } from "./quota.ts";
import { appOf, everybodySent } from "./read-notes.ts";
import { closeNote, runNote } from "./run-note.ts";

const DAY_MS = 86_400_000;
const AHEAD_MS = 90 * DAY_MS;
type Facts = Omit<ParsedOf<typeof addNote>, "requestId">;

/** What a note is made of, checked as far as a draft has to be. @returns the row's own */
async function rowOf(ctx: Ctx, { appId, name, kind, content, audience, startsAt }: Facts) {
  const app = await appOf(ctx, appId);
  if (content.picture !== null) await mustHavePicture(ctx.tx, ctx.scope, content.picture);
  if (audience.storeId !== undefined) await mustBeStore(ctx, audience.storeId);
  if (audience.sourceStoreId !== undefined) await mustBeStore(ctx, audience.sourceStoreId);
  if (audience.channelId !== undefined) await mustBeChannel(ctx, app.id, audience.channelId);
  return {
    app_row: app.id,
    name,
    kind,
    content: JSON.stringify(content),
    audience: JSON.stringify(audience),
    starts_at: startsAt,
    updated_at: ctx.now,
  };
}
async function mustBeStore({ tx, scope }: Ctx, id: string): Promise<void> {
  const { rows } = await sql`select 1 from stores s where s.id = ${id} and s.service_provider_id = ${scope.provider}
    and s.merchant_id = ${scope.merchant}`.execute(tx);
  if (rows.length === 0) throw notFound("门店");
}
async function mustBeChannel({ tx, scope }: Ctx, app_row: string, id: string): Promise<void> {
  const { rows } = await sql`select 1 from wx_fan_channels c where c.id = ${id} and c.app_row = ${app_row}
    and ${inScope(scope, "c", "merchant")}`.execute(tx);
  if (rows.length === 0) throw notFound("渠道码");
}
/** 新建群发: a draft; nothing is sent before somebody else says yes. */
export const addNoteRoute = implement(addNote, async (ctx, { requestId: _once, ...facts }) => {
  const { provider, merchant } = ctx.scope;
  if (!provider || !merchant) throw forbidden();
  const by = askerOf(ctx);
  const note = { service_provider_id: provider, merchant_id: merchant, id: ctx.services.ids.uuid(ctx.now_ms) };
  const row = await rowOf(ctx, facts);
  await ctx.tx
    .insertInto("wx_notes")
    .values({ ...note, ...row, made_by: by.id, made_by_name: by.name, created_at: ctx.now } as never)
    .execute();
  ctx.note({ targetKind: "wx_note", targetId: note.id, provider, merchant, after: { name: facts.name, kind: facts.kind } });
  return { id: note.id };
});
/** A draft is whoever's of the merchant; who changed it last is who made it, and does not approve it. */
export const updateNoteRoute = implement(updateNote, async (ctx, { id, revision, ...facts }) => {
  const note = await heldNote(ctx, id);
  if (note.state !== "draft") throw conflict("只有草稿可以修改，请先撤回", "note.changed");
  if (note.revision !== revision) throw conflict("群发已被他人修改，请刷新后再改", "note.changed");
  const by = askerOf(ctx);
  const row = await rowOf(ctx, facts);
  const done = await ctx.tx
    .updateTable("wx_notes")
    .set({
      ...row,
      why: "",
      media_id: null,
      media_at: null,
      cover_id: null,
      made_by: by.id,
      made_by_name: by.name,
      revision: revision + 1,
    } as never)
    .where("service_provider_id", "=", note.service_provider_id)
    .where("id", "=", id)
    .where("revision", "=", revision)
    .where("state", "=", "draft")
    .executeTakeFirst();
  mustChange(done, changed);
  told(ctx, note, { name: facts.name, revision: revision + 1 });
  return { ok: true } as const;
});

/** WeChat makes links of what stands in a text, also those that no list allows. */
const strangeLink = (text: string): boolean =>
  /<\s*\/?\s*a\b/i.test(text) || (text.match(/https?:\/\/[^\s"'<>]*/gi) ?? []).some((url) => linkFault(url) !== undefined);
/** What is missing before it can be sent. @throws 400 at its field */
function checkContent(kind: NoteHead["kind"], content: NoteContent): void {
  if (kind === "text" && content.text === "") throw invalid("content.text", "请填写文字");
  if (kind === "text" && strangeLink(content.text)) throw invalid("content.text", "文字里不能写别处的网址或链接代码，请用下面的链接");
  if (kind !== "text" && content.picture === null) throw invalid("content.picture", kind === "picture" ? "请上传图片" : "请上传封面");
  if (kind === "article" && content.title === "") throw invalid("content.title", "请填写标题");
  if (kind === "article" && content.body === "") throw invalid("content.body", "请填写正文");
  if (kind === "picture" && content.link.to !== "none") throw invalid("content.link.to", "图片不能带链接，请改用图文");
}
function checkTime(ctx: Ctx, starts_at: string | null): void {
  if (starts_at === null) return;
  if (Date.parse(starts_at) <= ctx.now_ms) throw invalid("startsAt", "发送时间已过，请改到以后，或改为审核后就发");
  if (Date.parse(starts_at) > ctx.now_ms + AHEAD_MS) throw invalid("startsAt", "最多提前 90 天");
}
/** 群发与通知; with a picture also 素材管理. */
const needsOf = (kind: NoteHead["kind"]): readonly number[] => (kind === "text" ? [7] : [7, 11]);
/** 提交审核: complete, for somebody, and at a time that is still to come. */
export const handNoteRoute = implement(handNote, async (ctx, { id, revision }) => {
  const note = await heldNote(ctx, id);
  if (note.state !== "draft" || note.revision !== revision) throw changed();
  checkContent(note.kind, note.content);
  checkTime(ctx, note.starts_at);
  const app = await appOf(ctx, note.app_row);
  if (app.state !== "active") throw invalid("appId", "公众号已停用，请先启用");
  mustBeGranted(app, needsOf(note.kind));
  const { rows } = await sql<{ people: number }>`select count(*)::int as people from ${fansOf(ctx.scope, app, note.audience)}`.execute(
    ctx.tx,
  );
  const { people } = rows[0]!;
  if (people < (note.audience.everybody ? 1 : 2)) throw invalid("audience", `现在只有 ${people} 个粉丝符合，微信至少要 2 个`);
  if (app.kind === 2 && !note.audience.everybody && people > BATCH_MOST)
    throw invalid("audience", `订阅号一天只能群发一次，一次最多 ${BATCH_MOST} 人，请缩小范围或改为全部粉丝`);
  await move(ctx, note, "review", { why: "" });
  return { ok: true } as const;
});
/** Changes the state of a held note, guarded by the one that it was held in. */
async function move(ctx: Ctx, note: NoteHead, state: string, more: object = {}): Promise<void> {
  const done = await ctx.tx
    .updateTable("wx_notes")
    .set({ state, verdict: null, updated_at: ctx.now, ...more } as never)
    .where("service_provider_id", "=", note.service_provider_id)
    .where("id", "=", note.id)
    .where("state", "=", note.state)
    .where("revision", "=", note.revision)
    .executeTakeFirst();
  mustChange(done, changed);
  told(ctx, note, { state, ...more });
}
export const withdrawNoteRoute = implement(withdrawNote, async (ctx, { id }) => {
  const note = await heldNote(ctx, id);
  if (note.state !== "review") throw changed();
  await move(ctx, note, "draft");
  return { ok: true } as const;
});
/** 取消, as long as nothing was sent. */
export const cancelNoteRoute = implement(cancelNote, async (ctx, { id }) => {
  const note = await heldNote(ctx, id);
  if (!["draft", "review", "ready", "sending"].includes(note.state)) throw changed();
  const { service_provider_id } = note;
  const { rows } = await sql`select 1 from wx_note_batches b where b.service_provider_id = ${service_provider_id} and b.note_id = ${id}
    and b.state <> 'waiting' limit 1`.execute(ctx.tx);
  if (rows.length > 0) throw conflict("已经开始发送，不能取消；可以暂停", "note.changed");
  await sql`update wx_note_batches b set state = 'failed', asked_at = ${ctx.now}, settled_at = ${ctx.now}, reason = '已取消'
    where b.service_provider_id = ${service_provider_id} and b.note_id = ${id} and b.state = 'waiting'`.execute(ctx.tx);
  await move(ctx, note, "cancelled", { ended_at: ctx.now, paused: false, why: "" });
  return { ok: true } as const;
});
export const copyNoteRoute = implement(copyNote, async (ctx, { requestId: _once, id }) => {
  const note = await heldNote(ctx, id);
  const by = askerOf(ctx);
  const { service_provider_id, merchant_id, app_row, kind } = note;
  const copy = ctx.services.ids.uuid(ctx.now_ms);
  await ctx.tx
    .insertInto("wx_notes")
    .values({
      service_provider_id,
      merchant_id,
      id: copy,
      app_row,
      kind,
      name: `${note.name.slice(0, 37)} 副本`,
      content: JSON.stringify(note.content),
      audience: JSON.stringify(note.audience),
      made_by: by.id,
      made_by_name: by.name,
      created_at: ctx.now,
      updated_at: ctx.now,
    } as never)
    .execute();
  told(ctx, { ...note, id: copy, state: "draft" }, { copyOf: id });
  return { id: copy };
});
/** 审核: by another. Yes starts it, now or at its time; no gives it back as a draft with the reason. */
export const decideNoteRoute = implement(decideNote, async (ctx, { id, revision, approve, why }) => {
  const note = await heldNote(ctx, id);
  mustBeAnother(ctx, note);
  if (note.state !== "review") throw changed();
  if (note.revision !== revision) throw conflict("群发已被修改，请重新查看后再审核", "note.changed");
  if (!approve && why === "") throw invalid("why", "请写明驳回原因");
  const by = askerOf(ctx);
  if (!approve) {
    await move(ctx, note, "draft", { why });
    return { ok: true } as const;
  }
  if (note.starts_at !== null && Date.parse(note.starts_at) <= ctx.now_ms) throw conflict("发送时间已过，请驳回后改时间");
  const app = await appOf(ctx, note.app_row);
  mustBeGranted(app, needsOf(note.kind));
  if ((note.audience.everybody || app.kind === 2) && (await everybodySent(ctx, app, note.starts_at ?? ctx.now)))
    throw conflict(app.kind === 2 ? "订阅号一天只能群发一次，那一天已经发过" : "那一天已经群发过全部粉丝，微信每天只让发一次");
  await move(ctx, note, "ready", { decided_by: by.id, decided_by_name: by.name, decided_at: ctx.now });
  const after_s = note.starts_at === null ? 0 : Math.ceil((Date.parse(note.starts_at) - ctx.now_ms) / 1_000);
  await enqueue(ctx, note, after_s);
  return { ok: true } as const;
});
const enqueue = (ctx: Ctx, { service_provider_id, id }: NoteHead, after_s = 0) =>
  ctx.services.jobs.enqueue(ctx.tx, runNote, { service_provider_id, id }, after_s > 0 ? { after_s } : {});

/** 暂停, 继续, 失败的再发, and what two persons saw became of batches that nobody knows of. */
export const steerNoteRoute = implement(steerNote, async (ctx, { id, act }) => {
  const note = await heldNote(ctx, id);
  if (act === "retry") await retry(ctx, note);
  else if (act === "was-sent" || act === "was-not-sent") return settleByHand(ctx, note, act);
  else {
    if (note.state !== "sending" || note.paused === (act === "pause")) throw changed();
    const done =
      await sql`update wx_notes n set paused = ${act === "pause"}, why = '', verdict = null, media_tries = 0, updated_at = ${ctx.now}
      where n.service_provider_id = ${note.service_provider_id} and n.id = ${id} and n.state = 'sending' and n.paused = ${act !== "pause"}`.execute(
        ctx.tx,
      );
    mustChange({ numUpdatedRows: done.numAffectedRows ?? 0n }, changed);
    told(ctx, note, { act });
  }
  if (act !== "pause") await enqueue(ctx, note);
  return { ok: true } as const;
});
/**
 * One person says whether the batches of which nobody knows went out, another says the same of no other ones, and it holds. What did not go out
 * gives its quota back, in a job, and can be sent again; what went out never is. While somebody's word stands, the note's `updated_at` is when it was
 * given: batches that were not in doubt then are not meant by it.
 * @throws 409 where nothing is in doubt, or a call may still be on its way; 403 where the same person says it twice
 */
async function settleByHand(ctx: Ctx, note: NoteHead, act: "was-sent" | "was-not-sent"): Promise<{ ok: true }> {
  const { service_provider_id, id } = note;
  const doubtfulAt = (at: string) => sql<boolean>`b.note_id = ${id} and (${note.state === "sending" && note.paused}
    and b.state = 'asked' and b.asked_at < ${at}::timestamptz - interval '10 minutes'
    or ${note.state === "confirming"} and b.state = 'accepted' and b.accepted_at < ${at}::timestamptz - interval '1 day')`;
  const doubtful = doubtfulAt(ctx.now);
  const { rows } = await sql<{ n: number; meant: boolean }>`select count(*)::int as n, bool_and(${doubtfulAt(note.updated_at)}) as meant
    from wx_note_batches b where b.service_provider_id = ${service_provider_id} and ${doubtful}`.execute(ctx.tx);
  if (rows[0]!.n === 0) throw conflict("没有要登记的批次：先等 10 分钟，微信已收下的等一天", "note.changed");
  const by = askerOf(ctx);
  const seconded = note.verdict === act && rows[0]!.meant;
  if (seconded && isMaker(ctx, { made_by: note.verdict_by! })) throw new Refusal(403, "second-person", "须由另一人再登记一次");
  told(ctx, note, { act, holds: seconded });
  await sql`update wx_notes n set verdict = ${seconded ? null : act}, verdict_by = ${by.id}, verdict_by_name = ${by.name}, updated_at = ${ctx.now}
    where n.service_provider_id = ${service_provider_id} and n.id = ${id}`.execute(ctx.tx);
  if (!seconded) return { ok: true };
  const [state, seen] = act === "was-sent" ? ["sent", "已发出"] : ["failed", "没有发出"];
  const reason = `两人登记：${seen}（${by.name} 复核）`;
  await sql`update wx_note_batches b set state = ${state}, settled_at = ${ctx.now}, unsure_since = null, reason = ${reason}
    where b.service_provider_id = ${service_provider_id} and ${doubtful}`.execute(ctx.tx);
  await sql`update wx_notes n set paused = false, why = '' where n.service_provider_id = ${service_provider_id} and n.id = ${id}`.execute(
    ctx.tx,
  );
  await ctx.services.jobs.enqueue(ctx.tx, closeNote, { service_provider_id, id });
  return { ok: true };
}
/** The followers of failed batches come over to new ones, in the job: WeChat sends a clientmsgid once, also where that once failed. */
async function retry(ctx: Ctx, note: NoteHead): Promise<void> {
  if (note.state !== "partly" && note.state !== "failed") throw changed();
  if (Date.parse(note.ended_at!) < ctx.now_ms - AGAIN_DAYS * DAY_MS)
    throw conflict("过了 90 天，名单要清理了，请复制成新的群发", "note.gone");
  const { service_provider_id, merchant_id, id: note_id, app_row } = note;
  const failed = await ctx.tx
    .selectFrom("wx_note_batches")
    .select(["id", "place", "people", "everybody", "period"])
    .where("service_provider_id", "=", service_provider_id)
    .where("note_id", "=", note_id)
    .where("state", "in", ["failed", "void"])
    .where("replaced", "=", false)
    .where(
      sql<boolean>`not exists (select from wx_mass_results r where r.service_provider_id = wx_note_batches.service_provider_id
        and r.app_row = wx_note_batches.app_row and r.msg_id = wx_note_batches.msg_id and r.sent > 0)`,
    )
    .orderBy("place")
    .execute();
  if (failed.length === 0) throw conflict("没有可以再发的批次");
  if (failed.some(({ period }) => period !== null)) throw conflict("额度正在退回，请一分钟后再试");
  const { last } = await ctx.tx
    .selectFrom("wx_note_batches")
    .select(({ fn }) => fn.max<number>("place").as("last"))
    .where("service_provider_id", "=", service_provider_id)
    .where("note_id", "=", note_id)
    .executeTakeFirstOrThrow();
  await move(ctx, note, "sending", { paused: false, why: "", ended_at: null });
  for (const [at, { id, people, everybody }] of failed.entries()) {
    const anew = ctx.services.ids.uuid(ctx.now_ms);
    await ctx.tx
      .insertInto("wx_note_batches")
      .values({
        service_provider_id,
        merchant_id,
        app_row,
        note_id,
        id: anew,
        place: last + at + 1,
        everybody,
        people,
        takes_from: id,
        next_at: ctx.now,
      })
      .execute();
    const left =
      await sql`update wx_note_batches b set replaced = true where b.service_provider_id = ${service_provider_id} and b.id = ${id}
      and b.state in ('failed', 'void') and not b.replaced`.execute(ctx.tx);
    mustChange({ numUpdatedRows: left.numAffectedRows ?? 0n }, changed);
  }
}
