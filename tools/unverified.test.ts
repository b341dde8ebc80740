import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// What nobody has seen at a platform stands on a page under a number, behind one place of the code, and is held by a test of that number.
const ROOT = join(import.meta.dirname, "..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const PAGES = ["platforms", "takeaway", "invoices"];

/** The lines of a page's lists of what is not verified. */
const listed = (page: string): readonly string[] =>
  read(`docs/${page}.md`)
    .split("\n\n")
    .filter((part) => /^(\*\*)?not verified|^## unverified/im.test(part))
    .flatMap((part) => part.split("\n"))
    .filter((line) => /^- |^\| (?!what )/.test(line));
const tested = (): readonly string[] =>
  globSync("{domains/{platforms,takeaway,invoices},apps/platform-simulator}/**/*.test.ts", { cwd: ROOT }).flatMap((path) =>
    [...read(path).matchAll(/"unverified: (\w+)/g)].map(([, number]) => number!),
  );

test.each(PAGES)("each unverified fact of docs/%s.md has its number, and each number its test", (page) => {
  const numbers = listed(page).map((line) => /^(?:- |\| )\*\*([A-Z]\d+)\*\* /.exec(line)?.[1] ?? line);
  expect(numbers.length).toBeGreaterThan(5);
  expect(numbers).toEqual([...new Set(numbers)]);
  expect(numbers.filter((number) => !tested().includes(number))).toEqual([]);
});
test("no test is of a number that stands on no page", () => {
  const lines = PAGES.flatMap(listed).join("\n");
  expect(tested().filter((number) => !lines.includes(`**${number}** `))).toEqual([]);
});
