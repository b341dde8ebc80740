import { yuan } from "@zhangfang/contract/money.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { valueCause } from "../../../value-book/contract.ts";
import { type OrderMove, orderMoves } from "../../../value-book/server/index.ts";
import type { OrderRow } from "../rows.ts";
import { part, type TracePart } from "./own-parts.ts";
import { line, type TraceLine } from "./trace-rules.ts";

/** 会员账户: what the order and its refunds changed of what its member holds; undefined where nothing, and for whoever sees no members. */
export async function memberPart(tx: Transaction, order: OrderRow): Promise<TracePart | undefined> {
  if (order.member_id === null) return undefined;
  const seen = await tx
    .selectFrom("members")
    .select("id")
    .where("service_provider_id", "=", order.service_provider_id)
    .where("id", "=", order.member_id)
    .executeTakeFirst();
  const moves = seen ? await orderMoves(tx, order) : [];
  if (moves.length === 0) return undefined;
  const whole = part("member", "储值变动", moves.map(lineOf));
  // Points alone have no amount, not one of nothing.
  return moves.some(isValue) ? whole : { ...whole, sum: null };
}

const isValue = ({ principal_cents, gift_cents }: OrderMove): boolean => principal_cents !== 0 || gift_cents !== 0;
const signed = (amount: number, text: string): string => `${amount < 0 ? "−" : "+"}${text}`;
/** Points are no money: they stand in words. */
function lineOf({ cause, at, principal_cents, gift_cents, points }: OrderMove): TraceLine {
  const cents = (of: string, amount: number): string[] => (amount === 0 ? [] : [`${of} ${signed(amount, yuan(Math.abs(amount)))}`]);
  const note = [
    ...cents("本金", principal_cents),
    ...cents("赠送", gift_cents),
    ...(points === 0 ? [] : [`${signed(points, String(Math.abs(points)))} 积分`]),
  ].join("，");
  const amountCents = principal_cents + gift_cents;
  return line({ label: valueCause.label(cause), note, amountCents: amountCents === 0 ? null : amountCents, at: at as TraceLine["at"] });
}
