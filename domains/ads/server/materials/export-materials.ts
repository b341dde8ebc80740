import { z } from "zod";
import { exportColumn, fileOf, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { auditStatus, materialFilters, materialKind } from "../../contract/index.ts";
import type { MaterialRead } from "./material-rows.ts";
import { materialsListed } from "./read-materials.ts";

const input = z.object(materialFilters);

/** The list of materials as a file. */
export const materialExport: ExportSource<typeof input> = {
  name: "ad-materials",
  title: "广告素材",
  access: "/ad/materials/export",
  input,
  columns: [
    exportColumn("name", "名称", 24),
    exportColumn("kind", "类型", 8, "code"),
    exportColumn("size", "分辨率", 14),
    exportColumn("duration", "时长（秒）", 12),
    exportColumn("kilobytes", "大小（KB）", 12, "count"),
    exportColumn("audit_status", "审核状态", 10, "code"),
    exportColumn("reason", "原因", 24),
    exportColumn("auditedBy", "审核人", 12),
    exportColumn("auditedAt", "审核时间", 20, "time"),
    exportColumn("ownerName", "归属", 18),
    exportColumn("ads", "广告数", 8, "count"),
    exportColumn("createdBy", "上传人", 12),
    exportColumn("createdAt", "上传时间", 20, "time"),
    exportColumn("sha256", "SHA-256", 30),
  ],
  ...fileOf(materialsListed, ({ thumb: _thumb, ...row }: MaterialRead) => ({
    ...row,
    kind: materialKind.label(row.kind),
    size: `${row.width} × ${row.height}`,
    duration: row.durationMs === null ? "" : (row.durationMs / 1_000).toFixed(1),
    kilobytes: Math.ceil(row.sizeBytes / 1_024),
    audit_status: auditStatus.label(row.audit_status),
  })),
};
