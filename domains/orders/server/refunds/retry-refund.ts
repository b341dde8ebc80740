import { implement } from "@zhangfang/server/call.ts";
import { conflict } from "@zhangfang/server/errors.ts";
import { mustChange } from "@zhangfang/server/db.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { retryRefund } from "../../contract/refunds.ts";
import { addEvent } from "../rows.ts";
import { askerOf } from "./asker.ts";
import { holdRefund } from "./find-refund.ts";
import { freeCouponsBack, holdAmount, setAside } from "./hold-amount.ts";
import { sendRefund } from "./refund-jobs.ts";

/** 重新退款: sets the amount aside again under our same number; where the channel closed it, under a new one of the channel's. */
export const retryRefundRoute = implement(retryRefund, async (ctx, { id, bear }) => {
  const { tx, services, now } = ctx;
  const { refund } = await holdRefund(ctx, id);
  if (refund.status !== 3) throw conflict("只有退款失败的记录可以重新退款");
  const { service_provider_id, amount_cents } = refund;
  const held = await holdAmount(
    tx,
    services,
    { service_provider_id, id: refund.order_id },
    { amount_cents, count: 0, again: { refund_id: id, bear: bear ?? false } },
  );
  const { order, fee_cents } = held;
  const channel_try = refund.channel_try + (refund.channel_status === "CLOSED" ? 1 : 0);
  // Under the number that the channel knows the same is asked again; a new number is reckoned anew.
  const again = channel_try === refund.channel_try;
  const free_coupon_cents = again ? refund.free_coupon_cents : await freeCouponsBack(tx, order, amount_cents, id);
  const moved = await tx
    .updateTable("refunds")
    .set({
      status: 1,
      fee_cents,
      free_coupon_cents,
      channel_try,
      attempts: refund.attempts + 1,
      channel_status: null,
      failure: null,
      finished_at: null,
      next_query_at: now,
    })
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("status", "=", 3)
    .executeTakeFirst();
  mustChange(moved, () => conflict("退款已由他人处理，请刷新后查看"));
  await setAside(tx, services, refund, held, now);
  await addEvent(tx, services, order, {
    kind: "refund-retried",
    note: `${yuan(amount_cents)} 元，第 ${refund.attempts + 1} 次`,
    at: now,
    by: askerOf(ctx).name,
    refund_id: id,
  });
  await services.jobs.enqueue(tx, sendRefund, { service_provider_id, id });
  ctx.note({
    targetKind: "refund",
    targetId: id,
    provider: service_provider_id,
    merchant: order.merchant_id,
    before: { status: 3, failure: refund.failure },
    after: { status: 1, ...(bear && { bear: "商户承担未回退的分账" }) },
  });
  return { refundId: id, refundNo: refund.refund_no, status: 1 as const };
});
