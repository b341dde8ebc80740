import { levelFilters, listOf, sum } from "../../../../apps/server/testing/matrix/facts.ts";
import { PRIMES } from "./live-a-day.ts";
import { placeOf, isTill } from "../../../../apps/server/testing/matrix/people.ts";
import { ADMIN, MCH, model, type Policy, policy, SP } from "../../../../apps/server/testing/matrix/policy.ts";
import { friendsOf } from "../../../mall/server/testing/plant.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { onlineFacts } from "../../../mall/server/testing/plant.ts";

const SCOPE = ["serviceProviderId", "agentId", "businessTeamId", "merchantId", "storeId"];
const DAIFU = [...ADMIN, ...SP, ...MCH];
const first = (world: HttpWorld) => world.of(onlineFacts).friends[0]!;

/** Whoever has the link reads whose order it is, its number and its amount. */
const toldToFriends = (world: HttpWorld) => ["蜀味川菜", "春熙路店", first(world).orderNo, String(PRIMES.mch01 * 23)];

const friendSums = model({
  facts: friendsOf,
  shown: (body) => {
    const { madeCount, madeCents } = body as { madeCount: number; madeCents: number };
    return { madeCount, madeCents };
  },
  expected: (seen: readonly ReturnType<typeof friendsOf>[number][]) => ({
    madeCount: seen.length,
    madeCents: sum(seen, ({ merchant }) => PRIMES[merchant] * 23),
  }),
});

/** Orders that a friend pays: asked for by a till, paid by whoever has the link, counted by those who see the store. */
export const onlinePolicies: readonly Policy[] = [
  policy("POST /api/till/friend-orders", "device", {
    keeps: true,
    sample: (world, caller) => ({
      body: {
        tillNo: `N${world.services.ids.digits(20)}`,
        subject: "蛋糕",
        grossCents: 100,
        orderer: `o-${isTill(caller) ? placeOf(caller).merchant : "x"}`,
      },
    }),
  }),
  policy("POST /api/friend-pays/open", "public", {
    sample: (world) => ({ body: { token: first(world).token } }),
    tells: toldToFriends,
  }),
  policy("GET /api/friend-pays/page/:token", "public", {
    sample: (world) => ({ params: { token: first(world).token } }),
    tells: toldToFriends,
  }),
  policy("GET /api/orders/friend-pays", DAIFU, {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(SCOPE),
    model: listOf(friendsOf),
  }),
  policy("GET /api/orders/friend-pays/summary", DAIFU, { slots: levelFilters(SCOPE), model: friendSums }),
  policy("GET /api/orders/friend-pays/statistics", DAIFU, { slots: levelFilters(SCOPE) }),
];
