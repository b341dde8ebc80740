import { sql, type RawBuilder } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** A node of the organisation, by kind. */
export interface TreeNode {
  readonly kind: "provider" | "agent" | "group" | "team" | "salesman" | "merchant" | "store" | "area";
  readonly serviceProviderId: string;
  readonly id: string;
}
/** Whose sessions: some accounts, all under a node, or all that hold a position. */
export type SessionOwners = { readonly userIds: readonly string[] } | { readonly subtree: TreeNode } | { readonly positionId: string };

/**
 * Ends the sessions of accounts at once, those in which they act for somebody included, and with them every ticket and
 * code from which a new session could still come. Call it in the transaction of the change that is the reason, after the change.
 * @param why what the device list says
 * @returns how many were ended
 */
export async function endSessions(tx: Transaction, services: Services, owners: SessionOwners, why: string): Promise<number> {
  const now = new Date(services.clock.now_ms()).toISOString();
  const found = await sql<{ id: string }>`select u.id from users u where ${conditionOf(owners)}`.execute(tx);
  if (found.rows.length === 0) return 0;
  // One parameter, however many they are: a provider's tree has thousands.
  const ids = sql`any(${`{${found.rows.map((row) => row.id).join(",")}}`}::uuid[])`;
  const ended = await sql`update sessions set ended_at = ${now}, ended_why = ${why}
    where ended_at is null and (user_id = ${ids} or actor_user_id = ${ids})`.execute(tx);
  await sql`update login_tickets set used_at = ${now} where used_at is null and (user_id = ${ids} or issued_by = ${ids})`.execute(tx);
  await sql`update qr_requests set state = 'refused' where state in ('scanned', 'confirmed') and user_id = ${ids}`.execute(tx);
  return Number(ended.numAffectedRows ?? 0);
}

function conditionOf(owners: SessionOwners): RawBuilder<boolean> {
  if ("userIds" in owners) return sql`u.id = any(${`{${owners.userIds.join(",")}}`}::uuid[])`;
  if ("positionId" in owners) return sql`u.position_id = ${owners.positionId}`;
  const { kind, serviceProviderId, id } = owners.subtree;
  const mine = sql`u.service_provider_id = ${serviceProviderId}`;
  const salesmenOf = (column: RawBuilder<unknown>) =>
    sql`u.salesman_id in (select s.id from salesmen s where s.service_provider_id = ${serviceProviderId} and ${column} = ${id})`;
  switch (kind) {
    case "provider":
      return sql`u.service_provider_id = ${id}`;
    case "agent":
      return sql`${mine} and (u.agent_id = ${id} or ${salesmenOf(sql`s.agent_id`)})`;
    case "group":
      return sql`${mine} and (u.business_group_id = ${id} or ${salesmenOf(sql`s.business_group_id`)}
        or u.business_team_id in (select t.id from business_teams t where t.service_provider_id = ${serviceProviderId} and t.business_group_id = ${id}))`;
    case "team":
      return sql`${mine} and (u.business_team_id = ${id} or ${salesmenOf(sql`s.business_team_id`)})`;
    case "salesman":
      return sql`${mine} and u.salesman_id = ${id}`;
    case "merchant":
      return sql`${mine} and u.merchant_id = ${id}`;
    case "store":
      return sql`${mine} and (u.id in (select x.user_id from user_stores x where x.service_provider_id = ${serviceProviderId} and x.store_id = ${id})
        or u.id in (select x.user_id from user_areas x join area_stores y on y.service_provider_id = x.service_provider_id and y.area_id = x.area_id
          where x.service_provider_id = ${serviceProviderId} and y.store_id = ${id}))`;
    case "area":
      return sql`${mine} and u.id in (select x.user_id from user_areas x where x.service_provider_id = ${serviceProviderId} and x.area_id = ${id})`;
  }
}
