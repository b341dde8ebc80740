import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import { inScope, type Scope } from "@zhangfang/server/scope.ts";
import type { differenceFilter } from "../../contract/index.ts";

export type DifferenceFilter = Partial<z.output<z.ZodObject<typeof differenceFilter>>>;
/** The filter of the list, its counts and its export. What vanished by itself is seen where somebody asks for it. */
export function differencesWhere(scope: Scope, filter: DifferenceFilter): RawBuilder<boolean> {
  const { serviceProviderId, merchantId, source, from, to, dayId, status, resolution, keyword } = filter;
  const found = keyword && sql`(d.number = ${keyword} or d.order_no = ${keyword} or d.channel_no = ${keyword})`;
  return sql<boolean>`${sql.join(
    [
      inScope(scope, "d", "merchant"),
      ...(serviceProviderId ? [sql`d.service_provider_id = ${serviceProviderId}`] : []),
      ...(merchantId ? [sql`d.merchant_id = ${merchantId}`] : []),
      ...(source ? [sql`d.source = ${source}`] : []),
      // A whole number is found on whatever day.
      ...(from && !keyword ? [sql`d.day >= ${from}::date`] : []),
      ...(to && !keyword ? [sql`d.day <= ${to}::date`] : []),
      ...(dayId ? [sql`d.day_id = ${dayId}`] : []),
      ...(filter.class ? [sql`d.class = ${filter.class}`] : []),
      ...(status ? [sql`d.status = ${status}`] : []),
      resolution ? sql`d.resolution = ${resolution}` : sql`d.resolution is distinct from 'vanished'`,
      ...(found ? [found] : []),
    ],
    sql` and `,
  )}`;
}
