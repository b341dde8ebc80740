import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./run.ts";

const read = (path: string): string => (existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), "utf8") : "");

/** A test by its whole title; in other files any piece of the text. */
function stands(path: string, text: string): boolean {
  const wanted = /\.(test|spec)\.tsx?$/.test(path) ? [`"${text}"`, `\`${text}\``] : [text];
  return wanted.some((one) => read(path).includes(one));
}

test("each of the 45 goals has its row in docs/use.md, and what holds it is there", () => {
  const rows = [...read("docs/use.md").matchAll(/^\| (U\d+) [^|]+\|([^|]+)\|[^|]*\|$/gm)];
  expect(rows.map(([, goal]) => goal)).toEqual(Array.from({ length: 45 }, (_none, at) => `U${at + 1}`));
  const held = rows.flatMap(([, goal, cell = ""]) => cell.split("<br>").map((one) => `${goal} ${one.trim()}`));
  const gone = held.filter((one) => {
    const [, path = "", text = ""] = /^U\d+ (\S+) › (.+)$/.exec(one) ?? [];
    return text === "" || !stands(path, text);
  });
  expect(gone).toEqual([]);
});
