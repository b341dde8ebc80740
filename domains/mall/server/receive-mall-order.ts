import { sql } from "kysely";
import { z } from "zod";
import { implement } from "@zhangfang/server/calls/call.ts";
import { mustChange, withScope } from "@zhangfang/server/database/db.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { storeOf } from "../../orders/server/index.ts";
import { getMallOrderByNo, receiveMallOrder } from "../contract/index.ts";
import { answerOf } from "./mall-answer.ts";

/** Ten days after they were sent goods count as received. */
const RECEIVED_AFTER_MS = 10 * 86_400_000;

/** 商城查单. */
export const getMallOrderByNoRoute = implement(getMallOrderByNo, async (ctx, { mallNo }) =>
  answerOf(ctx.tx, ctx.services, storeOf(ctx.scope), mallNo),
);

/** 商城确认收货: the customer says in the mall that it is there. */
export const receiveMallOrderRoute = implement(receiveMallOrder, async (ctx, { mallNo }) => {
  const store = storeOf(ctx.scope);
  const before = await answerOf(ctx.tx, ctx.services, store, mallNo);
  if (before.mallStatus === 3) return before;
  const changed = await ctx.tx
    .updateTable("mall_orders")
    .set({ status: 3, completed_at: ctx.now })
    .where("service_provider_id", "=", store.service_provider_id)
    .where("store_id", "=", store.store_id)
    .where("mall_no", "=", mallNo)
    .where("status", "=", 2)
    .executeTakeFirst();
  mustChange(changed, () => conflict("商品还没有发货，不能确认收货"));
  ctx.note({ targetKind: "mall_order", before: { status: 2 }, after: { mallNo, status: 3 } });
  return answerOf(ctx.tx, ctx.services, store, mallNo);
});

/** Every hour: what was sent long ago counts as received. */
export const completeMallOrders = job({
  name: "complete-mall-orders",
  data: z.object({}),
  every: "23 * * * *",
  concurrency: 1,
  run: async (services) => {
    const now_ms = services.clock.now_ms();
    const before = new Date(now_ms - RECEIVED_AFTER_MS).toISOString();
    await withScope(services.pool, platformScope("complete mall orders"), (tx) =>
      sql`update mall_orders set status = 3, completed_at = ${new Date(now_ms).toISOString()} where status = 2 and shipped_at < ${before}`.execute(
        tx,
      ),
    );
  },
});
