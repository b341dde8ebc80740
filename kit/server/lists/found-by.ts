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

/** What of a keyword was found among the rows under an alias, before any of them was read. */
export interface Among {
  readonly alias: string;
  /** That a row is meant. */
  readonly where: RawBuilder<boolean>;
  /** Whether those that can match are few enough to be put in an order of their own. */
  readonly few: boolean;
  /** Nothing can match: nobody needs to be asked. */
  readonly none: boolean;
  /** How near a row is, for the few: whole names first, then those that begin so, then the rest. */
  readonly near: RawBuilder<number>;
}

/**
 * The rows that a keyword means: a part of a name, its pinyin, a part of the number, or the end of the phone, at least
 * four digits of it. An index finds those that can match, where they are few; the rest is looked at.
 * @example where(await foundBy(tx, "青石", { alias: "m", table: "merchant_search", id: "merchant_id", phone: "contact_phone" }))
 */
export async function foundBy(tx: Transaction, keyword: string, sought: Sought): Promise<RawBuilder<boolean>> {
  return (await soughtBy(tx, keyword, [sought]))[0]!.where;
}
/** The same for things of several kinds, of which those that can match are looked up in one statement. */
export async function soughtBy(tx: Transaction, keyword: string, soughts: readonly Sought[]): Promise<Among[]> {
  const text = keyword.toLowerCase();
  const grams = gramsOf(text);
  const each = soughts.map((sought, at) => sql`(${sql.lit(at)}, array(${candidates(sought, grams)}))`);
  // As text, because it only goes back: thousands of ids need not be read here.
  const { rows } = await sql<{ at: number; n: number; ids: string | null }>`
    select at, cardinality(ids) as n, case when cardinality(ids) <= ${sql.lit(FEW)} then ids::text end as ids
    from (values ${sql.join(each)}) as x (at, ids)`.execute(tx);
  return rows.toSorted((a, b) => a.at - b.at).map(({ at, n, ids }) => amongOf(soughts[at]!, text, n === 0, ids));
}
function candidates(sought: Sought, grams: readonly (readonly number[])[]): RawBuilder<unknown> {
  const [id, kind] = sought.table === "name_search" ? ["id", sql`x.kind = ${sql.lit(sought.kind)} and`] : [sought.id, sql``];
  return sql`select x.${sql.ref(id)} from ${sql.table(sought.table)} x where ${kind} (${sql.join(
    grams.map((some) => sql`x.grams @> ${`{${some.join(",")}}`}::bigint[]`),
    sql` or `,
  )}) limit ${sql.lit(FEW + 1)}`;
}
function amongOf({ alias, phone }: Sought, text: string, none: boolean, ids: string | null): Among {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  const tail = phone && /^\d{4,11}$/.test(text) ? sql`or right(${column(phone)}, ${sql.lit(text.length)}) = ${text}` : sql``;
  // Not `like`: behind row-level security it is taken for something that hardly any row holds, and the whole list is sorted.
  const matching = sql<boolean>`(position(${text} in ${column("found_in")}) > 0 ${tail})`;
  const where = ids === null ? matching : sql<boolean>`${column("id")} = any(${ids}::uuid[]) and ${matching}`;
  return { alias, where, few: ids !== null, none, near: nearest(alias, text) };
}
const nearest = (alias: string, text: string): RawBuilder<number> => {
  const lines = sql`E'\n' || replace(${sql.ref(`${alias}.found_in`)}, ' ', E'\n') || E'\n'`;
  return sql<number>`case when position(${`\n${text}\n`} in ${lines}) > 0 then 0 when position(${`\n${text}`} in ${lines}) > 0 then 1 else 2 end`;
};
