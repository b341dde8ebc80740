import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { storeFilter } from "../../../contract/index.ts";
import { storesFoundBy } from "../found-by.ts";

export const storeInput = z.object(storeFilter);
export type StoreFilter = z.output<typeof storeInput>;

/**
 * What a filter on stores `s` means in SQL, for the list, its summary and its export alike.
 * @param leaveState without the state, for the counts of the tabs
 */
export async function storesWhere(tx: Transaction, scope: Scope, filter: StoreFilter, leaveState = false): Promise<RawBuilder<boolean>> {
  return all([
    inScope(scope, "s"),
    is("s.service_provider_id", filter.serviceProviderId),
    is("s.agent_id", filter.agentId),
    is("s.business_team_id", filter.businessTeamId),
    is("s.merchant_id", filter.merchantId),
    is("s.id", filter.storeId),
    is("s.province", filter.province || undefined),
    is("s.city", filter.city || undefined),
    !leaveState && is("s.state", filter.state),
    filter.keyword && (await storesFoundBy(tx, filter.keyword)),
    filter.groupId &&
      sql`exists (select 1 from store_group_members g where g.service_provider_id = s.service_provider_id and g.store_id = s.id and g.group_id = ${filter.groupId})`,
    filter.areaId &&
      sql`exists (select 1 from area_stores a where a.service_provider_id = s.service_provider_id and a.store_id = s.id and a.area_id = ${filter.areaId})`,
  ]);
}
