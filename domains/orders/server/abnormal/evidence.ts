import { sql } from "kysely";
import { dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { conflict, invalid, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { decideEvidence, listRefundEvidence, proveRefund } from "../../contract/index.ts";
import { askerOf, isSelf } from "../refunds/asker.ts";
import { needsRefundPassword } from "../refunds/refund-guards.ts";
import { settleRefund } from "../refunds/refund-story.ts";
import { addEvent, channelAmount, channelNumber, channelTotal, holdRefund } from "../rows.ts";
import { mayRedirect } from "./redirect-refund.ts";

const REDIRECT = "/dataCentre/payRefund/redirect";

/** 异常退款处理记录: what was done, and what the caller may do. */
export const listRefundEvidenceRoute = implement(listRefundEvidence, async (ctx, { refundId }) => {
  const refund = await ctx.tx
    .selectFrom("refunds as r")
    .select(["r.service_provider_id", "r.merchant_id", "r.status", "r.channel_status"])
    .where("r.id", "=", refundId)
    .where(inScope(ctx.scope, "r"))
    .executeTakeFirst();
  if (!refund) throw notFound("退款");
  const may = ctx.principal.holds([REDIRECT]);
  const rows = await ctx.tx
    .selectFrom("refund_evidence as e")
    .selectAll("e")
    .where("e.service_provider_id", "=", refund.service_provider_id)
    .where("e.refund_id", "=", refundId)
    .where(inScope(ctx.scope, "e", "store"))
    .orderBy("e.created_at")
    .orderBy("e.id")
    .execute();
  const open = rows.some((row) => row.state === "waiting");
  return {
    redirectable: may && refund.status === 3 && refund.channel_status === "ABNORMAL" && !open,
    needsPassword: await needsRefundPassword(ctx.tx, refund),
    items: rows.map((row) => ({
      id: row.id,
      kind: row.kind as "card",
      bank: row.bank,
      accountTail: row.account_tail,
      name: row.name_masked,
      transferNo: row.transfer_no,
      transferredAt: row.transferred_at as never,
      note: row.note,
      state: row.state as "sent",
      byName: row.by_name,
      createdAt: row.created_at as never,
      decidedByName: row.decided_by_name,
      decidedAt: row.decided_at as never,
      decisionNote: row.decision_note,
      decidable: may && row.state === "waiting" && !isSelf(ctx, row.by_user),
    })),
  };
});

/** 提交线下转账凭证: the payer got it outside of the channel. Nothing moves until somebody else confirms it. */
export const proveRefundRoute = implement(proveRefund, async (ctx, { id, transferNo, transferredOn, note }) => {
  const { refund, order } = await holdRefund(ctx, id);
  mayRedirect(refund);
  if (transferredOn > shanghaiDay(ctx.now_ms) || transferredOn < shanghaiDay(refund.created_at))
    throw invalid("transferredOn", "转账日期应在申请退款之后、今天之前");
  const by = askerOf(ctx);
  const evidenceId = ctx.services.ids.uuid(ctx.now_ms);
  const added = await ctx.tx
    .insertInto("refund_evidence")
    .values({
      service_provider_id: refund.service_provider_id,
      id: evidenceId,
      merchant_id: refund.merchant_id,
      store_id: refund.store_id,
      refund_id: id,
      kind: "transfer",
      transfer_no: transferNo,
      transferred_at: dayStart(transferredOn),
      note,
      state: "waiting",
      by_user: by.id,
      by_name: by.name,
      created_at: ctx.now,
    })
    // In words: a parameter finds no index by its condition once the plan is kept.
    .onConflict((conflicting) =>
      conflicting
        .columns(["service_provider_id", "refund_id"])
        .where(sql<boolean>`state = 'waiting'`)
        .doNothing(),
    )
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows !== 1n) throw conflict("已有凭证等待复核");
  await addEvent(ctx.tx, ctx.services, order, {
    kind: "refund-redirected",
    note: `线下转账 ${yuan(refund.amount_cents)} 元，流水号 ${transferNo}，等待复核`,
    at: ctx.now,
    by: by.name,
    refund_id: id,
  });
  ctx.note({
    targetKind: "refund",
    targetId: id,
    provider: refund.service_provider_id,
    merchant: refund.merchant_id,
    after: { refundNo: refund.refund_no, amount: yuan(refund.amount_cents), transferNo, transferredOn, note },
  });
  return { evidenceId };
});

/** 复核: by another person; confirmed, the refund is 已退款 and stands in the book as any other. */
export const decideEvidenceRoute = implement(decideEvidence, async (ctx, { id, decision, note }) => {
  const { tx, services, now } = ctx;
  const named = await tx
    .selectFrom("refund_evidence as e")
    .selectAll("e")
    .where("e.id", "=", id)
    .where(inScope(ctx.scope, "e", "store"))
    .executeTakeFirst();
  if (!named) throw notFound("凭证");
  const { refund } = await holdRefund(ctx, named.refund_id);
  if (named.state !== "waiting") throw conflict("凭证已复核，请刷新后查看");
  if (isSelf(ctx, named.by_user)) throw new Refusal(403, "refund.self-approval", "不能复核自己提交的凭证");
  const decider = askerOf(ctx);
  const moved = await tx
    .updateTable("refund_evidence")
    .set({
      state: decision === "confirm" ? "confirmed" : "rejected",
      decided_by: decider.id,
      decided_by_name: decider.name,
      decided_at: now,
      decision_note: note ?? null,
    })
    .where("service_provider_id", "=", named.service_provider_id)
    .where("id", "=", id)
    .where("state", "=", "waiting")
    .executeTakeFirst();
  mustChange(moved, () => conflict("凭证已复核，请刷新后查看"));
  if (decision === "confirm") {
    mayRedirect(refund);
    const order = await tx
      .selectFrom("pay_orders")
      .select(["order_no", "paid_cents", "free_coupon_cents"])
      .where("service_provider_id", "=", refund.service_provider_id)
      .where("id", "=", refund.order_id)
      .executeTakeFirstOrThrow();
    const settled = await settleRefund(tx, services, refund, {
      outRefundNo: channelNumber(refund),
      outTradeNo: order.order_no,
      transactionId: null,
      refundId: refund.channel_refund_no ?? "",
      status: "success",
      amount_cents: channelAmount(refund),
      total_cents: channelTotal(order),
      successAt: now,
      userReceivedAccount: `付款人（线下转账 ${named.transfer_no ?? ""}）`,
    });
    if (settled !== "settled") throw conflict("订单已没有可退金额，请核对后再处理");
  }
  ctx.note({
    targetKind: "refund",
    targetId: refund.id,
    provider: refund.service_provider_id,
    merchant: refund.merchant_id,
    before: { status: refund.status },
    after: { refundNo: refund.refund_no, amount: yuan(refund.amount_cents), evidence: decision, note },
  });
  return { ok: true as const };
});
