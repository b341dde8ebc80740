import type { Ctx } from "@zhangfang/server/call.ts";
import { notFound } from "@zhangfang/server/errors.ts";
import { inScope } from "@zhangfang/server/scope.ts";
import { lockOrder, lockRefund, type OrderRow, type RefundRow } from "../rows.ts";

/** Holds a refund in the caller's sight together with its order, the order first. @throws 404 */
export async function holdRefund({ tx, scope }: Pick<Ctx, "tx" | "scope">, id: string): Promise<{ order: OrderRow; refund: RefundRow }> {
  const named = await tx
    .selectFrom("refunds as r")
    .select(["r.service_provider_id", "r.id", "r.order_id"])
    .where("r.id", "=", id)
    .where(inScope(scope, "r"))
    .executeTakeFirst();
  const order = named && (await lockOrder(tx, { service_provider_id: named.service_provider_id, id: named.order_id }));
  const refund = order && (await lockRefund(tx, named));
  if (!order || !refund) throw notFound("退款");
  return { order, refund };
}
