import { randomBytes } from "node:crypto";
import { derivedKey } from "@zhangfang/server/config.ts";
import { seal, unseal } from "@zhangfang/server/crypto.ts";
import type { Services } from "@zhangfang/server/services.ts";

const keyOf = (services: Services) => derivedKey(services.config.secret, "totp");
const placeOf = (userId: string) => `users.totp:${userId}`;

/** A new secret of an account, and its sealed form: as text inside, so that a key of any bytes stays whole. */
export function newTotpSecret(services: Services, userId: string): { secret: Buffer; sealed: string } {
  const secret = randomBytes(20);
  return { secret, sealed: seal(keyOf(services), placeOf(userId), secret.toString("base64")) };
}
/** Opens a sealed secret. */
export const openTotp = (services: Services, userId: string, sealed: string): Buffer =>
  Buffer.from(unseal(keyOf(services), placeOf(userId), sealed), "base64");
/** An account without a second factor. */
export const NO_TOTP = { totp_sealed: null, totp_step: null, totp_pending_sealed: null, recovery_hashes: [] as Buffer[] };
