import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import {
  cancelWithdrawal,
  decideWithdrawal,
  recordWithdrawal,
  retractWithdrawal,
  syncWithdrawal,
  type WithdrawalStatus,
} from "../../contract/index.ts";
import { WAITING } from "./confirm-link.ts";
import { sendWithdrawal } from "./transfers/chase-withdrawal.ts";
import { moveWithdrawal, type Withdrawal } from "./transfers/settle-withdrawal.ts";

/** The withdrawal in sight of the caller, held to the end of the transaction. @throws 404 */
async function holdWithdrawal(ctx: Ctx, id: string): Promise<Withdrawal> {
  const row = await ctx.tx
    .selectFrom("withdrawals as w")
    .selectAll("w")
    .where("w.id", "=", id)
    .where(inScope(ctx.scope, "w"))
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound("提现");
  return row;
}
const told = (ctx: Ctx, row: Withdrawal, status: WithdrawalStatus, more: object = {}): void =>
  ctx.note({
    targetKind: "withdrawal",
    targetId: row.id,
    before: { status: row.status },
    after: { withdrawalNo: row.withdrawal_no, amountCents: row.amount_cents, status, ...more },
    provider: row.service_provider_id,
  });

/** 审核提现: 待审核 to 打款中 or to 已驳回, once, and never by whoever applied. */
export const decideWithdrawalRoute = implement(decideWithdrawal, async (ctx, { id, decision, note }) => {
  const row = await holdWithdrawal(ctx, id);
  if (row.status !== 0) throw conflict("此提现已被处理，请刷新后查看");
  if (row.applied_by === ctx.principal.id || row.applied_by === ctx.principal.actorId)
    throw new Refusal(403, "withdrawal.self-approval", "不能审核自己申请的提现");
  const status: WithdrawalStatus = decision === "approve" ? 2 : 1;
  const sends = status === 2 && row.method === "wechat";
  await moveWithdrawal(ctx.tx, ctx.services, row, status, {
    decided_by: ctx.principal.id,
    decided_by_name: ctx.principal.name,
    decided_at: ctx.now,
    decision_note: note ?? null,
    ...(sends && { next_query_at: ctx.now }),
  });
  if (sends) await ctx.services.jobs.enqueue(ctx.tx, sendWithdrawal, { service_provider_id: row.service_provider_id, id });
  told(ctx, row, status, { note });
  return { id, status };
});

/** 取消提现: while nobody has decided; the amount is there again. */
export const cancelWithdrawalRoute = implement(cancelWithdrawal, async (ctx, { id }) => {
  const row = await holdWithdrawal(ctx, id);
  if (row.status !== 0) throw conflict("此提现已被处理，请刷新后查看");
  await moveWithdrawal(ctx.tx, ctx.services, row, 5);
  told(ctx, row, 5);
  return { id, status: 5 as const };
});

/** For so long a payee can still confirm a transfer in WeChat, whether the channel answers for it or not. */
const PAYEE_MAY_CONFIRM_MS = 86_400_000;

/**
 * 登记打款结果 of a bank card, which the provider pays at its own bank, and of a transfer that the channel no longer answers for: paid by
 * its number, failed with the reason, or returned after it had been paid. Whoever applied records nothing.
 */
export const recordWithdrawalRoute = implement(recordWithdrawal, async (ctx, { id, result, evidence }) => {
  const row = await holdWithdrawal(ctx, id);
  if (row.method !== "bank" && row.unanswered_at === null) throw conflict("微信打款的结果以通道为准，不能登记");
  if (row.applied_by === ctx.principal.id || row.applied_by === ctx.principal.actorId)
    throw new Refusal(403, "withdrawal.self-approval", "不能登记自己申请的提现");
  if (row.status !== (result === "returned" ? 3 : 2)) throw conflict("此提现的状态已变化，请刷新后查看");
  // What is said to have failed is paid out anew: never while the payee may still take the first one.
  if (result === "failed" && row.unanswered_at !== null && ctx.now_ms < Date.parse(row.unanswered_at) + PAYEE_MAY_CONFIRM_MS)
    throw conflict("收款人 24 小时内仍可能确认收款，通道查不到满 24 小时后才能登记打款失败");
  const status: WithdrawalStatus = result === "paid" ? 3 : result === "failed" ? 4 : 6;
  await moveWithdrawal(ctx.tx, ctx.services, row, status, {
    recorded_by_name: ctx.principal.name,
    ...(result === "paid" ? { evidence } : { failure: evidence }),
  });
  told(ctx, row, status, { evidence });
  return { id, status };
});

/** 撤销转账: asks for it; the job takes it back where the payee has still not confirmed, and the channel says what became of it. */
export const retractWithdrawalRoute = implement(retractWithdrawal, async (ctx, { id }) => {
  const row = await holdWithdrawal(ctx, id);
  if (row.status !== 2 || row.method !== "wechat" || row.channel_state !== WAITING || row.cancel_asked_at !== null)
    throw conflict("只有等待收款人确认的转账可以撤销，请刷新后查看");
  await ctx.tx
    .updateTable("withdrawals")
    .set({ cancel_asked_at: ctx.now, cancel_asked_by_name: ctx.principal.name })
    .where("service_provider_id", "=", row.service_provider_id)
    .where("id", "=", id)
    .execute();
  await ctx.services.jobs.enqueue(ctx.tx, sendWithdrawal, { service_provider_id: row.service_provider_id, id });
  told(ctx, row, 2, { retracted: true });
  return { ok: true as const };
});

/** 查询打款结果: asks the channel now instead of at the next minute. */
export const syncWithdrawalRoute = implement(syncWithdrawal, async (ctx, { id }) => {
  const row = await holdWithdrawal(ctx, id);
  if (row.status !== 2 || row.method !== "wechat") throw conflict("只有打款中的微信提现可以查询");
  await ctx.services.jobs.enqueue(ctx.tx, sendWithdrawal, { service_provider_id: row.service_provider_id, id });
  told(ctx, row, 2);
  return { ok: true as const };
});
