import { createHmac, timingSafeEqual } from "node:crypto";
import { derivedKey } from "@zhangfang/server/config.ts";
import type { Services } from "@zhangfang/server/services.ts";

const ID_BYTES = 16;
const MAC_BYTES = 12;
type Secret = Pick<Services, "config">;
const macOf = ({ config }: Secret, bytes: Buffer): Buffer =>
  createHmac("sha256", derivedKey(config.secret, "wechat-fans")).update(bytes).digest().subarray(0, MAC_BYTES);

/** A follower as 38 letters for the address that the account sends them: nobody makes another's. */
export function fanCode(services: Secret, fan_id: string): string {
  const bytes = Buffer.from(fan_id.replaceAll("-", ""), "hex");
  return Buffer.concat([bytes, macOf(services, bytes)]).toString("base64url");
}
/** The follower of such a code; nobody of one that was made otherwise. */
export function readFanCode(services: Secret, code: string): string | undefined {
  const bytes = Buffer.from(code, "base64url");
  if (bytes.length !== ID_BYTES + MAC_BYTES) return undefined;
  const id = bytes.subarray(0, ID_BYTES);
  if (!timingSafeEqual(bytes.subarray(ID_BYTES), macOf(services, id))) return undefined;
  return id.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
