import type { z } from "zod";
import { tiedTo } from "@zhangfang/server/calls/domain.ts";
import { invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { orderVoucher } from "../../contract/refunds.ts";
import type { Back } from "../../../pricing/server/index.ts";
import { type OrderRow, type Ref, type RefundRow, valueOf } from "../rows.ts";

/*
 * What must be gone before a refund goes out, and the rooms that know of it: vouchers of platforms, once nobody has to agree any more; then
 * the order's invoices, which are asked for at once.
 */
declare module "@zhangfang/server/calls/domain.ts" {
  interface Domain {
    /** Who knows vouchers of platforms. */
    readonly vouchers?: VoucherDoor;
    /** Whether a refund that leaves so much of an order's money waits for something of this room's; it tells the end by `hearRed`. */
    readonly refundHold?: (tx: Transaction, services: Services, order: OrderRow, left_cents: number) => Promise<RefundHold | undefined>;
    /** What a refund that leaves so much changes in this room without waiting for it, in words for whoever asks for the refund. */
    readonly refundSaid?: (tx: Transaction, services: Services, order: OrderRow, left_cents: number) => Promise<string | undefined>;
  }
}
/** What has to be done before a refund goes out. */
export interface RefundHold {
  /** For whoever asks for the refund. */
  readonly words: string;
  /** Has it begun, in the refund's own transaction. The order is held. */
  readonly begin: () => Promise<void>;
}
/** Which vouchers a refund is to take back; left out, all that can be with the refund after which nothing is left. */
export interface VoucherWish {
  readonly vouchers?: readonly string[] | undefined;
  /** Whether whoever asks may take back uses at this platform. */
  readonly mayReverse: (platform: "dy" | "ks") => boolean;
}
/** Whoever gives an order back past its people, as a seller or by the channel's word, takes back none: they are kept. */
export const NO_VOUCHERS: VoucherWish = { vouchers: [], mayReverse: () => false };
interface VouchersPlanned {
  /** Whether any goes back before the money does. */
  readonly first: boolean;
  /** Writes down what the refund does with each, and keeps them until the end of the transaction. */
  readonly write: (refund: RefundRow) => Promise<void>;
}
/** Who knows vouchers of platforms: one domain, above this one. */
export interface VoucherDoor {
  /** Those that an order took, as people and tills see them. */
  of(tx: Transaction, services: Services, order: Ref): Promise<readonly z.input<typeof orderVoucher>[]>;
  /**
   * What a refund that is cut so does with each that stands; nothing where it says nothing of any. One that is sent again, or that the channel
   * made late, was chosen for by nobody: they stay.
   * @throws 404 for one that is not the order's, 409 where it can't be taken back, 403 without the right
   */
  plan(
    tx: Transaction,
    services: Services,
    order: OrderRow,
    back: Back,
    wish: VoucherWish | "again" | "late",
  ): Promise<VouchersPlanned | undefined>;
  /** Has the platforms asked, once this is committed; the end is told by `hearVouchers`. @returns whether any is asked */
  begin(tx: Transaction, services: Services, refund: RefundRow): Promise<boolean>;
  /** Whether a refund is to take any back that was not asked for yet. */
  waits(tx: Transaction, refund: Ref): Promise<boolean>;
  /** What became of those that a refund was to take back: their names, and of those that were not why. */
  ended(tx: Transaction, refund: Ref): Promise<{ readonly back: readonly string[]; readonly not: readonly string[] }>;
  /** Whether any was taken back for a refund. */
  tookBack(tx: Transaction, refund: Ref): Promise<boolean>;
  /** The refund is not made: what it was to take back stays, and of what it took back people are told. */
  drop(tx: Transaction, services: Services, refund: RefundRow): Promise<void>;
}
export const voucherDoor = (services: Services): VoucherDoor | undefined => tiedTo(services).find(({ vouchers }) => vouchers)?.vouchers;
/** The same for an order; nobody where it took none. */
export const voucherDoorOf = (services: Services, { voucher_cents }: Pick<OrderRow, "voucher_cents">): VoucherDoor | undefined =>
  voucher_cents > 0 ? voucherDoor(services) : undefined;

/** What a new refund does with the vouchers of its order. @throws as `plan` of the door */
export async function planVouchers(
  tx: Transaction,
  services: Services,
  order: OrderRow,
  back: Back,
  wish: VoucherWish,
): Promise<VouchersPlanned | undefined> {
  const door = voucherDoorOf(services, order);
  if (door) return door.plan(tx, services, order, back, wish);
  if (wish.vouchers?.length) throw notFound("平台券");
  // Vouchers alone go back without value.
  if (back.value_cents === 0 && valueOf(order) > 0) throw invalid("vouchers", "请选择要撤销的平台券");
  return undefined;
}

/** The first that a room says of a refund of so much money. @param reserved whether the order has it set aside already */
async function firstOf<T>(
  services: Services,
  order: OrderRow,
  { amount_cents, reserved }: { readonly amount_cents: number; readonly reserved: boolean },
  ask: (room: ReturnType<typeof tiedTo>[number], left_cents: number) => Promise<T | undefined> | undefined,
): Promise<T | undefined> {
  if (amount_cents === 0) return undefined;
  const left_cents = order.paid_cents - order.refunded_cents - order.refunding_cents - (reserved ? 0 : amount_cents);
  for (const room of tiedTo(services)) {
    const said = await ask(room, left_cents);
    if (said) return said;
  }
  return undefined;
}
/** Of the rooms that a refund changes something in, what they say of it. */
export const refundSaidOf = (tx: Transaction, services: Services, order: OrderRow, amount_cents: number): Promise<string | undefined> =>
  firstOf(services, order, { amount_cents, reserved: false }, (room, left) => room.refundSaid?.(tx, services, order, left));
/** What has to be done before it goes out. */
export const refundHoldOf = (
  tx: Transaction,
  services: Services,
  order: OrderRow,
  refund: { readonly amount_cents: number; readonly reserved: boolean },
): Promise<RefundHold | undefined> => firstOf(services, order, refund, (room, left) => room.refundHold?.(tx, services, order, left));
