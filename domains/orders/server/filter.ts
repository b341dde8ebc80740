import { sql, type RawBuilder } from "kysely";
import type { CodeOf } from "@zhangfang/contract/labelled.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { METHODS_ALONE, type PayWallet, payWallet, type PayWay, payWay, payTool, toolsOf } from "../../channels/contract.ts";
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
  readonly wallet?: PayWallet | undefined;
  readonly way?: PayWay | undefined;
  readonly tradeType?: string | undefined;
  readonly deviceId?: string | undefined;
  readonly cashierId?: string | undefined;
  readonly lacking?: string | undefined;
  readonly purpose?: CodeOf<typeof orderPurpose> | undefined;
}
/** What an order is told apart by that its refunds share: where it was rung up, by whom, and how it was paid. */
export function partsOf(parts: OrderParts, alias: string): RawBuilder<boolean> {
  const { payMethod, wallet, way, tradeType, deviceId, cashierId, lacking, purpose } = parts;
  return all([
    is(`${alias}.pay_method`, payMethod),
    wallet !== undefined && walletIs(wallet, alias),
    way !== undefined && wayIs(way, alias),
    is(`${alias}.trade_type`, tradeType),
    is(`${alias}.device_id`, deviceId),
    is(`${alias}.cashier_id`, cashierId),
    purpose !== undefined && purposeIs(purpose, alias),
    ...(lacking?.split(",") ?? []).map((one) => sql`${sql.ref(`${alias}.${LACKS[one] ?? ""}`)} is null`),
  ]);
}
const listed = (codes: readonly (string | number)[]) => sql.join(codes.map((code) => sql.lit(code)));
/** That the tool of a row is a wallet's; what no table knows is 其他's. */
function walletIs(wallet: PayWallet, alias: string): RawBuilder<boolean> {
  const tool = sql.ref(`${alias}.tool`);
  const own = toolsOf(wallet);
  return own.length > 0 ? sql<boolean>`${tool} in (${listed(own)})` : sql<boolean>`${tool} not in (${listed(payTool.values)})`;
}
/** That a row was taken in a way: by its method where that says more, else by its tool (`wayOf`). */
function wayIs(way: PayWay, alias: string): RawBuilder<boolean> {
  const [tool, method] = [sql.ref(`${alias}.tool`), sql.ref(`${alias}.pay_method`)];
  if (METHODS_ALONE.some((one) => one === way)) return sql<boolean>`${method} = ${sql.lit(way)}`;
  const own = toolsOf(way);
  const byTool = own.length > 0 ? sql`${tool} in (${listed(own)})` : sql`${tool} not in (${listed(payTool.values)})`;
  return sql<boolean>`${byTool} and ${method} not in (${listed(METHODS_ALONE)})`;
}
/** The wallet of a row, as its key. */
export const walletKey = (alias: string): RawBuilder<string> => keyed(payWallet.values, (one) => walletIs(one, alias));
/** The way in which a row was taken, as its key. */
export const wayKey = (alias: string): RawBuilder<string> => keyed(payWay.values, (one) => wayIs(one, alias));
const keyed = <K extends string>(keys: readonly K[], when: (key: K) => RawBuilder<boolean>): RawBuilder<string> =>
  sql<string>`case ${sql.join(
    keys.map((key) => sql`when ${when(key)} then ${sql.lit(key)}`),
    sql` `,
  )} end`;
const purposeIs = (purpose: CodeOf<typeof orderPurpose>, alias: string): RawBuilder<boolean> =>
  purpose === "cards"
    ? sql<boolean>`${sql.ref(`${alias}.purpose`)} in (2, 3, 4)`
    : sql<boolean>`${sql.ref(`${alias}.purpose`)} = ${sql.lit(purpose)}`;
/** The last digits of an order number. */
export const TAIL = /^\d{4,8}$/;
/** Whether a keyword is a whole number, whose dates do not matter. */
export const wholeNumber = (keyword: string): boolean => keyword.length > 8;
