import { z } from "zod";
import { sql } from "kysely";
import { forbidden } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";

/** A sheet is a whole merchant's. @throws 403 */
export function wholeMerchant(scope: Scope): { readonly service_provider_id: string; readonly merchant_id: string } {
  const { provider, merchant, stores } = scope;
  if (provider === undefined || merchant === undefined || stores !== undefined) throw forbidden();
  return { service_provider_id: provider, merchant_id: merchant };
}

/** Which days of a merchant at platforms are closed (关账), as `platform|day`: a sheet brings nothing into them. */
export async function closedDays(tx: Transaction, scope: Scope, days: readonly string[]): Promise<ReadonlySet<string>> {
  const { service_provider_id, merchant_id } = wholeMerchant(scope);
  const { rows } = await sql<{ key: string }>`select d.source || '|' || d.day::text as key from recon_days d
    where d.service_provider_id = ${service_provider_id} and d.merchant_id = ${merchant_id} and d.status = 'closed' and d.day = any(${[...new Set(days)]}::date[])`.execute(
    tx,
  );
  return new Set(rows.map(({ key }) => key));
}
/** What is said of a row of a closed day. */
export const dayIsClosed = (day: string): string => `${day} 已关账，要记入请先在对账里撤销关账`;

/** An amount in yuan of a platform's sheet as cents, with its sign: 1,234.50, ¥12, -3.00; null where there is none. */
export const signedYuanCell = z
  .string()
  .optional()
  .transform((text, context) => {
    if (text === undefined) return null;
    const match = /^([-−+]?)[¥￥]?([-−]?)(\d{1,9})(?:\.(\d{1,2})0*)?元?$/.exec(text.replaceAll(/[,，\s]/g, ""));
    if (!match) {
      context.addIssue({ code: "custom", message: "须为金额，最多两位小数" });
      return z.NEVER;
    }
    const [, before = "", behind = "", whole, rest = ""] = match;
    const cents = Number(whole) * 100 + Number(rest.padEnd(2, "0"));
    return cents > 0 && /[-−]/.test(before + behind) ? -cents : cents;
  });
/** What is given or taken off, whichever sign stands before it; null where there is none. */
export const maybeSizeCell = signedYuanCell.transform((cents) => cents && Math.abs(cents));
/** The same; nothing is 0. */
export const sizeCell = maybeSizeCell.transform((cents) => cents ?? 0);
/** What cannot be less than nothing: turned round it would be another fact. Nothing is 0. */
export const yuanCell = signedYuanCell.transform((cents, context) => {
  if (cents !== null && cents < 0) context.addIssue({ code: "custom", message: "不能是负数" });
  return cents ?? 0;
});
/**
 * A cell of one of so many words, each with what it means; any other is refused, for guessing would turn facts round.
 * @example wordCell("订单状态", { 2: ["已完成", "完成"], 3: ["已取消"] })
 */
export function wordCell<K extends string>(name: string, words: Readonly<Record<K, readonly string[]>>) {
  const meant = new Map((Object.keys(words) as K[]).flatMap((key) => words[key].map((word) => [word, key] as const)));
  return z.string().transform((word, context): K => {
    const key = meant.get(word.trim());
    if (key !== undefined) return key;
    context.addIssue({ code: "custom", message: `不认识的${name}「${word.trim().slice(0, 20)}」` });
    return z.NEVER;
  });
}
const MOMENT = /^(20\d\d)[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?)?$/;
/** A moment of a sheet, in Shanghai time, as an instant; a day alone is its noon. */
export const momentCell = z.string().transform((text, context) => {
  const match = MOMENT.exec(text.trim());
  const [, year = "", month = "", day = "", hour = "12", minute = "00", second = "00"] = match ?? [];
  const two = (part: string): string => part.padStart(2, "0");
  const iso = `${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}:${second}+08:00`;
  const at_ms = Date.parse(iso);
  // 02-30 would be read as another day.
  const same = match && !Number.isNaN(at_ms) && new Date(at_ms + 8 * 3_600_000).toISOString().slice(0, 10) === iso.slice(0, 10);
  if (!same) {
    context.addIssue({ code: "custom", message: "时间格式如 2026-11-20 12:30:00" });
    return z.NEVER;
  }
  return new Date(at_ms).toISOString();
});

/** The stores that lines name: by number, or by a name that only one of the merchant's has. */
export async function storesNamed(
  tx: Transaction,
  scope: Scope,
  texts: readonly (string | undefined)[],
): Promise<(text: string | undefined) => { readonly id: string | null } | { readonly wrong: string }> {
  const given = [...new Set(texts.flatMap((text) => text ?? []))];
  const { rows } = await sql<{
    id: string;
    number: string;
    name: string;
    short_name: string;
  }>`select s.id, s.number, s.name, s.short_name from stores s
    where ${inScope(scope, "s")} and (s.number = any(${given}::text[]) or s.name = any(${given}::text[]) or s.short_name = any(${given}::text[]))`.execute(
    tx,
  );
  return (text) => {
    if (text === undefined) return { id: null };
    const found = rows.filter(({ number, name, short_name }) => [number, name, short_name].includes(text));
    if (found.length === 1) return { id: found[0]!.id };
    return { wrong: found.length === 0 ? `没有门店「${text}」，请填本店的门店编号或名称` : `有几家门店叫「${text}」，请填门店编号` };
  };
}
