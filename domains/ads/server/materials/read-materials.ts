import { sql } from "kysely";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { getMaterialById, getMaterials, queryMaterialAuditStatus, summariseMaterials } from "../../contract/index.ts";
import { MATERIAL_COLUMNS, type MaterialRead, materialRow, MATERIALS_FROM, materialsWhere } from "./material-rows.ts";

/** The list of materials, for screen and file. */
export const materialsListed = (scope: Scope, filter: Parameters<typeof materialsWhere>[1]): Listed => ({
  columns: MATERIAL_COLUMNS,
  from: MATERIALS_FROM,
  counted: sql`ad_materials m`,
  where: materialsWhere(scope, filter),
  order: "m.created_at",
});

/** 广告素材: what may be shown, whether it passed, and how many ads show it. */
export const getMaterialsRoute = implement(getMaterials, async (ctx, input) => {
  const { items, ...rest } = await listPage<MaterialRead>(ctx.tx, input, materialsListed(ctx.scope, input));
  return { items: items.map((row) => materialRow(ctx.services, row)), ...rest };
});

export const summariseMaterialsRoute = implement(summariseMaterials, async (ctx, input) => {
  const { rows } = await sql<{ count: number; sizeBytes: number; byStatus: Record<string, number> }>`
    select coalesce(sum(n), 0)::int as count, coalesce(sum(bytes), 0)::bigint as "sizeBytes", coalesce(jsonb_object_agg(status, n), '{}') as "byStatus"
    from (select m.status, count(*)::int as n, sum(m.size_bytes)::bigint as bytes from ad_materials m where ${materialsWhere(ctx.scope, input)} group by 1) s`.execute(
    ctx.tx,
  );
  const [found] = rows;
  if (!found) throw new Error("a count without a row");
  return found;
});

type Detail = OutputOf<typeof getMaterialById>;
/** 素材详情, with the ads that show it and what was said of it. */
export const getMaterialByIdRoute = implement(getMaterialById, async (ctx, { material_id }) => {
  const { rows } = await sql<MaterialRead & Pick<Detail, "usedBy" | "audits">>`select ${MATERIAL_COLUMNS},
      coalesce((select jsonb_agg(jsonb_build_object('ad_id', a.id, 'name', a.name, 'status', a.status) order by a.status desc, a.name, a.id) from ad_items i
        join ads a on a.owner_id = i.owner_id and a.id = i.ad_id and a.removed_at is null where i.owner_id = m.owner_id and i.material_id = m.id), '[]') as "usedBy",
      coalesce((select jsonb_agg(jsonb_build_object('sha256', h.sha256, 'status', h.status, 'reason', h.reason, 'byName', h.by_name,
        'at', to_char(h.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by h.at desc, h.id desc)
        from ad_material_audits h where h.material_id = m.id), '[]') as audits
    from ${MATERIALS_FROM} where ${materialsWhere(ctx.scope, {})} and m.id = ${material_id}`.execute(ctx.tx);
  const [row] = rows;
  if (!row) throw notFound("素材");
  const { usedBy, audits, ...read } = row;
  return { ...materialRow(ctx.services, read), usedBy, audits };
});

/** 素材审核状态, for whoever polls it. */
export const queryMaterialAuditStatusRoute = implement(queryMaterialAuditStatus, async (ctx, { material_id }) => {
  const { rows } = await sql<OutputOf<typeof queryMaterialAuditStatus>>`
    select m.id as material_id, m.status as audit_status, m.reason, m.sha256, m.audited_at as "auditedAt"
    from ad_materials m where ${materialsWhere(ctx.scope, {})} and m.id = ${material_id}`.execute(ctx.tx);
  const [row] = rows;
  if (!row) throw notFound("素材");
  return row;
});
