import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BUTTONS, MENU_TREE } from "../../domains/accounts/contract/menu-tree.ts";
import { ROOT } from "../run.ts";
import { GUIDE_PICTURES } from "./table.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const guides = globSync("docs/guides/*.md", { cwd: ROOT }).toSorted();

/** What people read on a screen: texts of the screens, and the labels of states and choices in the contracts, what waits in 待办. */
function wordsOnScreens(): string {
  const files = globSync(
    ["{domains,kit,apps/web}/**/*.tsx", "{domains/*,kit}/contract/**/*.ts", "domains/*/contract.ts", "domains/*/server/**/todos.ts"],
    {
      cwd: ROOT,
      exclude: (name) => name === "node_modules" || name === "dist",
    },
  );
  return files
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .map((path) =>
      read(path)
        .replaceAll(/\/\*[\s\S]*?\*\//g, "")
        .replaceAll(/^\s*\/\/.*$/gm, ""),
    )
    .join("\n");
}

test("every guide is in the index, and every picture that a guide names is in the table and there", () => {
  const index = read("docs/guides/README.md");
  const unnamed = guides.filter((path) => path !== "docs/guides/README.md" && !index.includes(`(${path.slice("docs/guides/".length)})`));
  expect(unnamed).toEqual([]);
  const named = guides.flatMap((path) => [...read(path).matchAll(/\]\(\.\.\/images\/guides\/([^)]+)\)/g)].map(([, file = ""]) => file));
  expect(named.length).toBeGreaterThan(15);
  expect([...new Set(named)].toSorted()).toEqual(GUIDE_PICTURES.map(({ file }) => `${file}.webp`).toSorted());
  for (const file of named) {
    const { size } = statSync(join(ROOT, "docs/images/guides", file));
    expect(size, file).toBeGreaterThan(2_000);
    expect(size, file).toBeLessThanOrEqual(120 * 1024);
  }
});

test("every name between 「」 in a guide stands in the menu or on a screen, letter for letter", () => {
  const titles = new Set<string>([
    ...MENU_TREE.flatMap(({ title, screens }) => [title, ...screens.map(([, screen]) => screen)]),
    ...BUTTONS.map(([, title]) => title),
  ]);
  const words = wordsOnScreens();
  const letter = String.raw`[\p{Script=Han}\w]`;
  const unknown = guides.flatMap((path) =>
    [...read(path).matchAll(/「([^」]+)」/g)]
      .map(([, name = ""]) => name)
      .filter((name) => !titles.has(name))
      .filter((name) => !new RegExp(`(?<!${letter})${RegExp.escape(name)}(?!${letter})`, "u").test(words))
      .map((name) => `${path}: ${name}`),
  );
  expect(unknown).toEqual([]);
});
