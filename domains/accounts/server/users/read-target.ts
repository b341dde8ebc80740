import { sql, type RawBuilder } from "kysely";
import type { Principal } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { firstFence, type Scope } from "@zhangfang/server/database/scope.ts";
import { accountLevel, type Level } from "../../contract/levels.ts";
import { isRoot, sessionOf } from "../session/read-session.ts";
import type { Actor, Lineage, Target } from "./account-rules.ts";

/** An account with every node above it and what its owner is called. */
export interface TargetRow extends Target {
  readonly state: "active" | "disabled";
  readonly firstName: string;
  readonly passwordHash: string;
}

// Of a merchant, a salesman and a team the attribution of today counts; an account's own row names just its own node.
const FROM = sql`users u
  left join merchants m on m.service_provider_id = u.service_provider_id and m.id = u.merchant_id
  left join salesmen s on s.service_provider_id = u.service_provider_id and s.id = u.salesman_id
  left join business_teams t on t.service_provider_id = u.service_provider_id and t.id = u.business_team_id`;
const STORES = sql`case when u.level = 'AE' then array(
    select x.store_id::text from user_stores x where x.service_provider_id = u.service_provider_id and x.user_id = u.id union
    select y.store_id::text from user_areas x join area_stores y on y.service_provider_id = x.service_provider_id and y.area_id = x.area_id
      where x.service_provider_id = u.service_provider_id and x.user_id = u.id)
  when u.narrowed then array(select x.store_id::text from user_stores x where x.service_provider_id = u.service_provider_id and x.user_id = u.id) end`;

/** The first fence for accounts, the same words as the policy on users: a row names only its own node, the rest goes through the nodes. */
export function usersInScope(scope: Scope): RawBuilder<boolean> {
  if (!firstFence.on) return sql<boolean>`true`;
  const own = sql<boolean>`u.id = ${scope.user ?? null}`;
  const mine = sql<boolean>`u.service_provider_id = ${scope.provider ?? null}`;
  switch (scope.level) {
    case "PLATFORM":
    case "ADMIN":
      return sql<boolean>`true`;
    case "SP":
      return mine;
    case "AG":
      return sql<boolean>`(${own} or ${mine} and ${scope.agent ?? null} in (u.agent_id, s.agent_id, m.agent_id))`;
    case "GP":
      return sql<boolean>`(${own} or ${mine} and ${scope.group ?? null} in (u.business_group_id, t.business_group_id, s.business_group_id, m.business_group_id))`;
    case "TM":
      return sql<boolean>`(${own} or ${mine} and ${scope.team ?? null} in (u.business_team_id, s.business_team_id, m.business_team_id))`;
    case "MCH":
      return sql<boolean>`${mine} and u.merchant_id = ${scope.merchant ?? null}`;
    default:
      return own;
  }
}

/** Reads accounts that are in the scope's sight, by id. */
export async function readTargets(tx: Transaction, scope: Scope, ids: readonly string[]): Promise<TargetRow[]> {
  const found = await sql<TargetRow>`
    select u.id, u.login, u.root_login as "rootLogin", u.first_name as "firstName", u.state, u.password_hash as "passwordHash", u.level, u.service_provider_id as provider,
      coalesce(u.agent_id, s.agent_id, m.agent_id) as agent, coalesce(u.business_group_id, t.business_group_id, s.business_group_id, m.business_group_id) as "group",
      coalesce(u.business_team_id, s.business_team_id, m.business_team_id) as team, u.merchant_id as merchant, ${STORES} as stores
    from ${FROM} where u.id = any(${`{${ids.join(",")}}`}::uuid[]) and ${usersInScope(scope)}`.execute(tx);
  return found.rows;
}
export const TARGET_FROM = FROM;

/** The lineage of a node that an account is to be added to; undefined where there is none in sight. */
export async function readLineage(
  tx: Transaction,
  level: Level,
  provider: string | undefined,
  nodeId: string | undefined,
): Promise<Lineage | undefined> {
  const none = { level, provider: provider ?? null, agent: null, group: null, team: null, merchant: null, stores: null };
  if (level === "ADMIN") return none;
  if (provider === undefined) return undefined;
  const query = {
    SP: sql`select null::uuid as agent from service_providers where id = ${provider}`,
    AG: sql`select id as agent from agents where service_provider_id = ${provider} and id = ${nodeId}`,
    GP: sql`select id as "group" from business_groups where service_provider_id = ${provider} and id = ${nodeId}`,
    TM: sql`select id as team, business_group_id as "group" from business_teams where service_provider_id = ${provider} and id = ${nodeId}`,
    SM: sql`select agent_id as agent, business_group_id as "group", business_team_id as team from salesmen where service_provider_id = ${provider} and id = ${nodeId}`,
    MCH: sql`select agent_id as agent, business_group_id as "group", business_team_id as team, id as merchant from merchants where service_provider_id = ${provider} and id = ${nodeId}`,
    AE: sql`select agent_id as agent, business_group_id as "group", business_team_id as team, id as merchant from merchants where service_provider_id = ${provider} and id = ${nodeId}`,
  }[level];
  const row = (await sql<Partial<Lineage>>`${query}`.execute(tx)).rows[0];
  return row && { ...none, ...row };
}

/** The caller as the account rules see it. */
export function actorOf(principal: Principal): Actor {
  const session = sessionOf(principal);
  const { scope } = principal;
  const level = accountLevel.values.find((value) => value === session.level)!;
  return {
    userId: session.user_id,
    login: session.login,
    root: isRoot(session),
    level,
    provider: scope.provider,
    agent: scope.agent,
    group: scope.group,
    team: scope.team,
    merchant: scope.merchant,
    stores: scope.stores,
  };
}

/** An account read by id as one who acts, where no session of it is at hand. */
export const accountAsActor = (row: TargetRow): Actor => ({
  userId: row.id,
  login: row.login,
  root: row.login === row.rootLogin,
  level: row.level,
  provider: row.provider ?? undefined,
  agent: row.agent ?? undefined,
  group: row.group ?? undefined,
  team: row.team ?? undefined,
  merchant: row.merchant ?? undefined,
  stores: row.stores ?? undefined,
});
