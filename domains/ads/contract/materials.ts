import { read, write } from "@zhangfang/contract/endpoint.ts";
import { id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";

export const materialKind = labelled({ 1: "图片", 2: "视频" });
/** domain.md, Status values. */
export const auditStatus = labelled({ 0: ["未审核", "warn"], 1: ["已通过", "good"], 2: ["不确定", "active"], 3: ["已拒绝", "bad"] });
export const auditVerdict = labelled({ 1: ["通过", "good"], 2: ["不确定", "active"], 3: ["拒绝", "bad"] });
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, "须为 SHA-256");
const screen = "/ad/materials";

/** What the list is narrowed by, also for its file. */
export const materialFilters = {
  keyword: line(64).optional(),
  kind: oneOf(materialKind).optional(),
  audit_status: oneOf(auditStatus).optional(),
  serviceProviderId: id.optional(),
};
const materialRow = z.object({
  id: z.string(),
  material_id: z.string(),
  name: z.string(),
  kind: oneOf(materialKind),
  contentType: z.string(),
  sha256: z.string(),
  sizeBytes: z.int(),
  width: z.int(),
  height: z.int(),
  /** A video's length. */
  durationMs: z.int().nullable(),
  /** Where its file and its small picture lie on this server. */
  url: z.string(),
  thumbUrl: z.string().nullable(),
  audit_status: oneOf(auditStatus),
  reason: z.string().nullable(),
  auditedBy: z.string().nullable(),
  auditedAt: instant.nullable(),
  /** The provider's name; 平台 for the platform's own. */
  ownerName: z.string(),
  /** Null for the platform's own. */
  serviceProviderId: z.string().nullable(),
  /** How many ads show it, and how many of them are enabled. */
  ads: z.int(),
  enabledAds: z.int(),
  createdBy: z.string(),
  createdAt: instant,
  revision: z.int(),
});
export const getMaterials = read({
  path: "/ad/api/Material/get_materials",
  title: "广告素材",
  // Whoever makes an ad chooses among them.
  access: [screen, "/ad/list/edit"],
  envelope: "bare",
  input: listInput(materialFilters, ["-createdAt"]),
  output: listOutput(materialRow),
});
export const summariseMaterials = read({
  path: "/api/ad-materials/summary",
  title: "素材汇总",
  access: screen,
  input: z.object(materialFilters),
  output: z.object({ count: z.int(), sizeBytes: z.int(), byStatus: z.record(z.string(), z.int()) }),
});
export const getMaterialById = read({
  path: "/ad/api/Material/get_material_by_id",
  title: "素材详情",
  access: screen,
  envelope: "bare",
  input: z.object({ material_id: id }),
  output: materialRow.extend({
    /** The ads that show it. */
    usedBy: z.array(z.object({ ad_id: z.string(), name: z.string(), status: z.int() })),
    /** Who said what of which content, newest first. */
    audits: z.array(
      z.object({ sha256: z.string(), status: oneOf(auditStatus), reason: z.string().nullable(), byName: z.string(), at: instant }),
    ),
  }),
});
export const queryMaterialAuditStatus = read({
  path: "/ad/api/Material/query_material_audit_status",
  title: "素材审核状态",
  access: screen,
  envelope: "bare",
  input: z.object({ material_id: id }),
  output: z.object({
    material_id: z.string(),
    audit_status: oneOf(auditStatus),
    reason: z.string().nullable(),
    sha256: z.string(),
    auditedAt: instant.nullable(),
  }),
});
/** Says of contents that were looked at what they are: another content in the meantime is not meant, and is told apart. */
export const auditMaterials = write({
  path: "/api/ad-materials/audit",
  title: "审核素材",
  access: "/ad/materials/audit",
  input: z
    .object({
      items: z
        .array(z.object({ material_id: id, sha256 }))
        .min(1, "请选择素材")
        .max(100, "一次最多审核 100 个素材"),
      audit_status: oneOf(auditVerdict),
      reason: line(200).optional(),
    })
    .refine(({ audit_status, reason }) => audit_status === 1 || !!reason, { path: ["reason"], message: "请填写原因" }),
  output: z.object({ changed: z.int(), left: z.array(z.object({ material_id: z.string(), name: z.string(), why: z.string() })) }),
});
export const renameMaterial = write({
  path: "/api/ad-materials/rename",
  title: "素材改名",
  access: "/ad/materials/upload",
  input: z.object({ material_id: id, name: line(60, 1, "请填写名称"), revision: z.int() }),
  output: z.object({ ok: z.literal(true) }),
});
/** Only what no enabled ad shows. */
export const removeMaterials = write({
  path: "/api/ad-materials/remove",
  title: "删除素材",
  access: "/ad/materials/upload",
  input: z.object({ material_ids: z.array(id).min(1, "请选择素材").max(100, "一次最多删除 100 个素材") }),
  output: z.object({ removed: z.int() }),
});
/** The bytes of a material or of its small picture, for whoever has their link: devices, and pages, whose pictures carry no token. */
export const getMaterialFile = read({
  path: "/api/ad-files/:part/:sha256/:token",
  title: "素材文件",
  access: "public",
  envelope: "file",
  input: z.object({ part: z.enum(["file", "thumb"]), sha256, token: z.string().max(64) }),
  output: z.unknown(),
});
