import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import { addDays, dayStart } from "@zhangfang/contract/time.ts";
import type { Transaction } from "@zhangfang/server/db.ts";
import { inScope, type Scope } from "@zhangfang/server/scope.ts";
import { merchantFilter } from "../../contract/index.ts";
import { merchantsFoundBy } from "../lookups/fences.ts";

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
  const is = (column: string, value: string | undefined) => (value === undefined ? undefined : sql`${sql.ref(column)} = ${value}`);
  const conditions = [
    inScope(scope, "m"),
    is("m.service_provider_id", filter.serviceProviderId),
    is("m.agent_id", filter.agentId),
    is("m.business_team_id", filter.businessTeamId),
    is("m.salesman_id", filter.salesmanId),
    is("m.trade", filter.trade || undefined),
    is("m.province", filter.province || undefined),
    leaveState ? undefined : is("m.state", filter.state),
    filter.keyword ? await merchantsFoundBy(tx, filter.keyword) : undefined,
    filter.from === undefined ? undefined : sql`m.opened_at >= ${dayStart(filter.from)}::timestamptz`,
    filter.to === undefined ? undefined : sql`m.opened_at < ${dayStart(addDays(filter.to, 1))}::timestamptz`,
    filter.channel &&
      sql`${sql.raw(filter.channel === "no" ? "not " : "")}exists (
      select 1 from channel_settings c where c.service_provider_id = m.service_provider_id and c.merchant_id = m.id and c.state = 'active')`,
  ];
  return sql<boolean>`${sql.join(
    conditions.filter((condition) => condition !== undefined),
    sql` and `,
  )}`;
}
