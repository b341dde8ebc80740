import { sql } from "kysely";
import { readPicture } from "@zhangfang/server/files/clean-picture.ts";
import { implement, type Route } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import { pictureAnswer } from "@zhangfang/server/files/file-answer.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { z } from "zod";
import { getConfigPicture, PICTURE_MOST } from "../contract/index.ts";
import type { Namespace } from "./namespace.ts";

/** One account keeps at most so many a day. */
const MOST = 100;

/** 上传图片: a value of a key that is a picture, PNG or JPEG by its content. */
export const addPicture = ({ calls }: Namespace): Route =>
  implement(calls.picture, async (ctx, { base64 }) => {
    const { width, height, bytes: most } = PICTURE_MOST;
    const { bytes, ...found } = await readPicture(base64, { bytes: most, side: Math.max(width, height), pixels: width * height });
    if (found.width > width || found.height > height) throw invalid("base64", `图片不能超过 ${width} × ${height} 像素`);
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::int as n from config_pictures where user_id = ${ctx.principal.id} and created_at > ${ctx.now}::timestamptz - interval '1 day'`.execute(
      ctx.tx,
    );
    if ((rows[0]?.n ?? 0) >= MOST) throw conflict("今日上传的图片过多，请明天再试");
    const id = ctx.services.ids.uuid(ctx.now_ms);
    await ctx.tx
      .insertInto("config_pictures")
      .values({ id, content_type: found.contentType, bytes, user_id: ctx.principal.id, created_at: ctx.now })
      .execute();
    ctx.note({ targetKind: "picture", targetId: id, after: { ...found, bytes: bytes.length } });
    return { url: `/api/config-pictures/${id}` };
  });

/** 配置图片: for whoever has its number. */
export const getConfigPictureRoute = implement(getConfigPicture, async (ctx, { id }) => {
  const found = await ctx.platform("config picture", (tx) =>
    tx.selectFrom("config_pictures").select(["content_type", "bytes"]).where("id", "=", id).executeTakeFirst(),
  );
  return pictureAnswer(id, found, "public, max-age=31536000, immutable");
});

/** Forgets pictures that no configuration and no history holds, two days after they came. */
export const purgeConfigPictures = job({
  name: "purge-config-pictures",
  data: z.object({}),
  every: "40 3 * * *",
  concurrency: 1,
  run: async (services) => {
    const before = new Date(services.clock.now_ms() - 2 * 86_400_000).toISOString();
    await withScope(services.pool, platformScope("purge config pictures"), (tx) =>
      // Two questions: asked as one it would be asked of every change for every picture.
      sql`delete from config_pictures p where p.created_at < ${before}::timestamptz
        and not exists (select 1 from config_changes c where c.from_value = to_jsonb('/api/config-pictures/' || p.id))
        and not exists (select 1 from config_changes c where c.to_value = to_jsonb('/api/config-pictures/' || p.id))`.execute(tx),
    );
  },
});
