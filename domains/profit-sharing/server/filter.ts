import { sql, type RawBuilder } from "kysely";
import { addDays, dayStart } from "@zhangfang/contract/time.ts";

/** A condition, or nothing where a filter is not set. */
export type Condition = RawBuilder<unknown> | undefined;
/** Every condition that is there. */
export function all(conditions: readonly Condition[]): RawBuilder<boolean> {
  const set = conditions.filter((condition): condition is RawBuilder<unknown> => condition !== undefined);
  return set.length === 0
    ? sql<boolean>`true`
    : sql<boolean>`${sql.join(
        set.map((condition) => sql`(${condition})`),
        sql` and `,
      )}`;
}
interface Common {
  readonly serviceProviderId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly businessTeamId?: string | undefined;
  readonly merchantId?: string | undefined;
  readonly storeId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}
/** The levels below the user that a list is narrowed to. */
export function narrowed(filter: Common, alias: string): Condition {
  const is = (name: string, id: string | undefined) => (id === undefined ? undefined : sql`${sql.ref(`${alias}.${name}`)} = ${id}`);
  return all([
    is("service_provider_id", filter.serviceProviderId),
    is("agent_id", filter.agentId),
    is("business_team_id", filter.businessTeamId),
    is("merchant_id", filter.merchantId),
    is("store_id", filter.storeId),
  ]);
}
/** Shanghai days on `created_at`, both ends included. */
export const createdDuring = (filter: Common, alias: string): Condition => during(filter, `${alias}.created_at`);
/** The same on another moment. */
export function during({ from, to }: Common, moment: string): Condition {
  const at = sql.ref(moment);
  return all([
    from === undefined ? undefined : sql`${at} >= ${dayStart(from)}::timestamptz`,
    to === undefined ? undefined : sql`${at} < ${dayStart(addDays(to, 1))}::timestamptz`,
  ]);
}
/** What opens what. */
export const ITEMS = {
  send: "/dataCentre/sharing/share",
  retry: "/dataCentre/sharing/retry",
  finish: "/dataCentre/sharing/finish",
  retryReturn: "/dataCentre/sharingReturn/retry",
} as const;
