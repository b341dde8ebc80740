import type { Transaction } from "@zhangfang/server/database/db.ts";
import { tiedTo } from "@zhangfang/server/calls/domain.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { OrderRow, Ref, RefundRow } from "../rows.ts";
import type { OrderVoucher, VoucherPlan } from "./voucher-rules.ts";

/** Who asks a platform to take a use back. */
export interface VoucherAsker {
  readonly name: string;
  readonly user_id: string | null;
  readonly device_id: string | null;
  readonly cashier_id: string | null;
  readonly reason: string;
}
/** Who knows vouchers of platforms: one domain, above this one. */
export interface VoucherDoor {
  of(tx: Transaction, services: Services, order: Ref): Promise<readonly OrderVoucher[]>;
  /** Writes down what a refund does with them, and keeps them until the end of the transaction. */
  plan(tx: Transaction, services: Services, refund: RefundRow, plans: readonly VoucherPlan[]): Promise<void>;
  /** Has the platforms asked, once this is committed; the end is told by `hearVouchers`. @returns whether any is asked */
  begin(tx: Transaction, services: Services, refund: RefundRow, by: VoucherAsker): Promise<boolean>;
  /** Whether a refund is to take any back that was not asked for yet. */
  waits(tx: Transaction, refund: Ref): Promise<boolean>;
  /** What became of those that a refund was to take back: their names, and of those that were not why. */
  ended(tx: Transaction, refund: Ref): Promise<{ readonly back: readonly string[]; readonly not: readonly string[] }>;
  /** Whether any was taken back for a refund. */
  tookBack(tx: Transaction, refund: Ref): Promise<boolean>;
  /** The refund is not made: what it was to take back stays, and of what it took back people are told. */
  drop(tx: Transaction, services: Services, refund: RefundRow): Promise<void>;
}
declare module "@zhangfang/server/calls/domain.ts" {
  interface Domain {
    /** Who knows vouchers of platforms. */
    readonly vouchers?: VoucherDoor;
  }
}
/** Whether another refund of an order still waits and may come to nothing. */
export async function isUndecided(tx: Transaction, { service_provider_id, id }: Ref): Promise<boolean> {
  const waiting = await tx
    .selectFrom("refunds")
    .select("id")
    .where("service_provider_id", "=", service_provider_id)
    .where("order_id", "=", id)
    .where("status", "=", 0)
    .executeTakeFirst();
  return waiting !== undefined;
}
export const voucherDoor = (services: Services): VoucherDoor | undefined => tiedTo(services).find(({ vouchers }) => vouchers)?.vouchers;
/** The vouchers of an order; none where it has none. */
export async function vouchersOf(
  tx: Transaction,
  services: Services,
  order: Ref & Pick<OrderRow, "voucher_cents">,
): Promise<readonly OrderVoucher[]> {
  return order.voucher_cents > 0 ? ((await voucherDoor(services)?.of(tx, services, order)) ?? []) : [];
}
