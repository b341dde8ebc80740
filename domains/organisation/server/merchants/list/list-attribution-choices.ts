import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { listAttributionChoices, LOOKUP_LIMIT } from "../../../contract/index.ts";

/** A team its own, a group those of it. */
const ownTeams = ({ level, team, group }: Scope) =>
  level === "GP" ? sql`t.business_group_id = ${group ?? null}` : sql`t.id = ${team ?? null} and ${sql.lit(level === "TM")}`;
type Choices = OutputOf<typeof listAttributionChoices>;

/** Open agents, teams and salesmen of a provider: the caller's own and below. */
export const listAttributionChoicesRoute = implement(listAttributionChoices, async (ctx, { serviceProviderId }) => {
  const { scope, tx } = ctx;
  // Whoever stands in a tree asks about that one: another one has nothing for them.
  const asked = serviceProviderId ?? scope.provider ?? null;
  const provider = scope.provider === undefined || scope.provider === asked ? asked : null;
  const above = ["ADMIN", "SP"].includes(scope.level);
  const of = (alias: string) => sql`${sql.ref(`${alias}.service_provider_id`)} = ${provider} and ${sql.ref(`${alias}.state`)} = 'active'`;
  const agents = await sql<Choices["agents"][number]>`select a.id, a.name from agents a where ${of("a")} and a.status = 2
    and ${above ? sql`true` : sql`a.id = ${scope.agent ?? null} and ${sql.lit(scope.level === "AG")}`} order by a.name, a.id limit ${LOOKUP_LIMIT}`.execute(
    tx,
  );
  const teams = await sql<Choices["teams"][number]>`select t.id, t.name from business_teams t where ${of("t")}
    and ${above ? sql`true` : ownTeams(scope)} order by t.name, t.id limit ${LOOKUP_LIMIT}`.execute(tx);
  const salesmen = await sql<
    Choices["salesmen"][number]
  >`select s.id, s.name, s.agent_id as "agentId", s.business_team_id as "businessTeamId"
    from salesmen s where ${of("s")} and ${inScope(scope, "s")} order by s.name, s.id limit ${LOOKUP_LIMIT}`.execute(tx);
  return { agents: agents.rows, teams: teams.rows, salesmen: salesmen.rows };
});
