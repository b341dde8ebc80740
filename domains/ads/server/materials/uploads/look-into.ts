import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { cleanPicture, smallerPicture } from "@zhangfang/server/files/clean-picture.ts";
import type { Files } from "@zhangfang/server/files/files.ts";
import { MATERIAL_PIECE_BYTES } from "../../../contract/index.ts";
import { NoFilm, type Source } from "../mp4/boxes.ts";
import { readMp4 } from "../mp4/read-mp4.ts";
import { wipe } from "../mp4/wipe.ts";
import { pieceKey, type Upload } from "./policy.ts";

/** What was found in a file and is kept of it. */
export interface Content {
  readonly contentType: string;
  readonly kind: 1 | 2;
  readonly sha256: string;
  readonly size_bytes: number;
  readonly width: number;
  readonly height: number;
  readonly duration_ms: number | null;
  /** A small picture of it, WebP; none of a film that the page could not draw. */
  readonly small: Buffer | undefined;
}
/** Why a file is not taken, in words for whoever sent it. */
export class NotTaken extends Error {}

const PICTURE = { side: 8_192, pixels: 20_000_000 };
/** The longer side of a small picture, in pixels: a tile of the list at twice its size. */
const SMALL = 480;
const FILM = { side: 4_096, pixels: 4_096 * 2_304, duration_ms: 600_000 };

/** Reads the pieces of an upload in one go, or here and there; one piece at a time is in memory. */
export function piecesOf(files: Files, { id, size_bytes }: Pick<Upload, "id" | "size_bytes">) {
  let held: { place: number; bytes: Buffer } | undefined;
  const piece = async (place: number): Promise<Buffer> => {
    if (held?.place !== place) held = { place, bytes: await buffer((await files.read(pieceKey(id, place))).stream) };
    return held.bytes;
  };
  async function* all(): AsyncGenerator<Buffer> {
    for (let place = 0; place * MATERIAL_PIECE_BYTES < size_bytes; place++) yield await piece(place);
  }
  const source: Source = {
    size_bytes,
    async read(from, length) {
      const parts: Buffer[] = [];
      for (let at = from; at < Math.min(from + length, size_bytes);) {
        const bytes = await piece(Math.floor(at / MATERIAL_PIECE_BYTES));
        const start = at % MATERIAL_PIECE_BYTES;
        const part = bytes.subarray(start, start + from + length - at);
        if (part.length === 0) break;
        parts.push(part);
        at += part.length;
      }
      return Buffer.concat(parts);
    },
  };
  return { all, source };
}

/**
 * Looks into what came, whatever it is called, and writes what is kept of it under a key.
 * @param thumb a small picture of a film, as the page drew it
 * @throws NotTaken
 */
export async function lookInto(files: Files, upload: Upload, file_key: string, thumb: string | undefined): Promise<Content> {
  const { all, source } = piecesOf(files, upload);
  const came = createHash("sha256");
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const piece of all()) {
      came.update(piece);
      yield piece;
    }
  }
  const same = (): void => {
    if (came.digest("hex") !== upload.sha256) throw new NotTaken("收到的内容与文件不一致，请重新上传");
  };
  if (upload.content_type !== "video/mp4") {
    const picture = await cleanPicture(Buffer.concat(await Array.fromAsync(counted())), PICTURE);
    same();
    if (picture === undefined) throw new NotTaken("图片已损坏，或不是 JPEG、PNG");
    if (picture === "large") throw new NotTaken(`图片边长不能超过 ${PICTURE.side} 像素，总像素不能超过 ${PICTURE.pixels / 10_000} 万`);
    const { bytes, contentType, width, height } = picture;
    await files.write(file_key, (sink) => sink(bytes));
    const small = await smallerPicture(picture, SMALL);
    return { contentType, kind: 1, sha256: hexOf(bytes), size_bytes: bytes.length, width, height, duration_ms: null, small };
  }
  const film = await readMp4(source, FILM).catch((error: unknown) => {
    throw error instanceof NoFilm ? new NotTaken(error.message) : error;
  });
  const kept = createHash("sha256");
  const size_bytes = await files.write(file_key, async (sink) => {
    for await (const piece of wipe(counted(), film.wiped)) {
      kept.update(piece);
      await sink(piece);
    }
    same();
  });
  const { width, height, duration_ms } = film;
  const small = await smallOfFilm(thumb);
  return { contentType: "video/mp4", kind: 2, sha256: kept.digest("hex"), size_bytes, width, height, duration_ms, small };
}
const hexOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

async function smallOfFilm(base64: string | undefined): Promise<Buffer | undefined> {
  if (base64 === undefined) return undefined;
  const picture = await cleanPicture(Buffer.from(base64, "base64"), { side: 640, pixels: 640 * 640 });
  return picture && picture !== "large" ? picture.bytes : undefined;
}
