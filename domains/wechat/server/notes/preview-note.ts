import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, Refusal } from "@zhangfang/server/calls/errors.ts";
import { deleteNote, previewNote } from "../../contract/index.ts";
import type { WechatAnswer } from "../calls/answers.ts";
import { heldNote, type NoteHead } from "./find-note.ts";
import type { NoteApp } from "./quota.ts";
import { appOf } from "./read-notes.ts";
import { mediaFor } from "./run-note.ts";
import { deleteMass, previewMass } from "./wx-mass.ts";

/** The note and its account, with the audit row of what is about to be done there. */
const openNote = (ctx: Ctx, id: string, after: object): Promise<{ note: NoteHead; app: NoteApp }> =>
  ctx.transaction(async (tx) => {
    const note = await heldNote({ tx, scope: ctx.scope }, id);
    const app = await appOf({ tx, scope: ctx.scope }, note.app_row);
    await ctx.audit(tx, { targetKind: "wx_note", targetId: id, provider: note.service_provider_id, merchant: note.merchant_id, after });
    return { note, app };
  });
/** What WeChat would not do, in words for people. @throws 409, or 503 where nobody knows */
function mustBeDone<T>(answer: WechatAnswer<T>): T {
  if (answer.kind === "ok") return answer.value;
  if (answer.kind === "refused") throw conflict(answer.message, "wechat.refused");
  throw new Refusal(409, "wechat.unknown", `${answer.reason}，请稍后再试`);
}

/** 预览到我的微信: costs no quota. */
export const previewNoteRoute = implement(previewNote, async (ctx, { id, wxName }) => {
  const { note, app } = await openNote(ctx, id, { preview: wxName.replace(/^(..).*$/, "$1***") });
  const media_id = mustBeDone(await mediaFor(ctx.services, app, note));
  mustBeDone(await previewMass(ctx.services, app, note, media_id, wxName));
  return { ok: true } as const;
});

/** 删除已群发的图文: batch by batch; what WeChat would not delete stays, and can be tried again. */
export const deleteNoteRoute = implement(deleteNote, async (ctx, { id }) => {
  const { note, app } = await openNote(ctx, id, { act: "delete" });
  if (note.kind !== "article") throw conflict("文字和图片发出后收不回");
  const { rows } = await ctx.transaction((tx) =>
    sql<{
      id: string;
      msg_id: string;
    }>`select b.id, b.msg_id from wx_note_batches b where b.service_provider_id = ${note.service_provider_id}
      and b.note_id = ${id} and b.state = 'sent' and b.msg_id is not null and b.deleted_at is null order by b.place`.execute(tx),
  );
  if (rows.length === 0) throw conflict("没有可以删除的：还没发出，或已经删除");
  let deleted = 0;
  let why = "";
  for (const batch of rows) {
    const answer = await deleteMass(ctx.services, app, batch.msg_id);
    if (answer.kind !== "ok") {
      why = answer.kind === "refused" ? answer.message : answer.reason;
      continue;
    }
    deleted += 1;
    await ctx.transaction((tx) =>
      sql`update wx_note_batches b set deleted_at = ${ctx.now} where b.service_provider_id = ${note.service_provider_id} and b.id = ${batch.id}
        and b.deleted_at is null`.execute(tx),
    );
  }
  if (deleted === 0) throw conflict(`没有删除：${why}`, "wechat.refused");
  return { deleted, left: rows.length - deleted };
});
