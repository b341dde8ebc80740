import { randomBytes, randomInt } from "node:crypto";

/** Time and ids are given, never taken, so that tests and the demo world are repeatable. */
export interface Clock {
  /** Milliseconds since 1970. */
  now_ms(): number;
}
export interface Ids {
  /** A UUIDv7 for the moment given: ordered by time, 74 random bits. */
  uuid(at_ms: number): string;
  /** Decimal digits from the generator. */
  digits(count: number): string;
}

/** The machine's own clock. */
export const systemClock: Clock = { now_ms: () => Date.now() };
/** The machine's own randomness. */
export const systemIds: Ids = {
  uuid: (at_ms) => uuidFrom(at_ms, randomBytes(10)),
  digits: (count) => Array.from({ length: count }, () => randomInt(10)).join(""),
};

/** UUIDv7 layout (RFC 9562) from 48 bits of time and 10 bytes of randomness. */
export function uuidFrom(at_ms: number, random: Uint8Array): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(at_ms, 0, 6);
  bytes.set(random.subarray(0, 10), 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A repeatable generator (splitmix64) for the demo world and for tests. */
export function seededIds(seed: number): Ids & { next(): number } {
  let state = BigInt(seed) & 0xffff_ffff_ffff_ffffn;
  const step = (): bigint => {
    state = (state + 0x9e37_79b9_7f4a_7c15n) & 0xffff_ffff_ffff_ffffn;
    let z = state;
    z = ((z ^ (z >> 30n)) * 0xbf58_476d_1ce4_e5b9n) & 0xffff_ffff_ffff_ffffn;
    z = ((z ^ (z >> 27n)) * 0x94d0_49bb_1331_11ebn) & 0xffff_ffff_ffff_ffffn;
    return z ^ (z >> 31n);
  };
  return {
    /** A number in [0, 1). */
    next: () => Number(step() >> 11n) / 2 ** 53,
    uuid: (at_ms) => {
      const random = Buffer.alloc(16);
      random.writeBigUInt64BE(step(), 0);
      random.writeBigUInt64BE(step(), 8);
      return uuidFrom(at_ms, random);
    },
    digits: (count) => Array.from({ length: count }, () => Number(step() % 10n)).join(""),
  };
}
