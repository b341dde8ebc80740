import { sql, type RawBuilder } from "kysely";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { all, type Condition, during, is, onDays } from "@zhangfang/server/lists/conditions.ts";
import type { getTakeawayFigures, listTakeawayOrders } from "../../contract/index.ts";

type Common = Pick<ParsedOf<typeof getTakeawayFigures>, "dayOf" | "platform" | "merchantId" | "storeId"> & {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};
/** The column of the day that a figure counts an order on. */
export const momentOf = (dayOf: Common["dayOf"]): string => (dayOf === "completed" ? "o.completed_at" : "o.placed_at");
/** Sums `o` of the orders that a filter is about. */
export const sumsWhere = ({ dayOf, platform, merchantId, storeId, from, to }: Common): RawBuilder<boolean> =>
  all([
    is("o.day_of", dayOf),
    onDays({ from, to }, "o.day"),
    is("o.platform", platform),
    is("o.merchant_id", merchantId),
    is("o.store_id", storeId),
  ]);
/** The same orders `o` one by one. */
const takeawayWhere = ({ dayOf, platform, merchantId, storeId, from, to }: Common): RawBuilder<boolean> =>
  all([
    during({ from, to }, momentOf(dayOf)),
    dayOf === "completed" && sql`o.completed_at is not null`,
    is("o.platform", platform),
    is("o.merchant_id", merchantId),
    is("o.store_id", storeId),
  ]);

const PARTS = {
  counted: sql`o.status <> 3`,
  cancelled: sql`o.status = 3`,
  refunded: sql`o.status <> 3 and o.refund_cents > 0`,
  odd: sql`o.status <> 3 and o.odd`,
} as const;
type ListFilter = Omit<ParsedOf<typeof listTakeawayOrders>, "cursor" | "pageSize" | "sort" | "withTotal">;
/** The same narrowed to what a figure counts, or to what somebody looks for. */
export const listWhere = (filter: ListFilter): RawBuilder<boolean> => {
  const { keyword, status, part, mapped, from, to } = filter;
  const conditions: Condition[] = [
    takeawayWhere(filter),
    // The number of a day is one of a day: without days every order would be read for it.
    keyword && (from && to ? sql`(o.platform_order_id = ${keyword} or o.day_no = ${keyword})` : is("o.platform_order_id", keyword)),
    is("o.status", status),
    part && PARTS[part],
    mapped === "none" && sql`o.store_id is null`,
  ];
  return all(conditions);
};
