import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** One source file: where it stands from the root, what it says, and what it imports. */
export interface Module {
  readonly path: string;
  /** Comments blanked out, lines kept: for laws about code. */
  readonly code: string;
  readonly text: string;
  readonly imports: readonly Import[];
}
export interface Import {
  /** A path from the root for our own modules, else the name as it stands. */
  readonly target: string;
  readonly line: number;
  /** What is imported to run, not only to type: `*` for everything. */
  readonly names: readonly string[];
}
/** A broken law, as a line that a terminal and an editor can follow. */
export interface Violation {
  readonly path: string;
  readonly line: number;
  readonly why: string;
}

const ROOMS = ["kit", "domains", "apps", "tools", "bench", "e2e"];
const PACKAGES: Readonly<Record<string, string>> = {
  "@zhangfang/contract/": "kit/contract/",
  "@zhangfang/server/": "kit/server/",
  "@zhangfang/web/": "kit/web/",
  "@zhangfang/domains/": "domains/",
};
const IMPORT =
  /(?:^|[;\n])[ \t]*(?:import|export)\s+(type\s)?(?:([\w$*{}\s,]+?)\sfrom\s*)?["']([^"'\n]+)["']|\bimport\(\s*["'`]([^"'`\n]+)["'`]/g;

/** Reads every .ts and .tsx of the rooms. */
export function readModules(root: string): Module[] {
  const patterns = ROOMS.map((room) => `${room}/**/*.{ts,tsx}`);
  const paths = globSync(patterns, { cwd: root, exclude: (name) => /(^|\/)(node_modules|dist)$/.test(name) });
  return paths.toSorted().map((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const code = withoutComments(text);
    return { path, text, code, imports: importsOf(path, code) };
  });
}

/** Tests and what only they use. */
export const isTest = (path: string): boolean =>
  /(\.test|-for-tests|\/testing(-\w+)?)\.tsx?$|\/testing\//.test(path) || path.startsWith("e2e/");

/** The line on which the character at `index` stands, from 1. */
export const lineAt = (text: string, index: number): number => text.slice(0, index).split("\n").length;

function importsOf(path: string, code: string): Import[] {
  return [...code.matchAll(IMPORT)].map((found) => {
    const specifier = found[3] ?? found[4] ?? "";
    const names = found[1] ? [] : namesOf(found[2]);
    return { target: targetOf(path, specifier), line: lineAt(code, found.index + found[0].indexOf(specifier)), names };
  });
}

function namesOf(clause: string | undefined): string[] {
  const braced = /^\{([^}]*)\}$/.exec(clause?.trim() ?? "")?.[1];
  if (braced === undefined) return ["*"];
  return braced.split(",").flatMap((name) => /^(\w+)/.exec(name.trim().replace(/^type\s.*/, ""))?.[1] ?? []);
}

function targetOf(path: string, specifier: string): string {
  if (specifier.startsWith(".")) return normalize(join(dirname(path), specifier));
  const own = Object.keys(PACKAGES).find((name) => specifier.startsWith(name));
  return own ? specifier.replace(own, PACKAGES[own] ?? "") : specifier;
}

// Strings are kept, so that a "//" in an address does not begin a comment.
function withoutComments(text: string): string {
  return text.replace(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (found) =>
    found.startsWith("//") || found.startsWith("/*") ? found.replace(/[^\n]/g, " ") : found,
  );
}
