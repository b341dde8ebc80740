import { randomBytes } from "node:crypto";
import { sha256 } from "@zhangfang/server/crypto.ts";
import { base32 } from "./check-totp.ts";

const CODES = 10;

/** Ten codes of eighty bits, in groups of four, and the hashes that are kept of them. */
export function newRecoveryCodes(): { codes: string[]; hashes: Buffer[] } {
  const plain = Array.from({ length: CODES }, () => base32(randomBytes(10)));
  return { codes: plain.map((code) => code.replaceAll(/(.{4})(?!$)/g, "$1-")), hashes: plain.map(recoveryHash) };
}
/** The hash of a code as somebody typed it. */
export const recoveryHash = (code: string): Buffer => sha256(code.replaceAll("-", "").toUpperCase());
