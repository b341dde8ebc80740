import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Settlement } from "../../../orders/server/index.ts";
import { settleOrder } from "./settle-orders.ts";

/** A refund that is done: what of the order stands on invoices is brought to what is left of it. */
export async function hearRefund(tx: Transaction, services: Services, { kind, order }: Settlement): Promise<void> {
  if (kind === "refund") await settleOrder(tx, services, order);
}
