import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";
import { PRIMES } from "../../../orders/server/testing/live-a-day.ts";

/** A voucher that was used at a store of a merchant. */
export interface EntryFact {
  readonly id: string;
  readonly merchant: MerchantKey;
  readonly store: number;
}
async function addEntries({ services, owner, till }: Soil): Promise<readonly EntryFact[]> {
  const facts: EntryFact[] = [];
  const now = new Date(services.clock.now_ms()).toISOString();
  for (const merchant of ["mch01", "mch02", "mch03"] as const) {
    const { id: merchantId, serviceProviderId, stores } = till.tree.merchants[merchant];
    for (const [store, { id: storeId }] of stores.entries()) {
      const id = services.ids.uuid(services.clock.now_ms());
      await owner.query(
        `insert into platform_entries (service_provider_id, id, merchant_id, store_id, platform, kind, goods_kind, certificate_id, verify_id, pay_cents, face_cents, happened_at, day, added_at)
          values ($1, $2, $3, $4, 'meituan', 'verify', 1, $5, '', $6, $6, $7, $8, $7)`,
        [serviceProviderId, id, merchantId, storeId, services.ids.digits(16), 131 * PRIMES[merchant], now, shanghaiDay(now)],
      );
      facts.push({ id, merchant, store });
    }
  }
  return facts;
}
export const entryFacts = plant(addEntries);
