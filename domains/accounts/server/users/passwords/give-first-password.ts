import { randomBytes } from "node:crypto";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { ONE_TIME_MS } from "../../../contract/users.ts";
import { hashPassword } from "../../sign-in/hash-password.ts";

let nobodys: Promise<string> | undefined;
/** The hash of a password that nobody knows, for accounts that get their first one later. */
export const unknownPassword = (): Promise<string> => (nobodys ??= hashPassword(randomBytes(32).toString("base64")));

/** Gives an account that nobody ever signed in to its first one-time password. @returns whether it still waited for one */
export async function giveFirstPassword(tx: Transaction, userId: string, hash: string, now_ms: number): Promise<boolean> {
  const given = await tx
    .updateTable("users")
    .set({ password_hash: hash, must_change_password: true, password_expires_at: new Date(now_ms + ONE_TIME_MS).toISOString() })
    .where("id", "=", userId)
    .where("state", "=", "active")
    .where("last_login_at", "is", null)
    .where("password_expires_at", "<=", new Date(now_ms).toISOString())
    .executeTakeFirst();
  return given.numUpdatedRows === 1n;
}
