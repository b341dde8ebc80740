import { MERCHANT_KEYS, type MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";

/** A finding about the first store of a merchant. */
export interface AbnormalFact {
  readonly id: string;
  readonly merchant: MerchantKey;
  readonly store: number;
  readonly handled: boolean;
}
/** Two findings about the first store of each merchant, as the morning's job leaves them. */
async function findStores({ till: { tree, owner }, services }: Soil): Promise<readonly AbnormalFact[]> {
  const found = [];
  for (const merchant of MERCHANT_KEYS)
    for (const handled of [false, true]) {
      const id = services.ids.uuid(services.clock.now_ms());
      const { id: storeId, serviceProviderId, merchantId } = tree.merchants[merchant].stores[0]!;
      await owner(
        `insert into abnormal_stores (service_provider_id, id, merchant_id, store_id, reason, facts, since, status, found_at, seen_on, handled_at, note)
         values ($1, $2, $3, $4, $5, '{}', '2026-11-13', $6, '2026-11-20', '2026-11-20', $7, $8)`,
        [
          serviceProviderId,
          id,
          merchantId,
          storeId,
          handled ? 3 : 1,
          handled ? 1 : 0,
          handled ? "2026-11-20" : null,
          handled ? "装修" : null,
        ],
      );
      found.push({ id, merchant, store: 0, handled });
    }
  return found;
}
export const abnormalStores = plant(findStores);
