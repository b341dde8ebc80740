import { levelFilters, listOf, picked } from "../../../../apps/server/testing/matrix/facts.ts";
import { PRIMES } from "./live-a-day.ts";
import { AE, inBody, inPath, MCH, model, type Policy, policy, slot, withOwn } from "../../../../apps/server/testing/matrix/policy.ts";
import { commentsOf } from "../../../mall/server/testing/plant.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { onlineFacts } from "../../../mall/server/testing/plant.ts";

const SCOPE = ["serviceProviderId", "agentId", "businessTeamId", "merchantId", "storeId"];
const SEE = [...MCH, ...AE];
const targets = (world: HttpWorld) => commentsOf(world).map((one) => ({ id: one.id, place: one }));
const first = (world: HttpWorld) => world.of(onlineFacts).comments[0]!;
/** Whoever has the link reads whose order it is and what it cost. */
const told = () => ["蜀味川菜", "春熙路店", String(PRIMES.mch01 * 10)];

/** Comments: written by whoever has the order's own link, answered and hidden by those who see the store. */
export const commentPolicies: readonly Policy[] = [
  policy("GET /api/order-comments/page/:token", "public", { sample: (world) => ({ params: { token: first(world).token } }), tells: told }),
  // The sample's order has its comment already.
  policy("POST /api/order-comments", "public", { ok: 409, sample: (world) => ({ body: { token: first(world).token, stars: 5 } }) }),
  policy("POST /api/order-comments/pictures", "public", {
    ok: 400,
    sample: (world) => ({ body: { token: first(world).token, place: 0, base64: "AAAA".repeat(20) } }),
  }),
  policy("GET /api/order-comments/pictures/:token", "public", {
    ok: 404,
    envelope: "file",
    sample: (world) => ({ params: { token: first(world).token } }),
  }),
  policy("GET /api/orders/comments", SEE, {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(SCOPE),
    model: listOf(commentsOf),
  }),
  policy("GET /api/orders/comments/summary", SEE, {
    slots: levelFilters(SCOPE),
    model: model({
      facts: commentsOf,
      shown: picked(["count"]),
      expected: (seen: readonly ReturnType<typeof commentsOf>[number][]) => ({ count: seen.length }),
    }),
  }),
  policy("GET /api/orders/comments/stores", SEE, { slots: levelFilters(SCOPE) }),
  policy("GET /api/orders/comments/:id", SEE, {
    sample: withOwn(commentsOf, ({ id }) => ({ params: { id } })),
    slots: [slot("id", inPath("id"), targets)],
  }),
  policy("POST /api/orders/comments/reply", SEE, {
    sample: withOwn(commentsOf, ({ id }) => ({ body: { id, reply: "谢谢" } })),
    slots: [slot("id", inBody("id"), targets)],
  }),
  policy("POST /api/orders/comments/hide", MCH, {
    sample: withOwn(commentsOf, ({ id }) => ({ body: { id, reason: "不当" } })),
    slots: [slot("id", inBody("id"), targets)],
  }),
  // Nothing is hidden: whoever may show one again is told that.
  policy("POST /api/orders/comments/show", MCH, {
    keeps: true,
    sample: withOwn(commentsOf, ({ id }) => ({ body: { id } })),
    slots: [slot("id", inBody("id"), targets, { seen: 409 })],
  }),
];
