import { ApiError, call } from "@zhangfang/web/api/api.ts";
import { base64Of } from "@zhangfang/web/form/files/base64.ts";
import {
  addUploadPiece,
  MATERIAL_LIMITS,
  MATERIAL_PIECE_BYTES,
  type MaterialType,
  renewUpload,
  startUpload,
  uploadCallback,
} from "../../contract/index.ts";
import { drawThumb } from "./draw-thumb.ts";

/** What is told while a file is on its way. */
export interface Told {
  (news: { readonly phase: "reading" | "sending" | "checking"; readonly done?: number; readonly uploadId?: string }): void;
}
export type Sent = { readonly material_id: string; readonly name: string; readonly known: boolean };

/** What speaks against a file before anything is read of it; undefined where nothing does. */
export function faultOf(file: Pick<File, "name" | "size" | "type">): string | undefined {
  if (!(file.type in MATERIAL_LIMITS)) return "只支持 JPEG、PNG 图片和 MP4 视频";
  if (file.size === 0) return "文件是空的";
  const limit = MATERIAL_LIMITS[file.type as MaterialType];
  return file.size > limit.bytes ? `${limit.label}不能超过 ${limit.bytes / 1024 ** 2} MB` : undefined;
}

/**
 * Sends a file from where the server has it: what is there already is named and not sent, and what was cut off goes on, also after the
 * page was loaded anew, since the server knows the file by its content.
 * @throws ApiError, or the reason of the signal
 */
export async function sendFile(
  file: File,
  given: { readonly replaces?: string | undefined; readonly signal: AbortSignal },
  tell: Told,
): Promise<Sent> {
  const options = { signal: given.signal, quiet: true };
  tell({ phase: "reading" });
  const bytes = new Uint8Array(await file.arrayBuffer());
  const sha256 = [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  const { known, upload } = await call(
    startUpload,
    {
      fileName: file.name.slice(-120),
      sizeBytes: file.size,
      contentType: file.type as MaterialType,
      sha256,
      ...(given.replaces && { material_id: given.replaces }),
    },
    options,
  );
  if (known) return { ...known, known: true };
  if (!upload) throw new Error("an upload without a signature");
  let { policy } = upload;
  // A signature holds for ten minutes; a slow line takes longer.
  const signed = async <T>(go: () => Promise<T>): Promise<T> => {
    try {
      return await go();
    } catch (reason) {
      if (!(reason instanceof ApiError) || reason.code !== "upload.expired") throw reason;
      policy = (await call(renewUpload, { id: upload.id }, options)).policy;
      return go();
    }
  };
  for (let place = upload.pieces; place * MATERIAL_PIECE_BYTES < bytes.length; place++) {
    tell({ phase: "sending", done: place * MATERIAL_PIECE_BYTES, uploadId: upload.id });
    const base64 = base64Of(bytes.subarray(place * MATERIAL_PIECE_BYTES, (place + 1) * MATERIAL_PIECE_BYTES));
    await patiently(() => signed(() => call(addUploadPiece, { policy, place, base64 }, options)), given.signal);
  }
  tell({ phase: "checking", done: bytes.length, uploadId: upload.id });
  const thumb = file.type === "video/mp4" ? await drawThumb(file) : undefined;
  const taken = await signed(() => call(uploadCallback, { policy, ...(thumb && { thumb }) }, options));
  return { material_id: taken.material_id, name: taken.name, known: false };
}

/** A piece that is sent twice counts once: a line that broke for a moment is not worth a question. */
async function patiently<T>(go: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const wait_ms of [500, 2_000, 6_000]) {
    try {
      return await go();
    } catch (reason) {
      if (signal.aborted || !(reason instanceof ApiError) || !(reason.away || reason.kind === "timeout" || reason.status === 429))
        throw reason;
      await new Promise((resolve) => setTimeout(resolve, wait_ms));
    }
  }
  return go();
}
