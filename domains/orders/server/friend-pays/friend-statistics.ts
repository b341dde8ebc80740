import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { exportColumn, exportRows, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { countAll } from "@zhangfang/server/lists/keyset.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { type FriendPayState, friendPayStatFilter, type statFriendPays } from "../../contract/friend-pays.ts";
import { friendPayFrom, friendPayOpened, friendPayStateAt, friendPaysWhere, NOW } from "./friend-pay-columns.ts";

export type FriendStatRow = z.input<typeof statFriendPays.output>["items"][number];

/** What links `f` and their orders `o` come to. */
export const figures = (now: string) => {
  const is = (state: FriendPayState) => sql`filter (where ${friendPayStateAt(now)} = ${state})`;
  return sql`count(*)::int as "madeCount", coalesce(sum(o.paid_cents), 0)::bigint as "madeCents", (count(*) filter (where ${friendPayOpened}))::int as "openedCount",
    (count(*) ${is("paid")})::int as "paidCount", coalesce(sum(o.paid_cents) ${is("paid")}, 0)::bigint as "paidCents",
    (count(*) ${is("own")})::int as "ownCount", (count(*) ${is("expired")})::int as "expiredCount", (count(*) ${is("waiting")})::int as "waitingCount"`;
};

/** The figures by Shanghai day, the newest first, or by store, the one with most links first; for the screen and its files alike. */
export const friendStatistics = (
  scope: Scope,
  now: string,
  filter: Parameters<typeof friendPaysWhere>[2],
  by: "day" | "store",
): RawBuilder<FriendStatRow> => {
  const day = sql`(f.created_at at time zone 'Asia/Shanghai')::date::text`;
  const where = friendPaysWhere(scope, now, filter);
  return by === "day"
    ? sql<FriendStatRow>`select ${day} as id, ${day} as day, null as "storeName", null as "merchantName", ${figures(now)} from ${friendPayFrom}
        where ${where} group by 1 order by 1 desc`
    : sql<FriendStatRow>`select f.store_id as id, null as day,
          coalesce(max(s.short_name), app.past_name('store', f.service_provider_id, f.store_id), '') as "storeName", coalesce(max(m.short_name), '') as "merchantName",
          ${figures(now)}
        from ${friendPayFrom} where ${where} group by f.service_provider_id, f.store_id order by "madeCount" desc, f.store_id`;
};

const statInput = z.object(friendPayStatFilter);
const file = (by: "day" | "store", title: string, head: ExportSource["columns"]): ExportSource<typeof statInput> => ({
  name: by === "day" ? "friend-pay-days" : "friend-pay-stores",
  title,
  access: "/dataCentre/daifu/export",
  input: statInput,
  columns: [
    ...head,
    exportColumn("madeCount", "生成链接", 10, "count"),
    exportColumn("madeCents", "链接金额", 14, "money"),
    exportColumn("openedCount", "已打开", 10, "count"),
    exportColumn("paidCount", "好友已付", 10, "count"),
    exportColumn("paidCents", "代付金额", 14, "money"),
    exportColumn("rate", "代付率", 10),
    exportColumn("ownCount", "本人已付", 10, "count"),
    exportColumn("expiredCount", "已过期", 10, "count"),
    exportColumn("waitingCount", "待代付", 10, "count"),
  ],
  count: (tx, scope, filter) => countAll(tx, sql`(${friendStatistics(scope, NOW, filter, by)}) g`),
  rows: (tx, scope, filter) =>
    exportRows(tx, friendStatistics(scope, NOW, filter, by), (row) => ({ ...row, rate: percentOf(row.paidCount, row.madeCount) })),
});
/** As the screen says it. */
const percentOf = (part: number, whole: number): string => (whole === 0 ? "—" : `${Number(((part / whole) * 100).toFixed(1))}%`);

/** 代付统计 as files: the screen's filter, all of its rows, in its order. */
export const friendPayDaysExport = file("day", "代付统计（按日）", [exportColumn("day", "日期", 12)]);
export const friendPayStoresExport = file("store", "代付统计（按门店）", [
  exportColumn("storeName", "门店", 18),
  exportColumn("merchantName", "商户", 18),
]);
