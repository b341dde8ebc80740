import { sql } from "kysely";
import { partBack, yuan } from "@zhangfang/contract/money.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { linesOf } from "../mall-lines.ts";

interface Order {
  readonly service_provider_id: string;
  /** Of the mall order, and of the pay order that pays for it. */
  readonly id: string;
  readonly orderId: string;
}

/**
 * What amounts of lines are worth, in money and stored value: where the channel took free coupons off, or stored value was gone when it was
 * paid, the customer paid so much less than the lines say. What empties the lines takes what other refunds of lines leave of it, a failed one included, which may be sent again.
 * A refund that names no lines takes from none of them: it only lessens what the pay order still has.
 * @param lock the pay order is held until it is
 * @throws 400 at the line that does not hold so much, 404 for a line of another order
 */
export async function worthOfLines(
  tx: Transaction,
  { service_provider_id, id, orderId }: Order,
  given: readonly { readonly lineId: string; readonly amountCents: number }[],
  lock = true,
): Promise<number> {
  const own = new Map((await linesOf(tx, service_provider_id, id)).map((line) => [line.id, line]));
  for (const [n, { lineId, amountCents }] of given.entries()) {
    const line = own.get(lineId);
    if (!line) throw notFound("商品");
    if (amountCents > line.leftCents) throw invalid(`lines.${n}.amountCents`, `「${line.name}」最多可退 ${yuan(line.leftCents)} 元`);
  }
  const lines_cents = sumOf(given);
  const query = tx
    .selectFrom("pay_orders")
    .select(["paid_cents", "stored_value_cents", "value_refunded_cents", "value_refunding_cents"])
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", orderId);
  const order = await (lock ? query.forUpdate() : query).executeTakeFirstOrThrow();
  const value_cents = order.paid_cents + order.stored_value_cents;
  if (value_cents === sumOf([...own.values()])) return lines_cents;
  const { rows } = await sql<{ cents: number }>`select coalesce(sum(r.value_cents), 0)::bigint as cents from refunds r
    where r.service_provider_id = ${service_provider_id} and r.order_id = ${orderId} and r.status in (0, 1, 2, 3)
      and exists (select from mall_refund_lines b where b.service_provider_id = r.service_provider_id and b.refund_id = r.id)`.execute(tx);
  const left_cents = [...own.values()].reduce((sum, line) => sum + line.leftCents, 0);
  const worth = partBack(value_cents, rows[0]?.cents ?? 0, lines_cents, left_cents);
  return Math.min(worth, value_cents - order.value_refunded_cents - order.value_refunding_cents);
}
const sumOf = (lines: readonly { readonly amountCents: number }[]): number => lines.reduce((sum, one) => sum + one.amountCents, 0);
