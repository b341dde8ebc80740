import { tiedTo } from "@zhangfang/server/calls/domain.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** An order whose row the caller holds. */
export interface HeldOrder {
  readonly service_provider_id: string;
  readonly id: string;
}
/**
 * What sharing changes on an order's row, which orders alone write: each in the caller's transaction, with its guard in the statement.
 * Amounts are cents. Orders stand above sharing, so it is handed down with the domain's value.
 */
export interface ShareAmounts {
  /** Sets aside what is to be shared. @returns false where the order has not as much left, or its rest was unfrozen */
  reserve(tx: Transaction, order: HeldOrder, amount_cents: number): Promise<boolean>;
  /** What was set aside is no longer; `done_cents` of it reached the receivers. */
  settle(tx: Transaction, order: HeldOrder, reserved_cents: number, done_cents: number): Promise<void>;
  /** The channel let go of the rest. Once. */
  unfreeze(tx: Transaction, order: HeldOrder, at: string): Promise<void>;
  /** Sets aside a return that is asked for again. @returns false where more would come back than was shared */
  holdReturn(tx: Transaction, order: HeldOrder, amount_cents: number): Promise<boolean>;
  /** A return that was never sent is not coming, or the merchant does not bear it. */
  releaseReturn(tx: Transaction, order: HeldOrder, amount_cents: number, borne: boolean): Promise<void>;
  /** A receiver gave it back. */
  settleReturn(tx: Transaction, order: HeldOrder, amount_cents: number): Promise<void>;
  /** It does not come back: whatever was promised meanwhile on the strength of it, the merchant bears. */
  failReturn(tx: Transaction, order: HeldOrder, amount_cents: number): Promise<void>;
}
declare module "@zhangfang/server/calls/domain.ts" {
  interface Domain {
    /** Who writes the rows of orders, for those below who share their money. One domain brings it. */
    readonly shareAmounts?: ShareAmounts;
  }
}

/** What changes the row of an order. @throws where no domain brings it */
export function shareAmountsOf(services: Services): ShareAmounts {
  const found = tiedTo(services).find(({ shareAmounts }) => shareAmounts)?.shareAmounts;
  if (!found) throw new Error("no domain writes the shares of orders");
  return found;
}
