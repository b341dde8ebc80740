import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import {
  isEmpty,
  listStoreDays,
  storeDayStatus,
  summariseStoreDays,
  summed,
  type StoreDayBand,
  type StoreDayStatus,
} from "../../contract/index.ts";
import type { StoreRef } from "./read-figures.ts";
import { readStoreDays } from "./read-hindrances.ts";
import { changesOf, totalOf } from "./get-store-day.ts";
import { type Frozen, mustSeeStoreDays } from "./store-in-sight.ts";

type Filter = ParsedOf<typeof summariseStoreDays>;
const FROM = ({ day }: Filter) =>
  sql`stores s left join store_days d on d.service_provider_id = s.service_provider_id and d.store_id = s.id and d.day = ${day}::date`;
const storesWhere = (scope: Scope, { merchantId, storeId, state }: Filter) =>
  all([inScope(scope, "s"), is("s.merchant_id", merchantId), is("s.id", storeId), state && sql`coalesce(d.status, 'open') = ${state}`]);
function mustHaveBegun(day: string, now_ms: number): void {
  if (day > shanghaiDay(now_ms)) throw invalid("day", "这一天还没到");
}
type Found = StoreRef & {
  readonly id: string;
  readonly storeName: string;
  readonly merchantName: string;
  readonly status: StoreDayStatus;
  readonly figures: Frozen | null;
  readonly closedBy: string | null;
  readonly createdAt: never;
};
/** The stores of a day: a page of them, and the figures of that page at once. */
export const listStoreDaysRoute = implement(listStoreDays, async (ctx, input) => {
  mustSeeStoreDays(ctx.scope);
  mustHaveBegun(input.day, ctx.now_ms);
  const page = await listPage<Found>(ctx.tx, input, {
    columns: sql`s.id, s.id as store_id, s.service_provider_id, s.merchant_id, s.short_name as "storeName", m.short_name as "merchantName",
      coalesce(d.status, 'open') as status, d.figures, d.closed_by_name as "closedBy", s.created_at as "createdAt"`,
    from: sql`${FROM(input)} join merchants m on m.service_provider_id = s.service_provider_id and m.id = s.merchant_id`,
    counted: FROM(input),
    where: storesWhere(ctx.scope, input),
    order: "s.created_at",
  });
  const { day } = input;
  const now = await readStoreDays(ctx.tx, ctx.scope, page.items, { from: day, to: day }, shanghaiDay(ctx.now_ms));
  const items = page.items.map(({ id, storeName, merchantName, status, figures: frozen, closedBy, createdAt }) => {
    const fresh = now(id, day);
    const { figures, hindrances } = status === "closed" && frozen ? frozen : fresh;
    const of = (band: StoreDayBand) => summed(figures.lines.filter((line) => line.band === band)).incomeCents as never;
    return {
      id,
      day,
      storeName,
      merchantName,
      status,
      empty: isEmpty(figures),
      ownCents: of("own"),
      voucherCents: of("voucher"),
      takeawayCents: of("takeaway"),
      totalCents: totalOf(figures) as never,
      blocks: status === "closed" ? 0 : hindrances.filter((one) => one.blocks).length,
      warns: hindrances.filter((one) => !one.blocks).length,
      changed: changesOf(frozen, fresh).length,
      closedBy,
      createdAt,
    };
  });
  return { ...page, items };
});

/** How many stores of a day are closed, and how many are not. */
export const summariseStoreDaysRoute = implement(summariseStoreDays, async (ctx, { state: _tab, ...filter }) => {
  mustSeeStoreDays(ctx.scope);
  mustHaveBegun(filter.day, ctx.now_ms);
  const asked = { ...filter, state: undefined };
  const { rows } = await sql<{ state: StoreDayStatus; count: number }>`
    select coalesce(d.status, 'open') as state, count(*)::int as count from ${FROM(asked)} where ${storesWhere(ctx.scope, asked)} group by 1`.execute(
    ctx.tx,
  );
  return { perState: storeDayStatus.values.map((state) => ({ state, count: rows.find((row) => row.state === state)?.count ?? 0 })) };
});
