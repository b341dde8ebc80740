import { sql } from "kysely";
import { pinyin, polyphonic } from "pinyin-pro";
import { z } from "zod";
import { withScope } from "./database/db.ts";
import { type Job, job } from "./jobs/jobs.ts";
import { platformScope } from "./database/scope.ts";

/** Characters that people read in another way than the word has it, so often that each reading finds. */
const MIXED_UP = new Set("行重会长乐参单调还仇曾厦");

/**
 * What names are found by, in pinyin: the initials as the words are read, then as they may be misread, eight at most, and the whole.
 * @example searchWords("重庆麦香") // "cqmx zqmx chongqingmaixiang"
 */
export const searchWords = (...names: readonly string[]): string => [...new Set(names.flatMap(wordsOf))].join(" ");

function wordsOf(name: string): string[] {
  const plain = (syllable: string): string => syllable.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  const syllables = pinyin(name, { toneType: "none", type: "array", v: true }).map(plain);
  let initials = [""];
  for (const [at, character] of [...name].entries()) {
    const others = MIXED_UP.has(character) ? polyphonic(character, { toneType: "none", type: "array" })[0]! : [];
    const letters = [...new Set([syllables[at] ?? "", ...others].map((syllable) => plain(syllable).slice(0, 1)))];
    initials = initials.flatMap((before) =>
      letters.slice(0, initials.length * letters.length > 8 ? 1 : undefined).map((letter) => before + letter),
    );
  }
  return [...initials, syllables.join("")].filter((word) => word !== "");
}

/** So many names at a time: some ten milliseconds of nothing else. */
const AT_ONCE = 500;
interface Named {
  readonly service_provider_id: string;
  readonly id: string;
  readonly name: string;
  readonly short_name: string;
  readonly pinyin: string;
}

/** Writes anew every night what names are found by, where it is not what searchWords says today: words from before, and a dictionary that learnt. */
export const spellAnew = (table: "merchants" | "stores"): Job =>
  job({
    name: `spell-${table}-anew`,
    data: z.object({}),
    every: "25 4 * * *",
    concurrency: 1,
    lease_s: 900,
    run: async ({ pool }) => {
      const all = platformScope(`search words of ${table}`);
      let last: Named | undefined;
      do {
        const { rows } = await withScope(pool, all, (tx) =>
          sql<Named>`select service_provider_id, id, name, short_name, pinyin from ${sql.table(table)}
            ${last ? sql`where (service_provider_id, id) > (${last.service_provider_id}, ${last.id})` : sql``}
            order by service_provider_id, id limit ${sql.lit(AT_ONCE)}`.execute(tx),
        );
        const wrong = rows
          .map((row) => ({ ...row, words: searchWords(row.short_name, row.name) }))
          .filter(({ words, pinyin }) => words !== pinyin);
        // Whoever renames one meanwhile writes its words too.
        if (wrong.length > 0)
          await withScope(pool, all, (tx) =>
            sql`update ${sql.table(table)} t set pinyin = n.words
              from jsonb_to_recordset(${JSON.stringify(wrong)}::jsonb) as n (service_provider_id uuid, id uuid, name text, short_name text, words text)
              where (t.service_provider_id, t.id, t.name, t.short_name) = (n.service_provider_id, n.id, n.name, n.short_name)`.execute(tx),
          );
        last = rows.length === AT_ONCE ? rows.at(-1) : undefined;
      } while (last);
    },
  });
