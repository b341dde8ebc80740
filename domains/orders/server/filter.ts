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
interface Moment {
  readonly hour?: number | undefined;
  readonly weekday?: number | undefined;
}
/** The hour of the day and the day of the week of a moment, in Shanghai; a week begins on Monday. */
export function atTimes({ hour, weekday }: Moment, moment: string): Condition {
  const at = sql`${sql.ref(moment)} at time zone 'Asia/Shanghai'`;
  return all([
    hour === undefined ? undefined : sql`extract(hour from ${at}) = ${hour}`,
    weekday === undefined ? undefined : sql`extract(isodow from ${at}) = ${weekday}`,
  ]);
}
const LACKS: Readonly<Record<string, string>> = { cashier: "cashier_id", device: "device_id", agent: "agent_id", team: "business_team_id" };
interface OrderParts {
  readonly payMethod?: string | undefined;
  readonly tradeType?: string | undefined;
  readonly deviceId?: string | undefined;
  readonly cashierId?: string | undefined;
  readonly lacking?: string | undefined;
}
/** What an order is told apart by that its refunds share: where it was rung up, by whom, and how it was paid. */
export function partsOf({ payMethod, tradeType, deviceId, cashierId, lacking }: OrderParts, alias: string): Condition {
  const is = (name: string, value: string | undefined) =>
    value === undefined ? undefined : sql`${sql.ref(`${alias}.${name}`)} = ${value}`;
  return all([
    is("pay_method", payMethod),
    is("trade_type", tradeType),
    is("device_id", deviceId),
    is("cashier_id", cashierId),
    ...(lacking?.split(",") ?? []).map((one) => sql`${sql.ref(`${alias}.${LACKS[one] ?? ""}`)} is null`),
  ]);
}
/** The last digits of an order number. */
export const TAIL = /^\d{4,8}$/;
/** Whether a keyword is a whole number, whose dates do not matter. */
export const wholeNumber = (keyword: string): boolean => keyword.length > 8;
