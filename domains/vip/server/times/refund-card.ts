import { sql } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, mustChange } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { askRefund, needsRefundPassword } from "../../../orders/server/index.ts";
import { extendTimesCard, previewTimesRefund, refundTimesCard, timesCardStatus } from "../../contract/index.ts";
import { mustBeOver } from "../sold.ts";
import { refundsOf, type TimesFacts, usedOf } from "./times-rules.ts";

interface Card extends TimesFacts {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly id: string;
  readonly order_id: string;
  readonly member_id: string;
  readonly product_id: string;
  readonly status: number;
  readonly earned_cents: number;
  readonly last_day: string | null;
}
/** A card in sight. @throws 404 */
async function cardOf({ tx, scope }: Ctx, id: string, hold = false): Promise<Card> {
  const { rows } =
    await sql<Card>`select c.service_provider_id, c.merchant_id, c.id, c.order_id, c.member_id, c.product_id, c.status, c.price_cents,
      c.single_price_cents, c.times, c.gift_times, c.left_times, c.earned_cents, c.paid_at, c.last_day
    from times_cards c where c.id = ${id} and ${inScope(scope, "c", "store")} ${hold ? sql`for update` : sql``}`.execute(tx);
  if (!rows[0]) throw notFound("次卡订单");
  return rows[0];
}
const refusalOf = ({ status }: Card): string | null =>
  status === 1 || status === 3 ? null : `次卡${timesCardStatus.label(status as 2)}，不能退款`;
/** The three sums, and whether the customer had the same card before at any store. */
async function reckon({ tx, now }: Ctx, card: Card) {
  const { rows } = await asPlatform(tx, () =>
    sql<{ before: boolean }>`select exists (select 1 from times_cards b where b.service_provider_id = ${card.service_provider_id}
      and b.member_id = ${card.member_id} and b.product_id = ${card.product_id} and b.paid_at < ${card.paid_at ?? now}) as before`.execute(
      tx,
    ),
  );
  return refundsOf(card, now, rows[0]?.before ?? false);
}

/** 次卡退款试算: by the function that the refund itself goes by. */
export const previewTimesRefundRoute = implement(previewTimesRefund, async (ctx, { id }) => {
  const card = await cardOf(ctx, id);
  return {
    priceCents: card.price_cents as never,
    times: card.times + card.gift_times,
    usedTimes: usedOf(card),
    leftTimes: card.left_times,
    singlePriceCents: card.single_price_cents as never,
    usedCents: card.earned_cents as never,
    leftCents: (card.price_cents - card.earned_cents) as never,
    reasons: (await reckon(ctx, card)).map(({ reason, refund_cents, forfeited_cents, how, refusal }) => ({
      reason,
      refundCents: refund_cents as never,
      forfeitedCents: forfeited_cents as never,
      how,
      refusal,
    })),
    needsPassword: await needsRefundPassword(ctx.tx, card),
    refusal: refusalOf(card),
  };
});

/** 次卡退款: nothing is used any more from the request on, so that the sum stays. The order is held first, as by its money. */
export const refundTimesCardRoute = implement(
  refundTimesCard,
  async (ctx, { requestId, id, reason, refundCents, note, refundPassword }) => {
    const { tx } = ctx;
    const seen = await cardOf(ctx, id);
    await tx
      .selectFrom("pay_orders")
      .select("id")
      .where("service_provider_id", "=", seen.service_provider_id)
      .where("id", "=", seen.order_id)
      .forUpdate()
      .execute();
    const card = await cardOf(ctx, id, true);
    const refused = refusalOf(card);
    if (refused !== null) throw conflict(refused);
    await mustBeOver(tx, card);
    const way = (await reckon(ctx, card)).find((one) => one.reason === reason);
    if (!way || way.refusal !== null) throw invalid("reason", way?.refusal ?? "请选择退款原因");
    if (way.refund_cents !== refundCents) throw conflict(`应退金额变为 ${yuan(way.refund_cents)} 元，请重新确认`, "refund.changed");
    const refund = await askRefund(
      ctx,
      { requestId, orderId: card.order_id, amountCents: refundCents, reason: note, refundPassword },
      { bySeller: true },
    );
    const changed = await tx
      .updateTable("times_cards")
      .set({ status: 4, refund_id: refund.id, refund_reason: reason, refund_cents: refundCents })
      .where("service_provider_id", "=", card.service_provider_id)
      .where("id", "=", id)
      .where("status", "=", card.status)
      .executeTakeFirst();
    mustChange(changed, () => conflict("次卡状态刚有变化，请刷新后重试"));
    return { refundId: refund.id, refundNo: refund.refund_no, status: refund.status };
  },
);

/** 延期: to a later day, for nothing; a card that has ended is good again. */
export const extendTimesCardRoute = implement(extendTimesCard, async (ctx, { id, lastDay, reason }) => {
  const card = await cardOf(ctx, id, true);
  if (card.status !== 1 && card.status !== 3) throw conflict(`次卡${timesCardStatus.label(card.status as 2)}，不能延期`);
  if (lastDay < shanghaiDay(ctx.now_ms) || (card.last_day !== null && lastDay <= card.last_day))
    throw invalid("lastDay", "延期须晚于原到期日和今天");
  const changed = await ctx.tx
    .updateTable("times_cards")
    .set({ last_day: lastDay, ...(card.status === 3 && { status: 1 }) })
    .where("service_provider_id", "=", card.service_provider_id)
    .where("id", "=", id)
    .where("status", "=", card.status)
    .executeTakeFirst();
  mustChange(changed, () => conflict("次卡状态刚有变化，请刷新后重试"));
  ctx.note({
    targetKind: "times_card",
    targetId: id,
    provider: card.service_provider_id,
    merchant: card.merchant_id,
    before: { lastDay: card.last_day },
    after: { lastDay, reason },
  });
  return { ok: true as const };
});
