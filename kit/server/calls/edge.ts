import type { z } from "zod";
import { issueWords } from "@zhangfang/contract/issue-words.ts";
import { invalid, Refusal } from "./errors.ts";

const DEPTH = 32;
const KEYS = 1000;

/**
 * Refuses what no field may hold and PostgreSQL or JSON would stumble over: NUL, unpaired surrogates, nesting deeper
 * than 32, more than `most_keys` keys and members, numbers that are not finite (reliability rule 13). Text comes back in NFC.
 */
export function checkInput(value: unknown, most_keys = KEYS): unknown {
  const seen = { left: most_keys };
  return walk(value, 0, "", seen);
}
function walk(value: unknown, depth: number, field: string, seen: { left: number }): unknown {
  if (depth > DEPTH) throw new Refusal(400, "invalid", "内容嵌套过深");
  if (typeof value === "string") return checkText(value, field);
  if (typeof value === "number" && !Number.isFinite(value)) throw invalid(field, "数字格式不正确");
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) {
    count(seen, value.length);
    return value.map((item) => walk(item, depth + 1, field, seen));
  }
  const entries = Object.entries(value);
  count(seen, entries.length);
  return Object.fromEntries(entries.map(([key, item]) => [checkText(key, field), walk(item, depth + 1, depth === 0 ? key : field, seen)]));
}
function count(seen: { left: number }, more: number): void {
  seen.left -= more;
  if (seen.left < 0) throw new Refusal(400, "invalid", "内容过多");
}
function checkText(text: string, field: string): string {
  if (text.includes("\u0000") || !text.isWellFormed()) throw invalid(field || "input", "含有不允许的字符");
  return text.normalize("NFC");
}

/**
 * Checks what a door function was given by the same schema as a form: the first wrong field is named.
 * @throws a 400 at the field
 * @example const store = checkGiven(newStore, given);
 */
export function checkGiven<S extends z.ZodType>(schema: S, given: z.input<S>): z.output<S> {
  const parsed = schema.safeParse(checkInput(given), { error: issueWords });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw invalid(issue?.path.join(".") || "input", issue?.message ?? "输入有误");
}
