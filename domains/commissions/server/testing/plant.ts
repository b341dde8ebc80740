import { keepAccount, placeWithdrawal, postCommissions } from "../index.ts";
import type { TillWorld } from "../../../orders/server/testing/till-world.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Login, Place } from "../../../../apps/server/testing/matrix/people.ts";
import { plant } from "../../../../apps/server/testing/world.ts";

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
  readonly accounts: readonly (Place & { readonly id: string })[];
  readonly withdrawals: readonly (Omit<Shared, "net" | "receiver"> & { readonly status: number })[];
  readonly daily: readonly Shared[];
  readonly lines: readonly (Shared & { readonly merchantId: string })[];
}

/** Gives groups, teams and salesmen a ratio, and posts the day of the world as if it were over. */
async function shareFees(till: TillWorld): Promise<CommissionFacts> {
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
  return { daily: daily.map(placed), lines: lines.map(placed), ...(await withdraw(till, tomorrow)) };
}

/** Both agents have an account that may be paid to; each asked for money once, and one of the first's is on its way to a bank. */
async function withdraw(till: TillWorld, services: Services): Promise<Pick<CommissionFacts, "accounts" | "withdrawals">> {
  const { tree } = till;
  const before = { ...services, clock: { now_ms: () => services.clock.now_ms() - 3 * 86_400_000 } };
  const facts: { accounts: CommissionFacts["accounts"][number][]; withdrawals: CommissionFacts["withdrawals"][number][] } = {
    accounts: [],
    withdrawals: [],
  };
  for (const [login, times] of [
    ["agent01", 2],
    ["agent02", 1],
  ] as const) {
    const id = tree.agents[login];
    const owner = { agent_id: id, business_group_id: null, business_team_id: null, salesman_id: null, receiver_id: id };
    const own = { provider: tree.providers.sp01, receiver: "agent" as const, owner };
    await till.look(async (tx) => {
      const bank = { method: "bank" as const, number: "6228480402564890018", holder: "某人", bankName: "某银行" };
      const account = await keepAccount(tx, before, own, bank, login);
      facts.accounts.push({ id: account.id, provider: "sp01", user: login });
      for (let n = 0; n < times; n++) {
        const by = { id: tree.users[login], name: login };
        const asking = { own, request_id: services.ids.uuid(services.clock.now_ms()), account_id: account.id, amount_cents: 100, by };
        const { id: withdrawal } = await placeWithdrawal(tx, services, asking);
        const place = { provider: "sp01" as const, user: login, serviceProviderId: tree.providers.sp01, agentId: id, businessTeamId: null };
        facts.withdrawals.push({ id: withdrawal, ...place, status: n === 1 ? 2 : 0 });
      }
    });
  }
  for (const { id, status } of facts.withdrawals)
    if (status === 2) await till.owner("update withdrawals set status = 2 where id = $1", [id]);
  return facts;
}
export const commissionFacts = plant(({ till }) => shareFees(till));
