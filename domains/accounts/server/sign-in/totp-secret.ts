import { randomBytes } from "node:crypto";
import { derivedKey } from "@zhangfang/server/config.ts";
import { seal, unseal } from "@zhangfang/server/crypto.ts";
import { mustChange, type Transaction } from "@zhangfang/server/db.ts";
import { notFound } from "@zhangfang/server/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { base32 } from "./check-totp.ts";

const keyOf = (services: Services) => derivedKey(services.config.secret, "totp");
const placeOf = (userId: string) => `users.totp:${userId}`;

/**
 * Makes a new TOTP secret for a root of SP and above; from now on its sign-in asks for a code.
 * @returns the secret in base32, shown this once @throws 404 where the account is none of these
 */
export async function setTotp(tx: Transaction, services: Services, userId: string): Promise<string> {
  const secret = randomBytes(20);
  mustChange(
    await tx
      .updateTable("users")
      .set({ totp_sealed: seal(keyOf(services), placeOf(userId), secret.toString("base64")), totp_step: null })
      .where("id", "=", userId)
      .where("level", "in", ["ADMIN", "SP"])
      .whereRef("login", "=", "root_login")
      .executeTakeFirst(),
    () => notFound("主账号"),
  );
  return base32(secret);
}
/** Opens a sealed secret. */
export const openTotp = (services: Services, userId: string, sealed: string): Buffer =>
  Buffer.from(unseal(keyOf(services), placeOf(userId), sealed), "base64");
