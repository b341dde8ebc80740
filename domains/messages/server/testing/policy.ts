import { type Policy, policy } from "../../../../apps/server/testing/matrix/policy.ts";
import { otherStores } from "../../../stores/server/testing/plant.ts";

/** Everybody's own; ids of anybody else change nothing and say nothing. */
export const messagePolicies: readonly Policy[] = [
  policy("GET /api/messages", "signed-in", {
    noModel: "each login has its own, which the cells of other tables add to; messages.test.ts",
    sample: () => ({ query: { pageSize: "100" } }),
  }),
  policy("GET /api/messages/unread", "signed-in"),
  policy("POST /api/messages/read", "signed-in", { sample: (world) => ({ body: { ids: [world.of(otherStores)[0]!.id] } }) }),
];
