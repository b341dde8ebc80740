import { randomUUID } from "node:crypto";
import type { MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";

/** A merchant's rule, which is off, and a use of it by one of its orders. */
export interface DiscountFact {
  readonly id: string;
  readonly useId: string;
  readonly merchant: MerchantKey;
  readonly store: number;
}
export const TERMS = { everyCents: 10_000, offCents: 17 };

async function addRules({ services, send, owner, till }: Soil): Promise<DiscountFact[]> {
  const facts: DiscountFact[] = [];
  for (const merchant of ["mch01", "mch02", "mch03"] as const) {
    const body = { requestId: randomUUID(), kind: 2, name: `每满减 ${merchant}`, terms: TERMS };
    const { id } = (await send(merchant, { verb: "POST", path: "/api/discounts/rules/add", body })).body as { id: string };
    // What other rooms price is not lowered by it.
    await send(merchant, { verb: "POST", path: "/api/discounts/rules/state", body: { id, state: "paused" } });
    const useId = services.ids.uuid(services.clock.now_ms());
    const { rows } = await owner.query<{ store_id: string }>(
      `insert into discount_uses (service_provider_id, id, order_id, rule_id, merchant_id, store_id, state, off_cents, at)
        select service_provider_id, $1, id, $2, merchant_id, store_id, 'TAKEN', 17, created_at from pay_orders
        where merchant_id = $3 and status = 2 order by created_at, id limit 1 returning store_id`,
      [useId, id, till.tree.merchants[merchant].id],
    );
    const store = till.tree.merchants[merchant].stores.findIndex((one) => one.id === rows[0]!.store_id);
    facts.push({ id, useId, merchant, store });
  }
  return facts;
}
export const discountFacts = plant(addRules);
