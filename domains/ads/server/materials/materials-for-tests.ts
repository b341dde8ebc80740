import { createHash } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import type { World } from "../../../accounts/server/world-for-tests.ts";
import { addUploadPiece, MATERIAL_PIECE_BYTES, type MaterialType, startUpload, uploadCallback } from "../../contract/index.ts";

export const sha256Of = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
const chunk = (type: string, data: Buffer): Buffer => {
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

/** Starts an upload and sends its pieces, all of them or so many. */
export async function sendPieces(
  world: World,
  token: string,
  bytes: Buffer,
  type: MaterialType,
  more: { material_id?: string; pieces?: number; name?: string } = {},
) {
  const { known, upload } = await world.call(startUpload, token, {
    fileName: more.name ?? "新品.bin",
    sizeBytes: bytes.length,
    contentType: type,
    sha256: sha256Of(bytes),
    ...(more.material_id && { material_id: more.material_id }),
  });
  if (!upload) throw new Error(`known as ${known?.name}`);
  const count = more.pieces ?? Math.ceil(bytes.length / MATERIAL_PIECE_BYTES);
  for (let place = upload.pieces; place < count; place++) {
    const base64 = bytes.subarray(place * MATERIAL_PIECE_BYTES, (place + 1) * MATERIAL_PIECE_BYTES).toString("base64");
    await world.call(addUploadPiece, token, { policy: upload.policy, place, base64 });
  }
  return upload;
}
/** A material from the first byte to the last. */
export async function uploadMaterial(
  world: World,
  token: string,
  bytes: Buffer,
  type: MaterialType,
  more: { material_id?: string; name?: string } = {},
) {
  const { policy } = await sendPieces(world, token, bytes, type, more);
  return world.call(uploadCallback, token, { policy });
}
