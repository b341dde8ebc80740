import { Unreadable } from "./door.ts";

/** An object of a platform's JSON. */
export type Told = Readonly<Record<string, unknown>>;
/** An order is a few thousand characters; whoever sends more is not read. */
const MOST_LENGTH = 256_000;
// A string without an end goes to the end of the text at once: looked for again from each of its quotes, it would take the square of its length.
export const STRING_OR_NUMBER = /"(?:\\.|[^"\\])*(?:"|\\?$)|-?\d[\d.eE+-]*/gs;
/**
 * Reads JSON with numbers as the text that stood there: ids go beyond 2^53, and money is read by its digits.
 * @throws where it is no JSON, without a word of the text: people's phones stand in it
 */
export function readJson(text: string): unknown {
  if (text.length > MOST_LENGTH) throw new Unreadable("an answer is too long");
  try {
    return JSON.parse(text.replaceAll(STRING_OR_NUMBER, (part) => (part.startsWith('"') ? part : `"${part}"`))) as unknown;
  } catch {
    throw new Unreadable("no JSON");
  }
}
export const toldOf = (given: unknown): Told =>
  typeof given === "object" && given !== null && !Array.isArray(given) ? (given as Told) : {};
export const listOf = (given: unknown): readonly Told[] => (Array.isArray(given) ? given.map(toldOf) : []);
/** Text, at most so long, without control characters. */
export const textOf = (given: unknown, most = 64): string =>
  typeof given === "string" ? [...given.replaceAll(/\p{Cc}/gu, " ").trim()].slice(0, most).join("") : "";

/** An amount in yuan as cents, by its digits; what is missing is 0. @throws where it is none */
export function centsOf(given: unknown): number {
  if (given === undefined || given === null || given === "") return 0;
  const match = typeof given === "string" ? /^(-?)(\d{1,9})(?:\.(\d{1,2})0*)?$/.exec(given) : null;
  if (!match) throw new Unreadable("an amount cannot be read");
  const [, sign, whole, rest = ""] = match;
  const cents = Number(whole) * 100 + Number(rest.padEnd(2, "0"));
  return sign === "-" && cents > 0 ? -cents : cents;
}
/** The same of what cannot be less than nothing. @throws where it is */
export function amountOf(given: unknown): number {
  const cents = centsOf(given);
  if (cents < 0) throw new Unreadable("an amount is less than nothing");
  return cents;
}
/** Whole cents that come as such. @throws where it is none */
export function wholeOf(given: unknown): number {
  if (given === undefined || given === null || given === "") return 0;
  if (typeof given !== "string" || !/^-?\d{1,12}$/.test(given)) throw new Unreadable("an amount cannot be read");
  return Number(given);
}
export const size = (cents: number): number => Math.abs(cents);
/** A number of something, also where it is written as 2.0; what is missing is `missing`. @throws where it is none */
export function countOf(given: unknown, missing: 0 | 1): number {
  if (given === undefined || given === null || given === "") return missing;
  const match = typeof given === "string" ? /^(\d{1,4})(?:\.0+)?$/.exec(given) : null;
  if (!match) throw new Unreadable("a number of things cannot be read");
  return Number(match[1]);
}
