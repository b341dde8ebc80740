import { shanghaiTime } from "@zhangfang/contract/time.ts";

/**
 * How a column's values are written: `text` stays text to the letter; `money` is whole cents and becomes yuan;
 * `count` is a whole number; `time` is a moment (ISO text) and becomes Asia/Shanghai time.
 */
export type CellKind = "text" | "money" | "count" | "time";
export type Cell = string | number | null | undefined;

export interface TableColumn {
  readonly label: string;
  readonly kind: CellKind;
  /** In characters of the standard font; a hanzi counts two. */
  readonly width?: number;
}

/** Where bytes go; the promise is the back-pressure. */
export type Sink = (bytes: Buffer) => Promise<void>;

/** A file of one table, written batch by batch; nothing of it stays in memory. */
export interface TableWriter {
  /** Appends rows; each has one cell for each column, in the columns' order. */
  write(rows: readonly (readonly Cell[])[]): Promise<void>;
  /** Completes the file. The sink is not closed. */
  end(): Promise<void>;
}

/** Cents as exact decimal text in yuan, without separators. @throws TypeError for anything but whole cents. @example yuanText(-5) // "-0.05" */
export function yuanText(cents: Cell): string {
  if (!Number.isSafeInteger(cents)) throw new TypeError(`not whole cents: ${String(cents)}`);
  const digits = String(Math.abs(cents as number)).padStart(3, "0");
  return `${(cents as number) < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** A whole number as digits. @throws TypeError for anything else, so that no sum is ever silently wrong */
export function countText(count: Cell): string {
  if (!Number.isSafeInteger(count)) throw new TypeError(`not a whole number: ${String(count)}`);
  return String(count);
}

/** A moment given as ISO text, in milliseconds. @throws TypeError for anything else */
export function momentOf(moment: Cell): number {
  const ms = typeof moment === "string" ? Date.parse(moment) : Number.NaN;
  if (Number.isNaN(ms)) throw new TypeError(`not a moment: ${String(moment)}`);
  return ms;
}
/** Shanghai time as text, YYYY-MM-DD HH:mm:ss. */
export const timeText = (moment: Cell): string => shanghaiTime(momentOf(moment));

// What XML cannot hold and a spreadsheet would choke on: C0 and C1 controls besides tab and line feed, and the two non-characters.
// oxlint-disable-next-line no-control-regex -- dropping control characters is what it is for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/g;

/** Text without control characters and broken surrogates; a line break is one LF. */
export function plainText(value: Cell): string {
  const text = String(value ?? "");
  if (!needsCleaning.test(text)) return text;
  return text.replaceAll(/\r\n?/g, "\n").replaceAll(CONTROLS, "").toWellFormed();
}
// oxlint-disable-next-line no-control-regex -- the same set, and surrogates, to skip the work for nearly every cell
const needsCleaning = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ud800-\udfff\ufffe\uffff]/;
