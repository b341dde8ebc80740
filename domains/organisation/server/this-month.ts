import { sql, type RawBuilder } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";

/**
 * What was paid this month at a node, by the attribution of the moment, as far as the caller sees it.
 * @param column of `takings_daily`
 * @param node the node's alias; its provider and id are looked at
 */
export function paidThisMonth(
  scope: Scope,
  now_ms: number,
  column: "business_group_id" | "business_team_id" | "salesman_id",
  node: string,
): RawBuilder<unknown> {
  const today = shanghaiDay(now_ms);
  const of = (name: string) => sql.ref(`${node}.${name}`);
  return sql`(select coalesce(sum(k.paid_cents), 0)::bigint from takings_daily k
    where k.service_provider_id = ${of("service_provider_id")} and ${sql.ref(`k.${column}`)} = ${of("id")}
      and k.day between ${`${today.slice(0, 8)}01`}::date and ${today}::date and ${inScope(scope, "k")})`;
}
