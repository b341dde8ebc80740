import { sql, type RawBuilder } from "kysely";
import type { Transaction } from "../database/db.ts";

const PLACES = 1_114_112;
const FOUR_DIGITS = 2_000_000_000_000;
const PHONE_END = 3_000_000_000_000;
/** Up to so many are looked up one by one and counted; a keyword that more of them may match is found sooner by reading the list. */
export const FEW = 2_000;

/** Windows of a text, each once. */
const windows = (characters: readonly string[], size: number): string[] => [
  ...new Set(characters.slice(size - 1).map((_, at) => characters.slice(at, at + size).join(""))),
];
/** A pair of neighbouring characters as one number. */
const pairNumber = (pair: string): number => {
  const [first = "", second = ""] = pair;
  return (first.codePointAt(0) ?? 0) * PLACES + (second.codePointAt(0) ?? 0);
};
/** The sets of numbers of which a thing has one whole, as app.search_grams makes them. */
function gramsOf(text: string): number[][] {
  const characters = [...text];
  if (/^\d{4,}$/.test(text))
    return [windows(characters, 4).map((four) => FOUR_DIGITS + Number(four)), [PHONE_END + Number(text.slice(-4))]];
  return [windows(characters, Math.min(2, characters.length)).map(pairNumber)];
}

/** What is looked for: the rows under `alias`, whose numbers stand in a table of their own. */
export type Sought = {
  readonly alias: string;
  /** The column that a phone's end is looked for in, where it has one. */
  readonly phone?: "contact_phone" | "phone";
} & (
  | {
      readonly table: "merchant_search" | "store_search" | "campaign_search";
      /** Names the row in that table. */
      readonly id: "merchant_id" | "store_id" | "campaign_id";
    }
  | { readonly table: "name_search"; readonly kind: Spelt }
);
/** The tables that are found through `name_search`. */
type Spelt = "service_providers" | "agents" | "salesmen" | "users" | "cashiers" | "devices" | "products";

/**
 * The rows that a keyword means: a part of a name, its pinyin, a part of the number, or the end of the phone, at least
 * four digits of it. An index finds those that can match, where they are few; the rest is looked at.
 * @example where(await foundBy(tx, "青石", { alias: "m", table: "merchant_search", id: "merchant_id", phone: "contact_phone" }))
 */
export async function foundBy(tx: Transaction, keyword: string, sought: Sought): Promise<RawBuilder<boolean>> {
  return (await soughtBy(tx, keyword, sought)).where;
}
/** The same, with whether those that can match are few enough to be put in an order of their own. */
export async function soughtBy(tx: Transaction, keyword: string, sought: Sought): Promise<{ where: RawBuilder<boolean>; few: boolean }> {
  const text = keyword.toLowerCase();
  const column = (name: string) => sql.ref(`${sought.alias}.${name}`);
  const tail = sought.phone && /^\d{4,11}$/.test(text) ? sql`or right(${column(sought.phone)}, ${sql.lit(text.length)}) = ${text}` : sql``;
  // Not `like`: behind row-level security it is taken for something that hardly any row holds, and the whole list is sorted.
  const matching = sql<boolean>`(position(${text} in ${column("found_in")}) > 0 ${tail})`;
  const [id, kind] = sought.table === "name_search" ? ["id", sql`x.kind = ${sought.kind} and`] : [sought.id, sql``];
  const candidates = sql`select x.${sql.ref(id)} from ${sql.table(sought.table)} x where ${kind} (${sql.join(
    gramsOf(text).map((grams) => sql`x.grams @> ${`{${grams.join(",")}}`}::bigint[]`),
    sql` or `,
  )}) limit ${sql.lit(FEW + 1)}`;
  const found = await sql<{ n: number }>`select count(*)::int as n from (${candidates}) as c`.execute(tx);
  if ((found.rows[0]?.n ?? 0) > FEW) return { where: matching, few: false };
  return { where: sql<boolean>`${column("id")} = any(array(${candidates})) and ${matching}`, few: true };
}
/** Whole names first, then those that begin so, then the rest; for the few that `soughtBy` found. */
export const nearest = (alias: string, keyword: string): RawBuilder<number> => {
  const lines = sql`E'\n' || replace(${sql.ref(`${alias}.found_in`)}, ' ', E'\n') || E'\n'`;
  const text = keyword.toLowerCase();
  return sql<number>`case when position(${`\n${text}\n`} in ${lines}) > 0 then 0 when position(${`\n${text}`} in ${lines}) > 0 then 1 else 2 end`;
};
