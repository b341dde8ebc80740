import type { MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";
import { PRIMES } from "../../../orders/server/testing/live-a-day.ts";
import { addTakeawayAccount } from "./takeaway-world.ts";

/** An order at a store of a merchant, and the merchant's accounts at two platforms. */
export interface TakeawayFact {
  readonly id: string;
  readonly ele: string;
  readonly meituan: string;
  /** An order that 饿了么 told of and did not answer. */
  readonly unfetched: string;
  readonly merchant: MerchantKey;
  readonly store: number;
}
async function addOrders({ services, owner, till }: Soil): Promise<readonly TakeawayFact[]> {
  const facts: TakeawayFact[] = [];
  const sql = async <R extends object>(text: string, values: unknown[] = []) => (await owner.query(text, values)).rows as R[];
  for (const merchant of ["mch01", "mch02", "mch03"] as const) {
    const world = { services, tree: till.tree, owner: sql };
    const ele = await addTakeawayAccount(world, merchant, "ele");
    const meituan = await addTakeawayAccount(world, merchant, "meituan-wm");
    const { id: merchantId, serviceProviderId, stores } = till.tree.merchants[merchant];
    const unfetched = services.ids.uuid(services.clock.now_ms());
    await owner.query(
      `insert into takeaway_fetches (service_provider_id, id, merchant_id, account_id, platform_order_id, told_at, wanted_at, outcome, why)
        values ($1, $2, $3, $4, $5, $6, $6, 'refused', '签名错误')`,
      [serviceProviderId, unfetched, merchantId, ele, services.ids.digits(18), new Date(services.clock.now_ms()).toISOString()],
    );
    for (const [store, { id: storeId }] of stores.entries()) {
      const id = services.ids.uuid(services.clock.now_ms());
      await owner.query(
        `insert into takeaway_orders (service_provider_id, id, merchant_id, store_id, platform, platform_order_id, status, placed_at, completed_at, changed_at, original_cents,
            package_cents, delivery_cents, shop_off_cents, platform_off_cents, paid_cents, fee_cents, income_cents, source, created_at, updated_at)
          values ($1, $2, $3, $4, 'ele', $5, 2, $6, $6, $6, 42 * $7::int, 2 * $7, 4 * $7, 3 * $7, 2 * $7, 37 * $7, 5 * $7, 30 * $7, 'platform', $6, $6)`,
        [
          serviceProviderId,
          id,
          merchantId,
          storeId,
          services.ids.digits(18),
          new Date(services.clock.now_ms()).toISOString(),
          PRIMES[merchant],
        ],
      );
      facts.push({ id, ele, meituan, unfetched, merchant, store });
    }
  }
  return facts;
}
export const takeawayFacts = plant(addOrders);
