import { implement } from "@zhangfang/server/call.ts";
import { notFound } from "@zhangfang/server/errors.ts";
import { inScope } from "@zhangfang/server/scope.ts";
import { previewRefund } from "../../contract/refunds.ts";
import { clawbackOf } from "../../../commissions/server/index.ts";
import { previewReturns } from "../../../profit-sharing/server/index.ts";
import { DECIDE } from "./asker.ts";
import { needsRefundPassword } from "./refund-guards.ts";
import { needsApproval, planRefund } from "./refund-rules.ts";

/** 退款试算: the same rules that reserve, without reserving. */
export const previewRefundRoute = implement(previewRefund, async (ctx, { orderId, amountCents }) => {
  const order = await ctx.tx
    .selectFrom("pay_orders as o")
    .selectAll("o")
    .where("o.id", "=", orderId)
    .where(inScope(ctx.scope, "o"))
    .executeTakeFirst();
  if (!order) throw notFound("订单");
  const merchant = await ctx.tx
    .selectFrom("merchants")
    .select("refund_approval_above_cents")
    .where("service_provider_id", "=", order.service_provider_id)
    .where("id", "=", order.merchant_id)
    .executeTakeFirst();
  const plan = planRefund(order, amountCents, ctx.now_ms);
  const back =
    plan.refusal === undefined
      ? await previewReturns(ctx.tx, order, { amount_cents: amountCents, fee_back_cents: plan.fee_cents }, ctx.now_ms)
      : { shares: [], back_cents: 0, borne_cents: 0, refusal: undefined };
  const clawback = plan.refusal === undefined ? await clawbackOf(ctx.tx, order, amountCents) : [];
  return {
    refundType: plan.refund_type,
    payerCents: amountCents,
    feeBackCents: plan.fee_cents,
    merchantPaysCents: amountCents - plan.fee_cents - back.back_cents,
    shares: back.shares,
    sharesBackCents: back.back_cents,
    clawback: clawback.map(({ name, cents }) => ({ name, cents: cents as never })),
    borneCents: back.borne_cents,
    refundableAfterCents: plan.left_cents,
    needsApproval: needsApproval(merchant?.refund_approval_above_cents ?? null, amountCents, ctx.principal.holds([DECIDE])),
    needsPassword: await needsRefundPassword(ctx.tx, order),
    refusal: plan.refusal ?? back.refusal ?? null,
  };
});
