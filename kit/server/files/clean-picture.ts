import sharp from "sharp";
import { invalid } from "../calls/errors.ts";
import { inLine } from "../database/turns.ts";

/** A picture as it may be kept and shown. */
export interface CleanPicture {
  readonly contentType: "image/webp";
  readonly width: number;
  readonly height: number;
  /** Drawn anew from its pixels; nothing else of what came is in it. */
  readonly bytes: Buffer;
}
/** How large a picture may be, in pixels. */
export interface PictureLimits {
  readonly side: number;
  readonly pixels: number;
}

// Of all that libvips could read only what is taken here is ever run; nothing is kept between pictures; each is worked on by one thread.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer", "VipsForeignLoadWebpBuffer"] });
sharp.cache(false);
sharp.concurrency(1);

const SIGNATURES = [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.from([0xff, 0xd8, 0xff])];
/** A picture that takes longer is none; the largest one takes four. */
const MOST_SECONDS = 20;

/** One picture at a time in a process, so that what they need together is what the largest one needs. */
const drawn = (from: Buffer, { pixels, side }: { readonly pixels: number; readonly side?: number }) =>
  inLine("picture", () =>
    sharp(from, { failOn: "error", limitInputPixels: pixels, sequentialRead: true })
      .timeout({ seconds: MOST_SECONDS })
      .autoOrient()
      .resize({ ...(side && { width: side, height: side }), fit: "inside", withoutEnlargement: true })
      .webp({ quality: 84 })
      .toBuffer({ resolveWithObject: true }),
  );

/**
 * Reads a PNG or JPEG by its content, whatever it is called, and draws it anew as WebP: places, names, remarks and thumbnails in it, and
 * whatever else hides in a file, stay behind; it stands the way up in which it was taken. Its size is judged by its head, before
 * anything of it is unpacked.
 * @returns undefined for everything else, "large" where it is beyond the limits
 * @example const picture = await cleanPicture(bytes, { side: 4096, pixels: 8_000_000 });
 */
export async function cleanPicture(bytes: Buffer, limits: PictureLimits): Promise<CleanPicture | "large" | undefined> {
  if (!SIGNATURES.some((signature) => bytes.subarray(0, signature.length).equals(signature))) return undefined;
  try {
    const head = await sharp(bytes, { failOn: "error", limitInputPixels: false }).metadata();
    if (head.width > limits.side || head.height > limits.side || head.width * head.height > limits.pixels) return "large";
    const { data, info } = await drawn(bytes, limits);
    return { contentType: "image/webp", width: info.width, height: info.height, bytes: data };
  } catch {
    // Whatever its reader stumbles over: for us it is no picture.
    return undefined;
  }
}
/** A cleaned picture as a JPEG on white, no side longer than `side` pixels: for whoever takes no WebP. */
export const jpegPicture = ({ bytes }: Pick<CleanPicture, "bytes">, side: number): Promise<Buffer> =>
  sharp(bytes)
    .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#fff" })
    .jpeg({ quality: 88 })
    .toBuffer();
/**
 * A clean picture once more, smaller; as it is where it was small already.
 * @param side of the longer side, in pixels
 */
export const smallerPicture = async ({ bytes, width, height }: CleanPicture, side: number): Promise<Buffer> =>
  Math.max(width, height) <= side ? bytes : (await drawn(bytes, { pixels: width * height, side })).data;

/**
 * The picture that came as base64, clean.
 * @param limits `bytes` of what came
 * @throws Refusal 400 at the field `base64` where it is none, or too large
 */
export async function readPicture(base64: string, limits: PictureLimits & { readonly bytes: number }): Promise<CleanPicture> {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > limits.bytes) throw invalid("base64", `图片不能超过 ${limits.bytes / 1000} KB`);
  const picture = await cleanPicture(bytes, limits);
  if (picture === undefined) throw invalid("base64", "只支持 PNG 和 JPEG 图片");
  if (picture === "large") throw invalid("base64", `图片边长不能超过 ${limits.side} 像素`);
  return picture;
}
