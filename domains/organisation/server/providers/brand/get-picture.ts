import { implement } from "@zhangfang/server/calls/call.ts";
import { pictureAnswer } from "@zhangfang/server/files/file-answer.ts";
import { getPicture } from "../../../contract/index.ts";

/** 品牌图片: by its number, which nobody guesses, and for good: another picture has another number. */
export const getPictureRoute = implement(getPicture, async (ctx, { id }) => {
  const found = await ctx.platform("brand picture", (tx) =>
    tx.selectFrom("brand_pictures").select(["content_type", "bytes"]).where("id", "=", id).executeTakeFirst(),
  );
  return pictureAnswer(id, found, "public, max-age=31536000, immutable");
});
