import { Secret, TOTP } from "otpauth";

const STEP_MS = 30_000;
/** As every authenticator app does it: six digits of thirty seconds with SHA-1. */
const secretOf = (bytes: Buffer): Secret => new Secret({ buffer: Uint8Array.from(bytes).buffer });

/** The six digits of a time step (RFC 6238). */
export const totpAt = (secret: Buffer, step: number): string => TOTP.generate({ secret: secretOf(secret), timestamp: step * STEP_MS });

/** The step whose code was given: this one or a neighbour, and later than the last one used; undefined where none fits. */
export function totpStep(secret: Buffer, code: string, now_ms: number, last: number | null): number | undefined {
  const now = TOTP.counter({ timestamp: now_ms });
  return [now, now - 1, now + 1].find((step) => step > (last ?? -1) && totpAt(secret, step) === code);
}
/** A secret as authenticator apps take it. */
export const base32 = (bytes: Buffer): string => secretOf(bytes).base32;
