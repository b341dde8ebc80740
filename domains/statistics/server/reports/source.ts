import { sql, type RawBuilder } from "kysely";
import { addDays, dayStart } from "@zhangfang/contract/time.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import type { z } from "zod";
import { all, is, narrowed } from "@zhangfang/server/lists/conditions.ts";
import type { Dimension, Span } from "../../contract/index.ts";
import type { takingsInput } from "../../contract/pay-statistics.ts";
import { partsOfProduct } from "../../../mall/contract/index.ts";
import { partsOf } from "../../../orders/server/index.ts";
import { ENTRY_SUMS } from "../takings/figures.ts";
import { ownedBy, ownerOf, tenantOf } from "../takings/owner.ts";
import { type Column, columnsOf } from "./dimensions.ts";
import { stretchesOf, type Stretch } from "../spans.ts";
import { merchantsFor, TABLES } from "../takings/standing-of.ts";
import type { Piece } from "./piece.ts";

export type TakingsFilter = z.output<typeof takingsInput>;
const WAYS: readonly Column[] = ["channel", "tool", "pay_method", "trade_type"];
const MERCHANTS: readonly Column[] = ["service_provider_id", "agent_id", "business_team_id", "merchant_id"];
const STORES: readonly Column[] = [...MERCHANTS, "store_id"];
const GOODS: readonly Column[] = [...STORES, "goods_no"];
const PEOPLE: readonly Column[] = [...STORES, "cashier_id", "device_id"];
const LACKS = { agent: "agent_id", team: "business_team_id", cashier: "cashier_id", device: "device_id" } as const;

interface Asked {
  readonly scope: Scope;
  readonly filter: TakingsFilter;
  readonly by: readonly Dimension[];
  readonly goods: boolean;
}
/** The columns besides the day that a question needs. */
function needed({ filter, by, goods }: Omit<Asked, "scope">): ReadonlySet<Column> {
  const asked: readonly (readonly [unknown, Column])[] = [
    [filter.agentId, "agent_id"],
    [filter.businessTeamId, "business_team_id"],
    [filter.merchantId, "merchant_id"],
    [filter.storeId, "store_id"],
    [filter.cashierId, "cashier_id"],
    [filter.deviceId, "device_id"],
    [filter.channel, "channel"],
    [filter.tool ?? filter.wallet ?? filter.way, "tool"],
    [filter.payMethod ?? filter.way, "pay_method"],
    [filter.tradeType, "trade_type"],
    [filter.hour, "hour"],
    [filter.product ?? (goods || undefined), "goods_no"],
  ];
  return new Set([
    ...asked.flatMap(([value, column]) => (value === undefined ? [] : [column])),
    ...lacksOf(filter),
    ...by.flatMap(columnsOf),
  ]);
}
const lacksOf = ({ lacking }: TakingsFilter): Column[] =>
  (lacking ?? "").split(",").flatMap((one) => (one === "" ? [] : [LACKS[one as keyof typeof LACKS]]));

/**
 * Where a question is answered from: always the coarsest sums that can, so that a year of a provider is read from some
 * thousand rows; the ledger's entries themselves where hours are asked for together with stores or people.
 * @param shift_days how far the days are moved, so that an earlier span lies upon a later one
 */
export function piecesOf({ scope, filter, by, goods }: Asked, span: Span, shift_days = 0): Piece[] {
  const columns = needed({ filter, by, goods });
  const only = (some: readonly Column[]) => [...columns].every((column) => some.includes(column));
  const hours = columns.has("hour");
  const ways = all([waysOf(filter, hours), filter.product !== undefined && goodsAre(filter.product)]);
  const byDay = by.some((one) => one === "day" || one === "week" || (one === "month" && shift_days !== 0));
  const piece = (
    table: RawBuilder<unknown>,
    { unit, span: { from, to }, sign }: Stretch,
    whose: RawBuilder<boolean>,
    weekday?: boolean,
  ): Piece => ({
    from: table,
    where: all([whose, ways, atWeekday(filter, weekday), sql`${sql.ref(`t.${unit}`)} between ${from} and ${to}`]),
    day: shift_days === 0 ? sql.ref(`t.${unit}`) : sql`(${sql.ref(`t.${unit}`)} + ${sql.lit(shift_days)})`,
    weekday: weekdayOf(shift_days, weekday),
    sign,
  });
  const days: readonly Stretch[] = [{ unit: "day", span, sign: 1 }];
  const owner = ownerOf(scope, filter);
  const ofOwner = owner && (["service_provider_id", ...owner.by] as const);
  if (owner && ofOwner && only([...ofOwner, ...(hours ? (["channel", "tool", "hour"] as const) : WAYS)]) && lacksOf(filter).length === 0) {
    const whose = all([ownedBy(scope, owner), is("t.service_provider_id", filter.serviceProviderId)]);
    if (!hours) return days.map((stretch) => piece(sql`takings_days t`, stretch, whose));
    return (byDay ? days : stretchesOf(span)).map((stretch) =>
      stretch.unit === "month" ? piece(sql`takings_hours_monthly t`, stretch, whose, true) : piece(sql`takings t`, stretch, whose),
    );
  }
  const within = filter.merchantId ?? filter.storeId ?? filter.agentId ?? filter.businessTeamId;
  const whose = all([
    inScope(scope, "t"),
    narrowed(filter, "t"),
    within !== undefined && tenantOf(scope),
    ...lacksOf(filter).map((column) => sql`${sql.ref(`t.${column}`)} is null`),
  ]);
  const byWeekday = filter.weekday !== undefined || by.includes("weekday");
  const stretches = byDay || byWeekday ? days : stretchesOf(span);
  const of = (kind: keyof typeof TABLES) => (stretch: Stretch) => piece(sql`${sql.table(TABLES[kind][stretch.unit])} t`, stretch, whose);
  if (columns.has("goods_no")) return (only(GOODS) ? stretches : days).map(of("goods"));
  if (hours) return days.map((stretch) => piece(entries(scope, span), stretch, whose));
  const kind = only(MERCHANTS) ? merchantsFor(scope) : only(STORES) ? "stores" : only(PEOPLE) ? "people" : "cells";
  return stretches.map(of(kind));
}
/** The weekday of a row, moved with its day; sums of hours by month know it themselves. */
function weekdayOf(shift_days: number, known = false): RawBuilder<unknown> {
  const own = known ? sql`t.weekday` : sql`extract(isodow from t.day)::smallint`;
  const shift = ((shift_days % 7) + 7) % 7;
  return shift === 0 ? own : sql`((${own} + ${sql.lit(shift - 1)}) % 7 + 1)`;
}
const atWeekday = ({ weekday }: TakingsFilter, known?: boolean) => weekday !== undefined && sql`${weekdayOf(0, known)} = ${weekday}`;
const goodsAre = (key: string): RawBuilder<boolean> => {
  const { merchantId, goodsNo } = partsOfProduct(key);
  return sql`t.merchant_id = ${merchantId} and t.goods_no = ${goodsNo}`;
};

function waysOf(filter: TakingsFilter, hours: boolean): RawBuilder<boolean> {
  return all([
    is("t.channel", filter.channel),
    is("t.tool", filter.tool),
    partsOf({ ...filter, lacking: undefined }, "t"),
    hours && is("t.hour", filter.hour),
  ]);
}

/** The ledger's entries of a span with what their orders know, in the shape of the sums. */
const entries = (scope: Scope, span: Span): RawBuilder<unknown> => sql`(
  select e.service_provider_id, e.merchant_id, e.store_id, e.agent_id, e.business_group_id, e.business_team_id, e.salesman_id,
    o.cashier_id, o.device_id, e.channel, e.tool, coalesce(o.pay_method, '') as pay_method, coalesce(o.trade_type, '') as trade_type,
    (e.occurred_at at time zone 'Asia/Shanghai')::date as day, extract(hour from e.occurred_at at time zone 'Asia/Shanghai')::smallint as hour,
    ${ENTRY_SUMS}
  from ledger_entries e left join pay_orders o on o.service_provider_id = e.service_provider_id and o.id = e.order_id
  where ${inScope(scope, "e")} and e.cause in ('payment', 'refund')
    and e.occurred_at >= ${dayStart(span.from)}::timestamptz and e.occurred_at < ${dayStart(addDays(span.to, 1))}::timestamptz) t`;
