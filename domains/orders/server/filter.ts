import { sql, type RawBuilder } from "kysely";
import type { CodeOf } from "@zhangfang/contract/labelled.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import type { orderPurpose } from "../contract/codes.ts";

interface Moment {
  readonly hour?: number | undefined;
  readonly weekday?: number | undefined;
}
/** The hour of the day and the day of the week of a moment, in Shanghai; a week begins on Monday. */
export function atTimes({ hour, weekday }: Moment, moment: string): RawBuilder<boolean> {
  const at = sql`${sql.ref(moment)} at time zone 'Asia/Shanghai'`;
  return all([
    hour !== undefined && sql`extract(hour from ${at}) = ${hour}`,
    weekday !== undefined && sql`extract(isodow from ${at}) = ${weekday}`,
  ]);
}
const LACKS: Readonly<Record<string, string>> = { cashier: "cashier_id", device: "device_id", agent: "agent_id", team: "business_team_id" };
interface OrderParts {
  readonly payMethod?: string | undefined;
  readonly tradeType?: string | undefined;
  readonly deviceId?: string | undefined;
  readonly cashierId?: string | undefined;
  readonly lacking?: string | undefined;
  readonly purpose?: CodeOf<typeof orderPurpose> | undefined;
}
/** What an order is told apart by that its refunds share: where it was rung up, by whom, and how it was paid. */
export function partsOf({ payMethod, tradeType, deviceId, cashierId, lacking, purpose }: OrderParts, alias: string): RawBuilder<boolean> {
  return all([
    is(`${alias}.pay_method`, payMethod),
    is(`${alias}.trade_type`, tradeType),
    is(`${alias}.device_id`, deviceId),
    is(`${alias}.cashier_id`, cashierId),
    purpose !== undefined && purposeIs(purpose, alias),
    ...(lacking?.split(",") ?? []).map((one) => sql`${sql.ref(`${alias}.${LACKS[one] ?? ""}`)} is null`),
  ]);
}
const purposeIs = (purpose: CodeOf<typeof orderPurpose>, alias: string): RawBuilder<boolean> =>
  purpose === "cards"
    ? sql<boolean>`${sql.ref(`${alias}.purpose`)} in (2, 3, 4)`
    : sql<boolean>`${sql.ref(`${alias}.purpose`)} = ${sql.lit(purpose)}`;
/** The last digits of an order number. */
export const TAIL = /^\d{4,8}$/;
/** Whether a keyword is a whole number, whose dates do not matter. */
export const wholeNumber = (keyword: string): boolean => keyword.length > 8;
