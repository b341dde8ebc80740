import { isTest, lineAt, type Module, type Violation } from "./modules.ts";

/** A statement that writes, by the query builder or as SQL. What a function of the migrations writes counts for nobody. */
const WRITE =
  /\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*"([a-z_]+)(?: as \w+)?"|\b(?:insert into|update|delete from|merge into)\s+([a-z_]+)\s+(?:(?:as )?[a-z]\w* )?(?:set\b|\(|where\b|using\b|select\b)/g;

/** A call of a maker of statements in the kit, which is told the table: the write is the caller's. */
const MAKER = /\b(?:writeOver|setOver|spellAnew)(?:<[^(]*>)?\(\s*(?:[\w.]+,\s*)?"([a-z_]+)"/g;
const BOOK = /: Book = \{\s*name: "([a-z_]+)"/g;
/** A statement whose table is computed. What it may be stands above it: `// writes: salesmen, merchants`. */
const COMPUTED = /\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*[^"\s]|\b(?:insert into|update|delete from|merge into)\s+\$\{/g;
const SAID = /\/\/ writes: ([a-z_, ]+)$/gm;
const MAKERS = new Set([
  "kit/server/database/write-over.ts",
  "kit/server/book.ts",
  "kit/server/pinyin.ts",
  // Brings back what each room had written.
  "kit/server/snapshot/restore-provider.ts",
]);

export interface Write {
  readonly table: string;
  /** The domain, or the kit or the app that writes. */
  readonly room: string;
  readonly path: string;
  readonly line: number;
}
const roomOf = (path: string): string | undefined => /^(domains\/[^/]+|kit|apps\/server)\//.exec(path)?.[1];

/** Every write of the server's own code. */
export function writesOf(modules: readonly Module[]): Write[] {
  return modules
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, code, text }) => {
      const room = roomOf(path);
      if (room === undefined) return [];
      const write = (table: string, line: number): Write => ({ table, room, path, line });
      return [
        ...[...code.matchAll(WRITE)].map((found) => write(found[1] ?? found[2] ?? "", lineAt(code, found.index))),
        ...[...code.matchAll(MAKER)].map((found) => write(found[1]!, lineAt(code, found.index))),
        ...[...code.matchAll(BOOK)].flatMap((found) =>
          ["accounts", "entries", "postings"].map((part) => write(`${found[1]!}_${part}`, lineAt(code, found.index))),
        ),
        ...[...text.matchAll(SAID)].flatMap((found) => found[1]!.split(",").map((table) => write(table.trim(), lineAt(text, found.index)))),
      ];
    });
}

/** A table is written by one domain only: its guards stand in one place. Others go through a door. */
export function tableViolations(modules: readonly Module[]): Violation[] {
  const writes = writesOf(modules);
  const strangers = [...Map.groupBy(writes, ({ table }) => table)].flatMap(([table, all]) => {
    const rooms = [...Map.groupBy(all, ({ room }) => room)].toSorted(([, a], [, b]) => b.length - a.length);
    const owner = rooms[0]?.[0];
    return rooms
      .slice(1)
      .flatMap(([, others]) => others.map(({ path, line }) => ({ path, line, why: `${table} 由 ${owner} 写，请走它的门` })));
  });
  return [...strangers, ...modules.flatMap(unsaid)];
}

/** A write to a computed table that does not say which tables these are, in the ten lines above it. */
function unsaid({ path, code, text }: Module): Violation[] {
  if (isTest(path) || roomOf(path) === undefined || MAKERS.has(path)) return [];
  const said = [...text.matchAll(SAID)].map((found) => lineAt(text, found.index));
  return [...code.matchAll(COMPUTED)]
    .map((found) => lineAt(code, found.index))
    .filter((line) => !said.some((at) => at < line && at >= line - 10))
    .map((line) => ({ path, line, why: "写哪张表是算出来的，请在上方写明 // writes: 表名" }));
}
