import { sql, type RawBuilder } from "kysely";
import { addDays, dayStart } from "@zhangfang/contract/time.ts";

/** A condition of a list's filter, or what stands there where the filter is not set. */
export type Condition = RawBuilder<unknown> | "" | false | undefined;
type Maybe = string | undefined;

/**
 * Every condition that is set; where none is, everything.
 * @example where ${all([inScope(scope, "o"), narrowed(filter, "o"), filter.keyword && sql`o.order_no = ${filter.keyword}`])}
 */
export function all(conditions: readonly Condition[]): RawBuilder<boolean> {
  const set = conditions.flatMap((one) => (one ? [sql`(${one})`] : []));
  return set.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(set, sql` and `)}`;
}
/** That a column holds what a filter names, if it names anything. @example is("o.channel", filter.channel) */
export const is = (column: string, value: string | number | undefined): Condition =>
  value === undefined ? undefined : sql`${sql.ref(column)} = ${value}`;

/** The levels below the user that a list is narrowed to (`scopeFilter` of the contract), by the row's own columns. */
export function narrowed(
  filter: {
    readonly serviceProviderId?: Maybe;
    readonly agentId?: Maybe;
    readonly businessTeamId?: Maybe;
    readonly merchantId?: Maybe;
    readonly storeId?: Maybe;
  },
  alias: string,
): RawBuilder<boolean> {
  return all([
    is(`${alias}.service_provider_id`, filter.serviceProviderId),
    is(`${alias}.agent_id`, filter.agentId),
    is(`${alias}.business_team_id`, filter.businessTeamId),
    is(`${alias}.merchant_id`, filter.merchantId),
    is(`${alias}.store_id`, filter.storeId),
  ]);
}

/** The Shanghai days that a filter names, both ends included. */
interface Days {
  readonly from?: Maybe;
  readonly to?: Maybe;
}
/** That a moment falls on the days of a filter. @param moment its column */
export const during = ({ from, to }: Days, moment: string): RawBuilder<boolean> =>
  all([
    from && sql`${sql.ref(moment)} >= ${dayStart(from)}::timestamptz`,
    to && sql`${sql.ref(moment)} < ${dayStart(addDays(to, 1))}::timestamptz`,
  ]);
/** That a day is one of a filter's. @param day its column */
export const onDays = ({ from, to }: Days, day: string): RawBuilder<boolean> =>
  all([from && sql`${sql.ref(day)} >= ${from}::date`, to && sql`${sql.ref(day)} <= ${to}::date`]);
