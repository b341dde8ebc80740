import { giveRate, giveShareRatio } from "@zhangfang/domains/organisation/server/index.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { DemoTree } from "./tree.ts";

const SINCE = "2020-01-01";

/** What fees are shared by: one agent has a rate of its own, groups, teams and salesmen have ratios. */
export async function giveTerms(services: Services, { providers, agents, groups, teams, salesmen }: DemoTree): Promise<void> {
  const at = new Date(services.clock.now_ms()).toISOString();
  const [first, second] = [
    { serviceProviderId: providers.sp01, from: SINCE, by: "sp01", at },
    { serviceProviderId: providers.sp02, from: SINCE, by: "sp02", at },
  ];
  await withScope(services.pool, platformScope("demo terms"), async (tx) => {
    await giveRate(tx, { ...first, level: "agent", id: agents.agent02, channel: 0, product: "ALL", rate: 350 });
    await giveShareRatio(tx, { ...first, level: "group", id: groups.group01, ratio: 10_000 });
    await giveShareRatio(tx, { ...first, level: "team", id: teams.team01, ratio: 15_000 });
    await giveShareRatio(tx, { ...first, level: "salesman", id: salesmen.sale01, ratio: 8_000 });
    await giveShareRatio(tx, { ...first, level: "group", id: groups.group02, ratio: 10_000 });
    await giveShareRatio(tx, { ...first, level: "team", id: teams.team02, ratio: 12_000 });
    await giveShareRatio(tx, { ...second, level: "team", id: teams.team03, ratio: 20_000 });
  });
}
