import type { MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";

export interface CouponFact {
  readonly id: string;
  readonly merchant: MerchantKey;
}
/** One for some merchants of both providers. */
async function addCoupons({ services, send }: Soil): Promise<CouponFact[]> {
  const made: CouponFact[] = [];
  for (const merchant of ["mch01", "mch02", "mch03"] as const) {
    const body = { requestId: services.ids.uuid(services.clock.now_ms()), name: `coupons ${merchant}` };
    const answer = await send(merchant, { verb: "POST", path: "/api/coupons/add", body });
    made.push({ id: (answer.body as { id: string }).id, merchant });
  }
  return made;
}
export const couponFacts = plant(addCoupons);
