import { implement } from "@zhangfang/server/call.ts";
import { conflict, invalid } from "@zhangfang/server/errors.ts";
import { addPicture as endpoint, PICTURE } from "../../../contract/index.ts";
import { findProvider } from "../find-provider.ts";
import { readPicture } from "./picture-rules.ts";

/** Unused pictures are removed nightly; until then a provider has at most so many. */
const MOST = 200;

/** 上传品牌图片: kept where its content is a PNG or a JPEG of a sensible size, whatever it says it is. */
export const addPicture = implement(endpoint, async (ctx, { serviceProviderId, base64 }) => {
  const { id: provider } = await findProvider(ctx.tx, ctx.scope, serviceProviderId);
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > PICTURE.bytes) throw invalid("base64", `图片不能超过 ${PICTURE.bytes / 1000} KB`);
  const found = readPicture(bytes);
  if (!found) throw invalid("base64", "只支持 PNG 和 JPEG 图片");
  const { width, height } = found;
  if (width < 1 || height < 1 || width > PICTURE.side || height > PICTURE.side || width * height > PICTURE.pixels)
    throw invalid("base64", `图片边长不能超过 ${PICTURE.side} 像素`);
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
