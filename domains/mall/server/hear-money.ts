import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Settlement } from "../../orders/server/index.ts";

/**
 * What the money's news means for the goods, in the news' own transaction: paid, they are to be sent; closed unpaid or
 * refunded in full before they were received, nothing more happens.
 */
export async function hearMoney(tx: Transaction, services: Services, { kind, order }: Settlement): Promise<void> {
  const now = new Date(services.clock.now_ms()).toISOString();
  const mine = sql`m.service_provider_id = ${order.service_provider_id} and m.order_id = ${order.id}`;
  if (kind === "payment") await sql`update mall_orders m set status = 1, closed_at = null where ${mine} and m.status in (0, 4)`.execute(tx);
  if (kind === "closed") await sql`update mall_orders m set status = 4, closed_at = ${now} where ${mine} and m.status = 0`.execute(tx);
  if (kind === "refund")
    await sql`update mall_orders m set status = 4, closed_at = ${now} from pay_orders o
      where ${mine} and m.status in (1, 2) and o.service_provider_id = m.service_provider_id and o.id = m.order_id and o.status = 3`.execute(
      tx,
    );
}
