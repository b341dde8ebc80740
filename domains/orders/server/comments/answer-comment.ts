import { sql } from "kysely";
import { z } from "zod";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { mustChange, withScope } from "@zhangfang/server/database/db.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { inScope, platformScope } from "@zhangfang/server/database/scope.ts";
import { hideComment, replyComment, showComment } from "../../contract/comments.ts";
import { askerOf } from "../refunds/asker.ts";

interface Own {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly id: string;
  readonly status: string;
  readonly reply: string | null;
  readonly hidden_reason: string | null;
}
async function findOwn(ctx: Ctx, id: string): Promise<Own> {
  const found = await sql<Own>`select k.service_provider_id, k.merchant_id, k.id, k.status, k.reply, k.hidden_reason from order_comments k
    where k.id = ${id} and ${inScope(ctx.scope, "k", "store")}`.execute(ctx.tx);
  if (!found.rows[0]) throw notFound("评价");
  return found.rows[0];
}
const update = (ctx: Ctx, { service_provider_id, id }: Own) =>
  ctx.tx.updateTable("order_comments").where("service_provider_id", "=", service_provider_id).where("id", "=", id);
const whose = ({ service_provider_id: provider, merchant_id: merchant, id: targetId }: Own) => ({
  targetKind: "order_comment",
  targetId,
  provider,
  merchant,
});

/** 回复评价: written, and changed once. */
export const replyCommentRoute = implement(replyComment, async (ctx, { id, reply }) => {
  const own = await findOwn(ctx, id);
  const changed = await update(ctx, own)
    .set({ reply, replied_by: askerOf(ctx).name, replied_at: ctx.now, reply_count: sql`reply_count + 1` })
    .where("reply_count", "<", 2)
    .executeTakeFirst();
  mustChange(changed, () => conflict("回复只能修改一次"));
  ctx.note({ ...whose(own), before: { reply: own.reply }, after: { reply } });
  return { ok: true as const };
});
/** 隐藏评价: with a reason; it counts no more for the average. */
export const hideCommentRoute = implement(hideComment, async (ctx, { id, reason }) => {
  const own = await findOwn(ctx, id);
  const changed = await update(ctx, own)
    .set({ status: "hidden", hidden_reason: reason, hidden_by: askerOf(ctx).name, hidden_at: ctx.now })
    .where("status", "=", "shown")
    .executeTakeFirst();
  mustChange(changed, () => conflict("评价已被隐藏，请刷新后查看"));
  ctx.note({ ...whose(own), before: { status: "shown" }, after: { status: "hidden", reason } });
  return { ok: true as const };
});
/** 恢复评价. */
export const showCommentRoute = implement(showComment, async (ctx, { id }) => {
  const own = await findOwn(ctx, id);
  const changed = await update(ctx, own)
    .set({ status: "shown", hidden_reason: null, hidden_by: null, hidden_at: null })
    .where("status", "=", "hidden")
    .executeTakeFirst();
  mustChange(changed, () => conflict("评价已在展示，请刷新后查看"));
  ctx.note({ ...whose(own), before: { status: "hidden", reason: own.hidden_reason }, after: { status: "shown" } });
  return { ok: true as const };
});

/** Every night: pictures of comments that were never written. */
export const purgeLoosePictures = job({
  name: "purge-loose-pictures",
  data: z.object({}),
  every: "41 3 * * *",
  concurrency: 1,
  run: async (services) => {
    const before = new Date(services.clock.now_ms() - 86_400_000).toISOString();
    await withScope(services.pool, platformScope("purge loose pictures"), (tx) =>
      tx.deleteFrom("order_pictures").where("comment_id", "is", null).where("created_at", "<", before).execute(),
    );
  },
});
