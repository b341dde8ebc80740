import { sql } from "kysely";
import type { z } from "zod";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { type CleanPicture, readPicture, smallerPicture } from "@zhangfang/server/files/clean-picture.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { conflict, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { pictureAnswer } from "@zhangfang/server/files/file-answer.ts";
import type { Services } from "@zhangfang/server/services.ts";
import {
  addCommentPicture,
  COMMENT_DAYS,
  COMMENT_PICTURE,
  getCommentPage,
  getCommentPicture,
  writeComment,
} from "../../contract/comments.ts";
import { idOfToken } from "@zhangfang/server/files/signed-link.ts";
import type { OrderRow } from "../rows.ts";
import { COMMENT, PICTURE, picturesOf, pictureUrlOf } from "./comment-columns.ts";

type Order = Pick<OrderRow, "service_provider_id" | "merchant_id" | "store_id" | "id" | "paid_at">;
const gone = () => new Refusal(404, "comment.void", "评价链接无效");
/** A link that we did not sign is no link, before anything is looked up. @throws 404 */
function orderIdOf(ctx: Ctx, token: string): string {
  const id = idOfToken(ctx.services, COMMENT, token);
  if (id === undefined) throw gone();
  return id;
}
/** Why an order is not commented on now; null where it may be. */
function closedFor({ paid_at }: Pick<Order, "paid_at">, now_ms: number): string | null {
  if (paid_at === null) return "订单还没有支付，支付后可以评价";
  return now_ms - Date.parse(paid_at) > COMMENT_DAYS * 86_400_000 ? `支付已超过 ${COMMENT_DAYS} 天，不能评价` : null;
}
const findOrder = (tx: Transaction, id: string): Promise<Order | undefined> =>
  tx
    .selectFrom("pay_orders")
    .select(["service_provider_id", "merchant_id", "store_id", "id", "paid_at"])
    .where("id", "=", id)
    .executeTakeFirst();

type Page = z.input<typeof getCommentPage.output>;
/** 评价页面: whose order it is, and what was said of it already. Whoever hid it tells nobody. */
export const getCommentPageRoute = implement(getCommentPage, async (ctx, { token }) => {
  const id = orderIdOf(ctx, token);
  const found = await ctx.platform("the page of a comment", (tx) =>
    sql<
      Omit<Page, "closed" | "written"> & { paid_at: string | null; stars: 1 | null; said: string; reply: string | null; pictures: string[] }
    >`
      select s.short_name as "storeName", m.short_name as "merchantName", coalesce(p.brand_title, p.short_name) as "brandName", o.subject,
        case when o.paid_at is null then 0 else o.paid_cents end as "paidCents", o.paid_at, k.stars, k.said, k.reply, ${picturesOf} as pictures
      from pay_orders o
      join stores s on s.service_provider_id = o.service_provider_id and s.id = o.store_id
      join merchants m on m.service_provider_id = o.service_provider_id and m.id = o.merchant_id
      join service_providers p on p.id = o.service_provider_id
      left join order_comments k on k.service_provider_id = o.service_provider_id and k.order_id = o.id
      where o.id = ${id}`.execute(tx),
  );
  const row = found.rows[0];
  if (!row) throw gone();
  const { paid_at, stars, said, reply, pictures, ...page } = row;
  const written = stars === null ? null : { stars, said, reply, pictures: pictures.map((one) => pictureUrlOf(ctx.services, one)) };
  return { ...page, closed: written ? null : closedFor({ paid_at }, ctx.now_ms), written };
});

/** 上传评价图片: kept where its content is a PNG or a JPEG of a sensible size, without the place and the device that took it. */
export const addCommentPictureRoute = implement(addCommentPicture, async (ctx, { token, place, base64 }) => {
  const orderId = orderIdOf(ctx, token);
  const picture = await readPicture(base64, COMMENT_PICTURE);
  const drawn = { content_type: picture.contentType, bytes: picture.bytes, ...(await smallerOnes(picture)), created_at: ctx.now };
  const id = ctx.services.ids.uuid(ctx.now_ms);
  await ctx.platform("keep a picture of a comment", async (tx) => {
    const order = await findOrder(tx, orderId);
    if (!order) throw gone();
    const closed = closedFor(order, ctx.now_ms);
    if (closed) throw conflict(closed, "comment.closed");
    const { service_provider_id, merchant_id, store_id } = order;
    const written = conflict("这笔订单已经评价过了", "comment.written");
    if (await hasComment(tx, order)) throw written;
    const changed = await tx
      .insertInto("order_pictures")
      .values({ service_provider_id, merchant_id, store_id, id, order_id: orderId, place, ...drawn })
      .onConflict((conflicting) =>
        conflicting
          .columns(["service_provider_id", "order_id", "place"])
          .doUpdateSet({ id, ...drawn })
          .where("order_pictures.comment_id", "is", null),
      )
      .executeTakeFirst();
    // Its comment was written meanwhile: what was seen with it stays as it was.
    if (changed.numInsertedOrUpdatedRows !== 1n) throw written;
  });
  return { url: pictureUrlOf(ctx.services, id) };
});

/** Twice the tile of the merchant's list, and the width of a payer's phone. */
async function smallerOnes(picture: CleanPicture): Promise<{ small: Buffer; middle: Buffer }> {
  return { small: await smallerPicture(picture, 240), middle: await smallerPicture(picture, 960) };
}

async function hasComment(tx: Transaction, { service_provider_id, id }: Order): Promise<boolean> {
  const found = await tx
    .selectFrom("order_comments")
    .select("id")
    .where("service_provider_id", "=", service_provider_id)
    .where("order_id", "=", id)
    .executeTakeFirst();
  return found !== undefined;
}

/** Writes a comment down, with the pictures at the places named. @throws 409 where the order has one */
export async function addComment(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, store_id, id: order_id }: Order,
  { stars, said, places }: { readonly stars: number; readonly said: string; readonly places: readonly number[] },
): Promise<void> {
  const now_ms = services.clock.now_ms();
  const id = services.ids.uuid(now_ms);
  const made = await tx
    .insertInto("order_comments")
    .values({ service_provider_id, merchant_id, store_id, id, order_id, stars, said, created_at: new Date(now_ms).toISOString() })
    .onConflict((conflicting) => conflicting.columns(["service_provider_id", "order_id"]).doNothing())
    .executeTakeFirst();
  if (made.numInsertedOrUpdatedRows !== 1n) throw conflict("这笔订单已经评价过了", "comment.written");
  if (places.length === 0) return;
  await tx
    .updateTable("order_pictures")
    .set({ comment_id: id })
    .where("service_provider_id", "=", service_provider_id)
    .where("order_id", "=", order_id)
    .where("place", "in", [...places])
    .execute();
}

/** 提交评价: once, by whoever has the order's own link. */
export const writeCommentRoute = implement(writeComment, async (ctx, { token, stars, said, places }) => {
  const id = orderIdOf(ctx, token);
  await ctx.platform("write a comment", async (tx) => {
    const order = await findOrder(tx, id);
    if (!order) throw gone();
    const closed = closedFor(order, ctx.now_ms);
    if (closed) throw conflict(closed, "comment.closed");
    await addComment(tx, ctx.services, order, { stars, said, places });
  });
  return { ok: true as const };
});

/** 评价图片: by its signed address; a picture that was taken over or never used has none. One from before is the same in all sizes. */
export const getCommentPictureRoute = implement(getCommentPicture, async (ctx, { token, size }) => {
  const id = idOfToken(ctx.services, PICTURE, token);
  if (id === undefined) throw notFound("图片");
  const found = await ctx.platform("a picture of a comment", (tx) =>
    tx
      .selectFrom("order_pictures")
      .select((its) => ["content_type", size ? its.fn.coalesce(size, "bytes").as("bytes") : "bytes"])
      .where("id", "=", id)
      .executeTakeFirst(),
  );
  return pictureAnswer(id, found, "private, max-age=3600");
});
