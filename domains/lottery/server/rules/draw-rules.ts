import { createHash, createHmac } from "node:crypto";
import { rangesOf } from "../../contract/words.ts";
import { WHOLE } from "../../contract/codes.ts";

// How a draw is worked out. docs/lottery.md says the same for whoever recomputes it, apps/web/public/lottery.js does it in the browser.

const sha256 = (given: string | Buffer): Buffer => createHash("sha256").update(given).digest();

/**
 * A chain of seeds from its end: seed(i) = SHA-256(seed(i + 1)) over the 32 bytes.
 * @returns seed(0) to seed(days), the end being the last
 */
export function chainOf(last: Buffer, days: number): readonly Buffer[] {
  const chain = [last];
  for (let n = 0; n < days; n++) chain.unshift(sha256(chain[0]!));
  return chain;
}
/** What goes into a draw, besides the day's seed. */
export interface Ticket {
  readonly lottery_id: string;
  /** The Shanghai day. */
  readonly day: string;
  readonly nth: number;
  /** The person's HMAC, hex. */
  readonly person: string;
  /** The phone's own, a UUID in small letters. */
  readonly nonce: string;
}
/**
 * 0 to 999,999: HMAC-SHA-256 with the seed's 32 bytes as its key over the ticket, read as one number of 256 bits, modulo 1,000,000. 2^256 is
 * no multiple of that, so the smaller results come up more often, by less than 1 in 2^236.
 */
export function rollOf(seed: Buffer, { lottery_id, day, nth, person, nonce }: Ticket): number {
  const mac = createHmac("sha256", seed).update(`${lottery_id}|${day}|${nth}|${person}|${nonce}`).digest("hex");
  return Number(BigInt(`0x${mac}`) % BigInt(WHOLE));
}
/** The prize in whose range a result falls, from 1 on; 0 is none. */
export const hitOf = (roll: number, prizes: readonly { readonly chance: number }[]): number =>
  rangesOf(prizes).findIndex(([from, to]) => roll >= from && roll < to) + 1;

/** A draw as its hash is of. */
export interface Drawn extends Ticket {
  readonly draw_no: number;
  readonly roll: number;
  readonly hit: number;
  readonly prize: number;
  /** Milliseconds since 1970. */
  readonly at_ms: number;
}
/** The hash of a draw, with that of the one before (of the first: seed(0)), hex. */
export const hashOf = (prev: string, { lottery_id, draw_no, day, nth, person, nonce, roll, hit, prize, at_ms }: Drawn): string =>
  sha256([prev, lottery_id, draw_no, day, nth, person, nonce, roll, hit, prize, at_ms].join("|")).toString("hex");

/** Which day of a lottery a Shanghai day is; the first is 1. @example dayNo("2026-12-01", "2026-12-03") // 3 */
export const dayNo = (firstDay: string, day: string): number => Math.round((Date.parse(day) - Date.parse(firstDay)) / 86_400_000) + 1;
