import { implement, type Ctx } from "@zhangfang/server/call.ts";
import { mustChange } from "@zhangfang/server/db.ts";
import { conflict, Refusal } from "@zhangfang/server/errors.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { cancelRefundRequest, decideRefundRequest } from "../../contract/refunds.ts";
import { addEvent, type OrderRow, type RefundRow } from "../rows.ts";
import { askerOf, isSelf } from "./asker.ts";
import { holdRefund } from "./find-refund.ts";
import { sendRefund } from "./refund-jobs.ts";
import { releaseAmount } from "./settle-refund.ts";

/** 退款审批: 待审批 to 退款中 or to 已驳回, once, and never by the one who asked. */
export const decideRefundRequestRoute = implement(decideRefundRequest, async (ctx, { id, decision, note }) => {
  const { order, refund } = await holdRefund(ctx, id);
  if (refund.status !== 0) throw conflict("此申请已被处理，请刷新后查看");
  if (isSelf(ctx, refund.requested_by)) throw new Refusal(403, "refund.self-approval", "不能审批自己提交的退款申请");
  const status = decision === "approve" ? 1 : 4;
  await decide(ctx, refund, status, note ?? null);
  if (status === 4) await releaseAmount(ctx.tx, ctx.services, order, refund, 1);
  else await ctx.services.jobs.enqueue(ctx.tx, sendRefund, { service_provider_id: refund.service_provider_id, id });
  await tell(ctx, order, refund, status, note);
  ctx.note({
    targetKind: "refund",
    targetId: id,
    provider: order.service_provider_id,
    merchant: order.merchant_id,
    before: { status: 0 },
    after: { status, note },
  });
  return { refundId: id, refundNo: refund.refund_no, status: status as 1 | 4 };
});

/** 撤回退款申请: 待审批 to 已撤回, by whoever asked alone; of it and a decision that come at once one wins. */
export const cancelRefundRequestRoute = implement(cancelRefundRequest, async (ctx, { id }) => {
  const { order, refund } = await holdRefund(ctx, id);
  if (!isSelf(ctx, refund.requested_by)) throw new Refusal(403, "refund.not-asker", "只有申请人可以撤回自己的退款申请");
  if (refund.status !== 0) throw conflict("此申请已被处理，请刷新后查看");
  await decide(ctx, refund, 5, null);
  await releaseAmount(ctx.tx, ctx.services, order, refund, 1);
  await tell(ctx, order, refund, 5, undefined);
  ctx.note({
    targetKind: "refund",
    targetId: id,
    provider: order.service_provider_id,
    merchant: order.merchant_id,
    before: { status: 0 },
    after: { status: 5 },
  });
  return { refundId: id, refundNo: refund.refund_no, status: 5 as const };
});

async function decide(ctx: Ctx, refund: RefundRow, status: 1 | 4 | 5, decision_note: string | null): Promise<void> {
  const { now } = ctx;
  const decider = askerOf(ctx);
  const moved = await ctx.tx
    .updateTable("refunds")
    .set({
      status,
      decided_by: decider.id,
      decided_by_name: decider.name,
      decided_at: now,
      decision_note,
      ...(status === 1 ? { attempts: 1, next_query_at: now } : { finished_at: now, next_query_at: null }),
    })
    .where("service_provider_id", "=", refund.service_provider_id)
    .where("id", "=", refund.id)
    .where("status", "=", 0)
    .executeTakeFirst();
  mustChange(moved, () => conflict("此申请已被处理，请刷新后查看"));
}

async function tell(ctx: Ctx, order: OrderRow, refund: RefundRow, status: 1 | 4 | 5, note: string | undefined): Promise<void> {
  const kind = status === 1 ? "refund-approved" : status === 4 ? "refund-rejected" : "refund-cancelled";
  await addEvent(ctx.tx, ctx.services, order, {
    kind,
    note: `${yuan(refund.amount_cents)} 元${note ? `，${note}` : ""}`,
    at: ctx.now,
    by: askerOf(ctx).name,
    refund_id: refund.id,
  });
}
