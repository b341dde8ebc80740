import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import type { Figures } from "../../contract/index.ts";
import { figuresOf, SUMS, type Sums } from "./figures.ts";
import { ownedBy } from "./owner.ts";

export type StoreTakings = Figures & {
  readonly storeId: string;
  readonly day: string;
  readonly channel: number;
  readonly tool: number;
};
/**
 * What stores took on days, by channel and tool: the rows that 支付统计 of one store is made of. Payments count by the moment of payment,
 * refunds by that of arrival; amounts in cents. Stores out of sight have none.
 */
export async function storeTakings(
  tx: Transaction,
  scope: Scope,
  { storeIds, from, to }: { readonly storeIds: readonly string[]; readonly from: string; readonly to: string },
): Promise<StoreTakings[]> {
  const { rows } = await sql<Sums & { storeId: string; day: string; channel: number; tool: number }>`
    select t.owner_id as "storeId", t.day, t.channel, t.tool, ${SUMS} from takings_days t
    where ${ownedBy(scope, { kind: "store", ids: storeIds, by: ["store_id"] })} and t.day between ${from}::date and ${to}::date
    group by 1, 2, 3, 4 order by 3, 4`.execute(tx);
  return rows.map((row) => ({ storeId: row.storeId, day: row.day, channel: row.channel, tool: row.tool, ...figuresOf(row) }));
}
