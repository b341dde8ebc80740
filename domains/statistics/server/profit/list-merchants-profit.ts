import { sql, type RawBuilder } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { after, page, totalOf } from "@zhangfang/server/lists/keyset.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { listMerchantsProfit } from "../../contract/merchants-profit.ts";
import { drillsOf } from "../reports/ask.ts";
import { type ProfitFilter, type ProfitFound, profitGroups, profitOf } from "./merchants-profit.ts";

const COLUMN: Readonly<Record<string, string>> = {
  grossCents: "g.gross_cents",
  refundCents: "g.refund_cents",
  feeKeptCents: "g.fee_cents",
  sharedCents: "g.shared_cents",
  profitCents: "g.profit_cents",
  settledCents: "g.settled_cents",
};

/** 商户收益: one page of merchants, days, or both. */
export const listMerchantsProfitRoute = implement(listMerchantsProfit, async (ctx, { cursor, pageSize, sort, withTotal, ...filter }) => {
  const { rows } = await profitBy(ctx.scope, filter, { sort, cursor, limit: pageSize + 1 }).execute(ctx.tx);
  const { items, next } = page(rows, pageSize, (row) => ({ value: row.sort, id: row.id }));
  return {
    items: items.map((row) => ({
      id: row.id,
      day: row.day,
      merchantId: row.merchant,
      merchantName: row.merchant === null ? null : (row.name ?? "已不可见"),
      ...profitOf(row),
      drill: drillsTo({
        ...addressOf(filter),
        ...(row.day !== null && { from: row.day, to: row.day }),
        ...(row.merchant !== null && { merchantId: row.merchant }),
      }),
    })),
    next,
    ...(withTotal && { total: totalOf(rows[0]?.groups ?? 0) }),
  };
});

/** The filter as the lists of orders and refunds take it. */
export function addressOf({ by: _by, ...filter }: ProfitFilter): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Orders, refunds, what the fee less its returns is made of, shares, what came back of them, and the days of the bills. */
export const drillsTo = (address: Readonly<Record<string, string>>) => ({
  ...drillsOf(address),
  fee: { path: "/dataCentre/payStatistics", query: address },
  shared: { path: "/dataCentre/sharing", query: { dateOf: "shared", ...address } },
  returned: { path: "/dataCentre/sharingReturn", query: { dateOf: "finished", status: "2", ...address } },
  bill: { path: "/reconciliation/bill", query: address },
});
/** The groups in the order that is asked for: usually the newest day first, and who has most left. */
export function profitBy(
  scope: Scope,
  filter: ProfitFilter,
  { sort, cursor, limit }: { readonly sort: string; readonly cursor?: string | undefined; readonly limit?: number },
): RawBuilder<ProfitFound> {
  const name = sort.replace(/^-/, "");
  const descending = sort === "usual" || sort.startsWith("-");
  const value =
    name === "usual"
      ? sql`(coalesce(g.day::text, '') || lpad((g.profit_cents + 9000000000000000)::bigint::text, 17, '0')) collate "C"`
      : sql`coalesce(${sql.ref(COLUMN[name] ?? "g.profit_cents")}, -9000000000000000)`;
  const direction = sql.raw(descending ? "desc" : "asc");
  return sql<ProfitFound>`
    with g as materialized (${profitGroups(scope, filter, filter.by)}),
    s as (select g.*, md5(coalesce(g.day::text, '') || '/' || coalesce(g.merchant::text, ''))::uuid as id, ${value} as sort, (select count(*)::int from g) as groups from g),
    p as (select * from s where ${after(cursor, "s.sort", "s.id", name === "usual" ? "text" : "bigint", descending)}
      order by sort ${direction}, id ${direction} ${limit === undefined ? sql`` : sql`limit ${sql.lit(limit)}`})
    select p.*, app.past_name('merchant', p.sp, p.merchant) as name from p order by p.sort ${direction}, p.id ${direction}`;
}
