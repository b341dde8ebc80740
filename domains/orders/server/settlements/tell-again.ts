import { inSavepoint, withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { tell } from "../../../messages/server/index.ts";
import { lockOrder, type OrderRow, type Ref } from "../rows.ts";
import { AGAIN_MS, hearersOf, nobodyFailed } from "./tell-settlement.ts";

const BATCH = 200;
/** Each time twice as long, up to 64 times: an hour. */
const MOST_DOUBLINGS = 6;

/** Every minute: hearers that threw are told again, order by order, what they did not hear in the order in which it came. */
export const tellAgainJob = lookAfter({
  name: "tell-again",
  due: (tx, now) =>
    tx
      .selectFrom("unheard")
      .select(["service_provider_id", "order_id as id"])
      .where("next_at", "<=", now)
      .groupBy(["service_provider_id", "order_id"])
      .orderBy((of) => of.fn.min("next_at"))
      .limit(BATCH)
      .execute(),
  one: tellAgain,
});

// Under the order's lock, as the settlements themselves: none comes in between.
async function tellAgain(services: Services, ref: Ref): Promise<void> {
  await withScope(services.pool, platformScope("tell again"), async (tx) => {
    const order = await lockOrder(tx, ref);
    if (!order) return;
    const rows = await tx
      .selectFrom("unheard")
      .selectAll()
      .where("service_provider_id", "=", ref.service_provider_id)
      .where("order_id", "=", ref.id)
      .orderBy("n")
      .execute();
    const failed = new Set<string>();
    for (const { n, hearer, kind, refund_id, tries } of rows) {
      if (failed.has(hearer)) continue;
      try {
        await inSavepoint(tx, async () => {
          const hear = hearersOf(services).get(hearer);
          if (!hear) throw new Error(`nobody is called ${hearer}`);
          const settlement = { kind: kind as "payment" | "refund" | "closed", order, ...(refund_id !== null && { refundId: refund_id }) };
          await hear(tx, services, settlement);
        });
        await tx.deleteFrom("unheard").where("service_provider_id", "=", ref.service_provider_id).where("n", "=", n).execute();
        services.metrics.hearings.inc({ hearer, outcome: "late" });
      } catch (error) {
        if (nobodyFailed(error)) throw error;
        failed.add(hearer);
        services.log.error({ err: error, hearer, order: ref.id }, "a hearer failed again");
        services.metrics.hearings.inc({ hearer, outcome: "failed" });
        const next_at = new Date(services.clock.now_ms() + AGAIN_MS * 2 ** Math.min(tries, MOST_DOUBLINGS)).toISOString();
        // All that it did not hear of the order waits with this one.
        await tx
          .updateTable("unheard")
          .set({ tries: tries + 1, failure: String(error).slice(0, 500), next_at })
          .where("service_provider_id", "=", ref.service_provider_id)
          .where("order_id", "=", ref.id)
          .where("hearer", "=", hearer)
          .execute();
        await tellPlatform(tx, services, order, hearer);
      }
    }
  });
}

/** Once for an order and hearer: what passes by itself within a minute is told to nobody. */
async function tellPlatform(tx: Transaction, services: Services, order: OrderRow, hearer: string): Promise<void> {
  await tell(
    tx,
    { level: "ADMIN" },
    {
      kind: "unheard",
      title: `订单 ${order.order_no} 的款项已入账，但后续处理「${hearer}」没有完成，系统会继续重试`,
      href: `/dataCentre/payOrder?keyword=${order.order_no}`,
      item: "/dataCentre/payOrder",
      once: `unheard ${order.id} ${hearer}`,
      at: new Date(services.clock.now_ms()).toISOString(),
    },
  );
}
