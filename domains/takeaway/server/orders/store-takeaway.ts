import { sql } from "kysely";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all } from "@zhangfang/server/lists/conditions.ts";
import type { getTakeawayFigures, TakeawayPlatform } from "../../contract/index.ts";
import { COUNTED, SUMS } from "./takeaway-figures.ts";
import { sumsWhere } from "./takeaway-where.ts";

export type StoreTakeaway = OutputOf<typeof getTakeawayFigures>["total"] & {
  readonly storeId: string;
  readonly day: string;
  readonly platform: TakeawayPlatform;
  /** Orders with a refund. */
  readonly refunded: number;
};
/**
 * The takeaway of stores by the day of completion and by platform: what 外卖汇总 按完成日 says of the same store, day and platform. Amounts
 * in cents.
 */
export async function storeTakeaway(
  tx: Transaction,
  scope: Scope,
  of: { readonly merchantIds: readonly string[]; readonly storeIds: readonly string[]; readonly from: string; readonly to: string },
): Promise<StoreTakeaway[]> {
  const { rows } = await sql<StoreTakeaway>`
    select o.store_id as "storeId", o.day, o.platform, sum(o.refunded)::int as refunded, ${SUMS}
    from takeaway_sums o where ${all([
      inScope(scope, "o", "store"),
      sql`o.merchant_id = any(${`{${of.merchantIds.join(",")}}`}::uuid[])`,
      sql`o.store_id = any(${`{${of.storeIds.join(",")}}`}::uuid[])`,
      sumsWhere({ dayOf: "completed", from: of.from, to: of.to, platform: undefined, merchantId: undefined, storeId: undefined }),
    ])} group by 1, 2, 3 having ${COUNTED} order by 3`.execute(tx);
  return rows;
}
