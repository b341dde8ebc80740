import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Settlement } from "../../../orders/server/index.ts";
import { returnTimes, sellTimes, waitForHolder } from "../../../value-book/server/index.ts";
import type { Sold } from "../sold.ts";

/** A card's money: it can be used and its price is owed; nobody paid it; or it went back, and what was left of it is over. */
export async function hearOfCard(tx: Transaction, services: Services, { kind, refundId }: Settlement, order: Sold): Promise<void> {
  const { service_provider_id, merchant_id, store_id } = order;
  // Value first, then the card, as whoever uses it does.
  await waitForHolder(tx, order);
  const card = await tx
    .selectFrom("times_cards")
    .select(["id", "member_id", "status", "days", "price_cents", "earned_cents", "refund_id", "refund_cents", "refund_reason"])
    .where("service_provider_id", "=", service_provider_id)
    .where("order_id", "=", order.id)
    .forUpdate()
    .executeTakeFirst();
  if (!card) return;
  const poster = { ids: services.ids, now_ms: services.clock.now_ms() };
  const holder = { service_provider_id, merchant_id, member_id: card.member_id };
  const move = async (from: readonly number[], set: object) =>
    tx
      .updateTable("times_cards")
      .set(set)
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", card.id)
      .where("status", "in", [...from])
      .executeTakeFirst();
  if (kind === "closed") await move([0], { status: 6 });
  if (kind === "payment") {
    const paid_at = order.paid_at ?? new Date(poster.now_ms).toISOString();
    const first_day = shanghaiDay(paid_at);
    mustChange(
      await move([0, 6], { status: 1, paid_at, first_day, last_day: addDays(first_day, card.days) }),
      () => new Error("a paid card is paid again"),
    );
    await sellTimes(tx, poster, holder, { cause_id: card.id, order_id: order.id, store_id }, card.price_cents);
  }
  if (kind === "refund" && refundId !== undefined) {
    const { value_cents: returned_cents } = await tx
      .selectFrom("refunds")
      .select("value_cents")
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", refundId)
      .executeTakeFirstOrThrow();
    // What the channel gave back by itself, or a failed refund that arrives after all: the customer has the money, and the card is over.
    // Where it is over already the merchant bears it.
    const twice = card.status === 5 && card.refund_id !== refundId;
    const refund_cents = twice ? (card.refund_cents ?? 0) + returned_cents : returned_cents;
    mustChange(
      await move(twice ? [5] : [1, 2, 3, 4], { status: 5, refund_id: refundId, refund_cents, refund_reason: card.refund_reason ?? 2 }),
      () => new Error("a refund of a card is heard of twice"),
    );
    if (twice) services.log.error({ card: card.id, returned_cents }, "a refund that was given up arrived after the card went back");
    await returnTimes(
      tx,
      poster,
      holder,
      { cause_id: twice ? refundId : card.id, order_id: order.id, store_id, refund_id: refundId },
      { left_cents: twice ? 0 : card.price_cents - card.earned_cents, returned_cents },
    );
  }
}
