import { sql } from "kysely";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { all, narrowed } from "@zhangfang/server/lists/conditions.ts";
import { owedRows, usedRows } from "../../../stored-value/server/index.ts";
import { timesUsedRows } from "../../../vip/server/index.ts";
import { isTime, type Dimension, type Span } from "../../contract/index.ts";
import type { Piece, ValueSum } from "./piece.ts";
import type { TakingsFilter } from "./source.ts";

interface Asked {
  readonly scope: Scope;
  readonly filter: TakingsFilter;
  readonly by: readonly Dimension[];
  readonly goods: boolean;
}
/** Agents, groups, teams and the platform see nothing of members (membership.md 2). */
const LEVELS: readonly string[] = ["SP", "MCH", "AE"];
const KNOWN: readonly Dimension[] = ["day", "week", "month", "merchant", "store"];

/** Whether what members' value did is told apart as a question asks: by days and nodes, not by people or ways of paying. */
export function knowsValue({ scope, filter, by, goods }: Asked): boolean {
  const { from: _from, to: _to, serviceProviderId: _provider, merchantId: _merchant, storeId: _store, ...others } = filter;
  return (
    !goods &&
    LEVELS.includes(scope.level) &&
    by.every((one) => KNOWN.includes(one)) &&
    Object.values(others).every((one) => one === undefined)
  );
}
/** A balance stands at the end of a day or of a span: along the days it runs on, beside nodes it stands for each; not for both at once. */
export const knowsBalance = (asked: Asked): boolean => asked.by.length <= 1 && knowsValue(asked);
/** Whether the balance of each row is that of the row before and what was added since. */
export const runs = ({ by: [first, split] }: Pick<Asked, "by">): boolean => first !== undefined && split === undefined && isTime(first);

/** What members' value adds to a question's groups; nothing where it is not known. */
export function valuePiecesOf(asked: Asked, span: Span, shift_days: number): Piece[] {
  if (!knowsValue(asked)) return [];
  const { scope, filter } = asked;
  const { serviceProviderId, merchantId, storeId } = filter;
  const nodes = narrowed({ serviceProviderId, merchantId, storeId }, "t");
  const shifted = (day: Piece["day"]) => (shift_days === 0 ? day : sql`(${day} + ${sql.lit(shift_days)})`);
  const piece = (of: ValueSum, rows: Piece["from"], from: string | undefined): Piece => ({
    from: sql`(${rows}) t`,
    where: all([nodes, from !== undefined && sql`t.day >= ${from}::date`, sql`t.day <= ${span.to}::date`]),
    // What was owed before the span stands on its first day.
    day: shifted(from === undefined ? sql`greatest(t.day, ${span.from}::date)` : sql`t.day`),
    weekday: sql`null::smallint`,
    sign: 1,
    of,
  });
  return [
    piece("used_cents", usedRows(scope), span.from),
    piece("times_used_cents", timesUsedRows(scope, span), span.from),
    ...(knowsBalance(asked) ? [piece("owed_cents", owedRows(scope, span.from), undefined)] : []),
  ];
}
