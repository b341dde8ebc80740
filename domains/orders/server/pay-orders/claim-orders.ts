import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";

/**
 * Orders of nobody known become members' (支付即会员): of an order the first word counts.
 * @returns how many did; the others are somebody's already
 */
export async function claimOrders(
  tx: Transaction,
  provider: string,
  orders: readonly { readonly order_id: string; readonly member_id: string }[],
): Promise<number> {
  const { numAffectedRows } = await sql`update pay_orders o set member_id = x.member_id
    from jsonb_to_recordset(${JSON.stringify(orders)}::jsonb) as x (order_id uuid, member_id uuid)
    where o.service_provider_id = ${provider} and o.id = x.order_id and o.member_id is null`.execute(tx);
  return Number(numAffectedRows);
}
