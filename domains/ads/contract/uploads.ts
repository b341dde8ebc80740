import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, id, instant, line, oneOf } from "@zhangfang/contract/fields.ts";
import { z } from "zod";
import { auditStatus } from "./materials.ts";

/** What a material may be (channels.md 7.7). */
export const MATERIAL_LIMITS = {
  "image/jpeg": { label: "JPEG 图片", bytes: 2 * 1024 * 1024 },
  "image/png": { label: "PNG 图片", bytes: 2 * 1024 * 1024 },
  "video/mp4": { label: "MP4 视频", bytes: 50 * 1024 * 1024 },
} as const;
export type MaterialType = keyof typeof MATERIAL_LIMITS;
/** A piece as it travels: base64 in JSON, within what one request may be. */
export const MATERIAL_PIECE_BYTES = 180_000;
export const MOST_THUMB_BYTES = 60_000;
const base64 = (bytes: number) => z.base64("内容不正确").max(Math.ceil(bytes / 3) * 4, "内容过大");
const upload = "/ad/materials/upload";
/** Signed: whose upload it is, of how many bytes of what, and until when. */
const policy = z.string().max(200);
const signed = z.object({
  id: z.string(),
  policy,
  expiresAt: instant,
  /** How many pieces are there; the next one is the one with this number. */
  pieces: z.int(),
});

/** Signs an upload, or names the material that has this content already. The same file again goes on where it was cut off. */
export const startUpload = write({
  path: "/api/ad-materials/uploads",
  title: "上传素材",
  access: upload,
  input: z.object({
    fileName: line(120, 1, "文件没有名称"),
    sizeBytes: z.int().min(1, "文件是空的").max(MATERIAL_LIMITS["video/mp4"].bytes, "文件超过 50 MB"),
    contentType: z.enum(["image/jpeg", "image/png", "video/mp4"], "只支持 JPEG、PNG 图片和 MP4 视频"),
    /** Of the file, in hex. */
    sha256: z.string().regex(/^[0-9a-f]{64}$/, "须为 SHA-256"),
    /** The material whose content it replaces. */
    material_id: id.optional(),
  }),
  output: z.object({ known: z.object({ material_id: z.string(), name: z.string() }).nullable(), upload: signed.nullable() }),
});
/** `outside`, so that there is no audit row for each of hundreds of pieces; what they become has one. */
export const addUploadPiece = write({
  path: "/api/ad-materials/uploads/piece",
  title: "上传素材分片",
  access: upload,
  rate: "read",
  outside: true,
  input: z.object({ policy, place: z.int().min(0).max(400), base64: base64(MATERIAL_PIECE_BYTES) }),
  output: z.object({ pieces: z.int() }),
});
/** Another ten minutes for an upload of one's own. */
export const renewUpload = write({
  path: "/api/ad-materials/uploads/renew",
  title: "续签素材上传",
  access: upload,
  input: z.object({ id }),
  output: signed,
});
export const cancelUpload = write({
  path: "/api/ad-materials/uploads/cancel",
  title: "取消素材上传",
  access: upload,
  input: z.object({ id }),
  output: done,
});
/** What the caller has begun and not ended. */
export const listUploads = read({
  path: "/api/ad-materials/uploads",
  title: "未完成的素材上传",
  access: upload,
  input: z.object({}),
  output: z.array(
    z.object({
      id: z.string(),
      fileName: z.string(),
      sizeBytes: z.int(),
      doneBytes: z.int(),
      createdAt: instant,
      replaces: z.string().nullable(),
    }),
  ),
});
/** Takes in what our own start signed and nothing else, once it was looked into. */
export const uploadCallback = write({
  path: "/ad/api/Material/upload_callback",
  title: "素材上传完成",
  access: upload,
  envelope: "bare",
  outside: true,
  deadline_ms: 45_000,
  input: z.object({
    policy,
    name: line(60).optional(),
    /** A small picture of a film, JPEG; drawn where the film could be. Of a picture the server makes its own. */
    thumb: base64(MOST_THUMB_BYTES).optional(),
  }),
  output: z.object({ material_id: z.string(), name: z.string(), audit_status: oneOf(auditStatus), sha256: z.string() }),
});
