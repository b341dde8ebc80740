import { sql } from "kysely";
import { z } from "zod";
import { id } from "@zhangfang/contract/fields.ts";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import { byTurns, waitsFor } from "../../../channels/server/index.ts";
import type { OrderRow } from "../rows.ts";
import { chasePayment } from "./chase-payment.ts";
import { nextLook_ms } from "./payment-rules.ts";

const BATCH = 2_000;
/** `told` by a notification that proves nothing: asked at once, whatever was answered a moment ago. */
const ref = z.object({ service_provider_id: id, id, told: z.boolean().default(false) });
const SCOPE = platformScope("look after open payments");

/** Watches one code-pay until it is settled or its minute is over. */
export const queryPayment = job({
  name: "query-payment",
  data: ref,
  run: async (services, { told, ...order }) => {
    await chasePayment(services, order, !told);
    await withScope(services.pool, SCOPE, async (tx) => {
      const now = await tx
        .selectFrom("pay_orders")
        .selectAll()
        .where("service_provider_id", "=", order.service_provider_id)
        .where("id", "=", order.id)
        .executeTakeFirst();
      if (now?.status === 0 && Date.parse(now.expires_at) > services.clock.now_ms()) await watchPayment(tx, services, now);
    });
  },
});
/** Has a code-pay that is not settled looked at again soon. */
export async function watchPayment(tx: Transaction, services: Services, order: OrderRow): Promise<void> {
  const { service_provider_id, id: order_id } = order;
  const after_s = Math.ceil(nextLook_ms(order, services.clock.now_ms()) / 1000);
  await services.jobs.enqueue(tx, queryPayment, { service_provider_id, id: order_id }, { after_s });
}

/** Every five seconds: the open orders whose time has come are asked about, and closed when it is over. */
export const queryPayments = lookAfter({
  name: "query-payments",
  every: 5,
  due: (tx, now) =>
    tx
      .selectFrom("pay_orders as o")
      .select(["o.service_provider_id", "o.id", "o.merchant_id", "o.channel", "o.tool"])
      .where("o.status", "=", 0)
      .where("o.next_query_at", "<=", now)
      .orderBy(byTurns(sql.ref("o.next_query_at")))
      .orderBy("o.next_query_at")
      .limit(BATCH)
      .execute(),
  one: (services, order) => chasePayment(services, order, true),
  waitsFor,
});
