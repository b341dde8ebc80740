import { sql, type RawBuilder } from "kysely";
import { addDays, weekdayName } from "@zhangfang/contract/time.ts";
import { payChannel, payWallet, payWay } from "../../../channels/contract.ts";
import { partsOfProduct } from "../../../mall/contract/index.ts";
import { dayOfWeek, hourOfDay, tradeType } from "../../../orders/contract/index.ts";
import { walletKey, wayKey } from "../../../orders/server/index.ts";
import type { Dimension, Span } from "../../contract/index.ts";
import { stepFrom } from "../spans.ts";
import type { Piece } from "./piece.ts";

/** The columns of the takings that a dimension is made of; `day` all have. */
export type Column = "service_provider_id" | "agent_id" | "business_team_id" | "merchant_id" | "store_id" | Detail;
export type Detail = "cashier_id" | "device_id" | "channel" | "tool" | "pay_method" | "trade_type" | "hour" | "goods_no";
const COLUMN: Readonly<Partial<Record<Dimension, Column>>> = {
  hour: "hour",
  provider: "service_provider_id",
  agent: "agent_id",
  team: "business_team_id",
  merchant: "merchant_id",
  store: "store_id",
  cashier: "cashier_id",
  device: "device_id",
  channel: "channel",
  method: "pay_method",
  tool: "tool",
  trade: "trade_type",
  product: "goods_no",
};
export const columnOf = (by: Dimension): Column | undefined => COLUMN[by];
/** Every column that a dimension is told from: a way is one of method and tool. */
export function columnsOf(by: Dimension): readonly Column[] {
  const one = COLUMN[by];
  return by === "method" ? ["pay_method", "tool"] : one === undefined ? [] : [one];
}
/** Those whose keys are ids of a provider's things. */
export const isNode = (by: Dimension | undefined): boolean =>
  by !== undefined && ["agent", "team", "merchant", "store", "cashier", "device"].includes(by);

/** The key of a row `t` as the database has it, so that rows are told apart without making text of each. */
export function keyOf(by: Dimension, { day, weekday }: Pick<Piece, "day" | "weekday">): RawBuilder<unknown> {
  switch (by) {
    case "day":
      return sql`(${day})::date`;
    case "week":
      return sql`date_trunc('week', (${day})::timestamp)::date`;
    case "month":
      return sql`date_trunc('month', (${day})::timestamp)::date`;
    case "weekday":
      return weekday;
    case "product":
      return sql`t.merchant_id || '/' || t.goods_no`;
    case "tool":
      return walletKey("t");
    case "method":
      return wayKey("t");
    default:
      return sql.ref(`t.${COLUMN[by] ?? ""}`);
  }
}
/** The same as text. */
export const textOf = (by: Dimension, key: RawBuilder<unknown>): RawBuilder<string> =>
  by === "day" || by === "week" || by === "month" ? sql<string>`to_char(${key}, 'YYYY-MM-DD')` : sql<string>`coalesce(${key}::text, '')`;

const FILTER: Readonly<Partial<Record<Dimension, string>>> = {
  hour: "hour",
  weekday: "weekday",
  provider: "serviceProviderId",
  agent: "agentId",
  team: "businessTeamId",
  merchant: "merchantId",
  store: "storeId",
  cashier: "cashierId",
  device: "deviceId",
  channel: "channel",
  method: "way",
  tool: "wallet",
  trade: "tradeType",
  product: "product",
};
/** What of a filter shows one key alone; a step of the calendar is cut by the span. */
export function filterOf(by: Dimension, key: string, span: Span): Readonly<Record<string, string>> {
  if (by === "day" || by === "week" || by === "month") {
    const from = key < span.from ? span.from : key;
    return from > span.to ? {} : { ...stepFrom(from, span, by) };
  }
  return key === "" ? { lacking: by } : { [FILTER[by] ?? by]: key };
}

const LABELS = { channel: payChannel, method: payWay, tool: payWallet, trade: tradeType, hour: hourOfDay, weekday: dayOfWeek } as const;
/** What a key is called; the names of nodes come from the database. */
export function nameOf(by: Dimension, key: string, found: string | null, span: Span): string {
  if (by === "day") return `${key} ${weekdayName(key)}`;
  if (by === "month") return key.slice(0, 7);
  if (by === "week") {
    const { from, to } = { from: key, to: addDays(key, 6), ...filterOf("week", key, span) };
    return from === to ? from : `${from} 至 ${to.slice(5)}`;
  }
  if (by in LABELS) {
    const set = LABELS[by as keyof typeof LABELS];
    return key === "" ? "未记录" : set.label((/^\d+$/.test(key) ? Number(key) : key) as never);
  }
  if (by === "product") return found ?? partsOfProduct(key).goodsNo;
  return key === "" ? NOBODY[by as keyof typeof NOBODY] : (found ?? "已不可见");
}
const NOBODY = { agent: "无代理商", team: "无业务团队", cashier: "无收银员", device: "无设备" };

/**
 * The name of a node whose key and provider stand in the row `p`; null where the caller may not see it any more.
 * @param many whether goods of several merchants stand beside each other: many sell the same
 */
export function nodeName(by: Dimension | undefined, key: "key" | "split_key", many: boolean): RawBuilder<string | null> {
  const id = sql`nullif(${sql.ref(`p.${key}`)}, '')::uuid`;
  const of = (table: string, name: string) =>
    sql<string | null>`(select n.${sql.ref(name)} from ${sql.table(table)} n where n.service_provider_id = p.sp and n.id = ${id})`;
  switch (by) {
    case "provider":
      return sql<string | null>`(select n.short_name from service_providers n where n.id = ${id})`;
    case "agent":
      return of("agents", "name");
    case "team":
      return of("business_teams", "name");
    case "merchant":
    case "store":
      return sql<string | null>`app.past_name(${sql.lit(by)}, p.sp, ${id})`;
    case "cashier":
      return of("cashiers", "name");
    case "device":
      return of("devices", "name");
    // The name that it was last sold under, and its number, since two may have one name.
    case "product":
      return sql<
        string | null
      >`(select l.name || case when l.goods_no = '' then '' else '（' || l.goods_no || '）' end ${many ? sql`|| coalesce(' · ' || app.past_name('merchant', p.sp, l.merchant_id), '')` : sql``} from mall_order_lines l
        where l.service_provider_id = p.sp and l.merchant_id = left(${sql.ref(`p.${key}`)}, 36)::uuid and l.goods_no = substr(${sql.ref(`p.${key}`)}, 38)
        order by l.id desc limit 1)`;
    default:
      return sql<string | null>`null`;
  }
}
