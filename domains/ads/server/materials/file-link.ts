import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { type FileAnswer, stretchAsked } from "@zhangfang/server/files/file-answer.ts";
import { openFiles } from "@zhangfang/server/files/files.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { idOfToken, linkToken } from "@zhangfang/server/files/signed-link.ts";
import { getMaterialFile } from "../../contract/index.ts";

type Part = "file" | "thumb";
/** The content stands in what is signed: another content of the same material has another link, and this one never shows anything else. */
const purposeOf = (part: Part, sha256: string): string => `ad-${part}/${sha256}`;

/**
 * Where the file of a material lies, for its devices and for whoever sees the material; good for as long as the material holds this content.
 * @returns a path of this server, to be put behind `public_url` where it leaves the page
 * @example materialLink(services, { id, sha256 }) // "/api/ad-files/file/9f86…/AZrx…"
 */
export const materialLink = (
  services: Pick<Services, "config">,
  of: { readonly id: string; readonly sha256: string },
  part: Part = "file",
): string => `/api/ad-files/${part}/${of.sha256}/${linkToken(services, purposeOf(part, of.sha256), of.id)}`;

const EXTENSION: Readonly<Record<string, string>> = {
  "image/webp": "webp",
  "image/png": "png",
  "image/jpeg": "jpg",
  "video/mp4": "mp4",
};

/** 素材文件: whole or the stretch that is asked for. */
export const getMaterialFileRoute = implement(getMaterialFile, async (ctx, { part, sha256, token }): Promise<FileAnswer> => {
  const id = idOfToken(ctx.services, purposeOf(part, sha256), token);
  const found =
    id &&
    (await ctx.platform("material file", (tx) =>
      tx
        .selectFrom("ad_materials")
        .select(["file_key", "thumb_key", "content_type", "size_bytes"])
        .where("id", "=", id)
        .where("sha256", "=", sha256)
        .where("removed_at", "is", null)
        .executeTakeFirst(),
    ));
  const key = found && (part === "file" ? found.file_key : found.thumb_key);
  if (!found || !key) throw notFound("素材");
  // Small pictures are WebP whatever they show; those that pages drew before are JPEG.
  const contentType = part === "file" ? found.content_type : key.endsWith("-small") ? "image/webp" : "image/jpeg";
  const name = {
    fileName: `${sha256.slice(0, 12)}.${EXTENSION[contentType] ?? "bin"}`,
    contentType,
    cache: "public, max-age=31536000, immutable",
  };
  const files = openFiles(ctx.services.config);
  if (part === "thumb") return { ...name, ...(await files.read(key)) };
  const { size_bytes } = found;
  const stretch = stretchAsked(ctx.incoming.headers, { size_bytes, tag: sha256 });
  return { ...name, ...(await files.read(key, stretch)), tag: sha256, ...(stretch && { stretch }) };
});
