import { checkGiven } from "@zhangfang/server/edge.ts";
import type { Transaction } from "@zhangfang/server/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { z } from "zod";
import { newCashier } from "../contract/index.ts";

/** Adds a cashier of a store. @returns its id @throws 400 at a wrong field, 409 where the merchant has the code already */
export async function addCashier(tx: Transaction, services: Services, given: z.input<typeof newCashier>): Promise<string> {
  const cashier = checkGiven(newCashier, given);
  const now_ms = services.clock.now_ms();
  const id = services.ids.uuid(now_ms);
  await tx
    .insertInto("cashiers")
    .values({
      service_provider_id: cashier.serviceProviderId,
      id,
      merchant_id: cashier.merchantId,
      store_id: cashier.storeId,
      code: cashier.code,
      name: cashier.name,
      created_at: new Date(now_ms).toISOString(),
    })
    .execute();
  return id;
}
