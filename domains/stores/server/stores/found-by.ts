import { sql, type RawBuilder } from "kysely";
import type { Transaction } from "@zhangfang/server/db.ts";

const PLACES = 1_114_112;
const FOUR_DIGITS = 2_000_000_000_000;
const PHONE_END = 3_000_000_000_000;
/** Up to so many are looked up one by one; a keyword that more of them may match is found sooner by reading the list. */
const FEW = 2_000;

/** Windows of a text, each once. */
const windows = (characters: readonly string[], size: number): string[] => [
  ...new Set(characters.slice(size - 1).map((_, at) => characters.slice(at, at + size).join(""))),
];
/** A pair of neighbouring characters as one number. */
const pairNumber = (pair: string): number => {
  const [first = "", second = ""] = pair;
  return (first.codePointAt(0) ?? 0) * PLACES + (second.codePointAt(0) ?? 0);
};
/** The sets of numbers of which a store has one whole, as app.store_grams makes them. */
function gramsOf(text: string): number[][] {
  const characters = [...text];
  if (/^\d{4,}$/.test(text))
    return [windows(characters, 4).map((four) => FOUR_DIGITS + Number(four)), [PHONE_END + Number(text.slice(-4))]];
  return [windows(characters, Math.min(2, characters.length)).map(pairNumber)];
}

/**
 * The stores `s` that a keyword means: a part of a name, initials, a part of the number, or the end of the phone, at least
 * four digits of it. An index finds those that can match, where they are few; the rest is looked at.
 */
export async function storesFoundBy(tx: Transaction, keyword: string): Promise<RawBuilder<boolean>> {
  const text = keyword.toLowerCase();
  const like = `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
  const tail = /^\d{4,11}$/.test(text) ? sql`or right(s.phone, ${sql.lit(text.length)}) = ${text}` : sql``;
  const matching = sql<boolean>`(lower(s.name) like ${like} or lower(s.short_name) like ${like} or s.pinyin like ${like} or lower(s.number) like ${like} ${tail})`;
  const candidates = sql`select x.store_id from store_search x where ${sql.join(
    gramsOf(text).map((grams) => sql`x.grams @> ${`{${grams.join(",")}}`}::bigint[]`),
    sql` or `,
  )} limit ${sql.lit(FEW + 1)}`;
  const found = await sql<{ n: number }>`select count(*)::int as n from (${candidates}) as c`.execute(tx);
  if ((found.rows[0]?.n ?? 0) > FEW) return matching;
  return sql<boolean>`s.id = any(array(${candidates})) and ${matching}`;
}
