/** Parts in one: rates are parts per 100,000. */
export const RATE_ONE = 100_000;

/**
 * Cents as a person reads them: two decimals, thousands, a true minus.
 * @example yuan(-123456) // −1,234.56
 */
export function yuan(cents: number): string {
  const whole = Math.trunc(Math.abs(cents) / 100);
  const rest = String(Math.abs(cents) % 100).padStart(2, "0");
  return `${cents < 0 ? "−" : ""}${String(whole).replace(/\B(?=(\d{3})+$)/g, ",")}.${rest}`;
}

/**
 * What a person typed, in cents; undefined where it is not an amount with at most two decimals.
 * @example centsOf("1,234.5") // 123450
 */
export function centsOf(text: string): number | undefined {
  const match = /^([-−]?)(\d{1,13})(?:\.(\d{1,2}))?$/.exec(
    text
      .trim()
      .replaceAll(",", "")
      .replace(/^[¥￥]/, ""),
  );
  if (!match) return undefined;
  const value = Number(match[2]) * 100 + Number((match[3] ?? "").padEnd(2, "0"));
  return match[1] ? -value : value;
}

/** A rate as people read it. @example percent(380) // "0.38%" */
export const percent = (rate: number): string => `${Number((rate / 1000).toFixed(3))}%`;
/** What a person typed as a percentage, in parts per 100,000; undefined where it is none between 0 and 100 with at most three decimals. */
export function rateOf(text: string): number | undefined {
  const match = /^(\d{1,3})(?:\.(\d{1,3}))?%?$/.exec(text.trim());
  if (!match) return undefined;
  const rate = Number(match[1]) * 1000 + Number((match[2] ?? "").padEnd(3, "0"));
  return rate <= RATE_ONE ? rate : undefined;
}

/**
 * cents × rate, rounded half up. The one place where money is rounded.
 * @param rate parts per 100,000
 * @throws RangeError where either is not whole
 */
export function share(cents: number, rate: number): number {
  if (!Number.isInteger(cents) || !Number.isInteger(rate)) throw new RangeError(`not whole: ${cents} × ${rate}`);
  const doubled = Math.abs(cents * rate) * 2 + RATE_ONE;
  // What a number holds whole is reckoned in numbers, ten times as fast; the rest in big ones, to the same.
  if (doubled <= Number.MAX_SAFE_INTEGER) return ((doubled - (doubled % (2 * RATE_ONE))) / (2 * RATE_ONE)) * Math.sign(cents * rate) || 0;
  const product = BigInt(cents) * BigInt(rate);
  const one = BigInt(RATE_ONE);
  const sign = product < 0n ? -1n : 1n;
  return Number(sign * ((sign * product * 2n + one) / (2n * one)));
}

/** part of `whole` in proportion to `portion` of `of`, rounded half up; for fees that go back with a refund. */
export function proportion(whole: number, portion: number, of: number): number {
  if (of === 0) return 0;
  return Number((BigInt(whole) * BigInt(portion) * 2n + BigInt(of)) / (2n * BigInt(of)));
}

/**
 * What of `whole` goes back when `amount` of the `left` that it hangs on goes back: in proportion, never more than is not back yet, and
 * the last takes the rest. Both `back_so_far` and `left` count what is on its way, so that two at once never take the same cent, and
 * what came to nothing is in the proportion again. The one rule for fees, coupons, money of lines and shares that follow a refund.
 * @param left of what `amount` is a part, before it goes
 * @example partBack(60, 0, 5_000, 10_000) // 30: half of what the fee was taken of
 */
export function partBack(whole: number, back_so_far: number, amount: number, left: number): number {
  const rest = Math.max(0, whole - back_so_far);
  return amount >= left ? rest : proportion(rest, amount, left);
}

/**
 * `total` cents in parts by whole-number weights, by largest remainder: the parts add up to the total exactly, each is within a
 * cent of its true portion, none has the other sign, a weight of 0 gets nothing, and of equal remainders the earlier part gets
 * the cent. A negative total splits as its positive would, so that what was given is taken back alike.
 * @throws RangeError where a weight is negative or not whole, or there is something to split and nobody to get it
 * @example splitCents(100, [1, 1, 1]) // [34, 33, 33]
 */
export function splitCents(total: number, weights: readonly number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + weightOf(weight), 0);
  if (total === 0) return weights.map(() => 0);
  if (all === 0) throw new RangeError("nobody to split among");
  const sign = total < 0 ? -1 : 1;
  const cut = portionsOf(total * sign, weights, all);
  const left = total * sign - cut.reduce((sum, part) => sum + part.floor, 0);
  const extra = new Set(
    left === 0
      ? []
      : cut
          .toSorted((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))
          .slice(0, left)
          .map((part) => part.index),
  );
  return cut.map((part) => (part.floor + (extra.has(part.index) ? 1 : 0)) * sign || 0);
}
function weightOf(weight: number): number {
  if (!Number.isSafeInteger(weight) || weight < 0) throw new RangeError(`not a weight: ${weight}`);
  return weight;
}
interface Portion {
  readonly index: number;
  readonly floor: number;
  readonly rest: number | bigint;
}
/** The whole part of each portion and what remains of it: in numbers where every product is one that a number holds whole. */
function portionsOf(whole: number, weights: readonly number[], all: number): Portion[] {
  if (whole * all <= Number.MAX_SAFE_INTEGER && Number.isInteger(whole))
    return weights.map((weight, index) => {
      const rest = (whole * weight) % all;
      return { index, floor: (whole * weight - rest) / all, rest };
    });
  const [amount, sum] = [BigInt(whole), weights.reduce((one, weight) => one + BigInt(weight), 0n)];
  return weights.map((weight, index) => {
    const product = amount * BigInt(weight);
    return { index, floor: Number(product / sum), rest: product % sum };
  });
}

/** Exact decimal addition, as spec.md section 9 asks. @example decimalAdd("0.1", "0.2") // "0.3" */
export function decimalAdd(a: string | number, b: string | number): string {
  const [x, y, places] = aligned(a, b);
  return placed(x + y, places);
}
/** Exact decimal multiplication. @example decimalMultiply("19.9", "100") // "1990" */
export function decimalMultiply(a: string | number, b: string | number): string {
  const [x, dx] = digits(a);
  const [y, dy] = digits(b);
  return placed(x * y, dx + dy);
}
function digits(given: string | number): [bigint, number] {
  const text = String(given);
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new TypeError(`not a plain decimal: ${text}`);
  const [whole = "0", fraction = ""] = text.split(".");
  return [BigInt(whole + fraction), fraction.length];
}
function aligned(a: string | number, b: string | number): [bigint, bigint, number] {
  const [x, dx] = digits(a);
  const [y, dy] = digits(b);
  const places = Math.max(dx, dy);
  return [x * 10n ** BigInt(places - dx), y * 10n ** BigInt(places - dy), places];
}
function placed(value: bigint, places: number): string {
  const negative = value < 0n;
  const text = String(negative ? -value : value).padStart(places + 1, "0");
  const whole = text.slice(0, text.length - places);
  const fraction = text.slice(text.length - places).replace(/0+$/, "");
  return `${negative ? "-" : ""}${whole}${fraction ? `.${fraction}` : ""}`;
}
