import { maskName, maskTail } from "@zhangfang/contract/text.ts";

const SECRET = /password|secret|token|totp|private|cert|pem|hash|sealed|verifier|apiV?3?key|^key$/i;
const NAME = /^(firstName|contactName|leader|realName|holderName|payeeName)$/;
const NUMBER = /card|bank|account(No|Number)|idNo|licen[cs]e/i;
const ADDRESS = /address/i;
const PHONE = /(?<![\w-])(1\d{2})\d{4}(\d{4})(?![\w-])/g;
const ID_CARD = /(?<![\w-])(\d{4})\d{10,13}(\d{3}[\dXx])(?![\w-])/g;
const LONGEST = 400;

/**
 * What a write changed, field by field, as whoever reads the log may see it: secrets not at all, people's names, phones, cards
 * and addresses in part. Whatever a handler noted, this is the last to look at it.
 */
export function maskChanges(detail: unknown): { field: string; before: string | null; after: string | null }[] {
  const { before, after } = (detail ?? {}) as { before?: unknown; after?: unknown };
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((field) => JSON.stringify(old[field] ?? null) !== JSON.stringify(now[field] ?? null))
    .map((field) => ({ field, before: shown(field, old[field]), after: shown(field, now[field]) }));
}

function fieldsOf(given: unknown): Record<string, unknown> {
  if (given === undefined || given === null) return {};
  return typeof given === "object" && !Array.isArray(given) ? (given as Record<string, unknown>) : { 值: given };
}
function shown(field: string, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const masked = mask(field, value);
  const text = typeof masked === "string" ? masked : JSON.stringify(masked);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
function mask(field: string, value: unknown): unknown {
  if (value === null || typeof value === "boolean") return value;
  if (SECRET.test(field)) return "••••••";
  if (Array.isArray(value)) return value.map((one) => mask(field, one));
  if (typeof value === "object") return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mask(name, one)]));
  if (typeof value === "number") return NUMBER.test(field) ? maskTail(String(value)) : value;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (NAME.test(field)) return maskName(text);
  if (ADDRESS.test(field)) return text.length > 6 ? `${text.slice(0, 6)}***` : text;
  if (NUMBER.test(field) && /^[\dXx* ]{6,}$/.test(text)) return maskTail(text);
  return text.replace(PHONE, "$1****$2").replace(ID_CARD, "$1**********$2");
}
