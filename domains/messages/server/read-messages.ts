import { sql } from "kysely";
import type { ItemPath, RowOf } from "@zhangfang/contract/endpoint.ts";
import { type Ctx, implement } from "@zhangfang/server/calls/call.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { countUnread, listMessages, readMessages } from "../contract.ts";

const COUNTED = 1000;
/** The caller's own messages whose list the caller may open. */
async function mine(ctx: Ctx) {
  const owner = ctx.principal.id;
  const { rows } = await sql<{ item: ItemPath }>`select distinct item from messages where owner_user_id = ${owner}`.execute(ctx.tx);
  const held = rows.flatMap(({ item }) => (ctx.principal.holds([item]) ? [item] : []));
  return sql`owner_user_id = ${owner} and item = any(${held}::text[])`;
}

export const listMessagesRoute = implement(listMessages, async (ctx, input) =>
  listPage<RowOf<typeof listMessages>>(ctx.tx, input, {
    columns: sql`m.id, m.kind, m.title, m.body, m.href, m.created_at as "createdAt", m.read_at as "readAt"`,
    from: sql`messages m`,
    where: sql`${await mine(ctx)} and ${input.only ? sql`m.read_at is null` : sql`true`}`,
    order: "m.created_at",
    most: Infinity,
  }),
);

export const countUnreadRoute = implement(countUnread, async (ctx) => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (select 1 from messages where ${await mine(ctx)} and read_at is null limit ${sql.lit(COUNTED)}) as found`.execute(
    ctx.tx,
  );
  return { count: rows[0]?.n ?? 0 };
});

/** Ids of nobody, or of somebody else, change nothing and are not told apart. */
export const readMessagesRoute = implement(readMessages, async (ctx, { ids }) => {
  const read = await ctx.tx
    .updateTable("messages")
    .set({ read_at: ctx.now })
    .where("owner_user_id", "=", ctx.principal.id)
    .where("read_at", "is", null)
    .$if(ids !== undefined, (query) => query.where("id", "in", [ctx.principal.id, ...(ids ?? [])]))
    .executeTakeFirst();
  return { read: Number(read.numUpdatedRows) };
});
