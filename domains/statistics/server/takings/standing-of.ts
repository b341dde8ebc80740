import { sql, type RawBuilder } from "kysely";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import type { Span } from "../../contract/index.ts";
import { stretchesOf, type Stretch } from "../spans.ts";

/** Sums of merchants, stores, people, goods, or everything, by day and by month; those of goods are of single entries instead of days. */
export const TABLES = {
  merchants: { day: "takings_merchants", month: "takings_merchants_monthly" },
  stores: { day: "takings_daily", month: "takings_monthly" },
  people: { day: "takings_people", month: "takings_people_monthly" },
  goods: { day: "takings_goods", month: "takings_goods_monthly" },
  cells: { day: "takings_cells", month: "takings_cells_monthly" },
} as const;

/** The fewest rows that tell merchants apart: a merchant's are of all its stores, so whoever sees only some adds those up. */
export const merchantsFor = (scope: Scope): "merchants" | "stores" => (scope.stores === undefined ? "merchants" : "stores");
/**
 * The sums of a span by some columns of merchants or stores `t`: its whole months as they stand, the days around them one by one.
 * @param by the columns by which they are told apart, by the names they get; a group comes once for each part, and may come to nothing
 * @param sums the columns of sums
 */
export function standingOf(
  scope: Scope,
  span: Span,
  kind: "merchants" | "stores",
  by: Readonly<Record<string, string>>,
  sums: readonly string[],
): RawBuilder<unknown> {
  const columns = sql.join(Object.entries(by).map(([as, name]) => sql`${sql.ref(`t.${name}`)} as ${sql.ref(as)}`));
  const groups = sql.join(Object.values(by).map((name) => sql.ref(`t.${name}`)));
  const of = ({ unit, span: { from, to }, sign }: Stretch) =>
    sql`select ${columns}, ${summedAs(sums, sign)} from ${sql.table(TABLES[kind][unit])} t
      where ${inScope(scope, "t")} and ${sql.ref(`t.${unit}`)} between ${from} and ${to} group by ${groups}`;
  return sql.join(stretchesOf(span).map(of), sql` union all `);
}
/** Sums of some columns of `t`, or what they take away. */
export const summedAs = (names: readonly string[], sign: 1 | -1): RawBuilder<unknown> =>
  sql.raw(names.map((name) => `(${sign < 0 ? "-" : ""}sum(t.${name}))::bigint as ${name}`).join(", "));
