import { sql } from "kysely";
import type { z } from "zod";
import { implement } from "@zhangfang/server/calls/call.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { friendPayState, listFriendPays, statFriendPays, summariseFriendPays, type friendPayRow } from "../../contract/friend-pays.ts";
import { friendPayColumns, friendPayFrom, type friendPayInput, friendPaysWhere, friendPayStateAt } from "./friend-pay-columns.ts";
import { figures, type FriendStatRow, friendStatistics } from "./friend-statistics.ts";

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
  const by = view === "store" ? "store" : "day";
  const found = await sql<FriendStatRow>`${friendStatistics(ctx.scope, ctx.now, filter, by)} limit ${sql.lit(MOST_ROWS)}`.execute(ctx.tx);
  return { items: found.rows, next: null };
});
