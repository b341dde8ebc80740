import { crc32, deflateSync } from "node:zlib";

const [WIDTH, HEIGHT] = [240, 135];
const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
};

/** A picture of a device's screen, PNG: as bright as it is set, with a bar as long as it is loud. */
export function drawScreen(values: Readonly<Record<string, unknown>>): Buffer {
  const bright = Number(values["screen_brightness"] ?? 80) / 100;
  const loud = Math.round((Number(values["volume"] ?? 60) / 100) * (WIDTH - 32));
  const dark = values["screen_theme"] === "dark";
  const rows = Array.from({ length: HEIGHT }, (_none, y) => {
    const row = Buffer.alloc(1 + WIDTH * 3);
    for (let x = 0; x < WIDTH; x++) {
      const bar = y > HEIGHT - 24 && y < HEIGHT - 16 && x >= 16 && x < 16 + loud;
      const card = x > 16 && x < WIDTH - 16 && y > 20 && y < 84;
      const [r, g, b] = bar ? [46, 120, 220] : y < 12 ? [27, 31, 39] : card === dark ? [36, 40, 48] : [246, 244, 238];
      row.set([r! * bright, g! * bright, b! * bright].map(Math.round), 1 + x * 3);
    }
    return row;
  });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(WIDTH, 0);
  head.writeUInt32BE(HEIGHT, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.concat(rows));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
