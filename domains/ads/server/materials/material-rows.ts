import { sql, type RawBuilder } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { firstFence, type Scope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { getMaterials, summariseMaterials } from "../../contract/index.ts";
import { materialLink } from "./file-link.ts";

type Row = RowOf<typeof getMaterials>;
/** A row as the database gives it, before its links are signed. */
export interface MaterialRead extends Omit<Row, "url" | "thumbUrl" | "material_id"> {
  readonly thumb: boolean;
}

export const MATERIALS_FROM = sql`ad_materials m left join service_providers p on p.id = m.service_provider_id
  left join lateral (select count(*)::int as ads, (count(*) filter (where a.status = 1))::int as enabled from ad_items i
    join ads a on a.owner_id = i.owner_id and a.id = i.ad_id and a.removed_at is null where i.owner_id = m.owner_id and i.material_id = m.id) u on true`;
export const MATERIAL_COLUMNS = sql`m.id, m.name, m.kind, m.content_type as "contentType", m.sha256, m.size_bytes as "sizeBytes", m.width, m.height,
  m.duration_ms as "durationMs", m.thumb_key is not null as thumb, m.status as audit_status, m.reason, m.audited_by as "auditedBy", m.audited_at as "auditedAt",
  case when m.service_provider_id is null then '平台' else coalesce(p.short_name, '服务商') end as "ownerName", m.service_provider_id as "serviceProviderId", u.ads, u.enabled as "enabledAds",
  m.created_by as "createdBy", m.created_at as "createdAt", m.revision`;

/** Whose materials a caller manages: the platform all, a provider its own. */
export function managed(scope: Scope): RawBuilder<boolean> {
  if (scope.level === "PLATFORM" || scope.level === "ADMIN") return sql<boolean>`true`;
  // The platform's are read below, where they play, and managed above alone.
  if (!firstFence.on) return sql<boolean>`m.service_provider_id is not null`;
  return scope.level === "SP" ? sql<boolean>`m.owner_id = ${scope.provider ?? null}` : sql<boolean>`false`;
}
/** The materials in the caller's hands that a filter names, of `ad_materials m`. */
export function materialsWhere(
  scope: Scope,
  { keyword, kind, audit_status, serviceProviderId }: ParsedOf<typeof summariseMaterials>,
): RawBuilder<boolean> {
  const like = keyword && likeText(keyword);
  return all([
    sql`m.removed_at is null`,
    managed(scope),
    like && sql`m.name ilike ${like}`,
    is("m.kind", kind),
    is("m.status", audit_status),
    is("m.owner_id", serviceProviderId),
  ]);
}
/** The row as it is answered. */
export const materialRow = (services: Services, { thumb, ...row }: MaterialRead): Row => ({
  ...row,
  material_id: row.id,
  url: materialLink(services, row),
  thumbUrl: thumb ? materialLink(services, row, "thumb") : null,
});
