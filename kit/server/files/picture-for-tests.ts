import sharp from "sharp";

/** A small photograph as a phone takes one, in base64: a JPEG that says where it was taken. */
export const photoForTests = async (): Promise<string> =>
  (
    await sharp({ create: { width: 60, height: 40, channels: 3, background: "#a33" } })
      .jpeg()
      .withMetadata({ exif: { IFD0: { Copyright: "secret place" } } })
      .toBuffer()
  ).toString("base64");
/**
 * A grey picture of noise in base64: a PNG that is small, for its noise comes again every few lines, and that is large in every other kind.
 * @param spread how far the noise goes from the middle grey
 */
export async function noiseForTests({ width, height, spread }: { width: number; height: number; spread: number }): Promise<string> {
  // A PNG looks back 32 KB for what came before.
  const tile = Buffer.alloc(width * Math.floor(32_000 / width));
  let seed = 1;
  for (let at = 0; at < tile.length; at++) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    tile[at] = 128 - spread + Math.floor((seed / 2 ** 32) * (2 * spread + 1));
  }
  const pixels = Buffer.alloc(width * height, tile);
  const png = sharp(pixels, { raw: { width, height, channels: 1 } })
    .toColourspace("b-w")
    .png();
  return (await png.toBuffer()).toString("base64");
}
