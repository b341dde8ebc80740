import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import { all, during, is, narrowed } from "@zhangfang/server/lists/conditions.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { commentFilter, type commentRow } from "../../contract/comments.ts";
import { linkToken } from "@zhangfang/server/files/signed-link.ts";

export const commentInput = z.object(commentFilter);
type Filter = z.output<typeof commentInput>;
type Row = z.input<typeof commentRow>;
export type CommentFound = Omit<Row, "pictures" | "replyable" | "hideable"> & {
  readonly pictureIds: readonly string[];
  readonly replyCount: number;
};

/** The purposes that the addresses of a comment and of a picture are signed for. */
export const COMMENT = "order-comment";
export const PICTURE = "comment-picture";
export const commentUrlOf = (services: Services, orderId: string): string =>
  `${services.config.public_url}/comment/${linkToken(services, COMMENT, orderId)}`;
export const pictureUrlOf = (services: Services, id: string): string => `/api/order-comments/pictures/${linkToken(services, PICTURE, id)}`;

/** Comments `k` with their orders `o` and names. */
export const commentFrom = sql`order_comments k
  join pay_orders o on o.service_provider_id = k.service_provider_id and o.id = k.order_id
  left join merchants m on m.service_provider_id = k.service_provider_id and m.id = k.merchant_id
  left join stores s on s.service_provider_id = k.service_provider_id and s.id = k.store_id`;
export const picturesOf = sql`array(select p.id::text from order_pictures p
  where p.service_provider_id = k.service_provider_id and p.comment_id = k.id order by p.place)`;
export const commentColumns = sql`
  k.id, k.order_id as "orderId", o.order_no as "orderNo", o.subject, o.paid_cents as "paidCents", o.paid_at as "paidAt",
  coalesce(m.short_name, app.past_name('merchant', k.service_provider_id, k.merchant_id), '') as "merchantName",
  coalesce(s.short_name, app.past_name('store', k.service_provider_id, k.store_id), '') as "storeName",
  case when length(o.payer) > 8 then left(o.payer, 4) || '****' || right(o.payer, 4) else left(o.payer, 1) || '****' end as payer,
  k.stars, k.said, k.status, k.hidden_reason as "hiddenReason", k.hidden_by as "hiddenBy", k.hidden_at as "hiddenAt",
  k.reply, k.replied_by as "repliedBy", k.replied_at as "repliedAt", k.reply_count as "replyCount", k.created_at as "createdAt", ${picturesOf} as "pictureIds"`;

/** Adds the addresses of the pictures and what the caller may do now. */
export function withCommentAbilities({ principal, services }: Ctx, rows: readonly CommentFound[]): Row[] {
  const mayReply = principal.holds(["/dataCentre/comment/reply"]);
  const mayHide = principal.holds(["/dataCentre/comment/hide"]);
  return rows.map((row) => ({
    ...row,
    pictures: row.pictureIds.map((id) => pictureUrlOf(services, id)),
    replyable: mayReply && row.replyCount < 2,
    hideable: mayHide,
  }));
}

/** What a filter on comments means, for the list, its sums, the stores and the export alike. */
export function commentsWhere(scope: Scope, filter: Filter, leaveStars = false): RawBuilder<boolean> {
  const { agentId, businessTeamId, keyword, stars, status, replied, ...rest } = filter;
  return all([
    inScope(scope, "k", "store"),
    narrowed(rest, "k"),
    narrowed({ agentId, businessTeamId }, "o"),
    keyword && sql`o.order_no = ${keyword} or k.said ilike ${likeText(keyword)}`,
    during(rest, "k.created_at"),
    !leaveStars && stars !== undefined && sql`k.stars = ${sql.lit(stars)}`,
    is("k.status", status),
    replied !== undefined && (replied ? sql`k.reply is not null` : sql`k.reply is null`),
  ]);
}
