import { sql, type RawBuilder } from "kysely";

/** A condition, or nothing where a filter is not set. */
export type Condition = RawBuilder<unknown> | "" | undefined;
/** Every condition that is there. */
export function all(conditions: readonly Condition[]): RawBuilder<boolean> {
  const set = conditions.filter((condition): condition is RawBuilder<unknown> => condition !== undefined && condition !== "");
  return set.length === 0
    ? sql<boolean>`true`
    : sql<boolean>`${sql.join(
        set.map((condition) => sql`(${condition})`),
        sql` and `,
      )}`;
}

interface Levels {
  readonly serviceProviderId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly businessTeamId?: string | undefined;
  readonly merchantId?: string | undefined;
  readonly storeId?: string | undefined;
}
/** The levels below the user that a list is narrowed to; by the attribution of the row's own time. */
export function narrowed({ serviceProviderId, agentId, businessTeamId, merchantId, storeId }: Levels, alias: string): Condition {
  const is = (name: string, id: string | undefined) => (id === undefined ? undefined : sql`${sql.ref(`${alias}.${name}`)} = ${id}`);
  return all([
    is("service_provider_id", serviceProviderId),
    is("agent_id", agentId),
    is("business_team_id", businessTeamId),
    is("merchant_id", merchantId),
    is("store_id", storeId),
  ]);
}
/** The last digits of an order number. */
export const TAIL = /^\d{4,8}$/;
/** Whether a keyword is a whole number, whose dates do not matter. */
export const wholeNumber = (keyword: string): boolean => keyword.length > 8;
