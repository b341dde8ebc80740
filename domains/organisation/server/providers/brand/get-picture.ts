import { Readable } from "node:stream";
import { implement } from "@zhangfang/server/call.ts";
import { notFound } from "@zhangfang/server/errors.ts";
import type { FileAnswer } from "@zhangfang/server/file-answer.ts";
import { getPicture as endpoint } from "../../../contract/index.ts";

/** 品牌图片: by its number, which nobody guesses, and for good: another picture has another number. */
export const getPicture = implement(endpoint, async (ctx, { id }): Promise<FileAnswer> => {
  const found = await ctx.platform("brand picture", (tx) =>
    tx.selectFrom("brand_pictures").select(["content_type", "bytes"]).where("id", "=", id).executeTakeFirst(),
  );
  if (!found) throw notFound("图片");
  return {
    stream: Readable.from([found.bytes]),
    fileName: `${id}.${found.content_type === "image/png" ? "png" : "jpg"}`,
    contentType: found.content_type,
    size_bytes: found.bytes.length,
    cache: "public, max-age=31536000, immutable",
  };
});
