// npm run coverage: writes docs/coverage.md, which says where each screen and each line of the specification is held.
// npm run coverage -- spec.md screens.md: also says which lines and screens of those two pages are not in it.
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUILT_SCREENS, MENU_TREE } from "@zhangfang/domains/accounts/contract/menu-tree.ts";
import { ROOT } from "../run.ts";

/** A line of the specification, and texts of this project that hold it: `path › text`. */
interface Line {
  readonly line: string;
  readonly by: readonly string[];
  readonly note?: string;
}
interface Section {
  readonly section: string;
  readonly lines: readonly Line[];
}
export interface Coverage {
  readonly text: string;
  readonly screens: number;
  readonly lines: number;
  /** What is missing: a screen without a file or a journey, a text that stands nowhere any more, a line that nothing holds. */
  readonly missing: readonly string[];
}

const SPEC = "tools/generated/spec-lines.json";
const PAGE = "docs/coverage.md";
const EVERY = "e2e/every-screen.spec.ts";
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const sections = (): Section[] => JSON.parse(read(SPEC)) as Section[];
/** What the plan names at a screen and is not built, with why (domains/wechat/README.md). */
const SCREEN_NOTES: Readonly<Record<string, string>> = {
  "wei-xin-app":
    "not built: mini programs and their templates (nothing here runs in one), WeChat's own tags (a copy would be a second truth)",
  "group-note-index":
    "not built: templates and template/send (no room sends service notices by them, and marketing may not); 复制 makes one of any note",
};
const cell = (text: string): string => text.replaceAll("|", "\\|");

/** Screen key to the file of its component, from the web doors of the rooms. */
function components(): Map<string, string> {
  const found = new Map<string, string>();
  for (const door of globSync("domains/*/web/index.ts", { cwd: ROOT }))
    for (const [, key, file] of read(door).matchAll(/(?:^|[{,]) *"?([\w-]+)"?: screen\(\(\) => import\("\.\/([^"]+)"\)/gm))
      found.set(key!, join(door, "..", file!));
  return found;
}

/** Journeys that open an address: `/store/store`, not `/store/store/close`. */
function journeysOf(specs: ReadonlyMap<string, string>, path: string): string[] {
  const open = new RegExp(`(?:#|["'\`])${path.replaceAll(/[/.]/g, "\\$&")}(?![\\w/])`);
  return [...specs].filter(([, text]) => open.test(text)).map(([name]) => name);
}

interface Seen {
  readonly key: string;
  readonly title: string;
  readonly path: string;
  readonly levels: string;
  /** The file of its component, from the project's root. */
  readonly file: string | undefined;
  /** Journeys of its own; every-screen.spec.ts opens each one besides. */
  readonly journeys: readonly string[];
}
/** Every screen of the menu in its order, with what shows it and what opens it. */
export function screensSeen(): Map<string, readonly Seen[]> {
  const files = components();
  const specs = new Map(
    globSync("e2e/**/*.spec.ts", { cwd: ROOT })
      .toSorted()
      .filter((path) => path !== EVERY)
      .map((path) => [path.slice("e2e/".length), read(path)]),
  );
  return new Map(
    MENU_TREE.map((top) => [
      top.title,
      top.screens.map(([key, title, path, levels]) => ({
        key,
        title,
        path,
        levels,
        file: (BUILT_SCREENS as readonly string[]).includes(key) ? files.get(key) : undefined,
        journeys: path === "/" ? ["shell.spec.ts", "statistics.spec.ts"] : journeysOf(specs, path),
      })),
    ]),
  );
}

function screenRows(missing: string[]): string[] {
  return [...screensSeen()].flatMap(([top, screens]) => [
    `| **${top}** | | | | |`,
    ...screens.map(({ key, title, path, levels, file, journeys }) => {
      if (!file) missing.push(`${key} ${title}: no screen`);
      else if (!existsSync(join(ROOT, file))) missing.push(`${key} ${title}: ${file} is not there`);
      const note = SCREEN_NOTES[key] ? `<br>*${SCREEN_NOTES[key]}*` : "";
      return `| ${key} | ${title} | ${path} · ${levels} | ${file ?? "—"}${note} | ${journeys.join(", ") || "every-screen.spec.ts"} |`;
    }),
  ]);
}

function lineRows(missing: string[]): string[] {
  const texts = new Map<string, string>();
  const stands = (path: string, text: string): boolean => {
    if (!texts.has(path)) texts.set(path, existsSync(join(ROOT, path)) ? read(path) : "");
    return texts.get(path)!.includes(text);
  };
  return sections().flatMap(({ section, lines }) => [
    `\n### ${section}\n\n| line | held by |\n|---|---|`,
    ...lines.map(({ line, by, note }) => {
      if (by.length === 0 && !note) missing.push(`nothing holds: ${line}`);
      for (const one of by) {
        const [path = "", text = ""] = one.split(" › ");
        if (text === "" || !stands(path, one.slice(path.length + 3))) missing.push(`not there any more: ${one}`);
      }
      const held = by.map((one) => `${one.slice(one.indexOf(" › ") + 3)} (${one.split(" › ")[0]})`);
      return `| ${cell(line)} | ${cell([...held, ...(note ? [`*${note}*`] : [])].join("<br>"))} |`;
    }),
  ]);
}

/** Makes the page anew from the menu, the rooms, the journeys and `tools/generated/spec-lines.json`, and says what is missing. */
export function coverage(): Coverage {
  const missing: string[] = [];
  const screens = screenRows(missing);
  const lines = lineRows(missing);
  const text = [
    "# Coverage",
    "",
    "Where each screen and each line of the specification is held. Made by `npm run coverage`; `tools/generated/coverage.test.ts` keeps it true.",
    "",
    "## Screens",
    "",
    "| screen | title | address · levels | file | journeys that open it |",
    "|---|---|---|---|---|",
    ...screens,
    "",
    "## The specification, line by line",
    ...lines,
    "",
  ].join("\n");
  return {
    text,
    screens: new Set(MENU_TREE.flatMap((top) => top.screens.map(([key]) => key))).size,
    lines: sections().flatMap((one) => one.lines).length,
    missing,
  };
}

/** What a page says that is not in the table: lines of the specification, keys of screens. */
function unknown(spec: string, screens: string): string[] {
  const plain = (text: string): string => text.replaceAll(/[\s`|*]+/g, " ").trim();
  const known = new Set(sections().flatMap(({ lines }) => lines.map(({ line }) => plain(line))));
  const stated = spec
    .split("\n")
    .map((line) => plain(line.replace(/^\s*(?:[-*]|\d+\.) /, "")))
    .filter((line) => line !== "" && !/^#|^-+( -+)*$|^Method Path/.test(line));
  const keys = new Set<string>(MENU_TREE.flatMap((top) => top.screens.map(([key]) => key)));
  const named = [...screens.matchAll(/^\| \d+ \|[^|]*\|[^|]*\|([^|]*)\|$/gm)].flatMap(([, list = ""]) =>
    list
      .replaceAll(/\([^)]*\)/g, "")
      .split(",")
      .map((key) => key.trim()),
  );
  return [
    ...stated.filter((line) => !known.has(line)).map((line) => `spec: ${line}`),
    ...named.filter((key) => key !== "" && !keys.has(key)).map((key) => `screen: ${key}`),
  ];
}

if (import.meta.main) {
  const { text, screens, lines, missing } = coverage();
  writeFileSync(join(ROOT, PAGE), text);
  const [spec, page] = process.argv.slice(2);
  const more = spec && page ? unknown(readFileSync(spec, "utf8"), readFileSync(page, "utf8")) : [];
  for (const one of [...missing, ...more]) process.stdout.write(`${one}\n`);
  process.stdout.write(`${screens} screens, ${lines} lines, ${missing.length + more.length} missing\n`);
}
