import { listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import { MCH, type Policy, policy } from "../../../../apps/server/testing/matrix/policy.ts";
import { couponFacts } from "./plant.ts";

export const couponPolicies: readonly Policy[] = [
  policy("GET /api/coupons", [...MCH], {
    sample: () => ({ query: { pageSize: "100" } }),
    model: listOf((world) => world.of(couponFacts)),
  }),
  policy("POST /api/coupons/add", MCH, {
    sample: ({ services }) => ({ body: { requestId: services.ids.uuid(services.clock.now_ms()), name: services.ids.digits(12) } }),
  }),
];
