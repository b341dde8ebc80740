import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { lineAt, type Violation } from "./modules.ts";

/** One selector of a style sheet. */
export interface Selector {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}
const KIT = "{kit/web,apps/web/src}/**/*.css";
const DOMAINS = "domains/*/web/**/*.css";
/** A list of selectors before its declarations; at-rules and the steps of an animation are none. */
const RULE = /([^{};]+)\{/g;
const BESIDE = /,(?![^(]*\))/;
const INSIDE = /:(?:not|is|where|has)\([^)]*\)/g;
const CLASS = /\.([A-Za-z_][\w-]*)/g;

/** Every selector of the sheets that a pattern names. */
export function selectorsOf(root: string, pattern: string): Selector[] {
  const paths = globSync(pattern, { cwd: root, exclude: (name) => /(^|\/)(node_modules|dist)$/.test(name) });
  return paths.toSorted().flatMap((path) => {
    const css = readFileSync(join(root, path), "utf8").replace(/\/\*[^]*?\*\//g, (comment) => comment.replace(/[^\n]/g, " "));
    return [...css.matchAll(RULE)].flatMap((found) => {
      const list = found[1]!;
      const line = lineAt(css, found.index + list.length - list.trimStart().length);
      if (/^\s*(@|from\b|to\b|\d)/.test(list)) return [];
      return list.split(BESIDE).map((text) => ({ path, line, text: text.trim().replace(/\s+/g, " ") }));
    });
  });
}
const classesOf = (text: string): string[] => [...text.matchAll(CLASS)].map((found) => found[1]!);
/** The element that a selector is about: its last part, without what it is not or has inside. */
const subjectOf = (text: string): string =>
  text
    .replace(INSIDE, "")
    .split(/[\s>+~]+/)
    .at(-1) ?? "";
const wordOf = (name: string): string => name.split("-", 1)[0]!;

/**
 * A domain's sheet styles what is its own: it restyles no class of the kit or the shell, and the first word of its classes is in no
 * other sheet. What the kit lets others choose is a variable (`--input-width`).
 */
export function styleViolations(root: string): Violation[] {
  const kit = new Set(selectorsOf(root, KIT).flatMap(({ text }) => classesOf(text)));
  const own = selectorsOf(root, DOMAINS);
  const restyled = own
    .filter(({ text }) => {
      const classes = classesOf(subjectOf(text));
      return classes.length > 0 && classes.every((name) => kit.has(name));
    })
    .map(({ path, line, text }) => ({ path, line, why: `${text} 改了公共样式，请给元素自己的类，或用公共样式的变量` }));
  const owners = new Map([...kit].map((name) => [wordOf(name), "公共样式"]));
  const borrowed = own.flatMap(({ path, line, text }) =>
    classesOf(text)
      .filter((name) => !kit.has(name))
      .flatMap((name) => {
        const word = wordOf(name);
        const owner = owners.get(word) ?? path;
        owners.set(word, owner);
        return owner === path ? [] : [{ path, line, why: `.${name} 的首词 ${word} 已属于${owner === "公共样式" ? owner : ` ${owner}`}` }];
      }),
  );
  return [...restyled, ...borrowed];
}
