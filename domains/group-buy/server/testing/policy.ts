import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { levelFilters, levelsOf, listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import { AE, MCH, model, type Policy, policy, SP } from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { entryFacts } from "./plant.ts";

const USERS = [...SP, ...MCH, ...AE];
const entries = (world: HttpWorld) =>
  world.of(entryFacts).map(({ id, merchant, store }) => ({
    id,
    merchant,
    store,
    ...levelsOf(world, merchant),
    storeId: world.till.tree.merchants[merchant].stores[store]!.id,
  }));
const today = ({ services }: HttpWorld) => shanghaiDay(services.clock.now_ms());

export const groupBuyPolicies: readonly Policy[] = [
  policy("GET /api/group-buy/entries", USERS, {
    sample: () => ({ query: { pageSize: "100", platform: "meituan" } }),
    slots: levelFilters(["merchantId", "storeId"]),
    model: listOf(entries),
  }),
  policy("GET /api/group-buy/figures", USERS, {
    sample: (world) => ({ query: { from: today(world), to: today(world), platform: "meituan" } }),
    slots: levelFilters(["merchantId", "storeId"]),
    model: model<ReturnType<typeof entries>[number]>({
      facts: entries,
      shown: (body) => (body as { total: { used: unknown } }).total.used,
      expected: (seen) => seen.length,
    }),
  }),
];
