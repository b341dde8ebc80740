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
  const common = await commonGrams(tx);
  const telling = soughts.map(({ table }) => grams.map((set) => tellingOf(set, common.get(table), table === "name_search")));
  const asked = [...soughts.keys()].filter((at) => !telling[at]!.includes("many"));
  const each = asked.map((at) => sql`(${sql.lit(at)}, array(${candidates(soughts[at]!, telling[at] as number[][])}))`);
  // As text, because it only goes back: thousands of ids need not be read here.
  const { rows } =
    each.length === 0
      ? { rows: [] }
      : await sql<{ at: number; n: number; ids: string | null }>`
          select at, cardinality(ids) as n, case when cardinality(ids) <= ${sql.lit(FEW)} then ids::text end as ids
          from (values ${sql.join(each)}) as x (at, ids)`.execute(tx);
  const held = new Map(rows.map((row) => [row.at, row]));
  return soughts.map((sought, at) => amongOf(sought, text, held.get(at)?.n === 0, held.get(at)?.ids ?? null));
}

/** Of a table: how many rows it has, and the numbers that most of them hold, each with the share of rows. */
interface Common {
  readonly rows: number;
  readonly shares: ReadonlyMap<number, number>;
}
/** So long what the statistics say is taken for true: it says only which way is shorter. */
const COMMON_MS = 600_000;
let commonRead: { readonly at_ms: number; readonly common: ReadonlyMap<string, Common> } | undefined;
async function commonGrams(tx: Transaction): Promise<ReadonlyMap<string, Common>> {
  if (commonRead && performance.now() - commonRead.at_ms < COMMON_MS) return commonRead.common;
  const { rows } = await sql<{ of: string; gram: string; share: number; rows: number }>`
    select c.of, c.gram, c.share, c.rows from app.common_grams() c`.execute(tx);
  const common = new Map(
    [...Map.groupBy(rows, (row) => row.of)].map(([of, some]) => [
      of,
      { rows: some[0]!.rows, shares: new Map(some.map(({ gram, share }) => [Number(gram), share])) },
    ]),
  );
  commonRead = { at_ms: performance.now(), common };
  return common;
}
/** So many of a set's numbers are asked for at most, and no more of them once so few rows are to be expected. */
const ASKED = 6;
const EXPECTED = 200;
/**
 * Of a set those numbers that tell: the one that the fewest rows hold, then others of few that are not its neighbours (those stand in the same
 * word, and tell the same), until few rows are to be expected; the rest is looked at in the rows themselves. Intersecting eleven pairs of which half
 * of all rows hold most took three times as long. `many`: so many rows hold the only one, or by their shares all of them by far, that nobody need
 * count them. Of a table of several kinds the shares are those of all of them, and say only which number tells more.
 */
export function tellingOf(set: readonly number[], common: Common | undefined, kinds = false): readonly number[] | "many" {
  if (!common) return set;
  const shareOf = (at: number): number => common.shares.get(set[at]!) ?? 0;
  const expected = set.reduce((rows, _gram, at) => rows * shareOf(at), common.rows);
  if (!kinds && expected > (set.length === 1 ? FEW : 10 * FEW)) return "many";
  const taken: number[] = [];
  let rows = common.rows;
  const take = (most: number, apart: boolean): void => {
    for (const at of [...set.keys()].toSorted((one, other) => shareOf(one) - shareOf(other))) {
      if (taken.length >= most || (taken.length > 1 && rows < EXPECTED)) return;
      if (taken.includes(at) || (apart && taken.some((one) => Math.abs(one - at) === 1))) continue;
      taken.push(at);
      // Of one that the statistics do not name hardly anything is known: as few as the least that they do.
      rows *= Math.max(shareOf(at), 0.001);
    }
  };
  take(ASKED, true);
  take(2, false);
  return taken.map((at) => set[at]!);
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
