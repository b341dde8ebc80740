import { crc32, deflateSync } from "node:zlib";

/** A part of a PNG with its sum. */
export const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, sum]);
};
/** A genuine PNG of one colour. @param more further chunks before its end */
export function png(
  width: number,
  height: number,
  colour: readonly [number, number, number],
  ...more: readonly (readonly [string, Buffer])[]
): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.from([0]), Buffer.concat(Array.from({ length: width }, () => Buffer.from(colour)))]);
  const rows = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const rest = more.map(([type, data]) => chunk(type, data));
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", rows), ...rest, chunk("IEND", Buffer.alloc(0))]);
}
