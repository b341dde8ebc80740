import { ADMIN, inBody, type Policy, policy, slot } from "../../../../apps/server/testing/matrix/policy.ts";

/** The trade 批发业: its id follows from its name. */
const TRADE = "e1c42f78-980a-8a91-873f-67edc5e13bdd";
/** Of the platform, the same for all. */
export const referencePolicies: readonly Policy[] = [
  policy("GET /api/divisions", ADMIN, { noModel: "the same rows for whoever may ask" }),
  policy("GET /api/divisions/uses", ADMIN, { sample: () => ({ query: { code: "51" } }) }),
  policy("POST /api/divisions/update", ADMIN, { sample: () => ({ body: { code: "51", shortName: "川" } }) }),
  policy("GET /api/divisions/regions", "signed-in"),
  policy("GET /api/trades", ADMIN, { noModel: "the same rows for whoever may ask", sample: () => ({ query: { pageSize: "100" } }) }),
  policy("POST /api/trades/add", ADMIN, {
    sample: ({ services }) => ({ body: { requestId: services.ids.uuid(services.clock.now_ms()), name: `行业${services.ids.digits(9)}` } }),
  }),
  policy("POST /api/trades/update", ADMIN, {
    sample: () => ({ body: { id: TRADE, name: "批发业", certificates: ["营业执照"] } }),
    slots: [slot("id", inBody("id"), () => [])],
  }),
  policy("POST /api/trades/state", ADMIN, {
    sample: () => ({ body: { id: TRADE, enabled: false } }),
    slots: [slot("id", inBody("id"), () => [])],
  }),
  policy("GET /api/trades/choices", "signed-in"),
];
