import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { levelFilters, levelsOf, listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import {
  AE,
  inBody,
  inPath,
  inQuery,
  MCH,
  model,
  type Policy,
  policy,
  slot,
  SP,
  withOwn,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { takeawayFacts } from "./plant.ts";

const USERS = [...SP, ...MCH, ...AE];
const orders = (world: HttpWorld) =>
  world.of(takeawayFacts).map(({ id, merchant, store }) => ({
    id,
    merchant,
    store,
    ...levelsOf(world, merchant),
    storeId: world.till.tree.merchants[merchant].stores[store]!.id,
  }));
const unfetched = (world: HttpWorld) =>
  world
    .of(takeawayFacts)
    .filter(({ store }) => store === 0)
    .map(({ unfetched: id, merchant }) => ({ id, merchant, ...levelsOf(world, merchant) }));
const today = ({ services }: HttpWorld) => shanghaiDay(services.clock.now_ms());
/** A platform's address: whoever knows it may tell something, which nobody believes. */
const heard = (platform: "ele" | "meituan", raw: string) => ({
  envelope: "notice" as const,
  sample: (world: HttpWorld) => ({ params: { account: world.of(takeawayFacts)[0]![platform] }, raw }),
  slots: [
    slot(
      "account",
      inPath("account"),
      (world) =>
        world
          .of(takeawayFacts)
          .filter(({ store }) => store === 0)
          .map((fact) => ({ id: fact[platform], place: { merchant: fact.merchant } })),
      { sees: () => true },
    ),
  ],
});

export const takeawayPolicies: readonly Policy[] = [
  policy("GET /notify/ele/:account", "channel", { ...heard("ele", ""), slots: [] }),
  policy("POST /notify/ele/:account", "channel", heard("ele", "{}")),
  policy("POST /notify/meituan-wm/:account", "channel", heard("meituan", "")),
  policy("GET /api/takeaway/orders", USERS, {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(["merchantId", "storeId"]),
    model: listOf(orders),
  }),
  policy("GET /api/takeaway/order", USERS, {
    sample: withOwn(orders, ({ id }) => ({ query: { id } })),
    slots: [slot("id", inQuery("id"), (world) => orders(world).map((fact) => ({ id: fact.id, place: fact })))],
  }),
  policy("GET /api/takeaway/unfetched", [...SP, ...MCH], {
    sample: () => ({ query: {} }),
    slots: levelFilters(["merchantId"]),
    model: model<ReturnType<typeof unfetched>[number]>({
      facts: unfetched,
      shown: (body) => (body as { rows: readonly { id: string }[] }).rows.map(({ id }) => id).toSorted(),
      expected: (seen) => seen.map(({ id }) => id).toSorted(),
    }),
  }),
  policy("POST /api/takeaway/unfetched/again", [...SP, ...MCH], {
    sample: withOwn(unfetched, ({ id }) => ({ body: { id } })),
    slots: [slot("id", inBody("id"), (world) => unfetched(world).map((fact) => ({ id: fact.id, place: { merchant: fact.merchant } })))],
  }),
  policy("POST /api/takeaway/unfetched/give-up", [...SP, ...MCH], {
    sample: withOwn(unfetched, ({ id }) => ({ body: { id, reason: "平台关店，问不到了" } })),
    slots: [slot("id", inBody("id"), (world) => unfetched(world).map((fact) => ({ id: fact.id, place: { merchant: fact.merchant } })))],
  }),
  policy("GET /api/takeaway/figures", USERS, {
    sample: (world) => ({ query: { from: today(world), to: today(world) } }),
    slots: levelFilters(["merchantId", "storeId"]),
    model: model<ReturnType<typeof orders>[number]>({
      facts: orders,
      shown: (body) => (body as { total: { orders: unknown } }).total.orders,
      expected: (seen) => seen.length,
    }),
  }),
];
