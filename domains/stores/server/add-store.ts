import { checkGiven } from "@zhangfang/server/edge.ts";
import type { Transaction } from "@zhangfang/server/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { z } from "zod";
import { newStore } from "../contract.ts";

/** Adds a store of a merchant. @returns its id @throws 400 at a wrong field */
export async function addStore(tx: Transaction, services: Services, given: z.input<typeof newStore>): Promise<string> {
  const store = checkGiven(newStore, given);
  const now_ms = services.clock.now_ms();
  const id = services.ids.uuid(now_ms);
  await tx
    .insertInto("stores")
    .values({
      service_provider_id: store.serviceProviderId,
      id,
      merchant_id: store.merchantId,
      number: `6${services.ids.digits(9)}`,
      name: store.name,
      short_name: store.shortName,
      province: store.province,
      city: store.city,
      address: store.address,
      phone: store.phone,
      hours: store.hours,
      created_at: new Date(now_ms).toISOString(),
    })
    .execute();
  return id;
}
