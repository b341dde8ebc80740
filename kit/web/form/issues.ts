import type { z } from "zod";
import { issueWords } from "@zhangfang/contract/issue-words.ts";

/** Messages by field path (`amount`, `lines.0.price`). */
export type FieldErrors = Readonly<Record<string, string>>;

/**
 * Checks values against an endpoint's input. A text field left empty counts as not given where the schema allows that.
 * @returns the values to send, or the message of each field
 */
export function checked(
  schema: z.ZodType,
  values: Readonly<Record<string, unknown>>,
): { values: Record<string, unknown> } | { errors: FieldErrors } {
  const first = schema.safeParse(values, { error: issueWords });
  if (first.success) return { values };
  const blamed = new Set(first.error.issues.map((issue) => String(issue.path[0])));
  const without = Object.fromEntries(Object.entries(values).filter(([name, value]) => !(value === "" && blamed.has(name))));
  if (schema.safeParse(without).success) return { values: without };
  const errors: Record<string, string> = {};
  for (const issue of first.error.issues) errors[issue.path.join(".")] ??= wordsFor(issue.message, valueAt(values, issue.path));
  return { errors };
}

/** A type's own words say little to whoever left a field empty or typed no number. */
function wordsFor(message: string, value: unknown): string {
  if (value === undefined || value === null) return message.startsWith("请") ? message : "请填写";
  return Number.isNaN(value) ? "请填写正确的数字" : message;
}
function valueAt(values: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, name) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[name], values);
}

/** The message at a field: its own, or the first one inside it. */
export function errorAt(errors: FieldErrors, name: string): string | undefined {
  return errors[name] ?? Object.entries(errors).find(([path]) => path.startsWith(`${name}.`))?.[1];
}
