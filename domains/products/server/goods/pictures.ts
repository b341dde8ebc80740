import { sql } from "kysely";
import { z } from "zod";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, forbidden, invalid } from "@zhangfang/server/calls/errors.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { inScope, platformScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { readPicture, smallerPicture } from "@zhangfang/server/files/clean-picture.ts";
import { pictureAnswer } from "@zhangfang/server/files/file-answer.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { addProductPicture, getProductPicture, PICTURE_MOST } from "../../contract/index.ts";

/** A merchant, or a provider, keeps at most so many a day. */
const MOST = 2_000;
const SIZES = { small: 160, middle: 480, large: 1_200 } as const;

/** 上传商品图片: PNG or JPEG by its content, in three sizes. */
export const addProductPictureRoute = implement(addProductPicture, async (ctx, { base64 }) => {
  const { provider, merchant = null } = ctx.scope;
  if (provider === undefined) throw forbidden();
  const { width, height, bytes } = PICTURE_MOST;
  const picture = await readPicture(base64, { bytes, side: Math.max(width, height), pixels: width * height });
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from product_pictures x
    where x.service_provider_id = ${provider} and x.merchant_id is not distinct from ${merchant}::uuid and x.created_at > ${ctx.now}::timestamptz - interval '1 day'`.execute(
    ctx.tx,
  );
  if ((rows[0]?.n ?? 0) >= MOST) throw conflict("今日上传的图片过多，请明天再试");
  const id = ctx.services.ids.uuid(ctx.now_ms);
  const [small, middle, large] = [
    await smallerPicture(picture, SIZES.small),
    await smallerPicture(picture, SIZES.middle),
    await smallerPicture(picture, SIZES.large),
  ];
  await ctx.tx
    .insertInto("product_pictures")
    .values({ service_provider_id: provider, merchant_id: merchant, id, small, middle, large, created_at: ctx.now })
    .execute();
  ctx.note({ targetKind: "picture", targetId: id, after: { width: picture.width, height: picture.height } });
  return { url: `/api/product-pictures/${id}` };
});

/** 商品图片: for whoever has its number. */
export const getProductPictureRoute = implement(getProductPicture, async (ctx, { id, size }) => {
  const found = await ctx.platform(
    "product picture",
    (tx) =>
      tx.selectFrom("product_pictures").select(size).where("id", "=", id).executeTakeFirst() as Promise<
        Partial<Record<typeof size, Buffer>> | undefined
      >,
  );
  return pictureAnswer(id, found && { content_type: "image/webp", bytes: found[size]! }, "public, max-age=31536000, immutable");
});

/** The picture of an address that a form brings. @throws 400 where the caller has none of it, and the thing had another */
export async function pictureIdOf(tx: Transaction, scope: Scope, url: string | null, had: string | null = null): Promise<string | null> {
  if (url === null) return null;
  const id = url.slice(-36);
  if (id === had) return id;
  const fence = scope.merchant === undefined ? inScope(scope, "x", "provider") : inScope(scope, "x", "merchant");
  const { rows } = await sql`select 1 from product_pictures x where x.id = ${id} and ${fence}`.execute(tx);
  if (rows.length === 0) throw invalid("picture", "图片不存在，请重新上传");
  return id;
}

/** Every night: pictures of nothing, two days after they came. */
export const purgeProductPictures = job({
  name: "purge-product-pictures",
  data: z.object({}),
  every: "20 4 * * *",
  concurrency: 1,
  run: async ({ pool, clock }) => {
    const before = new Date(clock.now_ms() - 2 * 86_400_000).toISOString();
    await withScope(pool, platformScope("purge product pictures"), (tx) =>
      sql`delete from product_pictures x where x.created_at < ${before}::timestamptz
        and not exists (select 1 from products p where p.service_provider_id = x.service_provider_id and p.picture_id = x.id)
        and not exists (select 1 from base_goods g where g.service_provider_id = x.service_provider_id and g.picture_id = x.id)`.execute(
        tx,
      ),
    );
  },
});
