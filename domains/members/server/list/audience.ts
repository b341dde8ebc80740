import { type RawBuilder, sql } from "kysely";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import type { AudienceFilter } from "../../contract/index.ts";

/**
 * The members `m` of a merchant that a filter means now; who left, is leaving or was merged is nobody's audience.
 * @param merchants a merchant's id, or what selects the ids of several
 * @example sql`select count(*) from ${audienceOf(ctx.scope, merchant_id, { tag: "老客" })}`
 */
export const audienceOf = (
  scope: Scope,
  merchants: string | RawBuilder<unknown>,
  { tag, spentFromCents, lastVisitBefore, storeId }: AudienceFilter,
): RawBuilder<unknown> =>
  sql`members m left join member_totals t on t.service_provider_id = m.service_provider_id and t.member_id = m.id
    where ${inScope(scope, "m", "merchant")} and m.merchant_id in (${merchants}) and ${all([
      sql`m.status in (1, 2)`,
      tag &&
        sql`exists (select from member_tags g where g.service_provider_id = m.service_provider_id and g.merchant_id = m.merchant_id and g.tag = ${tag}
          and g.member_id = m.id)`,
      spentFromCents !== undefined && sql`coalesce(t.spent_cents, 0) >= ${spentFromCents}`,
      lastVisitBefore &&
        sql`t.last_visit_at is null or t.last_visit_at < (${lastVisitBefore}::date)::timestamp at time zone 'Asia/Shanghai'`,
      storeId &&
        sql`exists (select from member_stores s where s.service_provider_id = m.service_provider_id and s.member_id = m.id and s.store_id = ${storeId})`,
    ])}`;
