import type { Transaction } from "@zhangfang/server/db.ts";
import { tiedTo } from "@zhangfang/server/domain.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { OrderRow } from "./rows.ts";

/** Money that has just come in or gone back; or an order that was closed and brings none. */
export interface Settlement {
  readonly kind: "payment" | "refund" | "closed";
  readonly order: Pick<OrderRow, "service_provider_id" | "id" | "merchant_id" | "store_id">;
  readonly refundId?: string;
}
/** Does its part in the settlement's own transaction: a row and a job, never a call to the outside. */
export type SettlementHearer = (tx: Transaction, services: Services, settlement: Settlement) => Promise<void>;

declare module "@zhangfang/server/domain.ts" {
  interface Domain {
    /** Who only follows the money of orders, by a name that stays. */
    readonly hearers?: Readonly<Record<string, SettlementHearer>>;
  }
}

export async function tellSettlement(tx: Transaction, services: Services, settlement: Settlement): Promise<void> {
  for (const { hearers = {} } of tiedTo(services)) for (const hear of Object.values(hearers)) await hear(tx, services, settlement);
}
