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
    .filter((field) => !COUNTERS.test(field) && !isSame(old[field], now[field]))
    .map((field) => {
      const [was, is] = differing(old[field], now[field]);
      return { field, before: shown(field, was), after: shown(field, is) };
    });
}
/** What goes up by itself with every write. */
const COUNTERS = /^(version|updatedAt|updated_at|requestId)$/;
/** Nothing is nothing however it is written, a number is the same as its digits, and the order of names says nothing. */
const isSame = (one: unknown, other: unknown): boolean => plain(one) === plain(other);
function plain(value: unknown): string {
  if (value === undefined || value === null || value === "") return "";
  if (Array.isArray(value)) return value.length === 0 ? "" : `[${value.map(plain).join(",")}]`;
  if (typeof value !== "object") return String(value as string | number | boolean);
  const parts = Object.entries(value).filter(([, part]) => plain(part) !== "");
  return parts.length === 0
    ? ""
    : `{${parts
        .map(([name, part]) => `${name}:${plain(part)}`)
        .toSorted()
        .join(",")}}`;
}
/** Of things that are made of several, the parts alone that are not the same. */
function differing(one: unknown, other: unknown): readonly [unknown, unknown] {
  if (!isParts(one) || !isParts(other)) return [one, other];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((name) => !isSame(one[name], other[name]));
  const only = (of: Record<string, unknown>) => Object.fromEntries(names.flatMap((name) => (name in of ? [[name, of[name]]] : [])));
  return [only(one), only(other)];
}
const isParts = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

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
