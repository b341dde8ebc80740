import { sql, type RawBuilder } from "kysely";
import { addDays, dayStart } from "@zhangfang/contract/time.ts";
import { inScope, type Scope } from "@zhangfang/server/scope.ts";
import type { z } from "zod";
import type { Dimension, Span } from "../../contract/index.ts";
import type { takingsInput } from "../../contract/pay-statistics.ts";
import { all, narrowed, partsOf } from "../../../orders/server/index.ts";
import { ownedBy, ownerOf, tenantOf } from "../takings/owner.ts";
import { type Column, columnOf } from "./dimensions.ts";
import { wholeMonths } from "../spans.ts";

export type TakingsFilter = z.output<typeof takingsInput>;
/** Rows `t` that add up to what is asked for, and the day that each of them stands for. */
interface Piece {
  readonly from: RawBuilder<unknown>;
  readonly where: RawBuilder<boolean>;
  readonly day: RawBuilder<unknown>;
}
const WAYS: readonly Column[] = ["channel", "tool", "pay_method", "trade_type"];
const STORES: readonly Column[] = ["service_provider_id", "agent_id", "business_team_id", "merchant_id", "store_id"];
const LACKS = { agent: "agent_id", team: "business_team_id", cashier: "cashier_id", device: "device_id" } as const;

/** The columns besides the day that a question needs. */
function needed(filter: TakingsFilter, by: readonly Dimension[]): ReadonlySet<Column> {
  const asked: readonly (readonly [unknown, Column])[] = [
    [filter.agentId, "agent_id"],
    [filter.businessTeamId, "business_team_id"],
    [filter.merchantId, "merchant_id"],
    [filter.storeId, "store_id"],
    [filter.cashierId, "cashier_id"],
    [filter.deviceId, "device_id"],
    [filter.channel, "channel"],
    [filter.tool, "tool"],
    [filter.payMethod, "pay_method"],
    [filter.tradeType, "trade_type"],
    [filter.hour, "hour"],
  ];
  return new Set([
    ...asked.flatMap(([value, column]) => (value === undefined ? [] : [column])),
    ...lacksOf(filter),
    ...by.flatMap((one) => columnOf(one) ?? []),
  ]);
}
const lacksOf = ({ lacking }: TakingsFilter): Column[] =>
  (lacking ?? "").split(",").flatMap((one) => (one === "" ? [] : [LACKS[one as keyof typeof LACKS]]));

/**
 * Where a question is answered from: always the coarsest sums that can, so that a year of a provider is read from some
 * thousand rows; the ledger's entries themselves where hours are asked for together with stores or people.
 * @param shift_days how far the days are moved, so that an earlier span lies upon a later one
 */
export function piecesOf(scope: Scope, filter: TakingsFilter, by: readonly Dimension[], span: Span, shift_days = 0): Piece[] {
  const columns = needed(filter, by);
  const only = (some: readonly Column[]) => [...columns].every((column) => some.includes(column));
  const day = (column: string) => (shift_days === 0 ? sql.ref(column) : sql`(${sql.ref(column)} + ${sql.lit(shift_days)})`);
  const rest = all([
    waysOf(filter, columns.has("hour")),
    filter.weekday === undefined ? undefined : sql`extract(isodow from t.day) = ${filter.weekday}`,
  ]);
  const owner = ownerOf(scope, filter);
  const ofOwner = owner && (["service_provider_id", ...owner.by] as const);
  const [table, ways] = columns.has("hour") ? (["takings", ["channel", "tool", "hour"]] as const) : (["takings_days", WAYS] as const);
  if (owner && ofOwner && only([...ofOwner, ...ways]) && lacksOf(filter).length === 0)
    return [
      {
        from: sql`${sql.table(table)} t`,
        where: all([ownedBy(scope, owner), provider(filter), rest, sql`t.day between ${span.from} and ${span.to}`]),
        day: day("t.day"),
      },
    ];
  const within = filter.merchantId ?? filter.storeId ?? filter.agentId ?? filter.businessTeamId;
  const whose = all([
    inScope(scope, "t"),
    narrowed(filter, "t"),
    within === undefined ? undefined : tenantOf(scope),
    ...lacksOf(filter).map((column) => sql`${sql.ref(`t.${column}`)} is null`),
  ]);
  if (columns.has("hour")) return [{ from: entries(scope, span), where: all([whose, rest]), day: day("t.day") }];
  const name = only(STORES) ? "" : "cells_";
  const daily = `takings_${name === "" ? "daily" : "cells"}`;
  const byDay = by.some((one) => one === "day" || one === "week" || one === "weekday" || (one === "month" && shift_days !== 0));
  const { months, edges } = byDay || filter.weekday !== undefined ? { months: undefined, edges: [span] } : wholeMonths(span);
  return [
    ...(months ? [{ table: `takings_${name}monthly`, column: "t.month", span: months }] : []),
    ...edges.map((edge) => ({ table: daily, column: "t.day", span: edge })),
  ].map((piece) => ({
    from: sql`${sql.table(piece.table)} t`,
    where: all([whose, rest, sql`${sql.ref(piece.column)} between ${piece.span.from} and ${piece.span.to}`]),
    day: day(piece.column),
  }));
}
const provider = ({ serviceProviderId }: TakingsFilter) =>
  serviceProviderId === undefined ? undefined : sql`t.service_provider_id = ${serviceProviderId}`;

function waysOf(filter: TakingsFilter, hours: boolean): RawBuilder<boolean> {
  return all([
    filter.channel === undefined ? undefined : sql`t.channel = ${filter.channel}`,
    filter.tool === undefined ? undefined : sql`t.tool = ${filter.tool}`,
    partsOf({ ...filter, lacking: undefined }, "t"),
    hours && filter.hour !== undefined ? sql`t.hour = ${filter.hour}` : undefined,
  ]);
}

/** The ledger's entries of a span with what their orders know, in the shape of the sums. */
const entries = (scope: Scope, span: Span): RawBuilder<unknown> => sql`(
  select e.service_provider_id, e.merchant_id, e.store_id, e.agent_id, e.business_group_id, e.business_team_id, e.salesman_id,
    o.cashier_id, o.device_id, e.channel, e.tool, coalesce(o.pay_method, '') as pay_method, coalesce(o.trade_type, '') as trade_type,
    (e.occurred_at at time zone 'Asia/Shanghai')::date as day, extract(hour from e.occurred_at at time zone 'Asia/Shanghai')::smallint as hour,
    (e.cause = 'payment')::int as pay_count, e.gross_cents, e.discount_cents, e.paid_cents, e.fee_cents,
    (e.cause = 'refund')::int as refund_count, e.refund_cents, e.refund_fee_cents
  from ledger_entries e left join pay_orders o on o.service_provider_id = e.service_provider_id and o.id = e.order_id
  where ${inScope(scope, "e")} and e.cause in ('payment', 'refund')
    and e.occurred_at >= ${dayStart(span.from)}::timestamptz and e.occurred_at < ${dayStart(addDays(span.to, 1))}::timestamptz) t`;
