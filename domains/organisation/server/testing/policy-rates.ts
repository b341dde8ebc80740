import { levelTargets } from "../../../../apps/server/testing/matrix/facts.ts";
import { ADMIN, inBody, inQuery, type Policy, policy, slot, SP, withOwn } from "../../../../apps/server/testing/matrix/policy.ts";
import { MERCHANT_KEYS, MERCHANTS } from "../../../../apps/server/testing/matrix/people.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";

/** Whose rates are asked for: merchants; agents and providers go the same way. */
const merchants = ({ till: { tree } }: HttpWorld) =>
  MERCHANT_KEYS.map((merchant) => ({ id: tree.merchants[merchant].id, merchant, provider: MERCHANTS[merchant].provider }));
const OPERATORS = [...ADMIN, ...SP];

export const ratePolicies: readonly Policy[] = [
  policy("GET /api/organisation/rates", OPERATORS, {
    sample: withOwn(merchants, ({ id }) => ({ query: { level: "merchant", id } })),
    slots: [slot("id", inQuery("id"), levelTargets("merchantId"))],
  }),
  policy("POST /api/organisation/rates/set", OPERATORS, {
    sample: withOwn(merchants, ({ id }) => ({
      body: { level: "merchant", id, version: 0, channel: 0, product: "ALL", rate: 620, start: "tomorrow" },
    })),
    slots: [slot("id", inBody("id"), levelTargets("merchantId"))],
  }),
];
