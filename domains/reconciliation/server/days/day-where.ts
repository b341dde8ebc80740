import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import { inScope, type Scope } from "@zhangfang/server/scope.ts";
import type { dayFilter } from "../../contract/index.ts";
import { stateOf } from "../rows.ts";

export type DayFilter = Partial<z.output<z.ZodObject<typeof dayFilter>>>;
/** The filter of the list, its sums and its export. */
export function daysWhere(scope: Scope, { serviceProviderId, merchantId, source, from, to, state }: DayFilter): RawBuilder<boolean> {
  return sql<boolean>`${sql.join(
    [
      inScope(scope, "d", "merchant"),
      ...(serviceProviderId ? [sql`d.service_provider_id = ${serviceProviderId}`] : []),
      ...(merchantId ? [sql`d.merchant_id = ${merchantId}`] : []),
      ...(source ? [sql`d.source = ${source}`] : []),
      ...(from ? [sql`d.day >= ${from}::date`] : []),
      ...(to ? [sql`d.day <= ${to}::date`] : []),
      ...(state ? [sql`${stateOf} = ${state}`] : []),
    ],
    sql` and `,
  )}`;
}
