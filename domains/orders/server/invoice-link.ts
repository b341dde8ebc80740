import type { Transaction } from "@zhangfang/server/database/db.ts";
import { tiedTo } from "@zhangfang/server/calls/domain.ts";
import { linkToken } from "@zhangfang/server/files/signed-link.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { OrderRow } from "./rows.ts";

type Invoiced = Pick<OrderRow, "service_provider_id" | "id" | "store_id" | "paid_at">;
declare module "@zhangfang/server/calls/domain.ts" {
  interface Domain {
    /** Whether an order's invoice can be applied for at its page. */
    readonly invoicing?: (tx: Transaction, order: Invoiced) => Promise<boolean>;
  }
}
/** The purpose that the address of an order's invoice page is signed for. */
export const INVOICE = "order-invoice";
export const invoiceUrlOf = (services: Services, orderId: string): string =>
  `${services.config.public_url}/i/${linkToken(services, INVOICE, orderId)}`;
/** The page of a paid order's invoice; null where nothing is issued for it. */
export async function invoiceUrlFor(tx: Transaction, services: Services, order: Invoiced): Promise<string | null> {
  if (order.paid_at === null) return null;
  for (const { invoicing } of tiedTo(services)) if (invoicing && (await invoicing(tx, order))) return invoiceUrlOf(services, order.id);
  return null;
}
