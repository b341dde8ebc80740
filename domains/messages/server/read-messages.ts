import { sql } from "kysely";
import type { ItemPath, RowOf } from "@zhangfang/contract/endpoint.ts";
import { type Ctx, implement } from "@zhangfang/server/call.ts";
import { after, page } from "@zhangfang/server/keyset.ts";
import { countUnread, listMessages, readMessages } from "../contract.ts";

const COUNTED = 1000;
/** The caller's own messages whose list the caller may open. */
async function mine(ctx: Ctx) {
  const owner = ctx.principal.id;
  const { rows } = await sql<{ item: ItemPath }>`select distinct item from messages where owner_user_id = ${owner}`.execute(ctx.tx);
  const held = rows.flatMap(({ item }) => (ctx.principal.holds([item]) ? [item] : []));
  return sql`owner_user_id = ${owner} and item = any(${held}::text[])`;
}

export const listMessagesRoute = implement(listMessages, async (ctx, { only, cursor, pageSize, withTotal }) => {
  const where = sql`${await mine(ctx)} and ${only ? sql`read_at is null` : sql`true`}`;
  const { rows } = await sql<RowOf<typeof listMessages>>`
    select id, kind, title, body, href, created_at as "createdAt", read_at as "readAt" from messages
    where ${where} and ${after(cursor, "created_at", "id", "timestamptz", true)}
    order by created_at desc, id desc limit ${sql.lit(pageSize + 1)}`.execute(ctx.tx);
  const { items, next } = page(rows, pageSize, (row) => ({ value: row.createdAt, id: row.id }));
  if (!withTotal) return { items, next };
  const counted = await sql<{ n: number }>`select count(*)::int as n from messages where ${where}`.execute(ctx.tx);
  return { items, next, total: { count: counted.rows[0]?.n ?? 0, more: false } };
});

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
