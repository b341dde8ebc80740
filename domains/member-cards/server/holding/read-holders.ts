import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, during, is } from "@zhangfang/server/lists/conditions.ts";
import { exportColumn, fileOf, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { cardFilters, cardStatus, holderFilters, holdingWay, listHolders, summariseHolders } from "../../contract/index.ts";
import { type CardRow, cardsListed } from "../cards/read-cards.ts";

type HolderRow = RowOf<typeof listHolders>;
const FROM = sql`card_holders h join members m on m.service_provider_id = h.service_provider_id and m.id = h.member_id
  join member_cards c on c.service_provider_id = h.service_provider_id and c.id = h.card_id
  join stores s on s.service_provider_id = h.service_provider_id and s.id = h.store_id`;
// Who was merged is shown as who they are now.
const COLUMNS = sql`h.id, h.code, h.card_id as "cardId", c.name as "cardName",
  coalesce((select x.no from members x where x.service_provider_id = m.service_provider_id and x.id = m.merged_into), m.no) as "memberNo",
  h.store_id as "storeId", s.short_name as "storeName", h.way, h.by_name as by, h.created_at as "createdAt"`;
function holdersWhere(scope: Scope, { keyword, storeId, cardId, ...days }: ParsedOf<typeof summariseHolders>): RawBuilder<boolean> {
  return all([
    inScope(scope, "h", "store"),
    keyword && sql`h.code = ${keyword} or m.no = ${keyword}`,
    is("h.store_id", storeId),
    is("h.card_id", cardId),
    during(days, "h.created_at"),
  ]);
}
const holdersListed = (scope: Scope, filter: ParsedOf<typeof summariseHolders>): Listed => ({
  columns: COLUMNS,
  from: FROM,
  where: holdersWhere(scope, filter),
  order: "h.created_at",
});
/** 持卡会员. */
export const listHoldersRoute = implement(listHolders, (ctx, input) => listPage<HolderRow>(ctx.tx, input, holdersListed(ctx.scope, input)));
export const summariseHoldersRoute = implement(summariseHolders, async (ctx, filter) => {
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int as count from ${FROM} where ${holdersWhere(ctx.scope, filter)}`.execute(ctx.tx);
  return { count: rows[0]?.count ?? 0 };
});

const holders = z.object(holderFilters);
export const holderExport: ExportSource<typeof holders> = {
  name: "card-holders",
  title: "持卡会员",
  access: "/memberCard/card/export",
  input: holders,
  columns: [
    exportColumn("code", "卡号", 16),
    exportColumn("cardName", "会员卡", 14),
    exportColumn("memberNo", "会员号", 14),
    exportColumn("storeName", "开卡门店", 18),
    exportColumn("way", "来源", 10, "code"),
    exportColumn("by", "操作", 16),
    exportColumn("createdAt", "开卡时间", 20, "time"),
  ],
  ...fileOf(holdersListed, (row: HolderRow) => ({ ...row, way: holdingWay.label(row.way) })),
};
const cards = z.object({ keyword: cardFilters.keyword, status: cardFilters.status });
export const cardExport: ExportSource<typeof cards> = {
  name: "member-cards",
  title: "会员卡",
  access: "/memberCard/card/export",
  input: cards,
  columns: [
    exportColumn("name", "卡名", 14),
    exportColumn("status", "状态", 10, "code"),
    exportColumn("holders", "持卡会员", 10, "count"),
    exportColumn("endsOn", "有效期至", 12),
    exportColumn("createdAt", "新建时间", 20, "time"),
  ],
  ...fileOf(cardsListed, ({ everywhere: _serves, given: _default, ...row }: CardRow) => ({ ...row, status: cardStatus.label(row.status) })),
};
