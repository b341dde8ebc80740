import { sql } from "kysely";
import type { z } from "zod";
import { implement } from "@zhangfang/server/call.ts";
import { listPage, type Listed } from "@zhangfang/server/list-page.ts";
import type { Scope } from "@zhangfang/server/scope.ts";
import {
  friendPayState,
  listFriendPays,
  statFriendPays,
  summariseFriendPays,
  type FriendPayState,
  type friendPayRow,
} from "../../contract/friend-pays.ts";
import {
  friendPayColumns,
  friendPayFrom,
  type friendPayInput,
  friendPayOpened,
  friendPaysWhere,
  friendPayStateAt,
} from "./friend-pay-columns.ts";

const MOST_ROWS = 400;
export type FriendPayFound = z.input<typeof friendPayRow>;

/** The list of links as of a moment, for screen and file. */
export const friendPaysListed = (scope: Scope, now: string, filter: z.output<typeof friendPayInput>): Listed => ({
  columns: friendPayColumns(now),
  from: friendPayFrom,
  where: friendPaysWhere(scope, now, filter),
  order: "f.created_at",
});
/** 好友代付: the links, newest first. */
export const listFriendPaysRoute = implement(listFriendPays, (ctx, input) =>
  listPage<FriendPayFound>(ctx.tx, input, friendPaysListed(ctx.scope, ctx.now, input)),
);

const figures = (now: string) => {
  const is = (state: FriendPayState) => sql`filter (where ${friendPayStateAt(now)} = ${state})`;
  return sql`count(*)::int as "madeCount", coalesce(sum(o.paid_cents), 0)::bigint as "madeCents", (count(*) filter (where ${friendPayOpened}))::int as "openedCount",
    (count(*) ${is("paid")})::int as "paidCount", coalesce(sum(o.paid_cents) ${is("paid")}, 0)::bigint as "paidCents",
    (count(*) ${is("own")})::int as "ownCount", (count(*) ${is("expired")})::int as "expiredCount", (count(*) ${is("waiting")})::int as "waitingCount"`;
};
type Figures = Omit<z.input<typeof summariseFriendPays.output>, "perState">;

/** 好友代付合计: over the whole filter; the tabs' counts are of every state. */
export const summariseFriendPaysRoute = implement(summariseFriendPays, async (ctx, filter) => {
  const sums = await sql<Figures>`
    select ${figures(ctx.now)} from ${friendPayFrom} where ${friendPaysWhere(ctx.scope, ctx.now, filter)}`.execute(ctx.tx);
  const counts = await sql<{ state: string; count: number }>`
    select ${friendPayStateAt(ctx.now)} as state, count(*)::int as count from ${friendPayFrom}
    where ${friendPaysWhere(ctx.scope, ctx.now, filter, true)} group by 1`.execute(ctx.tx);
  const perState = friendPayState.values.map((status) => ({
    status,
    count: counts.rows.find(({ state }) => state === status)?.count ?? 0,
  }));
  return { ...sums.rows[0]!, perState };
});

/** 好友代付统计: the same figures by Shanghai day or by store. */
export const statFriendPaysRoute = implement(statFriendPays, async (ctx, { view, ...filter }) => {
  const day = sql`(f.created_at at time zone 'Asia/Shanghai')::date::text`;
  const where = friendPaysWhere(ctx.scope, ctx.now, filter);
  const grouped =
    view !== "store"
      ? sql`select ${day} as id, ${day} as day, null as "storeName", null as "merchantName", ${figures(ctx.now)} from ${friendPayFrom}
          where ${where} group by 1 order by 1 desc`
      : sql`select f.store_id as id, null as day, max(s.short_name) as "storeName", max(m.short_name) as "merchantName", ${figures(ctx.now)}
          from ${friendPayFrom} where ${where} group by f.service_provider_id, f.store_id order by "madeCount" desc, f.store_id`;
  const found = await sql<z.input<typeof statFriendPays.output>["items"][number]>`${grouped} limit ${sql.lit(MOST_ROWS)}`.execute(ctx.tx);
  return { items: found.rows, next: null };
});
