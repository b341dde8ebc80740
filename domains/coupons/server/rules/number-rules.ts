import { createHmac, type KeyObject } from "node:crypto";
import { sameText } from "@zhangfang/server/crypto.ts";

const HALF = 100_000;
const ROUNDS = 6;
const mix = (key: Buffer | KeyObject, round: number, half: number): number =>
  createHmac("sha256", key).update(`${round}:${half}`).digest().readUInt32BE(0) % HALF;
/**
 * The number of a coupon: the next of a sequence, permuted by a key (a Feistel net over two halves of five digits), so that ten digits
 * never repeat and tell nobody how many were issued.
 * @param key as a KeyObject where many are made: its bytes are looked at once
 * @param n 0 to 9,999,999,999
 */
export function couponNo(key: Buffer | KeyObject, n: number): string {
  let [left, right] = [Math.floor(n / HALF), n % HALF];
  for (let round = 0; round < ROUNDS; round++) [left, right] = [right, (left + mix(key, round, right)) % HALF];
  return String(left * HALF + right).padStart(10, "0");
}

/** A code is drawn anew after so long. */
export const COUPON_CODE_MS = 30_000;
export const stepOf = (now_ms: number): number => Math.floor(now_ms / COUPON_CODE_MS);
export const CODE = /^98\d{18}$/;
/** 券码 of a step: `98`, the coupon's number, and eight digits of a keyed hash (marketing.md 11). */
export function couponCode(key: Buffer, provider: string, no: string, step: number): string {
  const mac = createHmac("sha256", key).update(`${provider}:${no}:${step}`).digest().readBigUInt64BE(0);
  return `98${no}${String(mac % 100_000_000n).padStart(8, "0")}`;
}
/** The step of a code that was read now: this one or the last. */
export function codeStep(key: Buffer, provider: string, code: string, now_ms: number): number | undefined {
  const now = stepOf(now_ms);
  return [now, now - 1].find((step) => sameText(couponCode(key, provider, code.slice(2, 12), step), code));
}
