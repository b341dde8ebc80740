import type { Transaction } from "@zhangfang/server/database/db.ts";
import { tiedTo } from "@zhangfang/server/calls/domain.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { OrderRow } from "../rows.ts";

/** What has to be done before a refund goes out. */
export interface RefundHold {
  /** For whoever asks for the refund. */
  readonly words: string;
  /** Has it begun, in the refund's own transaction. The order is held. */
  readonly begin: () => Promise<void>;
}
declare module "@zhangfang/server/calls/domain.ts" {
  interface Domain {
    /** Whether a refund that leaves so much of an order's money waits for something of this room's; it tells the end by `hearRed`. */
    readonly refundHold?: (tx: Transaction, services: Services, order: OrderRow, left_cents: number) => Promise<RefundHold | undefined>;
    /** What a refund that leaves so much changes in this room without waiting for it, in words for whoever asks for the refund. */
    readonly refundSaid?: (tx: Transaction, services: Services, order: OrderRow, left_cents: number) => Promise<string | undefined>;
  }
}
/** Of the rooms that a refund changes something in, what they say of it. */
export async function refundSaidOf(
  tx: Transaction,
  services: Services,
  order: OrderRow,
  amount_cents: number,
): Promise<string | undefined> {
  if (amount_cents === 0) return undefined;
  const left_cents = order.paid_cents - order.refunded_cents - order.refunding_cents - amount_cents;
  for (const { refundSaid } of tiedTo(services)) {
    const said = await refundSaid?.(tx, services, order, left_cents);
    if (said) return said;
  }
  return undefined;
}
/** @param refund the money that it gives back, and whether the order has it set aside already */
export async function refundHoldOf(
  tx: Transaction,
  services: Services,
  order: OrderRow,
  { amount_cents, reserved }: { readonly amount_cents: number; readonly reserved: boolean },
): Promise<RefundHold | undefined> {
  if (amount_cents === 0) return undefined;
  const left_cents = order.paid_cents - order.refunded_cents - order.refunding_cents - (reserved ? 0 : amount_cents);
  for (const { refundHold } of tiedTo(services)) {
    const hold = await refundHold?.(tx, services, order, left_cents);
    if (hold) return hold;
  }
  return undefined;
}
