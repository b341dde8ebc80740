import { sql } from "kysely";
import { addDays, dayStart } from "@zhangfang/contract/time.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { during } from "@zhangfang/server/lists/conditions.ts";
import { membersInSight } from "./member-rows.ts";

/**
 * Of a span of Shanghai days: who became a member, and who of the members paid for goods; as the list of members counts them with the
 * same days. Who was merged counts as the one that stays.
 */
export async function countedMembers(
  tx: Transaction,
  scope: Scope,
  span: { readonly from: string; readonly to: string },
): Promise<{ readonly joined: number; readonly active: number }> {
  const since = dayStart(addDays(span.from, -1));
  const { rows } = await sql<{ joined: number; active: number }>`select
    (select count(*) from members m where m.status < 4 and ${during(span, "m.created_at")} and ${membersInSight(scope)})::int as joined,
    (select count(distinct m.id) from pay_orders o
      join members f on f.service_provider_id = o.service_provider_id and f.id = o.member_id
      join members m on m.service_provider_id = f.service_provider_id and m.id = coalesce(f.merged_into, f.id)
      where o.purpose = 0 and o.status in (2, 3) and o.created_at >= ${since}::timestamptz and ${during(span, "o.paid_at")} and ${inScope(scope, "o")}
        and m.status < 4 and ${membersInSight(scope)})::int as active`.execute(tx);
  return rows[0] ?? { joined: 0, active: 0 };
}
