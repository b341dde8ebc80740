import type { Transaction } from "@zhangfang/server/db.ts";
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

const hearers = new WeakMap<Services, SettlementHearer[]>();

/** Has `hearer` told of each settlement through these services; for domains that stand above orders. Named once, at the start. */
export function hearSettlements(services: Services, hearer: SettlementHearer): void {
  hearers.set(services, [...(hearers.get(services) ?? []), hearer]);
}
export async function tellSettlement(tx: Transaction, services: Services, settlement: Settlement): Promise<void> {
  for (const hearer of hearers.get(services) ?? []) await hearer(tx, services, settlement);
}
