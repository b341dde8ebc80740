import { sql, type RawBuilder } from "kysely";
import { firstFence, inScope, type Scope } from "@zhangfang/server/database/scope.ts";

/** The rows of one owner, or of every provider. */
export interface Owner {
  readonly kind: "provider" | "agent" | "group" | "team" | "salesman" | "merchant" | "store";
  /** None: all that are in sight. */
  readonly ids?: readonly string[];
  /** The columns that it fixes. */
  readonly by: readonly ("agent_id" | "business_team_id" | "merchant_id" | "store_id")[];
}
interface Levels {
  readonly serviceProviderId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly businessTeamId?: string | undefined;
  readonly merchantId?: string | undefined;
  readonly storeId?: string | undefined;
}

/**
 * The rows of `takings` that add up to what a scope sees: each level has rows of its own, so that nothing is counted
 * twice. The platform is the sum of its providers, and whoever sees only some stores is the sum of those.
 */
export const takingsOf = (scope: Scope): RawBuilder<boolean> => ownedBy(scope, own(scope));
/** The rows of an owner that the scope sees. */
export function ownedBy(scope: Scope, { kind, ids }: Owner): RawBuilder<boolean> {
  // Without the first fence the second shows the scope's own owners alone.
  const mine = ids === undefined ? sql<boolean>`true` : sql<boolean>`t.owner_id = any(${`{${ids.join(",")}}`}::uuid[])`;
  return sql<boolean>`t.owner_kind = ${kind} and ${mine} and ${inScope(scope, "t")} and ${ids === undefined ? sql`true` : tenantOf(scope)}`;
}
/** Every index of owned rows leads with the provider: the platform, who has none, goes through them all. */
export const tenantOf = (scope: Scope): RawBuilder<boolean> =>
  scope.provider === undefined ? sql<boolean>`t.service_provider_id in (select p.id from service_providers p)` : sql<boolean>`true`;
/** The one owner whose rows answer for a scope narrowed to some levels; undefined where none does. */
export function ownerOf(scope: Scope, { agentId, businessTeamId, merchantId, storeId }: Levels): Owner | undefined {
  const given = [agentId, businessTeamId, merchantId, storeId].filter((id) => id !== undefined);
  if (given.length === 0) return own(scope);
  const wide = scope.level === "SP" || scope.level === "ADMIN" || scope.level === "PLATFORM";
  if (given.length !== 1) return undefined;
  if (storeId !== undefined && (wide || scope.level === "MCH" || scope.level === "AE"))
    return { kind: "store", ids: [storeId], by: ["store_id"] };
  if (!wide) return undefined;
  // Rows of an owner know the moment's attribution: these are all of what it ever was given.
  if (agentId !== undefined) return { kind: "agent", ids: [agentId], by: ["agent_id"] };
  if (businessTeamId !== undefined) return { kind: "team", ids: [businessTeamId], by: ["business_team_id"] };
  return { kind: "merchant", ids: [merchantId ?? ""], by: ["merchant_id"] };
}
function own(scope: Scope): Owner {
  const one = (kind: Owner["kind"], id: string | undefined): Owner => ({ kind, ...(firstFence.on && { ids: [id ?? ""] }), by: [] });
  switch (scope.level) {
    case "PLATFORM":
    case "ADMIN":
      return { kind: "provider", by: [] };
    case "SP":
      return one("provider", scope.provider);
    case "AG":
      return one("agent", scope.agent);
    case "GP":
      return one("group", scope.group);
    case "TM":
      return one("team", scope.team);
    case "SM":
      return one("salesman", scope.salesman);
    case "MCH":
    case "AE":
      return scope.stores === undefined
        ? one("merchant", scope.merchant)
        : { kind: "store", ...(firstFence.on && { ids: scope.stores }), by: ["store_id"] };
  }
}
