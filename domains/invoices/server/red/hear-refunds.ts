import { sql } from "kysely";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Settlement } from "../../../orders/server/index.ts";
import type { OrderRef } from "../apply/invoiceable.ts";
import { ISSUE } from "../issue/invoice-calls.ts";
import { settleOrder } from "./settle-orders.ts";

/**
 * A refund that is done: what of the order stands on invoices is brought to what is left of it. The refund holds its own order and more, so
 * that an application of several orders is left to `settleInvoiceOrders`: whoever holds one order and takes another stands against those who
 * hold them in their order.
 */
export async function hearRefund(tx: Transaction, services: Services, { kind, order }: Settlement): Promise<void> {
  if (kind !== "refund") return;
  const { service_provider_id, id } = order;
  const now = new Date(services.clock.now_ms()).toISOString();
  const left = await sql`update invoice_orders g set settle_at = coalesce(g.settle_at, ${now})
    where g.service_provider_id = ${service_provider_id} and g.order_id = ${id} and g.alive_cents > 0 and exists (select from invoice_application_orders x
      join invoice_application_orders y on y.service_provider_id = x.service_provider_id and y.application_id = x.application_id and y.order_id <> x.order_id
      where x.service_provider_id = g.service_provider_id and x.order_id = g.order_id and x.living)`.execute(tx);
  if (left.numAffectedRows === 0n) await settleOrder(tx, services, order);
}
const AGAIN_MS = 60_000;
/** Every three seconds: orders that a refund left to it, each with all that its application asks for. */
export const settleInvoiceOrders = lookAfter<OrderRef>({
  name: "settle-invoice-orders",
  every: 3,
  due: async (tx, now) =>
    (
      await sql<OrderRef>`select g.service_provider_id, g.order_id as id from invoice_orders g where g.settle_at <= ${now}
        order by g.settle_at limit 200`.execute(tx)
    ).rows,
  one: async (services, ref) => {
    try {
      await withScope(services.pool, ISSUE, (tx) => settleShared(tx, services, ref));
    } catch (error) {
      const again = new Date(services.clock.now_ms() + AGAIN_MS).toISOString();
      await withScope(services.pool, ISSUE, (tx) =>
        sql`update invoice_orders g set settle_at = ${again}, settle_tries = g.settle_tries + 1
          where g.service_provider_id = ${ref.service_provider_id} and g.order_id = ${ref.id} and g.settle_at is not null`.execute(tx),
      );
      throw error;
    }
  },
});
async function settleShared(tx: Transaction, services: Services, { service_provider_id, id }: OrderRef): Promise<void> {
  await sql`select o.id from pay_orders o where o.service_provider_id = ${service_provider_id} and o.id in (select y.order_id from invoice_application_orders x
      join invoice_application_orders y on y.service_provider_id = x.service_provider_id and y.application_id = x.application_id
      where x.service_provider_id = ${service_provider_id} and x.order_id = ${id} and x.living
      union all select ${id}::uuid) order by o.id for no key update`.execute(tx);
  const taken =
    await sql`update invoice_orders g set settle_at = null, settle_tries = 0 where g.service_provider_id = ${service_provider_id} and g.order_id = ${id}
    and g.settle_at is not null`.execute(tx);
  // Another process was here.
  if (taken.numAffectedRows === 1n) await settleOrder(tx, services, { service_provider_id, id });
}
