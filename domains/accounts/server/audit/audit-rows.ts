import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import { all, during, is } from "@zhangfang/server/lists/conditions.ts";
import { firstFence, type Scope } from "@zhangfang/server/database/scope.ts";
import type { auditFilters, auditRow } from "../../contract/audit/audit.ts";
import { maskChanges } from "./mask-changes.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";

type Filters = { [K in keyof typeof auditFilters]: z.output<(typeof auditFilters)[K]> };
type Row = z.input<typeof auditRow>;
/** A row as the database has it. */
export type Found = Omit<Row, "changes"> & { readonly detail: unknown };

/** The first fence of the log, the words of its policy; whoever sees some stores of a merchant sees only their own doings. */
function auditInScope(scope: Scope): RawBuilder<boolean> {
  if (!firstFence.on || scope.level === "PLATFORM" || scope.level === "ADMIN") return sql<boolean>`true`;
  const mine = sql<boolean>`l.service_provider_id = ${scope.provider ?? null}`;
  if (scope.level === "SP") return mine;
  if (scope.level !== "MCH") return sql<boolean>`false`;
  const own = scope.stores === undefined ? sql`true` : sql`l.user_id = ${scope.user ?? null}`;
  return sql<boolean>`${mine} and l.merchant_id = ${scope.merchant ?? null} and ${own}`;
}

/** The filter of list and export over the log `l`. */
export const auditWhere = (scope: Scope, given: Partial<Filters>): RawBuilder<boolean> =>
  all([
    auditInScope(scope),
    during(given, "l.at"),
    given.keyword && sql`l.login ilike ${likeText(given.keyword)} or app.login_of(l.actor_user_id) ilike ${likeText(given.keyword)}`,
    given.title && sql`l.title ilike ${likeText(given.title)}`,
    is("l.target_id", given.targetId || undefined),
    given.acting !== undefined && (given.acting ? sql`l.actor_user_id is not null` : sql`l.actor_user_id is null`),
    is("l.service_provider_id", given.serviceProviderId),
    is("l.merchant_id", given.merchantId),
  ]);

export const auditColumns = sql`l.id, l.at, l.login, app.login_of(l.actor_user_id) as "actorLogin", l.title, l.target_kind as "targetKind",
  l.target_id as "targetId", l.detail, l.ip, l.trace_id as "traceId", p.short_name as "serviceProviderName", m.short_name as "merchantName"`;
export const AUDIT_FROM = sql`audit_log l left join service_providers p on p.id = l.service_provider_id
  left join merchants m on m.service_provider_id = l.service_provider_id and m.id = l.merchant_id`;
/** The row as somebody may read it. */
export const readable = ({ detail, ...row }: Found): Row => ({ ...row, changes: maskChanges(detail) });
