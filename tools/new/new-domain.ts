import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { domainFiles, type NewDomain } from "./domain-templates.ts";
import { camel } from "./templates.ts";

/** The logins of the matrix that hold a level, as `policy.ts` of apps/server/testing calls them. */
const LOGINS: Readonly<Record<string, string>> = { A: "...ADMIN", SP: "...SP", MCH: "...MCH", AE: "...AE" };

/**
 * Writes a domain over a table of its own, with a screen that the menu names by `title`, and puts it on every list.
 * @returns the paths of what it wrote and changed
 * @throws when a name is wrong, the domain is there, or the menu has no such screen of a merchant's
 */
export function newDomain(root: string, name: string, title: string): string[] {
  if (!/^[a-z]+(-[a-z0-9]+)*s$/.test(name)) throw new Error(`「${name}」应为复数名词，如 gift-cards`);
  if (existsSync(join(root, "domains", name))) throw new Error(`domains/${name} 已经存在`);
  const menu = menuRow(root, title);
  const numbers = globSync("db/migrations/*.sql", { cwd: root }).map((path) => Number(path.match(/(\d+)-[^/]*$/)?.[1]));
  const number = String(Math.max(...numbers) + 1).padStart(4, "0");
  const of: NewDomain = { name, title, screen: menu.screen, path: menu.path, who: whoHolds(menu.levels), number };
  const files = domainFiles(of);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return [...Object.keys(files), ...enlist(root, of, menu.file)];
}

/** The screen in the menu, where it stands in its entry's file. */
function menuRow(root: string, title: string): { file: string; screen: string; path: string; levels: string } {
  for (const file of globSync("domains/accounts/contract/menu-tree/*.ts", { cwd: root })) {
    const text = readFileSync(join(root, file), "utf8");
    const row = new RegExp(`\\["([a-z-]+)", "${title}", "([^"]+)", "([A-Z ]+)"\\]`).exec(text);
    if (row?.[1] && new RegExp(`built: \\[[^\\]]*"${row[1]}"`).test(text)) throw new Error(`画面「${title}」已经有了`);
    if (row?.[1] && row[2] && row[3]) return { file, screen: row[1], path: row[2], levels: row[3] };
  }
  throw new Error(`菜单里没有画面「${title}」，先加到 domains/accounts/contract/menu-tree/ 中所属一级菜单的 screens`);
}
function whoHolds(levels: string): string {
  const named = levels.split(" ");
  const unknown = named.filter((level) => !LOGINS[level]);
  if (!named.includes("MCH") || unknown.length > 0) throw new Error(`画面属于 ${levels}：这里写的表归商户，只认 A SP MCH AE，并且要有 MCH`);
  return named.map((level) => LOGINS[level]).join(", ");
}

function enlist(root: string, { name, title, screen, path }: NewDomain, menu: string): string[] {
  const value = camel(name);
  const singular = camel(name.replace(/s$/, ""));
  const room = `@zhangfang/domains/${name}`;
  const edits: readonly (readonly [file: string, ...pairs: (readonly [before: RegExp, text: string])[]])[] = [
    [
      "apps/server/domains.ts",
      [/^/, `import { ${value} } from "${room}/server/index.ts";\n`],
      [/^\];\n\nconst files = /m, `  ${value},\n`],
    ],
    [
      "apps/web/src/screens.ts",
      [/^/, `import { screens as ${value}Screens } from "${room}/web/index.ts";\n`],
      [/^\] as const;/m, `  ${value}Screens,\n`],
    ],
    [
      menu,
      [/(?<=buttons: \[)/, `["${path}/add", "新建${title}", "MCH"],["${path}/export", "导出", "MCH"],`],
      [/(?<=built: \[)/, `"${screen}",`],
    ],
    [
      "apps/server/testing/matrix/policies.ts",
      [/^/, `import { ${singular}Policies } from "${room}/server/testing/policy.ts";\n`],
      [/^ {2}exports: /m, `  "${name}": ${singular}Policies,\n`],
    ],
    [
      "apps/server/testing/matrix/plants.ts",
      [/^/, `import { ${singular}Facts } from "${room}/server/testing/plant.ts";\n`],
      [/^ {2}\/\/ Read, not made/m, `  ${singular}Facts,\n`],
    ],
    ["e2e/a11y/stores.spec.ts", [/^\]\);/m, `  ["${title}", "mch01", "${path}", /api\\/${name}/],\n`]],
  ];
  for (const [file, ...pairs] of edits) {
    let text = readFileSync(join(root, file), "utf8");
    for (const [before, added] of pairs) {
      if (!before.test(text)) throw new Error(`${file} 里找不到 ${String(before)}`);
      text = text.replace(before, (found) => `${added}${found}`);
    }
    writeFileSync(join(root, file), text);
  }
  return edits.map(([file]) => file);
}
