import { sql } from "kysely";
import type { z } from "zod";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { commentStars, getComment, listComments, statComments, summariseComments } from "../../contract/comments.ts";
import {
  commentColumns,
  commentFrom,
  type commentInput,
  commentsWhere,
  withCommentAbilities,
  type CommentFound,
} from "./comment-columns.ts";

/** The list of comments, for screen and file. */
export const commentsListed = (scope: Scope, filter: z.output<typeof commentInput>): Listed => ({
  columns: commentColumns,
  from: commentFrom,
  where: commentsWhere(scope, filter),
  order: "k.created_at",
});

/** 订单评价: one page, newest first. */
export const listCommentsRoute = implement(listComments, async (ctx, input) => {
  const { items, ...rest } = await listPage<CommentFound>(ctx.tx, input, commentsListed(ctx.scope, input));
  return { items: withCommentAbilities(ctx, items), ...rest };
});

/** 评价详情. */
export const getCommentRoute = implement(getComment, async (ctx, { id }) => {
  const found = await sql<CommentFound>`
    select ${commentColumns} from ${commentFrom} where k.id = ${id} and ${inScope(ctx.scope, "k", "store")}`.execute(ctx.tx);
  const [row] = withCommentAbilities(ctx, found.rows);
  if (!row) throw notFound("评价");
  return row;
});

// An average is rounded half up, to hundredths of a star; what is hidden does not count for it.
const figures = sql`count(*)::int as count, round(avg(k.stars) filter (where k.status = 'shown') * 100)::int as average,
  (count(*) filter (where k.reply is null))::int as unanswered, (count(*) filter (where k.stars <= 2))::int as poor`;
type Figures = Omit<z.input<typeof summariseComments.output>, "perStars">;

/** 订单评价合计: over the whole filter; the tabs' counts are of all stars. */
export const summariseCommentsRoute = implement(summariseComments, async (ctx, filter) => {
  const sums = await sql<Figures>`select ${figures} from ${commentFrom} where ${commentsWhere(ctx.scope, filter)}`.execute(ctx.tx);
  const counts = await sql<{ stars: number; count: number }>`
    select k.stars, count(*)::int as count from ${commentFrom} where ${commentsWhere(ctx.scope, filter, true)} group by k.stars`.execute(
    ctx.tx,
  );
  const perStars = commentStars.values.map((status) => ({ status, count: counts.rows.find(({ stars }) => stars === status)?.count ?? 0 }));
  return { ...sums.rows[0]!, perStars };
});

/** 门店评价: the same figures for each store in sight, the best first. */
export const statCommentsRoute = implement(statComments, async (ctx, filter) => {
  const found = await sql<Figures & { id: string; storeName: string }>`
    select k.store_id as id, coalesce(max(s.short_name), '') as "storeName", ${figures} from ${commentFrom}
    where ${commentsWhere(ctx.scope, filter)} group by k.service_provider_id, k.store_id
    order by average desc nulls last, count desc, k.store_id limit 400`.execute(ctx.tx);
  return { items: found.rows, next: null };
});
