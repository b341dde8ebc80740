import { SMALL } from "./small.ts";

export interface Figures {
  readonly count: number;
  readonly perSecond: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Processor time of the process that asked. */
  readonly cpu_us: number;
}

/** What a run of calls says: how many a second, and how long half of them and all but one in a hundred took. */
export function summarise(durations_ms: readonly number[], total_ms: number): Figures {
  const sorted = Float64Array.from(durations_ms).toSorted();
  const { user, system } = process.cpuUsage();
  return {
    count: sorted.length,
    perSecond: (sorted.length * 1000) / total_ms,
    p50_ms: quantile(sorted, 0.5),
    p99_ms: quantile(sorted, 0.99),
    cpu_us: user + system,
  };
}
/** The value below which the share `q` of the sorted values lies. */
export const quantile = (sorted: ArrayLike<number>, q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
/** The middle of a few repeated figures. */
export const median = (values: readonly number[]): number =>
  quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );

/** One line of the table. `ok` is undefined where nothing is aimed at. */
export interface Line {
  readonly name: string;
  readonly figure: string;
  readonly limit: string;
  readonly ok?: boolean;
  /** The figures as numbers, for the saved file. */
  readonly raw: Readonly<Record<string, number>>;
}
/** Times and rates of a small run say nothing; what is counted must fit all the same. */
const held = (ok: boolean) => (SMALL ? {} : { ok });
/** A figure that must not pass its limit. */
export const atMost = (name: string, value: number, limit: number, unit: string, digits = 0): Line => ({
  name,
  figure: `${value.toFixed(digits)} ${unit}`.trim(),
  limit: `≤ ${limit} ${unit}`.trim(),
  ...held(value <= limit),
  raw: { value, limit },
});
/** A figure that must reach its limit. */
export const atLeast = (name: string, value: number, limit: number, unit: string, digits = 0): Line => ({
  name,
  figure: `${value.toFixed(digits)} ${unit}`.trim(),
  limit: `≥ ${limit} ${unit}`.trim(),
  ...held(value >= limit),
  raw: { value, limit },
});
/** A figure for orientation. */
export const plain = (name: string, figure: string, raw: Line["raw"] = {}): Line => ({ name, figure, limit: "", raw });
