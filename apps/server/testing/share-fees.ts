import { postCommissions } from "@zhangfang/domains/commissions/server/index.ts";
import type { TillWorld } from "@zhangfang/domains/orders/server/testing/till-world.ts";
import type { Login, Place } from "./people.ts";

interface Shared extends Place {
  readonly id: string;
  readonly serviceProviderId: string;
  readonly agentId: string | null;
  readonly businessTeamId: string | null;
  readonly receiver: string;
  readonly net: number;
}
/** What receivers got on the day of the world, and the lines behind it. */
export interface CommissionFacts {
  readonly daily: readonly Shared[];
  readonly lines: readonly (Shared & { readonly merchantId: string })[];
}

/** Gives groups, teams and salesmen a ratio, and posts the day of the world as if it were over. */
export async function shareFees(till: TillWorld): Promise<CommissionFacts> {
  const { tree, services } = till;
  for (const [column, ids] of [
    ["business_group_id", Object.values(tree.groups)],
    ["business_team_id", Object.values(tree.teams)],
    ["salesman_id", Object.values(tree.salesmen)],
  ] as const)
    for (const id of ids)
      await till.owner(
        `insert into share_ratios (service_provider_id, ${column}, effective_from, ratio, set_by, created_at)
         select service_provider_id, id, '2020-01-01', 10000, 'sp', now() from ${{ business_group_id: "business_groups", business_team_id: "business_teams", salesman_id: "salesmen" }[column]} where id = $1`,
        [id],
      );
  const tomorrow = { ...services, clock: { now_ms: () => services.clock.now_ms() + 86_400_000 } };
  for (const provider of Object.values(tree.providers)) await postCommissions(tomorrow, provider);
  const logins = new Map(
    Object.entries({ ...tree.agents, ...tree.groups, ...tree.teams, ...tree.salesmen }).map(([login, id]) => [id, login as Login]),
  );
  const providers = new Map(Object.entries(tree.providers).map(([name, id]) => [id, name as "sp01" | "sp02"]));
  const columns = `id, service_provider_id as "serviceProviderId", receiver_id, agent_id as "agentId", business_team_id as "businessTeamId", receiver`;
  const placed = <R extends { serviceProviderId: string; receiver_id: string }>({ receiver_id, ...row }: R) => ({
    ...row,
    provider: providers.get(row.serviceProviderId)!,
    user: logins.get(receiver_id),
  });
  type Row = Shared & { receiver_id: string };
  const daily = await till.owner<Row>(`select ${columns}, net_cents::int as net from commission_daily`);
  const lines = await till.owner<Row & { merchantId: string }>(
    `select ${columns}, order_merchant_id as "merchantId", amount_cents::int as net from commission_lines`,
  );
  return { daily: daily.map(placed), lines: lines.map(placed) };
}
