import { sql } from "kysely";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { PricedOrder } from "../contributor.ts";
import { releaseParts } from "./take-parts.ts";

const MOST = 100;
interface Stray extends PricedOrder {
  readonly order_no: string;
}
/**
 * Each minute: value that is set aside for an order which is not open any more. Closing lets go and settlement takes in their own
 * transaction, so there is none; should there be, a closed order's is let go of, and in any case it is said loudly.
 */
export const sweepHolds = lookAfter<Stray>({
  name: "sweep-holds",
  due: async (tx) => {
    const { rows } = await sql<Stray>`select o.service_provider_id, o.id, o.merchant_id, o.store_id, o.member_id, o.order_no from (
        select service_provider_id, order_id from value_draws where status = 0
        union select service_provider_id, order_id from point_draws where status = 0) d
      join pay_orders o on o.service_provider_id = d.service_provider_id and o.id = d.order_id
      where o.status <> 0 order by o.created_at limit ${sql.lit(MOST)}`.execute(tx);
    return rows;
  },
  async one(services, { order_no, ...order }) {
    const freed = await withScope(services.pool, platformScope("sweep holds"), async (tx) => {
      const closed = await tx
        .selectFrom("pay_orders")
        .select("id")
        .where("service_provider_id", "=", order.service_provider_id)
        .where("id", "=", order.id)
        .where("status", "=", 1)
        .forUpdate()
        .executeTakeFirst();
      if (closed) await releaseParts(tx, services, order);
      return closed !== undefined;
    });
    services.log.error({ order: order_no, freed }, "value was set aside for an order that is not open");
  },
});
