import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { backOnShelf } from "../../products/server/index.ts";
import type { Settlement } from "../../orders/server/index.ts";

/**
 * What the money's news means for the goods, in the news' own transaction: paid, they are to be sent; closed unpaid or
 * refunded in full before they were received, nothing more happens, and what never left is on the shelf again.
 */
export async function hearMoney(tx: Transaction, services: Services, { kind, order }: Settlement): Promise<void> {
  if (!order.goods) return;
  const now = new Date(services.clock.now_ms()).toISOString();
  const mine = sql`m.service_provider_id = ${order.service_provider_id} and m.order_id = ${order.id}`;
  if (kind === "payment") await sql`update mall_orders m set status = 1, closed_at = null where ${mine} and m.status in (0, 4)`.execute(tx);
  if (kind === "closed") await sql`update mall_orders m set status = 4, closed_at = ${now} where ${mine} and m.status = 0`.execute(tx);
  if (kind !== "refund") return;
  await unsentBack(tx, services, order);
  await sql`update mall_orders m set status = 4, closed_at = ${now} from pay_orders o
      where ${mine} and m.status in (1, 2) and o.service_provider_id = m.service_provider_id and o.id = m.order_id and o.status = 3`.execute(
    tx,
  );
}

/** Goods that never left are on the shelf again: of an order that was given back in full all of them, else the lines of which nothing is left. */
async function unsentBack(tx: Transaction, services: Services, order: Settlement["order"]): Promise<void> {
  const { rows } = await sql<{ full: boolean; places: number[] }>`
    select o.status = 3 as full, (select coalesce(array_agg(l.place), '{}') from mall_order_lines l
      where l.service_provider_id = m.service_provider_id and l.mall_order_id = m.id and l.amount_cents > 0 and l.amount_cents <= (
        select coalesce(sum(b.amount_cents), 0) from mall_refund_lines b join refunds r on r.service_provider_id = b.service_provider_id and r.id = b.refund_id
        where b.service_provider_id = l.service_provider_id and b.line_id = l.id and r.status = 2)) as places
    from mall_orders m join pay_orders o on o.service_provider_id = m.service_provider_id and o.id = m.order_id
    where m.service_provider_id = ${order.service_provider_id} and m.order_id = ${order.id} and m.status = 1`.execute(tx);
  const [unsent] = rows;
  if (!unsent || (!unsent.full && unsent.places.length === 0)) return;
  // Whoever sends it at this moment comes before or after.
  const held =
    await sql`select 1 from mall_orders m where m.service_provider_id = ${order.service_provider_id} and m.order_id = ${order.id} and m.status = 1 for no key update`.execute(
      tx,
    );
  if (held.rows.length > 0) await backOnShelf(tx, services, order, unsent.full ? undefined : unsent.places);
}
