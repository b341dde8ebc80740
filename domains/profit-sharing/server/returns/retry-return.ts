import { sql } from "kysely";
import { z } from "zod";
import { id } from "@zhangfang/contract/fields.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { byTurns, waitsFor } from "../../../channels/server/index.ts";
import { retryReturn } from "../../contract/index.ts";
import { shareAmountsOf } from "../share-amounts.ts";
import { lockOrder } from "../rows.ts";
import { DOUBTED, isDoubted } from "../records/doubts.ts";
import { chaseReturn } from "./chase-returns.ts";
import { reserveReturns } from "./reserve-returns.ts";

const BATCH = 2_000;
/** Nobody waits for these: their refund has failed already, or hears of it when it is sent again. */
const nobody = async () => {};

/** Asks for a return again; enqueued where it was reserved. */
export const sendReturnJob = job({
  name: "send-share-return",
  data: z.object({ service_provider_id: id, id }),
  run: (services, ref) => chaseReturn(services, ref, nobody),
});
/** Every minute: returns whose refund has ended are asked about until they are decided; the others are asked about by their refund. */
export const lookAfterReturns = lookAfter({
  name: "look-after-share-returns",
  due: (tx, now) =>
    tx
      .selectFrom("sharing_returns as r")
      .innerJoin("refunds as f", (on) => on.onRef("f.service_provider_id", "=", "r.service_provider_id").onRef("f.id", "=", "r.refund_id"))
      .innerJoin("pay_orders as o", (on) =>
        on.onRef("o.service_provider_id", "=", "r.service_provider_id").onRef("o.id", "=", "r.order_id"),
      )
      .select(["r.service_provider_id", "r.id", "o.merchant_id", "o.channel", "o.tool"])
      .where("r.status", "=", 1)
      .where("r.next_query_at", "<=", now)
      .where("f.status", "<>", 1)
      .orderBy(byTurns(sql.ref("r.next_query_at")))
      .orderBy("r.next_query_at")
      .limit(BATCH)
      .execute(),
  one: (services, ref) => chaseReturn(services, ref, nobody),
  waitsFor,
});

/** 重新回退: alone, while its refund has failed; once it is back, the refund may be sent again. */
export const retryReturnRoute = implement(retryReturn, async (ctx, { id: returnId }) => {
  const { tx, services } = ctx;
  const named = await tx
    .selectFrom("sharing_returns as r")
    .select(["r.service_provider_id", "r.id", "r.order_id", "r.refund_id"])
    .where("r.id", "=", returnId)
    .where(inScope(ctx.scope, "r"))
    .executeTakeFirst();
  const order = named && (await lockOrder(tx, { service_provider_id: named.service_provider_id, id: named.order_id }));
  if (!named || !order) throw notFound("分账回退");
  const row = await tx
    .selectFrom("sharing_returns")
    .selectAll()
    .where("service_provider_id", "=", named.service_provider_id)
    .where("id", "=", returnId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const refund = await tx
    .selectFrom("refunds")
    .select("status")
    .where("service_provider_id", "=", named.service_provider_id)
    .where("id", "=", named.refund_id)
    .executeTakeFirstOrThrow();
  if (row.status !== 3 || refund.status !== 3) throw conflict("只有退款失败时，失败的回退可以单独重新提交");
  if (await isDoubted(tx, "return", row.service_provider_id, [row.id])) throw conflict(DOUBTED);
  if (!(await shareAmountsOf(services).holdReturn(tx, order, row.amount_cents))) throw conflict("这笔分账已经回退");
  const again = [{ row, status: 0 as const }];
  const need = { back_cents: row.amount_cents, borne_cents: 0, refusal: undefined, plan: undefined, again };
  await reserveReturns(tx, services, order, { id: named.refund_id, requested_by_name: row.requested_by_name }, need);
  await services.jobs.enqueue(tx, sendReturnJob, { service_provider_id: row.service_provider_id, id: row.id });
  ctx.note({
    targetKind: "share-return",
    targetId: row.id,
    provider: row.service_provider_id,
    merchant: row.merchant_id,
    before: { status: 3, failure: row.failure },
    after: { returnNo: row.return_no, amountCents: row.amount_cents, status: 0 },
  });
  return { id: row.id, returnNo: row.return_no, status: 0 as const };
});
