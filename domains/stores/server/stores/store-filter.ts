import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import type { Transaction } from "@zhangfang/server/db.ts";
import { inScope, type Scope } from "@zhangfang/server/scope.ts";
import { storeFilter } from "../../contract/index.ts";
import { storesFoundBy } from "./found-by.ts";

export const storeInput = z.object(storeFilter);
export type StoreFilter = z.output<typeof storeInput>;

/**
 * What a filter on stores `s` means in SQL, for the list, its summary and its export alike.
 * @param leaveState without the state, for the counts of the tabs
 */
export async function storesWhere(tx: Transaction, scope: Scope, filter: StoreFilter, leaveState = false): Promise<RawBuilder<boolean>> {
  const is = (column: string, value: string | undefined) => (value === undefined ? undefined : sql`${sql.ref(column)} = ${value}`);
  // As arrays that are read first: then the index on provider and merchant finds the stores.
  const attributed = (column: string, value: string | undefined) => {
    const of = (wanted: string) => sql`any(array(select distinct ${sql.ref(wanted)} from merchants f where ${sql.ref(column)} = ${value}))`;
    return value === undefined ? undefined : sql`s.service_provider_id = ${of("f.service_provider_id")} and s.merchant_id = ${of("f.id")}`;
  };
  const conditions = [
    inScope(scope, "s", "store"),
    is("s.service_provider_id", filter.serviceProviderId),
    attributed("f.agent_id", filter.agentId),
    attributed("f.business_team_id", filter.businessTeamId),
    is("s.merchant_id", filter.merchantId),
    is("s.id", filter.storeId),
    is("s.province", filter.province || undefined),
    is("s.city", filter.city || undefined),
    leaveState ? undefined : is("s.state", filter.state),
    filter.keyword ? await storesFoundBy(tx, filter.keyword) : undefined,
    filter.groupId &&
      sql`exists (select 1 from store_group_members g where g.service_provider_id = s.service_provider_id and g.store_id = s.id and g.group_id = ${filter.groupId})`,
    filter.areaId &&
      sql`exists (select 1 from area_stores a where a.service_provider_id = s.service_provider_id and a.store_id = s.id and a.area_id = ${filter.areaId})`,
  ];
  return sql<boolean>`${sql.join(
    conditions.filter((condition) => condition !== undefined),
    sql` and `,
  )}`;
}
