import { sql } from "kysely";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { listDivisions } from "../contract.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";

/** One level of the divisions in the order of their codes, which a page begins after. */
export const listDivisionsRoute = implement(
  listDivisions,
  async ({ tx }, { level, provinceCode, keyword, enabled, cursor, pageSize, withTotal }) => {
    if (cursor !== undefined && !/^\d{2,9}$/.test(cursor)) throw invalid("cursor", "翻页位置无效，请回到第一页");
    const text = keyword ? likeText(keyword) : undefined;
    const where = sql`d.level = ${level}
    ${provinceCode ? sql`and d.code like ${`${provinceCode.slice(0, 2)}%`}` : sql``}
    ${text ? sql`and (d.name like ${text} or d.short_name like ${text} or d.code like ${text})` : sql``}
    ${enabled === undefined ? sql`` : sql`and d.enabled = ${enabled}`}`;
    const { rows } = await sql<RowOf<typeof listDivisions>>`
    select d.code as id, d.code, d.name, d.short_name as "shortName", d.level, d.enabled,
      coalesce(p.short_name || ' ', '') || c.name as "parentName", not (coalesce(c.enabled, true) and coalesce(p.enabled, true)) as hidden,
      (select count(*)::int from divisions x where x.parent_code = d.code) as below
    from divisions d left join divisions c on c.code = d.parent_code left join divisions p on p.code = c.parent_code
    where ${where} ${cursor === undefined ? sql`` : sql`and d.code > ${cursor}`}
    order by d.code limit ${sql.lit(pageSize + 1)}`.execute(tx);
    const items = rows.slice(0, pageSize);
    const next = rows.length > pageSize ? (items.at(-1)?.code ?? null) : null;
    if (!withTotal) return { items, next };
    const counted = await sql<{ count: number }>`select count(*)::int as count from divisions d where ${where}`.execute(tx);
    return { items, next, total: { count: counted.rows[0]?.count ?? 0, more: false } };
  },
);
