import { sql } from "kysely";
import { z } from "zod";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, forbidden, invalid } from "@zhangfang/server/calls/errors.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { inScope, platformScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { readPicture, smallerPicture } from "@zhangfang/server/files/clean-picture.ts";
import { pictureAnswer } from "@zhangfang/server/files/file-answer.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { addNotePicture, getNotePicture, NOTE_PICTURE_MOST } from "../../contract/index.ts";

/** A merchant sends at most so many a day. */
const MOST = 200;
const SIDE = 1_080;

/** 上传群发图片. */
export const addNotePictureRoute = implement(addNotePicture, async (ctx, { base64 }) => {
  const { provider, merchant } = ctx.scope;
  if (!provider || !merchant) throw forbidden();
  const { width, height, bytes } = NOTE_PICTURE_MOST;
  const picture = await readPicture(base64, { bytes, side: Math.max(width, height), pixels: width * height });
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from wx_note_pictures x where ${inScope(ctx.scope, "x", "merchant")}
    and x.created_at > ${ctx.now}::timestamptz - interval '1 day'`.execute(ctx.tx);
  if ((rows[0]?.n ?? 0) >= MOST) throw conflict("今日上传的图片过多，请明天再试");
  const id = ctx.services.ids.uuid(ctx.now_ms);
  await ctx.tx
    .insertInto("wx_note_pictures")
    .values({ service_provider_id: provider, merchant_id: merchant, id, bytes: await smallerPicture(picture, SIDE), created_at: ctx.now })
    .execute();
  ctx.note({ targetKind: "picture", targetId: id, after: { width: picture.width, height: picture.height } });
  return { url: `/api/group-note-pictures/${id}` };
});
/** 群发图片: for whoever has its number. */
export const getNotePictureRoute = implement(getNotePicture, async (ctx, { id }) => {
  const found = await ctx.platform("picture of a group note", (tx) =>
    tx.selectFrom("wx_note_pictures").select("bytes").where("id", "=", id).executeTakeFirst(),
  );
  return pictureAnswer(id, found && { content_type: "image/webp", bytes: found.bytes }, "public, max-age=31536000, immutable");
});
/** @throws 400 at the field where the merchant has no such picture */
export async function mustHavePicture(tx: Transaction, scope: Scope, url: string): Promise<void> {
  const { rows } =
    await sql`select 1 from wx_note_pictures x where x.id = ${url.slice(-36)} and ${inScope(scope, "x", "merchant")}`.execute(tx);
  if (rows.length === 0) throw invalid("content.picture", "图片不存在，请重新上传");
}
/** Every night: pictures of nothing, two days after they came. */
export const purgeNotePictures = job({
  name: "purge-note-pictures",
  data: z.object({}),
  every: "35 4 * * *",
  concurrency: 1,
  run: async ({ pool, clock }) => {
    const before = new Date(clock.now_ms() - 2 * 86_400_000).toISOString();
    await withScope(pool, platformScope("purge note pictures"), (tx) =>
      sql`delete from wx_note_pictures x where x.created_at < ${before}::timestamptz and not exists (select 1 from wx_notes n
        where n.service_provider_id = x.service_provider_id and n.merchant_id = x.merchant_id
          and n.content ->> 'picture' = '/api/group-note-pictures/' || x.id)`.execute(tx),
    );
  },
});
