import { createHmac, timingSafeEqual } from "node:crypto";
import { derivedKey } from "@zhangfang/server/config.ts";
import type { Services } from "@zhangfang/server/services.ts";

const ID_BYTES = 16;
const MAC_BYTES = 12;
type Secret = Pick<Services, "config">;
const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll("-", ""), "hex");
const idOf = (bytes: Buffer): string => bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
const macOf = ({ config }: Secret, what: string, ids: Buffer): Buffer =>
  createHmac("sha256", derivedKey(config.secret, `activity-${what}`))
    .update(ids)
    .digest()
    .subarray(0, MAC_BYTES);

/** An activity and something of it as 59 letters for an address: nobody makes another one out of it. @param what `codes` or `invitations` */
export function sealedCode(services: Secret, what: string, activity_id: string, other_id: string): string {
  const ids = Buffer.concat([bytesOf(activity_id), bytesOf(other_id)]);
  return Buffer.concat([ids, macOf(services, what, ids)]).toString("base64url");
}
/** What such a code names; nothing of one that was made otherwise. */
export function readSealed(services: Secret, what: string, code: string): { activity_id: string; other_id: string } | undefined {
  const bytes = Buffer.from(code, "base64url");
  if (bytes.length !== 2 * ID_BYTES + MAC_BYTES) return undefined;
  const ids = bytes.subarray(0, 2 * ID_BYTES);
  if (!timingSafeEqual(bytes.subarray(2 * ID_BYTES), macOf(services, what, ids))) return undefined;
  return { activity_id: idOf(ids.subarray(0, ID_BYTES)), other_id: idOf(ids.subarray(ID_BYTES)) };
}
