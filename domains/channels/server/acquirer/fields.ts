import { centsOf } from "@zhangfang/contract/money.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { isAmbiguous, readForm } from "../signed-form.ts";
import type { AcquirerMapping, FieldNames } from "./mapping.ts";

/** A message in the acquirer's words. */
export type Fields = Readonly<Record<string, string>>;

/** Reads a flat message; undefined where it is none, or could be read in two ways under one signature. */
export function readFields(encoding: "json" | "form", body: Buffer): Fields | undefined {
  const text = body.toString("utf8");
  const fields = encoding === "form" ? readForm(text) : flat(text);
  return fields && !isAmbiguous(fields) ? fields : undefined;
}
function flat(text: string): Record<string, string> | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return undefined;
  const entries = Object.entries(parsed);
  // Null and nested values have no one spelling in a signed text.
  if (!entries.every(([, value]) => typeof value === "string" || typeof value === "number" || typeof value === "boolean")) return undefined;
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}
export const writeFields = (encoding: "json" | "form", fields: Fields): string =>
  encoding === "form" ? new URLSearchParams(fields).toString() : JSON.stringify(fields);

/** One message read by our words. */
export interface Reader {
  text(name: keyof FieldNames): string;
  /** Undefined where it is no amount. */
  cents(name: keyof FieldNames): number | undefined;
  /** ISO in UTC; null where there is none, undefined where it is not a time. */
  moment(name: keyof FieldNames): string | null | undefined;
}
export function readerOf(mapping: AcquirerMapping, fields: Fields, names: Partial<FieldNames> = {}): Reader {
  const text = (name: keyof FieldNames): string => {
    const theirs = names[name] ?? mapping.names[name];
    return theirs !== null && Object.hasOwn(fields, theirs) ? (fields[theirs] ?? "") : "";
  };
  return {
    text,
    cents: (name) => amountOf(mapping, text(name)),
    moment: (name) => momentOf(text(name)),
  };
}

function amountOf({ amounts }: AcquirerMapping, given: string): number | undefined {
  if (amounts === "cents") return /^\d{1,13}$/.test(given) ? Number(given) : undefined;
  return /^\d{1,11}(?:\.\d{1,2})?$/.test(given) ? centsOf(given) : undefined;
}
export const amountText = ({ amounts }: AcquirerMapping, cents: number): string =>
  amounts === "cents" ? String(cents) : `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;

/** Both spellings are in Shanghai time. */
function momentOf(given: string): string | null | undefined {
  if (given === "") return null;
  const parts = /^(\d{4})-?(\d\d)-?(\d\d) ?(\d\d):?(\d\d):?(\d\d)$/.exec(given);
  const at = parts ? new Date(`${parts.slice(1, 4).join("-")}T${parts.slice(4).join(":")}+08:00`) : undefined;
  return !at || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
export const momentText = ({ moment }: AcquirerMapping, at: Date): string =>
  moment === "yyyyMMddHHmmss" ? shanghaiTime(at).replaceAll(/\D/g, "") : shanghaiTime(at);
