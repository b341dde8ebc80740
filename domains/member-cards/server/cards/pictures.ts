import { sql } from "kysely";
import { z } from "zod";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, forbidden, invalid } from "@zhangfang/server/calls/errors.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { inScope, platformScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { readPicture, smallerPicture } from "@zhangfang/server/files/clean-picture.ts";
import { pictureAnswer } from "@zhangfang/server/files/file-answer.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { addCardPicture, CARD_PICTURE_MOST, getCardPicture } from "../../contract/index.ts";

/** A merchant sends at most so many a day. */
const MOST = 200;
const SIDE = 1_000;

/** 上传卡面图片. */
export const addCardPictureRoute = implement(addCardPicture, async (ctx, { base64 }) => {
  const { provider, merchant } = ctx.scope;
  if (!provider || !merchant) throw forbidden();
  const { width, height, bytes } = CARD_PICTURE_MOST;
  const picture = await readPicture(base64, { bytes, side: Math.max(width, height), pixels: width * height });
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from card_pictures x where ${inScope(ctx.scope, "x", "merchant")}
    and x.created_at > ${ctx.now}::timestamptz - interval '1 day'`.execute(ctx.tx);
  if ((rows[0]?.n ?? 0) >= MOST) throw conflict("今日上传的图片过多，请明天再试");
  const id = ctx.services.ids.uuid(ctx.now_ms);
  await ctx.tx
    .insertInto("card_pictures")
    .values({ service_provider_id: provider, merchant_id: merchant, id, bytes: await smallerPicture(picture, SIDE), created_at: ctx.now })
    .execute();
  ctx.note({ targetKind: "picture", targetId: id, after: { width: picture.width, height: picture.height } });
  return { url: `/api/card-pictures/${id}` };
});

/** 卡面图片: for whoever has its number. */
export const getCardPictureRoute = implement(getCardPicture, async (ctx, { id }) => {
  const found = await ctx.platform("card picture", (tx) =>
    tx.selectFrom("card_pictures").select("bytes").where("id", "=", id).executeTakeFirst(),
  );
  return pictureAnswer(id, found && { content_type: "image/webp", bytes: found.bytes }, "public, max-age=31536000, immutable");
});

/** The picture of an address that a form brings. @throws 400 at the field where the merchant has none of it */
export async function cardPictureOf(
  tx: Transaction,
  scope: Scope,
  field: "logo" | "background",
  url: string | null,
  had: string | null = null,
): Promise<string | null> {
  if (url === null) return null;
  const id = url.slice(-36);
  if (id === had) return id;
  const { rows } = await sql`select 1 from card_pictures x where x.id = ${id} and ${inScope(scope, "x", "merchant")}`.execute(tx);
  if (rows.length === 0) throw invalid(field, "图片不存在，请重新上传");
  return id;
}

/** Every night: pictures of nothing, two days after they came. */
export const purgeCardPictures = job({
  name: "purge-card-pictures",
  data: z.object({}),
  every: "25 4 * * *",
  concurrency: 1,
  run: async ({ pool, clock }) => {
    const before = new Date(clock.now_ms() - 2 * 86_400_000).toISOString();
    await withScope(pool, platformScope("purge card pictures"), (tx) =>
      sql`delete from card_pictures x where x.created_at < ${before}::timestamptz and not exists (select 1 from member_cards c
        where c.service_provider_id = x.service_provider_id and x.id in (c.logo_id, c.background_id))`.execute(tx),
    );
  },
});
