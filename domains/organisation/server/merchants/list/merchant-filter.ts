import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import { all, type Condition, during, is, onDays } from "@zhangfang/server/lists/conditions.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { merchantFilter } from "../../../contract/index.ts";
import { merchantsFoundBy } from "../../lookups/fences.ts";

export const merchantInput = z.object(merchantFilter);
export type MerchantFilter = z.output<typeof merchantInput>;

/**
 * What a filter on merchants `m` means in SQL, for the list, its summary, its export and batch acts alike.
 * @param leaveState without the state, for the counts of the tabs
 */
export async function merchantsWhere(
  tx: Transaction,
  scope: Scope,
  filter: MerchantFilter,
  leaveState = false,
): Promise<RawBuilder<boolean>> {
  return all([
    inScope(scope, "m"),
    is("m.service_provider_id", filter.serviceProviderId),
    is("m.agent_id", filter.agentId),
    is("m.business_team_id", filter.businessTeamId),
    is("m.salesman_id", filter.salesmanId),
    is("m.trade", filter.trade || undefined),
    is("m.province", filter.province || undefined),
    !leaveState && is("m.state", filter.state),
    filter.keyword && (await merchantsFoundBy(tx, filter.keyword)),
    during(filter, "m.opened_at"),
    tookOn(scope, { from: filter.activeFrom, to: filter.activeTo }),
    filter.channel &&
      sql`${sql.raw(filter.channel === "no" ? "not " : "")}exists (
      select 1 from channel_settings c where c.service_provider_id = m.service_provider_id and c.merchant_id = m.id and c.state = 'active')`,
  ]);
}

/** That a payment came in on some days, under the attribution that the caller sees: what the statistics call an active merchant. */
function tookOn(scope: Scope, days: { readonly from: string | undefined; readonly to: string | undefined }): Condition {
  if (!days.from && !days.to) return undefined;
  return sql`exists (select 1 from takings_merchants t where t.service_provider_id = m.service_provider_id and t.merchant_id = m.id
    and t.pay_count > 0 and ${onDays(days, "t.day")} and ${inScope(scope, "t")})`;
}
