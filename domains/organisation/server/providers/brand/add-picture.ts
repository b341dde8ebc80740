import { readPicture } from "@zhangfang/server/files/clean-picture.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { addPicture, PICTURE } from "../../../contract/index.ts";
import { findProvider } from "../find-provider.ts";

/** Unused pictures are removed nightly; until then a provider has at most so many. */
const MOST = 200;

/** 上传品牌图片: kept where its content is a PNG or a JPEG of a sensible size, without what programs wrote beside it. */
export const addPictureRoute = implement(addPicture, async (ctx, { serviceProviderId, base64 }) => {
  const { id: provider } = await findProvider(ctx.tx, ctx.scope, serviceProviderId);
  const { bytes, ...found } = await readPicture(base64, PICTURE);
  const { count } = await ctx.tx
    .selectFrom("brand_pictures")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("service_provider_id", "=", provider)
    .executeTakeFirstOrThrow();
  if (count >= MOST) throw conflict("今日上传的图片过多，请明天再试");
  const id = ctx.services.ids.uuid(ctx.now_ms);
  await ctx.tx
    .insertInto("brand_pictures")
    .values({ service_provider_id: provider, id, content_type: found.contentType, bytes, created_at: ctx.now })
    .execute();
  ctx.note({ targetKind: "picture", targetId: id, after: { ...found, bytes: bytes.length }, provider });
  return { url: `/api/brand-pictures/${id}` };
});
