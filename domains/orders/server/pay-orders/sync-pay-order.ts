import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { orderStatus, type OrderStatus } from "../../contract/codes.ts";
import { syncPayOrder } from "../../contract/pay-orders.ts";
import { chasePayment } from "../payments/chase-payment.ts";

/** 同步订单: asks the channel now about an order that is open or was closed, and takes over what it says. */
export const syncPayOrderRoute = implement(syncPayOrder, async (ctx, { id }) => {
  const read = () =>
    ctx.transaction(
      (tx) =>
        tx
          .selectFrom("pay_orders as o")
          .select(["o.service_provider_id", "o.id", "o.merchant_id", "o.status"])
          .where("o.id", "=", id)
          .where(inScope(ctx.scope, "o"))
          .executeTakeFirst(),
      { readOnly: true },
    );
  const before = await read();
  if (!before) throw notFound("订单");
  if (before.status === 0 || before.status === 1) await chasePayment(ctx.services, before);
  const status = ((await read())?.status ?? before.status) as OrderStatus;
  const changed = status !== before.status;
  await ctx.transaction((tx) =>
    ctx.audit(tx, {
      targetKind: "pay_order",
      targetId: id,
      provider: before.service_provider_id,
      merchant: before.merchant_id,
      before: { status: before.status },
      after: { status },
    }),
  );
  return { status, changed, message: changed ? `已更新为${orderStatus.label(status)}` : `与通道一致，仍为${orderStatus.label(status)}` };
});
