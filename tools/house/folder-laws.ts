import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isTest, type Module, type Violation } from "./modules.ts";

const FOUR = new Set(["README.md", "contract.ts", "contract", "server", "web"]);
const README_LINES = 40;
const FILES_IN_A_FOLDER = 12;
/** A file for each top entry: nobody reads them one after another. */
const LISTS = new Set(["domains/accounts/contract/menu-tree"]);
/** Verbs that say nothing. */
const EMPTY_VERBS = new Set(["manage", "handle", "process", "do", "data", "info", "util", "utils", "helper", "helpers", "common", "base"]);

/** A domain is four names, no fifth; its README fits on a page; a folder stays small enough to read. */
export function folderViolations(root: string, modules: readonly Module[]): Violation[] {
  return [...domainFolders(root).flatMap((domain) => domainViolations(root, domain)), ...crowded(modules), ...emptyNames(modules)];
}

function domainFolders(root: string): string[] {
  return globSync("domains/*/", { cwd: root }).filter((path) => basename(path) !== "node_modules");
}

function domainViolations(root: string, domain: string): Violation[] {
  const names = readdirSync(join(root, domain));
  const fifth = names
    .filter((name) => !FOUR.has(name))
    .map((name) => ({ path: join(domain, name), line: 1, why: "领域里只有 README.md、contract、server、web 四个名字" }));
  const readme = join(domain, "README.md");
  if (!existsSync(join(root, readme))) return [...fifth, { path: readme, line: 1, why: "领域没有 README.md" }];
  const lines = readFileSync(join(root, readme), "utf8").trimEnd().split("\n").length;
  return lines > README_LINES
    ? [...fifth, { path: readme, line: README_LINES + 1, why: `README.md 有 ${lines} 行，超过 ${README_LINES} 行` }]
    : fifth;
}

function crowded(modules: readonly Module[]): Violation[] {
  const counts = new Map<string, number>();
  for (const { path } of modules) {
    const folder = dirname(path);
    if (!isTest(path) && !LISTS.has(folder)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > FILES_IN_A_FOLDER)
    .map(([path, count]) => ({ path, line: 1, why: `${count} 个文件，超过 ${FILES_IN_A_FOLDER} 个，请按名词分子目录` }));
}

function emptyNames(modules: readonly Module[]): Violation[] {
  return modules
    .filter(({ path }) => /^domains\/[^/]+\/server\//.test(path) && EMPTY_VERBS.has(basename(path).split(/[-.]/, 1)[0] ?? ""))
    .map(({ path }) => ({ path, line: 1, why: "文件名的动词没有说出它做什么" }));
}
