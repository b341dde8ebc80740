import { sql } from "kysely";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { addTrade, listTradeChoices, listTrades, setTradeState, updateTrade } from "../contract.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";

type Row = RowOf<typeof listTrades>;
const ROWS = sql`select t.id, t.name, t.parent_id as "parentId", p.name as "parentName", t.fee_rate as "feeRate", t.certificates, t.enabled,
    (select count(*)::int from merchants m where m.trade = t.name and t.parent_id is not null) as merchants
  from trades t left join trades p on p.id = t.parent_id`;

/** The tree as rows. It is short, so that it comes at once; a page is a place in it. */
export const listTradesRoute = implement(listTrades, async ({ tx }, { keyword, enabled, cursor, pageSize, withTotal }) => {
  const from = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isInteger(from) || from < 0 || from > 100_000) throw invalid("cursor", "翻页位置无效，请回到第一页");
  const text = keyword ? likeText(keyword) : undefined;
  const where = sql`${text ? sql`(t.name like ${text} or p.name like ${text})` : sql`true`} and ${enabled === undefined ? sql`true` : sql`t.enabled = ${enabled}`}`;
  const { rows } = await sql<Row>`${ROWS} where ${where}
    order by coalesce(p.sort_no, t.sort_no), coalesce(p.id, t.id), t.parent_id is not null, t.sort_no, t.id
    limit ${sql.lit(pageSize + 1)} offset ${sql.lit(from)}`.execute(tx);
  const next = rows.length > pageSize ? String(from + pageSize) : null;
  const items = rows.slice(0, pageSize);
  if (!withTotal) return { items, next };
  const counted = await sql<{
    count: number;
  }>`select count(*)::int as count from trades t left join trades p on p.id = t.parent_id where ${where}`.execute(tx);
  return { items, next, total: { count: counted.rows[0]?.count ?? 0, more: false } };
});

/** Adds a group, or a trade in one: there is no third level. */
export const addTradeRoute = implement(addTrade, async (ctx, { parentId, name, feeRate, certificates }) => {
  const id = ctx.services.ids.uuid(ctx.now_ms);
  const parent =
    parentId === undefined
      ? sql`select null::uuid as id`
      : sql`select g.id from trades g where g.id = ${parentId} and g.parent_id is null for share`;
  const added = await sql`
    with parent as (${parent})
    insert into trades (id, parent_id, name, fee_rate, certificates, sort_no)
      select ${id}, parent.id, ${name}, ${feeRate ?? null}, ${certificates}, (select coalesce(max(x.sort_no), 0) + 1 from trades x where x.parent_id is not distinct from parent.id) from parent
    on conflict (parent_id, name) do nothing`.execute(ctx.tx);
  if (added.numAffectedRows !== 1n) {
    const known = await ctx.tx
      .selectFrom("trades")
      .select("id")
      .where("id", "=", parentId ?? id)
      .where("parent_id", "is", null)
      .executeTakeFirst();
    throw parentId !== undefined && !known ? invalid("parentId", "上级行业不存在") : invalid("name", "同级已有这个行业");
  }
  ctx.note({ targetKind: "trade", targetId: id, after: { name, feeRate: feeRate ?? null, certificates } });
  return { id };
});

/** A name that merchants have stays: their record names the trade by it. */
export const updateTradeRoute = implement(updateTrade, async (ctx, { id, name, feeRate, certificates }) => {
  await ctx.tx.selectFrom("trades").select("id").where("id", "=", id).forUpdate().execute();
  const before = (await sql<Row>`${ROWS} where t.id = ${id}`.execute(ctx.tx)).rows[0];
  if (!before) throw notFound("行业");
  if (name !== before.name && before.merchants > 0)
    throw invalid("name", `已有 ${before.merchants} 家商户属于「${before.name}」，不能改名`);
  const twin =
    await sql`select 1 from trades t where t.parent_id is not distinct from ${before.parentId} and t.name = ${name} and t.id <> ${id}`.execute(
      ctx.tx,
    );
  if (twin.rows.length > 0) throw invalid("name", "同级已有这个行业");
  mustChange(
    await ctx.tx
      .updateTable("trades")
      .set({ name, fee_rate: feeRate ?? null, certificates: [...certificates] })
      .where("id", "=", id)
      .executeTakeFirst(),
    () => notFound("行业"),
  );
  const shown = (row: Pick<Row, "name" | "feeRate" | "certificates">) => ({
    name: row.name,
    feeRate: row.feeRate,
    certificates: row.certificates,
  });
  ctx.note({ targetKind: "trade", targetId: id, before: shown(before), after: { name, feeRate: feeRate ?? null, certificates } });
  return { ok: true as const };
});

/** Closes a trade for new merchants, or opens it again. */
export const setTradeStateRoute = implement(setTradeState, async (ctx, { id, enabled }) => {
  const known = await ctx.tx.selectFrom("trades").select("name").where("id", "=", id).executeTakeFirst();
  if (!known) throw notFound("行业");
  mustChange(
    await ctx.tx.updateTable("trades").set({ enabled }).where("id", "=", id).where("enabled", "<>", enabled).executeTakeFirst(),
    () => conflict(enabled ? `「${known.name}」已是启用状态` : `「${known.name}」已是停用状态`),
  );
  ctx.note({ targetKind: "trade", targetId: id, before: { enabled: !enabled }, after: { enabled } });
  return { ok: true as const };
});

/** What a merchant can choose: open trades of open groups. */
export const listTradeChoicesRoute = implement(listTradeChoices, async ({ tx }) => {
  const { rows } = await sql<{ name: string; group: string; feeRate: number | null; certificates: string[] }>`
    select t.name, p.name as "group", coalesce(t.fee_rate, p.fee_rate) as "feeRate", t.certificates from trades t join trades p on p.id = t.parent_id
    where t.enabled and p.enabled order by p.sort_no, t.sort_no, t.id`.execute(tx);
  return rows;
});
