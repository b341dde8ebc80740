import { createHmac } from "node:crypto";

const STEP_MS = 30_000;

/** The six digits of a time step (RFC 6238 with SHA-1, as every authenticator app does it). */
export function totpAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = mac[19]! & 0x0f;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, "0");
}
/** The step whose code was given: this one or a neighbour, and later than the last one used; undefined where none fits. */
export function totpStep(secret: Buffer, code: string, now_ms: number, last: number | null): number | undefined {
  const now = Math.floor(now_ms / STEP_MS);
  return [now, now - 1, now + 1].find((step) => step > (last ?? -1) && totpAt(secret, step) === code);
}
/** A secret as authenticator apps take it. */
export function base32(bytes: Buffer): string {
  let bits = "";
  for (const byte of bytes) bits += byte.toString(2).padStart(8, "0");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}
