import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Settlement } from "../../../orders/server/index.ts";
import { queueOutput, type Target } from "./write-output.ts";

/**
 * A payment or refund has settled: the store's devices that are to tell of it get a row and a job in the same transaction.
 * A store without such devices costs one look through an index.
 */
export async function hearSettlement(tx: Transaction, services: Services, { kind, order, refundId }: Settlement): Promise<void> {
  if (kind === "closed") return;
  const wanted = await sql<Target>`
    select h.service_provider_id, h.merchant_id, h.store_id, h.id, h.kind from store_hardware h
    left join merchant_settings m on m.service_provider_id = h.service_provider_id and m.merchant_id = h.merchant_id
    where h.service_provider_id = ${order.service_provider_id} and h.store_id = ${order.store_id} and h.state = 'bound'
      and ${sql.ref(kind === "payment" ? "h.on_payment" : "h.on_refund")}
      and case h.kind when 'printer' then coalesce(m.print_receipt, true) else coalesce(m.speaker, true) end`.execute(tx);
  for (const target of wanted.rows)
    await queueOutput(tx, services, target, { cause: kind, order_id: order.id, ...(refundId !== undefined && { refund_id: refundId }) });
}
