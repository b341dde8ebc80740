import { createHash, randomBytes } from "node:crypto";
import type { Operation } from "../operation.ts";
import { bag, refuse, text } from "../reply.ts";

/** 2 MB, and room for what stands around them. */
const MOST_BYTES = 2 * 1024 * 1024;

/** An upload as it came: what is signed of it, and its file. */
export interface Upload {
  readonly meta: string;
  readonly file: Buffer;
}
/** Reads multipart/form-data with the parts `meta` and `file`; undefined where it is not that. */
export function readUpload(contentType: string, body: Buffer): Upload | undefined {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1];
  if (boundary === undefined) return undefined;
  const parts = new Map<string, Buffer>();
  const mark = Buffer.from(`--${boundary}`);
  for (let at = body.indexOf(mark); at >= 0;) {
    const next = body.indexOf(mark, at + mark.length);
    if (next < 0) break;
    const part = body.subarray(at + mark.length + 2, next - 2);
    const split = part.indexOf("\r\n\r\n");
    const name = /name="([^"]+)"/.exec(part.subarray(0, Math.max(split, 0)).toString("utf8"))?.[1];
    if (name !== undefined) parts.set(name, part.subarray(split + 4));
    at = next;
  }
  const [meta, file] = [parts.get("meta"), parts.get("file")];
  return meta && file && { meta: meta.toString("utf8"), file };
}

/** 图片上传: JPG, BMP or PNG up to 2 MB whose hash is the one that was signed. */
export function uploadOperation({ meta, file }: Upload): Operation {
  let given: unknown;
  try {
    given = JSON.parse(meta);
  } catch {
    given = {};
  }
  const { filename, sha256 } = bag(given);
  return {
    name: "upload-media",
    number: text(sha256),
    answer: ({ state, merchant }) => {
      if (!/\.(jpe?g|bmp|png)$/i.test(text(filename))) return refuse(400, "PARAM_ERROR", "图片须为 JPG、BMP 或 PNG");
      if (file.length === 0 || file.length > MOST_BYTES) return refuse(400, "PARAM_ERROR", "图片须在 2MB 以内");
      if (createHash("sha256").update(file).digest("hex") !== text(sha256).toLowerCase())
        return refuse(400, "PARAM_ERROR", "sha256 与文件不符");
      const key = `V1_${randomBytes(24).toString("base64url")}`;
      state.save("media", { key, mchId: merchant.mchId, sha256: text(sha256) });
      return { status: 200, body: { media_id: key } };
    },
  };
}
