import { deflateSync } from "node:zlib";
import { chunk } from "./small-png.ts";

type Colour = readonly [red: number, green: number, blue: number];

/** A poster as PNG: a slope from one colour to the other with a disc and a band of light, so that each is told apart at a glance. */
export function poster(width: number, height: number, from: Colour, to: Colour): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const slope = (x / width + y / height) / 2;
      const disc = Math.hypot(x - width * 0.72, y - height * 0.38) < height * 0.24 ? 0.35 : 0;
      const band = y > height * 0.74 && y < height * 0.86 && x > width * 0.08 && x < width * 0.6 ? 0.6 : 0;
      const light = Math.max(disc, band);
      for (const channel of [0, 1, 2] as const) {
        const colour = from[channel] + (to[channel] - from[channel]) * slope;
        rows[y * (1 + width * 3) + 1 + x * 3 + channel] = Math.round(colour + (255 - colour) * light);
      }
    }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits, red green blue.
  head.set([8, 2, 0, 0, 0], 8);
  const mark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([mark, chunk("IHDR", head), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]);
}
