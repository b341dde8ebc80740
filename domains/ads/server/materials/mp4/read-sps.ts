/** What a sequence parameter set says of the pictures (H.264, 7.3.2.1). */
export interface Sps {
  readonly profile: number;
  readonly width: number;
  readonly height: number;
}

/** Bits, most significant first; the bytes that keep start codes out are taken away (H.264, 7.3.1). */
function bitsOf(unit: Buffer): { readonly bits: (count: number) => number; readonly golomb: () => number } {
  const bytes: number[] = [];
  for (const [at, byte] of unit.entries()) if (!(byte === 3 && at >= 2 && unit[at - 1] === 0 && unit[at - 2] === 0)) bytes.push(byte);
  let at = 0;
  const bit = (): number => {
    const byte = bytes[at >> 3];
    if (byte === undefined) throw new RangeError("the set is cut off");
    return (byte >> (7 - (at++ & 7))) & 1;
  };
  const bits = (count: number): number => {
    let value = 0;
    for (let left = count; left > 0; left--) value = value * 2 + bit();
    return value;
  };
  const golomb = (): number => {
    let zeros = 0;
    while (bit() === 0) if (++zeros > 31) throw new RangeError("no number");
    return 2 ** zeros - 1 + bits(zeros);
  };
  return { bits, golomb };
}

/** Profiles whose sets say more of their colours. */
const HIGH = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);

/**
 * Reads how large the pictures of a film really are: what the container says beside it is only a word.
 * @param unit the set with its one byte of head
 * @returns undefined where it is none
 */
export function readSps(unit: Buffer): Sps | undefined {
  if (unit.length < 4 || ((unit[0] ?? 0) & 0x1f) !== 7) return undefined;
  const profile = unit[1] ?? 0;
  const { bits, golomb } = bitsOf(unit.subarray(4));
  try {
    golomb();
    let chroma = 1;
    if (HIGH.has(profile)) {
      chroma = golomb();
      if (chroma === 3) bits(1);
      if (golomb() + golomb() > 12) return undefined;
      bits(1);
      if (bits(1) === 1) skipScaling(bits, golomb, chroma === 3 ? 12 : 8);
    }
    golomb();
    const order = golomb();
    if (order === 0) golomb();
    else if (order === 1) {
      bits(1);
      golomb();
      golomb();
      const count = golomb();
      if (count > 255) return undefined;
      for (let n = 0; n < count; n++) golomb();
    } else if (order > 2) return undefined;
    golomb();
    bits(1);
    const [across, down, whole] = [golomb() + 1, golomb() + 1, bits(1)];
    if (whole === 0) bits(1);
    bits(1);
    const [left, right, top, bottom] = bits(1) === 1 ? [golomb(), golomb(), golomb(), golomb()] : [0, 0, 0, 0];
    const [unitX, unitY] = [chroma === 1 || chroma === 2 ? 2 : 1, (chroma === 1 ? 2 : 1) * (2 - whole)];
    return { profile, width: across * 16 - unitX * (left + right), height: (2 - whole) * down * 16 - unitY * (top + bottom) };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
type Reading = ReturnType<typeof bitsOf>;
function skipScaling(bits: Reading["bits"], golomb: Reading["golomb"], lists: number): void {
  for (let list = 0; list < lists; list++) {
    if (bits(1) === 0) continue;
    let [last, next] = [8, 8];
    for (let n = 0; n < (list < 6 ? 16 : 64) && next !== 0; n++) {
      const code = golomb();
      // Signed: 0, 1, -1, 2, -2 …
      next = (((last + (code % 2 === 0 ? -code / 2 : (code + 1) / 2)) % 256) + 256) % 256;
      if (next !== 0) last = next;
    }
  }
}
