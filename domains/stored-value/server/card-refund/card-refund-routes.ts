import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { asPlatform } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { askerOf, reserveRefund } from "../../../orders/server/index.ts";
import { earnedBackOf } from "../../../points/server/index.ts";
import { withMembers } from "../../../members/server/index.ts";
import { holdLot, pointsOf, releaseLot } from "../../../value-book/server/index.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import {
  askCardRefund,
  cardRefundReason,
  confirmCardRefund,
  decideCardRefund,
  previewCardRefund,
  proveCardRefund,
  withdrawCardRefund,
} from "../../contract/index.ts";
import { posterOf } from "../contributor.ts";
import { isOwn, selfDecided } from "../recharge/offline-recharge.ts";
import { type CardRefundRow, finishCardRefund, holderOf, moveCardRefund } from "./follow-card-refunds.ts";
import { isTooOld, lotToRefund, type Which } from "./read-lot.ts";

/** Exactly one of the two says which. @throws 400 */
function oneLot({ rechargeId, lotId }: Which): Which {
  if ((rechargeId === undefined) === (lotId === undefined)) throw invalid("rechargeId", "请选择一笔充值或一批余额");
  return { rechargeId, lotId };
}

/** 退卡试算: the three legal sums, by the rules that the request runs. @param owner whose it has to be, where a member looks at their own */
export async function previewRefund(ctx: Ctx, which: Which, owner?: string) {
  const { lot, member, sums, why, onlyOffline } = await lotToRefund(ctx, which, { owner });
  const { service_provider_id, merchant_id, bought } = lot;
  // What came with it and what it earned is at whoever bought it.
  const buyer = bought && bought.member_id !== member.member_id ? bought : undefined;
  const whose = { service_provider_id, merchant_id, member_id: buyer?.member_id ?? member.member_id };
  const sold = bought?.order_id ?? null;
  const { usable, pending } = await asPlatform(ctx.tx, () => pointsOf(ctx.tx, whose, shanghaiDay(ctx.now_ms)));
  const earnedBack =
    sold === null ? () => 0 : await asPlatform(ctx.tx, () => earnedBackOf(ctx.tx, { service_provider_id, order_id: sold }));
  const [shown, from] = await withMembers(ctx, [
    { memberId: member.member_id, memberNo: member.no },
    ...(buyer ? [{ memberId: buyer.member_id, memberNo: buyer.member_no }] : []),
  ]);
  return {
    rechargeId: lot.recharge_id,
    lotId: lot.lot_id,
    ...shown!,
    principalCents: lot.principal_cents as never,
    giftCents: lot.gift_cents as never,
    usedCents: lot.used_cents as never,
    principalLeftCents: lot.principal_left_cents as never,
    giftLeftCents: lot.gift_left_cents as never,
    paidBeforeCents: lot.paid_before_cents as never,
    sums: sums.map(({ reason, pays_cents, less_cents, less, refusal, grantable, due_on }) => ({
      reason,
      paysCents: pays_cents as never,
      lessCents: less_cents as never,
      less,
      refusal: refusal ?? null,
      grantable,
      earnedBack: earnedBack(pays_cents),
      dueOn: due_on,
    })),
    orderLeftCents: lot.order_left_cents as never,
    onlyOffline: onlyOffline ?? null,
    feeRate: lot.fee_rate ?? 0,
    points: lot.points,
    pointsThere: usable + pending,
    pointsOf: from ?? null,
    coupons: lot.coupons,
    refusal: why ?? null,
  };
}
export const previewCardRefundRoute = implement(previewCardRefund, (ctx, given) => previewRefund(ctx, oneLot(given)));

/** 申请退卡: the whole lot is held from here on, with the sums as they are. @param owner as above */
export async function askCard(
  ctx: Ctx,
  { requestId, rechargeId, lotId, reason, way, paysCents, granted, note }: ParsedOf<typeof askCardRefund>,
  owner?: string,
) {
  const { tx, services, now } = ctx;
  const { lot, member, sums, why, onlyOffline } = await lotToRefund(ctx, { rechargeId, lotId }, { keep: true, owner });
  if (why !== undefined) throw conflict(why, "card-refund.not-now");
  const sum = sums[reason - 1]!;
  if (sum.refusal !== undefined && !(sum.grantable && granted)) throw invalid("reason", sum.refusal);
  if (way === 0 && onlyOffline !== undefined) throw invalid("way", onlyOffline);
  // Money that can go back the way it came goes there: to nobody else, and with the points that it earned.
  if (way === 1 && onlyOffline === undefined && sum.pays_cents <= (lot.order_left_cents ?? 0))
    throw invalid("way", "充值订单还能原路退回，请选择原路退");
  if (way === 0 && sum.pays_cents > (lot.order_left_cents ?? 0))
    throw invalid("way", `充值订单只剩 ${yuan(lot.order_left_cents ?? 0)} 元可原路退，请线下退`);
  if (sum.pays_cents !== paysCents)
    throw new Refusal(409, "card-refund.changed", `余额有变化，应退改为 ${yuan(sum.pays_cents)} 元，请重新确认`, {
      paysCents: `应退 ${yuan(sum.pays_cents)} 元`,
    });
  const id = services.ids.uuid(ctx.now_ms);
  const { service_provider_id, merchant_id, store_id, lot_id } = lot;
  const holder = { service_provider_id, merchant_id, member_id: member.member_id };
  const held = await holdLot(tx, posterOf(services), holder, lot_id, { cause_id: id, store_id });
  if (held.principal_cents !== lot.principal_left_cents || held.gift_cents !== lot.gift_left_cents)
    throw conflict("余额刚刚有变化，请重新打开后再退", "card-refund.changed");
  const asker = askerOf(ctx);
  await tx
    .insertInto("card_refunds")
    .values({
      ...holder,
      id,
      store_id,
      lot_id,
      request_id: requestId,
      reason,
      status: 0,
      way,
      principal_cents: lot.principal_cents,
      gift_cents: lot.gift_cents,
      used_cents: lot.used_cents,
      held_principal_cents: held.principal_cents,
      held_gift_cents: held.gift_cents,
      pays_cents: sum.pays_cents,
      points: lot.points,
      order_id: way === 0 ? lot.order_id : null,
      note,
      due_on: sum.due_on,
      asked_by: asker.id,
      asked_by_name: asker.name,
      created_at: now,
    })
    .execute();
  noteOf(
    ctx,
    { ...holder, id },
    {
      ...(rechargeId === undefined ? { lotId } : { rechargeId }),
      reason,
      way,
      paysCents: sum.pays_cents,
      note,
      ...(granted && { granted }),
    },
  );
  return { ok: true as const, id };
}
export const askCardRefundRoute = implement(askCardRefund, (ctx, given) => askCard(ctx, { ...given, ...oneLot(given) }));

/** A card refund in sight, held. @throws 404 */
async function holdCardRefund({ tx, scope }: Ctx, id: string): Promise<CardRefundRow> {
  const found = await tx
    .selectFrom("card_refunds as r")
    .selectAll("r")
    .where("r.id", "=", id)
    .where(inScope(scope, "r", "store"))
    .forUpdate()
    .executeTakeFirst();
  if (!found) throw notFound("退卡");
  return found;
}
const decided = (): Refusal => conflict("此退卡已被处理，请刷新后查看");

/** 审核退卡: by another than who asked. A yes sends the money back on the recharge's own order; offline it waits for the proof. */
export const decideCardRefundRoute = implement(decideCardRefund, async (ctx, { id, approve }) => {
  const { tx, services, now } = ctx;
  const refund = await holdCardRefund(ctx, id);
  if (refund.status !== 0) throw decided();
  if (isOwn(ctx, refund.asked_by)) throw selfDecided();
  const by = askerOf(ctx);
  const decision = { decided_by: by.id, decided_by_name: by.name };
  noteOf(ctx, refund, { approve, paysCents: refund.pays_cents });
  if (!approve) {
    await releaseLot(tx, posterOf(services), holderOf(refund), refund.lot_id, { cause_id: id, store_id: refund.store_id });
    await moveCardRefund(tx, refund, 0, { status: 4, ...decision, finished_at: now });
    return { ok: true as const, status: 4 as const };
  }
  if (refund.pays_cents === 0) {
    await finishCardRefund(tx, services, { ...refund, ...decision }, 0, decision);
    return { ok: true as const, status: 2 as const };
  }
  // Asked in time and decided too late for the channel: what was promised is paid offline.
  if (refund.way === 0 && (await isPaidTooLongAgo(ctx, refund))) {
    await moveCardRefund(tx, refund, 0, { status: 1, ...decision, way: 1, order_id: null });
    return { ok: true as const, status: 1 as const };
  }
  const out = refund.way === 0 ? await sendBack(ctx, refund, by) : undefined;
  await moveCardRefund(tx, refund, 0, { status: 1, ...decision, refund_id: out?.id ?? null });
  return { ok: true as const, status: 1 as const };
});
async function isPaidTooLongAgo({ tx, now_ms }: Ctx, { service_provider_id, order_id }: CardRefundRow): Promise<boolean> {
  const order = await tx
    .selectFrom("pay_orders")
    .select("paid_at")
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", order_id)
    .executeTakeFirst();
  return order !== undefined && order.paid_at !== null && isTooOld(order.paid_at, now_ms);
}
/** The refund of the recharge's order; what refuses it is said as it is. */
async function sendBack({ tx, services }: Ctx, refund: CardRefundRow, by: { id: string; name: string }) {
  try {
    return await reserveRefund(tx, services, {
      order: { service_provider_id: refund.service_provider_id, id: refund.order_id ?? "" },
      request_id: refund.id,
      ask: { cents: refund.pays_cents },
      reason: `退卡：${cardRefundReason.label(refund.reason as 1)}`,
      requested_by: by.id,
      requested_by_name: by.name,
      mayDecide: true,
      bySeller: true,
    });
  } catch (error) {
    if (error instanceof Refusal) throw conflict(error.message, error.code);
    throw error;
  }
}

/** 撤回退卡申请: by who asked, while nobody has decided. */
export async function withdrawCard(ctx: Ctx, { id }: ParsedOf<typeof withdrawCardRefund>) {
  const refund = await holdCardRefund(ctx, id);
  if (!isOwn(ctx, refund.asked_by)) throw new Refusal(403, "card-refund.not-asker", "只有申请人可以撤回");
  if (refund.status !== 0) throw decided();
  await releaseLot(ctx.tx, posterOf(ctx.services), holderOf(refund), refund.lot_id, { cause_id: id, store_id: refund.store_id });
  await moveCardRefund(ctx.tx, refund, 0, { status: 5, finished_at: ctx.now });
  noteOf(ctx, refund, { withdrawn: true });
  return { ok: true as const };
}
export const withdrawCardRefundRoute = implement(withdrawCardRefund, (ctx, given) => withdrawCard(ctx, given));

/** 登记线下退卡凭证. */
export const proveCardRefundRoute = implement(proveCardRefund, async (ctx, { id, evidence }) => {
  const refund = await holdCardRefund(ctx, id);
  if (refund.status !== 1 || refund.way !== 1) throw conflict("只有审核通过的线下退卡可以登记凭证");
  const by = askerOf(ctx);
  await moveCardRefund(ctx.tx, refund, 1, { evidence, proved_by: by.id, proved_by_name: by.name });
  noteOf(ctx, refund, { evidence });
  return { ok: true as const };
});

/** 确认线下退卡: by another than who says that it was paid. */
export const confirmCardRefundRoute = implement(confirmCardRefund, async (ctx, { id }) => {
  const refund = await holdCardRefund(ctx, id);
  if (refund.status !== 1 || refund.way !== 1 || refund.evidence === null) throw conflict("请先登记线下退卡凭证");
  if (isOwn(ctx, refund.proved_by)) throw selfDecided();
  await finishCardRefund(ctx.tx, ctx.services, refund, 1);
  noteOf(ctx, refund, { confirmed: true, paysCents: refund.pays_cents });
  return { ok: true as const };
});

function noteOf(
  ctx: Ctx,
  { id, service_provider_id, merchant_id }: Pick<CardRefundRow, "id" | "service_provider_id" | "merchant_id">,
  after: object,
): void {
  ctx.note({ targetKind: "card_refund", targetId: id, provider: service_provider_id, merchant: merchant_id, after });
}
