import { yuan } from "@zhangfang/contract/money.ts";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { cancelRefundRequest, decideRefundRequest, refundOrder, retryRefund } from "../../contract/refunds.ts";
import type { Ask } from "../../../pricing/server/index.ts";
import { addEvent, holdRefund, type RefundRow } from "../rows.ts";
import { askerOf, DECIDE, isSelf } from "./asker.ts";
import type { RefundAsk } from "./hold-amount.ts";
import { checkRefundPassword } from "./refund-guards.ts";
import { refundHoldOf, voucherDoor } from "./refund-hold.ts";
import { decideRefund, goOut, reserveAgain, reserveRefund } from "./refund-story.ts";

/** What somebody asks for: units of lines, or an amount. @throws 400 where it is neither or both */
export function askOf({ amountCents, units }: Pick<ParsedOf<typeof refundOrder>, "amountCents" | "units">): Ask {
  if ((amountCents === undefined) === (units === undefined)) throw invalid("amountCents", "请填写退款金额，或选择要退的商品");
  return units ? { units: Object.fromEntries(units.map((one) => [one.place, one.units])) } : { cents: amountCents ?? 0 };
}

/** Whether somebody may take back uses of vouchers at a platform; a till may those of its own orders. */
export const mayReverse =
  ({ principal }: Pick<Ctx, "principal">) =>
  (platform: "dy" | "ks"): boolean =>
    principal.kind === "device" || principal.holds([`/plat-${platform}/coupon/reverse`]);

const noteOf = (
  ctx: Ctx,
  { id, service_provider_id, merchant_id }: RefundRow,
  said: { readonly before?: unknown; readonly after: unknown },
): void => ctx.note({ targetKind: "refund", targetId: id, provider: service_provider_id, merchant: merchant_id, ...said });

/**
 * Asks for a refund of an order in sight, as the caller: the merchant's password, the limits, the reserve, the note for the
 * record. Whoever else knows what is given back (lines of goods) writes it beside (`write`), before it goes out.
 * @throws 400 and 404
 */
export async function askRefund(
  ctx: Ctx,
  { requestId, orderId, reason, refundPassword, vouchers, ...asked }: ParsedOf<typeof refundOrder>,
  { bySeller = false, write }: Pick<RefundAsk, "bySeller" | "write"> = {},
): Promise<RefundRow> {
  const order = await ctx.tx
    .selectFrom("pay_orders as o")
    .select(["o.service_provider_id", "o.id", "o.merchant_id"])
    .where("o.id", "=", orderId)
    .where(inScope(ctx.scope, "o"))
    .executeTakeFirst();
  if (!order) throw notFound("订单");
  await checkRefundPassword(ctx, ctx.tx, order, refundPassword);
  const asker = askerOf(ctx);
  const refund = await reserveRefund(ctx.tx, ctx.services, {
    order,
    request_id: requestId,
    ask: askOf(asked),
    reason,
    requested_by: asker.id,
    requested_by_name: asker.name,
    mayDecide: ctx.principal.holds([DECIDE]),
    bySeller,
    vouchers: { vouchers, mayReverse: mayReverse(ctx) },
    write,
  });
  noteOf(ctx, refund, {
    after: { refundNo: refund.refund_no, orderId, amountCents: refund.value_cents, reason, status: refund.status },
  });
  return refund;
}

/** 退款: reserves the amount and answers; the channel is asked after the commit. Above the limit it waits for approval. */
export const refundOrderRoute = implement(refundOrder, async (ctx, input) => {
  const refund = await askRefund(ctx, input);
  return { refundId: refund.id, refundNo: refund.refund_no, status: refund.status as 0 | 1 | 2 };
});

/** 退款审批: 待审批 to 退款中 or to 已驳回, once, and never by the one who asked. */
export const decideRefundRequestRoute = implement(decideRefundRequest, async (ctx, { id, decision, note }) => {
  const both = await holdRefund(ctx, id);
  const { refund } = both;
  if (refund.status !== 0) throw decided();
  if (isSelf(ctx, refund.requested_by)) throw new Refusal(403, "refund.self-approval", "不能审批自己提交的退款申请");
  if (refund.waits_for === "voucher") throw busyVouchers();
  if (decision === "approve" && (refund.waits_for === "red" || refund.waits_for === "red-audit"))
    throw conflict("正在红冲发票，等红字有结果再审批", "refund.waits-for-red");
  if (decision === "approve" && refund.waits_for === "red-failed" && !note) throw invalid("note", "发票没有红冲成，要通过请写原因");
  const status = decision === "approve" ? 1 : 4;
  await decideRefund(ctx.tx, ctx.services, both, { status, by: askerOf(ctx), note, at: ctx.now });
  noteOf(ctx, refund, { before: { status: 0 }, after: { status, note } });
  return { refundId: id, refundNo: refund.refund_no, status: status as 1 | 4 };
});
const busyVouchers = (): Refusal => conflict("正在撤销平台券，等有结果", "refund.waits-for-voucher");
const tookBack = async ({ tx, services }: Ctx, refund: RefundRow): Promise<boolean> =>
  (await voucherDoor(services)?.tookBack(tx, refund)) ?? false;
const decided = (): Refusal => conflict("此申请已被处理，请刷新后查看");

/** 撤回退款申请: 待审批 to 已撤回, by whoever asked alone; of it and a decision that come at once one wins. */
export const cancelRefundRequestRoute = implement(cancelRefundRequest, async (ctx, { id }) => {
  const both = await holdRefund(ctx, id);
  const { refund } = both;
  if (!isSelf(ctx, refund.requested_by)) throw new Refusal(403, "refund.not-asker", "只有申请人可以撤回自己的退款申请");
  if (refund.status !== 0) throw decided();
  if (refund.waits_for === "voucher") throw busyVouchers();
  // Once the invoice can't be taken back nothing else moves it, and nobody approves their own.
  if (refund.waits_for !== "red-failed" && (await tookBack(ctx, refund)))
    throw conflict("平台券已为这笔退款撤销，不能撤回，等发票红冲有结果", "refund.voucher-back");
  await decideRefund(ctx.tx, ctx.services, both, { status: 5, by: askerOf(ctx), at: ctx.now });
  noteOf(ctx, refund, { before: { status: 0 }, after: { status: 5 } });
  return { refundId: id, refundNo: refund.refund_no, status: 5 as const };
});

/** 重新退款: sets the amount aside again under our same number; where the channel closed it, under a new one of the channel's. */
export const retryRefundRoute = implement(retryRefund, async (ctx, { id, bear, refundPassword }) => {
  const { tx, services, now } = ctx;
  const { order: seen, refund } = await holdRefund(ctx, id);
  // Its room has set free what it held for it, and holds it anew by a new request.
  if (seen.purpose !== 0) throw conflict("这是预付的订单，请在对应的退卡处重新办理", "refund.by-card");
  if (refund.status !== 3) throw conflict("只有退款失败的记录可以重新退款");
  if (await refundHoldOf(tx, services, seen, { ...refund, reserved: false }))
    throw conflict("这笔订单开了发票，请先红冲，不重新开，再重新退款", "refund.invoice-first");
  await checkRefundPassword(ctx, tx, seen, refundPassword);
  const order = await reserveAgain(tx, services, refund, { bear: bear ?? false, channel_status: null, at: now });
  await addEvent(tx, services, order, {
    kind: "refund-retried",
    note: `${yuan(refund.amount_cents)} 元，第 ${refund.attempts + 1} 次`,
    at: now,
    by: askerOf(ctx).name,
    refund_id: id,
  });
  await goOut(tx, services, order, refund);
  noteOf(ctx, refund, {
    before: { status: 3, failure: refund.failure },
    after: { status: 1, ...(bear && { bear: "商户承担未回退的分账" }) },
  });
  return { refundId: id, refundNo: refund.refund_no, status: 1 as const };
});
