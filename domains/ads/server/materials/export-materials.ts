import { sql } from "kysely";
import { z } from "zod";
import type { ExportColumn, ExportSource } from "@zhangfang/server/export-source.ts";
import { countAll } from "@zhangfang/server/keyset.ts";
import { readByCursor } from "@zhangfang/server/read-by-cursor.ts";
import { auditStatus, materialFilters, materialKind } from "../../contract/index.ts";
import { MATERIAL_COLUMNS, type MaterialRead, MATERIALS_FROM, materialsWhere } from "./material-rows.ts";

const column = (key: string, label: string, width: number, kind: ExportColumn["kind"] = "text"): ExportColumn => ({
  key,
  label,
  kind,
  width,
});
const input = z.object(materialFilters);

/** The list of materials as a file. */
export const materialExport: ExportSource<typeof input> = {
  name: "ad-materials",
  title: "广告素材",
  access: "/ad/materials/export",
  input,
  columns: [
    column("name", "名称", 24),
    column("kind", "类型", 8, "code"),
    column("size", "分辨率", 14),
    column("duration", "时长（秒）", 12),
    column("kilobytes", "大小（KB）", 12, "count"),
    column("audit_status", "审核状态", 10, "code"),
    column("reason", "原因", 24),
    column("auditedBy", "审核人", 12),
    column("auditedAt", "审核时间", 20, "time"),
    column("ownerName", "归属", 18),
    column("ads", "广告数", 8, "count"),
    column("createdBy", "上传人", 12),
    column("createdAt", "上传时间", 20, "time"),
    column("sha256", "SHA-256", 30),
  ],
  count: (tx, scope, filter) => countAll(tx, sql`ad_materials m where ${materialsWhere(scope, filter)}`),
  async *rows(tx, scope, filter) {
    const query = sql<MaterialRead>`select ${MATERIAL_COLUMNS} from ${MATERIALS_FROM} where ${materialsWhere(scope, filter)} order by m.created_at desc, m.id desc`;
    for await (const batch of readByCursor(tx, { compile: () => query.compile(tx) }))
      yield batch.map(({ thumb: _thumb, ...row }) => ({
        ...row,
        kind: materialKind.label(row.kind),
        size: `${row.width} × ${row.height}`,
        duration: row.durationMs === null ? "" : (row.durationMs / 1_000).toFixed(1),
        kilobytes: Math.ceil(row.sizeBytes / 1_024),
        audit_status: auditStatus.label(row.audit_status),
      }));
  },
};
