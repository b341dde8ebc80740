import { sql, type RawBuilder } from "kysely";
import { inScope, type Scope } from "@zhangfang/server/scope.ts";
import type { Span } from "../../contract/index.ts";
import { wholeMonths } from "../spans.ts";

const SUMS = sql.raw(
  ["pay_count", "paid_cents", "fee_cents", "refund_cents", "refund_fee_cents"].map((name) => `sum(t.${name}) as ${name}`).join(", "),
);

/**
 * The sums of a span by some columns of stores `t`: its whole months as they stand, the days around them one by one.
 * @param by the columns by which they are told apart, by the names they get; a group comes once for each part
 */
export function storesOf(scope: Scope, span: Span, by: Readonly<Record<string, string>>): RawBuilder<unknown> {
  const { months, edges } = wholeMonths(span);
  const columns = sql.join(Object.entries(by).map(([as, name]) => sql`${sql.ref(`t.${name}`)} as ${sql.ref(as)}`));
  const groups = sql.join(Object.values(by).map((name) => sql.ref(`t.${name}`)));
  const of = (table: string, day: string, part: Span) =>
    sql`select ${columns}, ${SUMS} from ${sql.table(table)} t
      where ${inScope(scope, "t")} and ${sql.ref(`t.${day}`)} between ${part.from} and ${part.to} group by ${groups}`;
  return sql.join(
    [...(months ? [of("takings_monthly", "month", months)] : []), ...edges.map((edge) => of("takings_daily", "day", edge))],
    sql` union all `,
  );
}
