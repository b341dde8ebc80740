import { stripTypeScriptTypes } from "node:module";

interface Mutation {
  readonly line: number;
  /** What is changed, for whoever reads that it survived. */
  readonly what: string;
  readonly text: string;
}
/** What is found becomes each of these, one at a time; $1 is its first group. */
type Operator = readonly [found: RegExp, ...becomes: readonly string[]];

// On the text, for half of what guards money is SQL, and a tool that knows TypeScript sees one string there.
const OPERATORS: readonly Operator[] = [
  // A clause of the query builder, a column that is set, a call, a guard.
  [/^ +\.where[^\n]*\n/gm, ""],
  [/(?<=\S)\.(?:forUpdate\(\)|where\([^()]*\))/g, ""],
  [/^ +(?:\w+: sql`|\.\.\.\()[^\n]*\n/gm, ""],
  [/^ +(?:if \([^\n]*\) )?(?:throw|return) [^\n]*;\n/gm, ""],
  [/(?:if \([^\n]*\)\s+)?\bawait [^;]*;/g, ";"],
  // A condition of a statement, one of its values, a column that it sets.
  [/\band [^\n`]*?(?=\s+and |\n|`)/g, "and true"],
  [/(where )[^\n`]*?(?=\s+and )/g, "$1true"],
  [/(\bin )\((\d), (\d), (\d)\)/g, "$1($3, $4)", "$1($2, $4)", "$1($2, $3)"],
  [/(\bin )\((\d), (\d)\)/g, "$1($3)", "$1($2)", "$1($2, $3, 3)"],
  [/, \w+ = (?:null|\$\{\w+\})(?= )/g, ""],
  // Signs.
  [/ <= /g, " < "],
  [/ >= /g, " > "],
  [/ < /g, " <= "],
  [/ > /g, " >= "],
  [/">"/g, '">="'],
  [/ === /g, " !== "],
  [/ !== /g, " === "],
  [/ && /g, " || "],
  [/ \|\| /g, " && "],
  [/ [+-] [\w.${}]+/g, ""],
  [/ \+ /g, " - "],
  [/ - /g, " + "],
];

/**
 * A condition on the provider alone. Beside it stands the id of a merchant, store or order, and such an id is given once over
 * all providers: without the provider the same rows are found, only by a slower way.
 */
const PROVIDER_ALONE = /^\s*(?:\.where\("|where |and )(?:\w+\.)?service_provider_id\b(?!.*(?:\.where\(| and )).*$/;

/** Every one of the changes after which it is still TypeScript, each once; comments stay as they are. */
export function mutationsOf(source: string): readonly Mutation[] {
  const found = new Map<string, Mutation>();
  for (const [pattern, ...becomes] of OPERATORS)
    for (const match of source.matchAll(pattern)) {
      const before = source.slice(0, match.index);
      if (PROVIDER_ALONE.test(match[0].trimEnd())) continue;
      if (/^\s*(?:\/\/|\/?\*)/.test(before.slice(before.lastIndexOf("\n") + 1) + match[0])) continue;
      for (const one of becomes) {
        const put = one.replace(/\$(\d)/g, (_all, n: string) => match[Number(n)] ?? "");
        const text = before + put + source.slice(match.index + match[0].length);
        const what = `${short(match[0])} → ${short(put) || "nothing"}`;
        if (text !== source && !found.has(text) && isWhole(text)) found.set(text, { line: before.split("\n").length, what, text });
      }
    }
  return [...found.values()].toSorted((a, b) => a.line - b.line);
}
const short = (text: string): string => text.replaceAll(/\s+/g, " ").trim().slice(0, 90);

function isWhole(text: string): boolean {
  try {
    stripTypeScriptTypes(text);
    return true;
  } catch {
    return false;
  }
}
