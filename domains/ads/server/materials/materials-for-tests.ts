import { createHash } from "node:crypto";
import type { World } from "../../../accounts/server/world-for-tests.ts";
import { addUploadPiece, MATERIAL_PIECE_BYTES, type MaterialType, startUpload, uploadCallback } from "../../contract/index.ts";

export const sha256Of = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
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
